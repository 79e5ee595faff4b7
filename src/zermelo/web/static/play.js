// The Play page: one state, shown on the board; moves, the solver's replies and marks change or decorate it.

import { getJson, stream } from "./api.js";
import { Board } from "./board.js";
import { explain, fillOverlays } from "./explain.js";
import { byId, defineMarks, el, plural, topBar } from "./page.js";
import { reviewGame } from "./review.js";
import { addressOf, gameOf, GAMES, readAddress, specOf } from "./state.js";

let state = readAddress(location.search);
let view = null;
let future = []; // Moves taken back, for redo.
let work = new AbortController(); // Everything asked for the position on show; aborted when it changes.
let shown = new Set(JSON.parse(sessionStorage.getItem("shown") ?? '["marks"]'));
let counts = {};

topBar();
defineMarks();

const board = new Board(byId("board"), {
  onMove: (id) => play(id),
  onSquare: toggleSquare,
  onHover: hoverReply,
});

// Screen readers hear the first text; the second changes with every mark and is for the eye only.
function say(text, { bad = false, progress = "" } = {}) {
  byId("status").textContent = text;
  byId("status").classList.toggle("bad", bad);
  byId("progress").textContent = progress;
}

const solversTurn = () => state.you !== "both" && state.you !== view.to_move && !view.over;

// ---- moving about

function go(changes, { replace = false, keepFuture = false } = {}) {
  state = { ...state, ...changes };
  if (!keepFuture) future = [];
  history[replace ? "replaceState" : "pushState"](null, "", addressOf(state));
  refresh();
}

function play(id) {
  go({ moves: [...state.moves, id] });
}

function undo() {
  if (!state.moves.length || board.drawing) return;
  // Against the solver one takes back both its reply and one's own move.
  const steps = state.you !== "both" && !solversTurn() && state.moves.length > 1 ? 2 : 1;
  const kept = state.moves.slice(0, -steps);
  future.push(...state.moves.slice(-steps).reverse());
  go({ moves: kept }, { keepFuture: true });
}

function redo() {
  if (!future.length || board.drawing) return;
  const steps = state.you !== "both" && future.length > 1 ? 2 : 1;
  const moves = [...state.moves];
  for (let step = 0; step < steps; step++) moves.push(future.pop());
  go({ moves }, { keepFuture: true });
}

async function solverMoves() {
  if (!view || view.over || board.drawing) return;
  const { signal } = work;
  say(`${GAMES[state.game].names[view.to_move]} (solver) is thinking …`);
  try {
    const reply = await getJson(`${state.game}/reply`, gameOf(state).query(state), signal);
    if (!signal.aborted && reply.move) play(reply.move);
  } catch (error) {
    report(error);
  }
}

function report(error) {
  if (error.name !== "AbortError") say(error.message, { bad: true });
}

// ---- showing

async function refresh() {
  work.abort();
  work = new AbortController();
  const { signal } = work;
  try {
    const next = await getJson(`${state.game}/position`, gameOf(state).query(state), signal);
    if (signal.aborted) return;
    view = next;
  } catch (error) {
    if (!view) fillForm();
    return report(error);
  }
  counts = { win: 0, draw: 0, loss: 0, unknown: 0 };
  board.enabled = !solversTurn();
  board.show(view);
  board.showMarks(shown.has("marks") && !solversTurn());
  fillForm();
  fillHistory();
  byId("review").hidden = true;
  byId("undo").disabled = !state.moves.length;
  byId("redo").disabled = !future.length;
  byId("answer").disabled = view.over;
  tell();
  explain({ state, board, signal }).catch(report);
  if (view.over) return offerReview();
  if (solversTurn()) return solverMoves();
  if (shown.has("marks")) await markMoves(signal).catch(report);
}

async function markMoves(signal) {
  await stream(`${state.game}/moves`, gameOf(state).query(state), (event) => {
    if (signal.aborted) return;
    if (event.event === "move") {
      board.mark(event.moves, event.mark);
      counts[event.mark] += event.moves.length;
      tell();
    }
  }, signal);
  board.root.dataset.marked = "all";
}

// One sentence for the eye and for the screen reader.
function tell() {
  const { names } = GAMES[state.game];
  if (view.over) return say(view.winner ? `${names[view.winner]} wins${state.you === "both" ? "" : view.winner === state.you ? ": you!" : "."} ${view.reason}` : `A draw. ${view.reason}`);
  if (solversTurn()) return;
  const who = state.you === "both" ? `${names[view.to_move]} to move.` : `Your turn: ${names[view.to_move]}.`;
  if (!shown.has("marks")) return say(who);
  const done = counts.win + counts.draw + counts.loss + counts.unknown;
  const total = view.moves.length;
  const parts = [];
  if (counts.win) parts.push(`${plural(counts.win, "move wins", "moves win")}`);
  if (counts.draw) parts.push(`${plural(counts.draw, "move draws", "moves draw")}`);
  if (done === total && !counts.win && !counts.draw && !counts.unknown) parts.push("every move loses");
  if (done < total) parts.push(`searching: ${done} of ${total} marked`);
  else if (counts.unknown) parts.push(`${counts.unknown} unknown`);
  const joined = parts.join(", ");
  const found = joined && `${joined[0].toUpperCase()}${joined.slice(1)}.`;
  if (done < total) say(who, { progress: found });
  else say(`${who} ${found}`.trim());
}

// ---- the best reply to a move that is pointed at

let hovering = 0;
function hoverReply(id) {
  const mine = ++hovering;
  if (!id || !["loss", "draw"].includes(board.marks.get(id)) || !shown.has("replies")) return;
  setTimeout(async () => {
    if (mine !== hovering) return;
    const after = { ...state, moves: [...state.moves, id] };
    try {
      const reply = await getJson(`${state.game}/reply`, gameOf(after).query(after), work.signal);
      if (mine === hovering && reply.move) board.previewReply(gameOf(after).toMove(after), reply.squares);
    } catch (error) {
      report(error);
    }
  }, 200);
}

// ---- the form

function fillForm() {
  byId("game").value = state.game;
  for (const node of document.querySelectorAll("[data-for]")) node.hidden = node.dataset.for !== state.game;
  const { players, names } = GAMES[state.game];
  byId("you").replaceChildren(
    ...players.map((player) => el("option", { value: player }, names[player])),
    el("option", { value: "both" }, "Both (analyse)"),
  );
  byId("you").value = state.you;
  byId("first").value = state.first;
  byId("legend-draw").hidden = state.game !== "mnk";
  if (!view) {
    // The address was not understood: the form offers its first values.
  } else if (state.game === "domineering") {
    byId("rows").value = view.rows;
    byId("cols").value = view.cols;
    byId("topology").value = ["torus:", "hcylinder:", "vcylinder:"].find((name) => state.base.startsWith(name)) ?? "";
  } else {
    const [m, n, k] = state.base.split(",");
    [byId("mnk-m").value, byId("mnk-n").value, byId("mnk-k").value] = [m, n, k];
  }
  fillOverlays(state, shown, {
    onCheck(name, on) {
      shown[on ? "add" : "delete"](name);
      sessionStorage.setItem("shown", JSON.stringify([...shown]));
      if (name === "marks") refresh();
    },
    onOverlay: (overlay) => go({ overlay }, { replace: true, keepFuture: true }),
  });
}

function baseOfForm() {
  if (byId("game").value === "mnk") return [byId("mnk-m").value, byId("mnk-n").value, byId("mnk-k").value].join(",");
  return `${byId("topology").value}${byId("rows").value}x${byId("cols").value}`;
}

byId("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  stopDrawing();
  const game = byId("game").value;
  // A drawn shape stays when only the players change.
  const sameSize = game === state.game && game === "domineering" && view && state.base.includes(".") &&
    Number(byId("rows").value) === view.rows && Number(byId("cols").value) === view.cols && state.base.startsWith(byId("topology").value);
  go({ game, base: sameSize ? state.base : baseOfForm(), moves: [], first: byId("first").value, you: byId("you").value || "both" });
});

byId("game").addEventListener("change", () => {
  go({ game: byId("game").value, base: GAMES[byId("game").value].start, moves: [], you: "both", overlay: "" });
});
for (const id of ["you", "first"]) {
  byId(id).addEventListener("change", () => {
    // Who starts matters only before the first move.
    go(id === "you" ? { you: byId("you").value } : { first: byId("first").value, moves: [] });
  });
}

function fillHistory() {
  byId("history").replaceChildren(...state.moves.map((move, index) =>
    el("li", {}, el("button", { type: "button", title: "Go back to after this move", onclick: () => go({ moves: state.moves.slice(0, index + 1) }) }, move))));
}

// ---- drawing a shape

function toggleSquare(row, col) {
  const rows = [...Array(view.rows)].map((_, r) => [...Array(view.cols)].map((_, c) =>
    view.blocked.some(([br, bc]) => br === r + 1 && bc === c + 1) ? "#" : "."));
  rows[row - 1][col - 1] = rows[row - 1][col - 1] === "." ? "#" : ".";
  const prefix = byId("topology").value;
  go({ base: prefix + rows.map((line) => line.join("")).join("/"), moves: [] }, { replace: true });
}

function stopDrawing() {
  board.drawing = false;
  byId("draw").setAttribute("aria-pressed", "false");
  byId("draw").textContent = "Draw a shape";
  byId("draw-help").hidden = true;
}

byId("draw").addEventListener("click", () => {
  if (board.drawing) {
    stopDrawing();
    return refresh();
  }
  board.drawing = true;
  byId("draw").setAttribute("aria-pressed", "true");
  byId("draw").textContent = "Play this shape";
  byId("draw-help").hidden = false;
  go({ moves: [], you: "both" });
});

// ---- the end of a game

function offerReview() {
  const box = byId("review");
  box.hidden = false;
  const button = el("button", { type: "button", id: "why" }, state.you !== "both" && view.winner !== state.you ? "Why did I lose?" : "Review the game");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await reviewGame({ state, box, signal: work.signal, goTo: (moves) => go({ moves, you: "both" }) });
    } catch (error) {
      report(error);
    }
  });
  box.replaceChildren(button);
}

// ---- buttons and keys

byId("undo").addEventListener("click", undo);
byId("redo").addEventListener("click", redo);
byId("answer").addEventListener("click", solverMoves);
byId("restart").addEventListener("click", () => go({ moves: [] }));
byId("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    byId("share").textContent = "Copied";
  } catch {
    byId("share").textContent = "Copy it from the address bar";
  }
  setTimeout(() => (byId("share").textContent = "Copy link"), 2000);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const action = { u: undo, r: redo, e: solverMoves, n: () => go({ moves: [] }) }[event.key];
  if (action) action();
});
addEventListener("popstate", () => {
  state = readAddress(location.search);
  future = [];
  stopDrawing();
  refresh();
});

history.replaceState(null, "", addressOf(state));
refresh();
