// The Play page: a state machine over one record of moves. It knows no game: names, rules and moves come from the server.
// Its phases: "loading" (the position comes from the server), "ready", "thinking" (Zermelo's turn, or a replay) and
// "drawing". Only "ready" takes moves, and only for the visitor's side, so that a click always belongs to the position on
// show, or to the one that is on its way there. A request waits until it is answered: no phase ends because of a fault.

import { getJson } from "./api.js";
import { Board, distanceWords } from "./board.js";
import { explain, fillOverlays } from "./explain.js";
import { fillHistory } from "./moves.js";
import { allow, always, byId, capital, confirmed, defineMarks, el, markSample, onPress, plural, report, say, session, shorten, whole } from "./page.js";
import { keep, nextOf } from "./record.js";
import { reviewGame } from "./review.js";
import { Setup } from "./setup.js";
import { fillShare } from "./share.js";
import { addressOf, gameOf, judge, nameOf, otherPlayer, question, readAddress, titleOf } from "./state.js";
import { fillRules, welcome } from "./words.js";

let state = await readAddress(location.search);
defineMarks();

let phase = "loading";
let view = null; // The position on show.
let shown = null; // Its place in the record.
let work = new AbortController(); // Aborts the requests of the position on show when it changes.

const board = new Board(byId("board"), { onMove: (id) => play(id), onHover: (id) => hoverReply(id).catch(report) });
const setup = new Setup({ board, begin, current: () => state, drawing: (on) => (on ? startDrawing() : stopDrawing()) });

const REPLY_SECONDS = 5; // Zermelo guesses after that.
const REPLAY_PAUSE = 900;

const named = (player) => nameOf(gameOf(state), player);
const solver = () => (state.you === "both" ? null : otherPlayer(gameOf(state), state.you));
const solversTurn = () => view.to_move === solver() && !view.over;

// Moves replace the address, so that Back leaves the game in one press; a new game is a new entry of the history.
function setAddress({ push = false } = {}) {
  const address = addressOf(state);
  if (address !== location.search) history[push ? "pushState" : "replaceState"](null, "", address);
  const moves = state.record.moves.length;
  byId("heading").textContent = `${titleOf(state)}: ${state.start}`;
  document.title = `${shorten(state.start)}${moves ? `, ${plural(moves, "move")}` : ""} · ${titleOf(state)} · Zermelo`;
}

function play(id) {
  if (phase !== "ready" || solversTurn()) return;
  board.placed(id);
  say(`${named(view.to_move)} played ${id}.`);
  state.record.play(id);
  show({ reply: true, played: true });
}

// Goes to a place of the record. The solver does not answer there: its answer would undo the step back.
function visit(place) {
  if (!place || phase === "drawing") return;
  state.record.go(place);
  return show();
}

// Undo and redo stop where it is the visitor's turn.
const mine = (place) => !solver() || question(state, state.record.constructor.movesTo(place)).to_move === state.you;
function goOn(step) {
  let place = step(state.record.at);
  while (place && step(place) && !mine(place)) place = step(place);
  visit(place);
}

const reply = (signal) => getJson(`${state.game}/reply`, { ...question(state), seconds: Math.min(REPLY_SECONDS, gameOf(state).seconds) }, signal);

// Zermelo moves for the side on turn. The phase stays "thinking" until the move is there, or the visitor goes elsewhere.
async function solverMoves({ replays = false } = {}) {
  if (phase === "drawing" || view.over) return;
  phase = "thinking";
  board.enabled = false;
  board.showMarks(false);
  const { signal } = renew();
  say(`Zermelo is thinking for ${named(view.to_move)} …`);
  const { move, mark } = await reply(signal);
  if (!move || signal.aborted) return;
  board.placed(move);
  state.record.play(move).note = `Zermelo (${named(view.to_move)}) played ${move}${mark === "unknown" ? ", a guess" : ""}. `;
  return show({ reply: true, replays });
}

// Plays on from a place with best moves for both sides, as a variation.
async function replay(place) {
  byId("board").scrollIntoView({ block: "nearest" });
  await visit(place);
  for (let at = shown; state.record.at === at && !view.over; at = shown) {
    await new Promise((resolve) => setTimeout(resolve, REPLAY_PAUSE));
    if (state.record.at !== at || phase !== "ready") return;
    await solverMoves({ replays: true });
  }
}

async function hint() {
  if (phase !== "ready" || view.over || solversTurn()) return;
  const [place, signal] = [shown, work.signal];
  say("Looking for a good move …");
  const { move, mark } = await reply(signal);
  if (!move || signal.aborted || shown !== place) return;
  board.hint(move);
  say({ win: `Hint: ${move} wins.`, draw: `Hint: ${move} draws.`, loss: `Every move loses; ${move} lasts long.`, unknown: `Hint: ${move}, a guess.` }[mark]);
}

// ---- showing

function renew() {
  work.abort();
  return (work = new AbortController());
}

// Shows the current place of the record. If the server refuses it, the place shown before stays.
async function show({ reply = false, replays = false, push = false, played = false } = {}) {
  const { signal } = renew();
  const place = state.record.at;
  phase = "loading";
  board.enabled = false;
  if (!played) board.early = []; // They were meant for another place.
  setAddress({ push });
  try {
    place.view ??= await getJson(`${state.game}/position`, question(state), signal);
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    return failed(error, place);
  }
  if (signal.aborted) return;
  if (shown && rootOf(shown) !== rootOf(place)) board.early = []; // Another board
  [view, shown, phase] = [place.view, place, "ready"];
  keep(state);
  const thinks = reply && !replays && solversTurn() && !place.children.length;
  board.enabled = !solversTurn() && !replays;
  board.show(view);
  board.showMarks(!state.hide && !thinks);
  welcome(state, view, board.walks);
  fillHistory(state, visit);
  fillShare({ state, view, open: begin });
  byId("review").hidden = true;
  const allowed = { undo: place.parent, redo: state.record.next, answer: !view.over, hint: !view.over && !solversTurn() };
  for (const [id, on] of Object.entries(allowed)) allow(id, on);
  tellOutcome();
  showStage();
  explain({ state, board, signal }).catch(report);
  if (thinks) return solverMoves().catch(report);
  tell();
  board.open(board.enabled);
  if (phase !== "ready") return; // The visitor has moved on.
  if (view.over) offerReview();
  else if (!state.hide && !replays) markMoves(signal).catch(report);
}

// Nothing of the stage is shown before its first position, so that nothing of it moves.
const showStage = () => document.querySelector(".stage").classList.remove("waits");

async function failed(error, place) {
  showStage();
  if (shown && state.record.root === rootOf(shown)) {
    if (!place.view && !place.children.length) state.record.drop(place);
    state.record.go(shown);
    phase = "ready";
    setAddress();
    board.early = [];
    board.placed(null);
    return report(error);
  }
  // A link may hold an illegal move: the game before it is shown, with the reason.
  if (place.parent && error.status === 422) {
    state.record.drop(place);
    state.record.at.note = `${capital(error.message)}. `;
    return show();
  }
  // Nothing of this game can be shown: do not leave the board of another game.
  view = shown = null;
  for (const id of ["board", "history", "more"]) byId(id).replaceChildren();
  for (const id of ["undo", "redo", "answer", "hint"]) allow(id, false);
  byId("outcome").textContent = "";
  report(error);
  // The rules may know a board that is too large to show.
  if (!gameOf(state).services.includes("derive")) return;
  const { game, start: board } = state;
  const known = await getJson(`${game}/why`, { board }, work.signal).catch(() => null);
  if (known) location.assign(`table.html?${new URLSearchParams({ game, board })}`);
}

const rootOf = (place) => (place.parent ? rootOf(place.parent) : place);

// ---- marks

// The marks of a place are kept with it, so that they are there at once when the visitor comes back.
async function markMoves(signal) {
  const place = shown;
  for (const [move, mark] of place.marks ?? []) board.mark([move], mark);
  if (!place.distances) { // They come last.
    await judge(state, place, signal, ({ moves = [], mark }) => {
      board.mark(moves, mark);
      tell();
      tellOutcome();
    });
    fillShare({ state, view, open: begin });
  }
  board.showDistances(place.distances);
  tell();
  board.root.dataset.marked = "all";
}

// Shows who wins; or how long the search for it took, and a button to search longer. The source is a press away.
function tellOutcome() {
  const { outcome, done } = shown;
  const [line, more] = [byId("outcome"), byId("more")];
  line.textContent = "";
  more.replaceChildren();
  if (state.hide || view.over || phase === "drawing") return;
  if (outcome?.mark && outcome.mark !== "unknown") {
    line.textContent = `${capital(outcome.words)}${outcome.mark === "draw" ? "" : " if both play well"}.`;
    const prove = new URLSearchParams({ proof: `made-${state.game}-${view.to_move}-${view.spec}` });
    const found = done ? `Here ${plural(done.nodes, "position was", "positions were")} searched in ${done.seconds.toFixed(1)} s.` : "";
    byId("how").replaceChildren(el("p", {}, `${capital(outcome.words)}: ${outcome.why}.`), el("p", { class: "hint" }, found));
    more.append(el("button", { type: "button", class: "link", popovertarget: "how" }, "How do we know?"), " ");
    if (gameOf(state).services.includes("prove")) more.append(el("a", { href: `proof.html?${prove}` }, "Prove this"));
  } else if (done) {
    line.textContent = `Who wins is unknown: searched ${Math.round(done.seconds)} s and ${whole(done.nodes)} positions.`;
  }
  if (!done || !done.unknown) return;
  const seconds = gameOf(state).longest_seconds;
  more.append(" ", el("button", { type: "button", class: "link", id: "longer", onclick: () => longer(seconds) }, `Search longer (up to ${seconds} s)`));
}

function longer(seconds) {
  const place = Object.assign(shown, { done: null, distances: null, seconds });
  for (const [move, mark] of place.marks) if (mark === "unknown") place.marks.delete(move);
  show();
}

// Writes the status: one sentence for the eye and for the screen reader.
function tell() {
  if (phase === "drawing") return say("Click or drag over squares to take them away or give them back, then choose “Play this shape”.");
  const note = shown.note ?? "";
  if (view.over) return say(note + (view.winner ? `${named(view.winner)} wins${state.you === view.winner ? ": you!" : "."} ${view.reason}` : `A draw. ${view.reason}`));
  if (phase === "thinking") return;
  const turn = state.you === view.to_move ? `Your turn: ${named(view.to_move)}.` : `${solversTurn() ? "Zermelo's turn: " : ""}${named(view.to_move)}${solversTurn() ? "." : " to move."}`;
  if (state.hide) return say(note + turn);
  const counts = { win: 0, draw: 0, loss: 0, unknown: 0 };
  for (const mark of shown.marks?.values() ?? []) counts[mark]++;
  const [done, total] = [shown.marks?.size ?? 0, view.moves.length];
  const parts = [];
  const longest = board.longest();
  if (counts.win) parts.push(plural(counts.win, "move wins", "moves win"));
  if (counts.draw) parts.push(plural(counts.draw, "move draws", "moves draw"));
  if (done === total && !counts.win && !counts.draw && !counts.unknown) parts.push(`every move loses${longest ? `; ${longest} lasts longest:${distanceWords(board.distances[longest]).slice(3)}` : ""}`);
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
async function hoverReply(id) {
  const number = ++hovering;
  if (!id || state.hide || !byId("show-replies").checked || !["loss", "draw"].includes(board.marks.get(id))) return;
  await new Promise((resolve) => setTimeout(resolve, 200));
  if (number !== hovering) return;
  const after = question(state, [...state.record.moves, id]);
  const { move, squares } = await getJson(`${state.game}/reply`, after, work.signal);
  if (number === hovering && move) board.drawMove(after.to_move, { squares }, board.layers.ghost, "ghost reply");
}

// ---- another game

// Starts a game from a position, perhaps with moves; a game of this session with the same start continues.
async function begin(changes, { fresh = false } = {}) {
  const wanted = { ...state, ...changes };
  const same = ["game", "start", "first"].every((key) => wanted[key] === state[key]);
  if (same && !changes.record && fresh && !state.record.empty) return restart();
  const query = new URLSearchParams(addressOf(wanted, []));
  query.delete("moves");
  if (wanted.game !== state.game) query.delete("show");
  phase = "loading"; // No click belongs to the game before.
  renew();
  state = same || changes.record ? wanted : await readAddress(`?${query}`);
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
  fillRules(state);
  byId("legend").replaceChildren(...[["win", "wins"], ["draw", "draws"], ["loss", "loses"], ["unknown", "unknown yet"]]
    .filter(([mark]) => mark !== "draw" || game.draws).map(([mark, words]) => el("li", {}, markSample(mark), words)), el("li", {}, el("b", {}, "7"), "moves to the end"));
  byId("legend").classList.toggle("hidden", state.hide);
  byId("show-marks").checked = !state.hide;
  fillOverlays(state);
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

// The offer stands above the board, where nobody misses it; the review is long and stands below.
function offerReview() {
  const lost = state.you !== "both" && view.winner && view.winner !== state.you;
  const review = () => reviewGame({ state, view, box: byId("review"), signal: work.signal, visit, replay }).catch(report);
  byId("more").replaceChildren(el("button", { type: "button", class: "link", id: "why", onclick: review }, lost ? "Why did I lose?" : "Review the game"));
}

// ---- buttons and keys

byId("show-marks").addEventListener("change", ({ target }) => {
  state.hide = !target.checked;
  byId("legend").classList.toggle("hidden", state.hide);
  if (phase === "ready") show();
  else setAddress();
});
byId("show-replies").checked = session.get("replies") === "on";
byId("show-replies").addEventListener("change", ({ target }) => session.set("replies", target.checked ? "on" : "off"));
byId("overlay").addEventListener("change", ({ target }) => {
  state.overlay = target.value;
  setAddress();
  if (phase !== "ready") return; // The next position loads its own.
  board.overlay([]);
  explain({ state, board, signal: work.signal }).catch(report);
});
// Acts on the position that is on its way, once it is there, unless the visitor goes elsewhere.
async function soon(action) {
  const { at } = state.record;
  while (phase === "loading") await new Promise(requestAnimationFrame);
  if (state.record.at === at) await action();
}
const buttons = { undo: () => goOn((place) => place.parent), redo: () => goOn(nextOf), hint: () => soon(hint).catch(report), answer: () => soon(solverMoves).catch(report), restart };
for (const [id, action] of Object.entries(buttons)) onPress(id, action);
byId("letters").checked = always.get("letters") !== "off";
byId("letters").addEventListener("change", () => always.set("letters", byId("letters").checked ? "on" : "off"));
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  if (document.querySelector("dialog[open]")) return;
  const letters = { u: buttons.undo, r: buttons.redo, h: buttons.hint, e: buttons.answer, n: restart };
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
show({ reply: true });
