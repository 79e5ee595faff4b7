// The Play page: a state machine over one record of moves. It knows no game: names, rules and moves come from the server.
// Its phases: "loading" (the position comes from the server), "ready", "thinking" (the solver's turn) and "drawing". Only
// "ready" takes moves, so that a click always belongs to the position on show.

import { getJson } from "./api.js";
import { Board } from "./board.js";
import { explain, fillOverlays } from "./explain.js";
import { fillHistory } from "./moves.js";
import { always, byId, capital, confirmed, defineMarks, el, markSample, plural, report, say, session, whole } from "./page.js";
import { keep, nextOf } from "./record.js";
import { reviewGame } from "./review.js";
import { Setup } from "./setup.js";
import { fillShare } from "./share.js";
import { addressOf, gameOf, judge, nameOf, otherPlayer, question, readAddress } from "./state.js";
import { fillRules, welcome } from "./words.js";

let state = await readAddress(location.search);
defineMarks();

let phase = "loading";
let view = null; // The position on show.
let shown = null; // Its place in the record.
let work = new AbortController(); // Aborts the requests of the position on show when it changes.
let replies = session.get("replies") === "on";

const board = new Board(byId("board"), { onMove: (id) => play(id), onDraw: (squares) => setup.turn(squares), onHover: hoverReply });
const setup = new Setup({ board, begin, current: () => state, drawing: (on) => (on ? startDrawing() : stopDrawing()) });

const named = (player) => nameOf(gameOf(state), player);
const solver = () => (state.you === "both" ? null : otherPlayer(gameOf(state), state.you));

// ---- moving through the record

// Moves replace the address, so that Back leaves the game in one press; a new game is a new entry of the history.
function setAddress({ push = false } = {}) {
  const address = addressOf(state);
  if (address !== location.search) history[push ? "pushState" : "replaceState"](null, "", address);
  const moves = state.record.moves.length;
  document.title = `${state.start.length < 40 ? state.start : `${state.start.slice(0, 39)}…`}${moves ? `, ${plural(moves, "move")}` : ""} · ${gameOf(state).title} · Zermelo`;
}

function play(id, note = "") {
  if (phase !== "ready" && phase !== "thinking") return;
  board.placed(id);
  state.record.play(id).note = note;
  show({ reply: phase === "ready" });
}

// Goes to a place of the record. The solver does not answer there: its answer would undo the step back.
function visit(place) {
  if (!place || phase === "drawing") return;
  state.record.go(place);
  show();
}

// Undo and redo stop where it is the visitor's turn.
const mine = (place) => !solver() || question(state, state.record.constructor.movesTo(place)).to_move === state.you;
function undo() {
  let place = state.record.at.parent;
  while (place?.parent && !mine(place)) place = place.parent;
  visit(place);
}
function redo() {
  let place = state.record.next;
  while (place && !mine(place) && nextOf(place)) place = nextOf(place);
  visit(place);
}

async function solverMoves() {
  if (phase !== "ready" || view.over) return;
  phase = "thinking";
  board.enabled = false;
  board.showMarks(false);
  say(`${named(view.to_move)} (solver) is thinking …`);
  const { signal } = renew();
  try {
    const reply = await getJson(`${state.game}/reply`, question(state), signal);
    if (signal.aborted) return;
    if (reply.move) play(reply.move, `${named(view.to_move)} (solver) played ${reply.move}${reply.mark === "unknown" ? ", a guess" : ""}. `);
  } catch (error) {
    if (error.name === "AbortError") return;
    phase = "ready";
    board.enabled = true;
    report(error);
  }
}

// ---- showing

function renew() {
  work.abort();
  work = new AbortController();
  return work;
}

// Shows the current place of the record. If the server refuses it, the place shown before stays.
async function show({ reply = false, push = false } = {}) {
  const { signal } = renew();
  const place = state.record.at;
  phase = "loading";
  setAddress({ push });
  try {
    place.view ??= await getJson(`${state.game}/position`, question(state), signal);
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    return failed(error, place);
  }
  if (signal.aborted) return;
  [view, shown, phase] = [place.view, place, "ready"];
  keep(state);
  const thinks = reply && view.to_move === solver() && !view.over && !place.children.length;
  board.enabled = true;
  board.show(view);
  board.showMarks(!state.hide && !thinks);
  fillHistory(state, visit);
  fillShare({ state, view, open: begin });
  byId("review").hidden = true;
  byId("undo").disabled = !place.parent;
  byId("redo").disabled = !state.record.next;
  byId("answer").disabled = view.over;
  tellOutcome();
  explain({ state, board, signal }).catch(report);
  if (thinks) return solverMoves();
  tell();
  if (view.over) return offerReview();
  if (!state.hide) markMoves(signal).catch(report);
}

function failed(error, place) {
  if (shown && state.record.root === rootOf(shown)) {
    if (!place.view && !place.children.length) state.record.drop(place);
    state.record.go(shown);
    phase = "ready";
    setAddress();
    board.placed(null);
    return report(error);
  }
  // A link may hold an illegal move: the game before it is shown, with the reason.
  if (place.parent && error.status === 422) {
    state.record.drop(place);
    state.record.at.note = `${error.message} `;
    return show();
  }
  // Nothing of this game can be shown: do not leave the board of another game.
  view = shown = null;
  for (const id of ["board", "history", "more"]) byId(id).replaceChildren();
  for (const id of ["undo", "redo", "answer"]) byId(id).disabled = true;
  byId("outcome").textContent = "";
  report(error);
  askWithoutBoard(work.signal);
}

const rootOf = (place) => (place.parent ? rootOf(place.parent) : place);

// ---- marks

// The marks of a place are kept with it, so that they are there at once when the visitor comes back.
async function markMoves(signal, seconds) {
  const place = shown;
  for (const [move, mark] of place.marks ?? []) board.mark([move], mark);
  if (!place.done || seconds) {
    await judge(state, place, { seconds, signal }, ({ moves = [], mark }) => {
      board.mark(moves, mark);
      tell();
      tellOutcome();
    });
    fillShare({ state, view, open: begin });
  }
  board.root.dataset.marked = "all";
}

// Shows who wins and the source of that; or how long the search for it took, and a button to search longer.
function tellOutcome() {
  const { outcome, done } = shown;
  const [line, more] = [byId("outcome"), byId("more")];
  line.textContent = "";
  more.replaceChildren();
  if (state.hide || view.over || phase === "drawing") return;
  if (outcome?.mark && outcome.mark !== "unknown") {
    line.textContent = `${capital(outcome.words)}${outcome.why ? ` (${outcome.why})` : ""}.`;
    const prove = new URLSearchParams({ proof: `made-${state.game}-${view.to_move}-${view.spec}` });
    more.append(el("a", { href: `proof.html?${prove}` }, "Prove this"));
  } else if (done) {
    line.textContent = `Who wins is unknown: searched ${Math.round(done.seconds)} s and ${whole(done.nodes)} positions.`;
  }
  if (!done || !done.unknown) return;
  const seconds = gameOf(state).longest_seconds;
  more.append(" ", el("button", { type: "button", class: "link", id: "longer", onclick: () => longer(seconds) }, `Search longer (up to ${seconds} s)`));
}

function longer(seconds) {
  shown.done = null;
  board.root.removeAttribute("data-marked");
  for (const [move, mark] of shown.marks) if (mark === "unknown") shown.marks.delete(move);
  board.waitAgain();
  tell();
  tellOutcome();
  markMoves(work.signal, seconds).catch(report);
}

// The rules may know a board that is too large to show.
async function askWithoutBoard(signal) {
  const solved = await getJson(`${state.game}/solve`, { spec: state.start }, signal).catch(() => null);
  if (solved) byId("outcome").textContent = `${solved.spec}: ${capital(solved.words)} (${Object.values(solved.starts)[0].why})`;
}

// Writes the status: one sentence for the eye and for the screen reader.
function tell() {
  if (phase === "drawing") return say("Draw: click or drag over squares.");
  const note = shown.note ?? "";
  if (view.over) return say(note + (view.winner ? `${named(view.winner)} wins${state.you === view.winner ? ": you!" : "."} ${view.reason}` : `A draw. ${view.reason}`));
  if (phase === "thinking") return;
  const turn = state.you === view.to_move ? `Your turn: ${named(view.to_move)}.` : `${named(view.to_move)} to move.`;
  if (state.hide) return say(note + turn);
  const counts = { win: 0, draw: 0, loss: 0, unknown: 0 };
  for (const mark of shown.marks?.values() ?? []) counts[mark]++;
  const [done, total] = [shown.marks?.size ?? 0, view.moves.length];
  const parts = [];
  if (counts.win) parts.push(plural(counts.win, "move wins", "moves win"));
  if (counts.draw) parts.push(plural(counts.draw, "move draws", "moves draw"));
  if (done === total && !counts.win && !counts.draw && !counts.unknown) parts.push("every move loses");
  if (done < total) parts.push(`searching: ${done} of ${total} marked`);
  else if (counts.unknown) parts.push(...(counts.loss ? [plural(counts.loss, "move loses", "moves lose")] : []), `${counts.unknown} unknown yet`);
  const joined = parts.join(", ");
  const found = joined && `${capital(joined)}.`;
  if (done === total) return say(`${note}${turn} ${found}`.trim());
  // Screen readers read the first text; the second changes with every mark and is for the eye only.
  say(note + turn);
  byId("progress").textContent = found;
}

// ---- the best reply to the move under the pointer

let hovering = 0;
function hoverReply(id) {
  const number = ++hovering;
  if (!id || state.hide || !["loss", "draw"].includes(board.marks.get(id)) || !replies) return;
  setTimeout(async () => {
    if (number !== hovering) return;
    const after = question(state, [...state.record.moves, id]);
    try {
      const reply = await getJson(`${state.game}/reply`, after, work.signal);
      if (number === hovering && reply.move) board.previewReply(after.to_move, reply.squares);
    } catch (error) {
      report(error);
    }
  }, 200);
}

// ---- another game

// Starts a game from a position, perhaps with moves; a game of this session with the same start continues.
async function begin(changes, { fresh = false } = {}) {
  const wanted = { ...state, ...changes };
  const same = ["game", "start", "first"].every((key) => wanted[key] === state[key]);
  if (same && !changes.record) {
    if (fresh && !state.record.empty) return restart();
    state = wanted;
    fillPage();
    return show({ reply: true, push: true });
  }
  const query = new URLSearchParams(addressOf(wanted, []));
  query.delete("moves");
  if (wanted.game !== state.game) query.delete("show");
  state = changes.record ? wanted : await readAddress(`?${query}`);
  fillPage();
  return show({ reply: true, push: true });
}

async function restart() {
  if (phase === "drawing") return;
  if (!state.record.empty && !(await confirmed("Clear the board? This deletes the moves of this game.", "Clear it"))) return;
  state.record = new state.record.constructor();
  show({ reply: true });
}

function fillPage() {
  const game = gameOf(state);
  setup.fill(state);
  fillRules(game);
  byId("legend").replaceChildren(...[["win", "wins"], ["draw", "draws"], ["loss", "loses"], ["unknown", "unknown yet"]]
    .filter(([mark]) => mark !== "draw" || game.draws).map(([mark, words]) => el("li", {}, markSample(mark), words)));
  byId("legend").hidden = state.hide;
  fillOverlays(state, replies, {
    onHide(hide) {
      state.hide = hide;
      byId("legend").hidden = hide;
      if (phase === "ready") show();
    },
    onReplies(on) {
      replies = on;
      session.set("replies", on ? "on" : "off");
    },
    onOverlay(overlay) {
      state.overlay = overlay;
      setAddress();
      if (phase !== "ready") return; // The next position loads its own.
      board.overlay([]);
      explain({ state, board, signal: work.signal }).catch(report);
    },
  });
}

// ---- drawing a shape

async function startDrawing() {
  state.record.go(state.record.root);
  await show();
  if (!view) return false;
  renew();
  phase = "drawing";
  board.draw(true);
  board.showMarks(false);
  board.overlay([]);
  byId("explanation").replaceChildren();
  tellOutcome();
  tell();
  return true;
}

function stopDrawing() {
  board.draw(false);
  phase = "ready";
}

// ---- the end of a game

function offerReview() {
  const box = byId("review");
  box.hidden = false;
  const lost = state.you !== "both" && view.winner && view.winner !== state.you;
  const button = el("button", { type: "button", id: "why" }, lost ? "Why did I lose?" : "Review the game");
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.textContent = "Looking at each move …";
    await reviewGame({ state, view, box, board, signal: work.signal, visit }).catch(report);
  });
  box.replaceChildren(button);
}

// ---- buttons and keys

byId("undo").addEventListener("click", undo);
byId("redo").addEventListener("click", redo);
byId("answer").addEventListener("click", solverMoves);
byId("restart").addEventListener("click", restart);
byId("letters").checked = always.get("letters") !== "off";
byId("letters").addEventListener("change", () => always.set("letters", byId("letters").checked ? "on" : "off"));
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  if (document.querySelector("dialog[open]")) return;
  const letters = { u: undo, r: redo, e: solverMoves, n: restart };
  const arrows = {
    ArrowLeft: () => visit(state.record.at.parent),
    ArrowRight: () => visit(state.record.next),
    Home: () => visit(state.record.root),
    End: () => visit(state.record.line.at(-1)),
  };
  const action = arrows[event.key] ?? (byId("letters").checked ? letters[event.key] : null);
  if (!action) return;
  event.preventDefault();
  action();
});
addEventListener("popstate", async () => {
  state = await readAddress(location.search);
  setup.stop();
  fillPage();
  show({ reply: true });
});

fillPage();
if (!state.embed) welcome(gameOf(state));
show({ reply: true });
