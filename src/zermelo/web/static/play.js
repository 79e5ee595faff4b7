// The Play page: one state, shown on the board; moves, the solver's replies and marks change or decorate it.
// It knows no game: names, rules and moves come from the server.

import { getJson, stream } from "./api.js";
import { Board } from "./board.js";
import { explain, fillOverlays } from "./explain.js";
import { byId, defineMarks, el, plural, report, say, topBar } from "./page.js";
import { reviewGame } from "./review.js";
import { addressOf, gameOf, GAMES, nameOf, playersOf, question, readAddress, toMove } from "./state.js";

topBar();
defineMarks();

let state = await readAddress(location.search);
let view = null;
let pending = false; // The board on show is not the state's: what is clicked now would be meant for another position.
let future = []; // Moves taken back, for redo.
let work = new AbortController(); // Everything asked for the position on show; aborted when it changes.
let shown = new Set(JSON.parse(sessionStorage.getItem("shown") ?? '["marks"]'));
let counts = {};
let guessed = false; // Whether the solver's last move was a guess.

const board = new Board(byId("board"), { onMove: play, onSquare: toggleSquare, onHover: hoverReply });

const solversTurn = () => state.you !== "both" && state.you !== view.to_move && !view.over;
const named = (player) => nameOf(gameOf(state), player);

// ---- moving about

function go(changes, { replace = false, keepFuture = false } = {}) {
  state = { ...state, ...changes };
  if (!keepFuture) future = [];
  history[replace ? "replaceState" : "pushState"](null, "", addressOf(state));
  return refresh();
}

function play(id) {
  if (!pending) go({ moves: [...state.moves, id] });
}

function undo() {
  if (!state.moves.length || board.drawing || pending) return;
  // Against the solver one takes back both its reply and one's own move.
  const steps = state.you !== "both" && !solversTurn() && state.moves.length > 1 ? 2 : 1;
  future.push(...state.moves.slice(-steps).reverse());
  go({ moves: state.moves.slice(0, -steps) }, { keepFuture: true });
}

function redo() {
  if (!future.length || board.drawing || pending) return;
  const steps = state.you !== "both" && future.length > 1 ? 2 : 1;
  const moves = [...state.moves];
  for (let step = 0; step < steps; step++) moves.push(future.pop());
  go({ moves }, { keepFuture: true });
}

async function solverMoves() {
  if (!view || view.over || board.drawing || pending) return;
  const { signal } = work;
  say(`${named(view.to_move)} (solver) is thinking …`);
  try {
    const reply = await getJson(`${state.game}/reply`, question(state), signal);
    if (signal.aborted || !reply.move) return;
    guessed = reply.mark === "unknown";
    play(reply.move);
  } catch (error) {
    report(error);
  }
}

// ---- showing

async function refresh() {
  work.abort();
  work = new AbortController();
  const { signal } = work;
  pending = true;
  byId("outcome").textContent = "";
  try {
    const next = await getJson(`${state.game}/position`, question(state), signal);
    if (signal.aborted) return;
    view = next;
  } catch (error) {
    if (error.name === "AbortError") return;
    fillForm();
    report(error);
    return askWithoutBoard(signal);
  }
  pending = false;
  counts = { win: 0, draw: 0, loss: 0, unknown: 0 };
  board.enabled = !solversTurn();
  board.show(view);
  board.showMarks(shown.has("marks") && !solversTurn() && !board.drawing);
  fillForm();
  fillHistory();
  byId("review").hidden = true;
  byId("undo").disabled = !state.moves.length;
  byId("redo").disabled = !future.length;
  byId("answer").disabled = view.over;
  tell();
  if (board.drawing) return;
  explain({ state, board, signal }).catch(report);
  if (view.over) return offerReview();
  if (solversTurn()) return solverMoves();
  if (shown.has("marks")) await markMoves(signal).catch(report);
}

async function markMoves(signal) {
  await stream(`${state.game}/moves`, question(state), (event) => {
    if (signal.aborted) return;
    if (event.event === "outcome") showOutcome(event.words, event.why);
    if (event.event === "move") {
      board.mark(event.moves, event.mark);
      counts[event.mark] += event.moves.length;
      tell();
    }
  }, signal);
  board.root.dataset.marked = "all";
}

// A board that is too large to show may still be one that the rules know.
async function askWithoutBoard(signal) {
  const solved = await getJson(`${state.game}/solve`, { spec: state.start }, signal).catch(() => null);
  if (solved) showOutcome(`${solved.spec}: ${solved.words}`, Object.values(solved.starts)[0].why);
}

function showOutcome(words, why) {
  byId("outcome").textContent = `${words[0].toUpperCase()}${words.slice(1)}${why ? ` (${why})` : ""}`;
}

// One sentence for the eye and for the screen reader.
function tell() {
  if (board.drawing) return say("Draw: click squares away, or back.");
  if (view.over) return say(view.winner ? `${named(view.winner)} wins${state.you === view.winner ? ": you!" : "."} ${view.reason}` : `A draw. ${view.reason}`);
  if (solversTurn()) return;
  const guess = guessed && state.you !== "both" ? " (The solver's move was a guess.)" : "";
  const who = (state.you === "both" ? `${named(view.to_move)} to move.` : `Your turn: ${named(view.to_move)}.`) + guess;
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
  if (done === total) return say(`${who} ${found}`.trim());
  // Screen readers hear the first text; the second changes with every mark and is for the eye only.
  say(who);
  byId("progress").textContent = found;
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
      const reply = await getJson(`${state.game}/reply`, question(after), work.signal);
      if (mine === hovering && reply.move) board.previewReply(toMove(after), reply.squares);
    } catch (error) {
      report(error);
    }
  }, 200);
}

// ---- the form

const options = (pairs) => pairs.map(([value, text]) => el("option", { value }, text));

function fillForm() {
  const game = gameOf(state);
  const players = Object.entries(game.players);
  byId("game").replaceChildren(...options([...GAMES.values()].map(({ name, title }) => [name, title])));
  byId("game").value = state.game;
  byId("spec").value = state.start;
  byId("spec-help").textContent = game.spec_help;
  byId("rules").textContent = game.rules;
  byId("examples").replaceChildren(...game.examples.map((spec) =>
    el("button", { type: "button", class: "link", onclick: () => begin({ start: spec }) }, spec)));
  byId("you").replaceChildren(...options([...players, ["both", "Both (analyse)"]]));
  byId("you").value = state.you;
  byId("first").replaceChildren(...options(players));
  byId("first").value = state.first;
  byId("starts").hidden = view?.turn_fixed ?? false;
  byId("draw").hidden = !game.services.includes("reshaped");
  byId("legend-draw").hidden = !game.draws;
  fillOverlays(state, shown, {
    onCheck(name, on) {
      shown[on ? "add" : "delete"](name);
      sessionStorage.setItem("shown", JSON.stringify([...shown]));
      if (name === "marks") refresh();
    },
    onOverlay: (overlay) => go({ overlay }, { replace: true, keepFuture: true }),
  });
}

// Starts a game from a position that may bring moves along.
async function begin(changes) {
  stopDrawing();
  guessed = false;
  const wanted = { ...state, moves: [], ...changes };
  state = await readAddress(addressOf(wanted).replace("&moves=", ""));
  go({});
}

byId("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  begin({ start: byId("spec").value.trim(), first: byId("first").value, you: byId("you").value || "both" });
});
byId("game").addEventListener("change", () => {
  const game = GAMES.get(byId("game").value);
  begin({ game: game.name, start: game.examples[0], first: playersOf(game)[0], you: "both", overlay: "" });
});
// Who starts matters only before the first move.
byId("you").addEventListener("change", () => go({ you: byId("you").value }));
byId("first").addEventListener("change", () => go({ first: byId("first").value, moves: [] }));

function fillHistory() {
  byId("history").replaceChildren(...state.moves.map((move, index) =>
    el("li", {}, el("button", { type: "button", title: "Go back to after this move", onclick: () => go({ moves: state.moves.slice(0, index + 1) }) }, move))));
}

// ---- drawing a shape: one square after the other, however fast they are clicked

let drawn = Promise.resolve();
function toggleSquare(row, col) {
  drawn = drawn.then(async () => {
    const next = await getJson(`${state.game}/reshape`, { spec: state.start, row, col });
    await go({ start: next.spec, moves: [] }, { replace: true });
  }).catch(report);
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

const restart = () => go({ moves: [] });
byId("undo").addEventListener("click", undo);
byId("redo").addEventListener("click", redo);
byId("answer").addEventListener("click", solverMoves);
byId("restart").addEventListener("click", restart);
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
  const action = { u: undo, r: redo, e: solverMoves, n: restart }[event.key];
  if (action) action();
});
addEventListener("popstate", async () => {
  state = await readAddress(location.search);
  future = [];
  stopDrawing();
  refresh();
});

history.replaceState(null, "", addressOf(state));
refresh();
