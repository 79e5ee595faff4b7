// The Proof page: the visitor plays the loser and the certificate answers, down to a leaf and its picture. The server
// answers only about certificates that the independent checker has verified.

import { address, getJson, post } from "./api.js";
import { Board } from "./board.js";
import { captionOf } from "./explain.js";
import { fillHistory } from "./moves.js";
import { allow, byId, capital, defineMarks, el, onPress, options, pictureBar, plural, ready, report, say, shorten } from "./page.js";
import { Record } from "./record.js";
import { GAMES, gameOf, nameOf, playersOf, readable, withService } from "./state.js";

defineMarks();

let state = read(); // The id of the proof, and the record of its moves.
let opened = null; // The proof on show.
let shown = null; // The place of the record on the board.
let work = new AbortController();

const board = new Board(byId("board"), { onMove: walk });

function read() {
  const query = new URLSearchParams(location.search);
  const record = new Record();
  record.walk((query.get("moves") ?? "").split(";").filter(Boolean));
  return { proof: query.get("proof"), record };
}

// Waits for a proof that is made or checked, says how far it is, and lets the visitor cancel it. Returns nothing if the
// visitor cancels, or if it is refused: then the reason is shown, and if only the time was too short, more is offered.
async function wait(id, request, seconds) {
  work.abort();
  work = new AbortController();
  const { signal } = work;
  clear();
  allow("cancel", true);
  say("Asking for the proof …");
  const began = Date.now();
  const watch = setInterval(async () => {
    const { phase, nodes } = id ? await getJson("proofs/making", { proof: id }, signal).catch(() => ({})) : { phase: "checking" };
    if (signal.aborted || !phase) return;
    const words = { waiting: "Waiting for the server", solving: `Solving: ${plural(nodes, "position")} looked at`, checking: "The independent checker is at work" }[phase];
    byId("progress").textContent = `${words}; ${Math.round((Date.now() - began) / 1000)} s.`;
  }, 1000);
  try {
    return await request(seconds, signal);
  } catch (error) {
    if (!signal.aborted) refuse(error, (more) => make(id, request, more));
    return null;
  } finally {
    clearInterval(watch);
    if (!signal.aborted) {
      byId("progress").textContent = "";
      allow("cancel", false);
    }
  }
}

// Has a proof made or sent, and opens it.
async function make(id, request, seconds) {
  const proof = await wait(id, request, seconds);
  if (proof) open(proof.id, proof);
}

function cancel() {
  work.abort();
  allow("cancel", false);
  say("Cancelled. Choose a proof.");
}

function refuse(error, again) {
  clear();
  const longest = [...GAMES.values()][0].longest_seconds;
  const longer = el("button", { type: "button", id: "longer", onclick: () => again(longest) }, `Take up to ${longest} s`);
  byId("banner").replaceChildren(error.message, ...(error.longer ? [" ", longer] : []));
  byId("banner").hidden = false;
  say("");
}

function clear() {
  opened = shown = null;
  document.title = "Zermelo · Proof";
  byId("banner").hidden = byId("about").hidden = byId("leaf").hidden = true;
  for (const id of ["board", "history", "pictures"]) byId(id).replaceChildren();
  for (const id of ["back", "start", "cancel"]) allow(id, false);
}

// Moves replace the address, so that Back leaves the proof in one press; another proof is a new entry of the history.
function setAddress(push = false) {
  const query = new URLSearchParams({ proof: state.proof });
  if (state.record.moves.length) query.set("moves", state.record.moves.join(";"));
  if (readable(query) !== location.search) history[push ? "pushState" : "replaceState"](null, "", readable(query));
}

function walk(move) {
  if (shown !== state.record.at) return; // Another place is loading.
  board.placed(move);
  state.record.play(move);
  show().catch(report);
}

function visit(place) {
  if (!place) return;
  state.record.go(place);
  show().catch(report);
}

// Shows the proof of the state at its place; it asks for the proof unless it has been found.
async function show(found = null) {
  if (!state.proof) return clear();
  if (opened?.id !== state.proof) {
    const id = state.proof;
    const proof = found ?? await wait(id, (seconds, signal) => getJson("proofs/about", { proof: id, seconds }, signal));
    if (!proof) return;
    describe(proof);
    if (proof.walk) {
      byId("leaf").hidden = !proof.story.length;
      byId("leaf").replaceChildren(...proof.story.map((line) => el("p", {}, line)));
      return say(`No moves to walk: ${proof.walk}.`);
    }
  }
  work.abort();
  work = new AbortController();
  const { signal } = work;
  const { record } = state;
  const place = () => ({ proof: state.proof, moves: record.moves.join(";") });
  let node = await getJson("proofs/node", place(), signal);
  // The certificate makes the winner's moves at once, so that it is always the visitor's turn.
  while (node.kind === "move") {
    record.play(node.move);
    node = await getJson("proofs/node", place(), signal);
  }
  if (signal.aborted) return;
  shown = record.at;
  shown.asks = true;
  setAddress();
  board.enabled = node.goes_on;
  board.show(node.view);
  board.showMarks(false);
  board.overlay(node.overlay.areas);
  board.root.dataset.kind = node.kind;
  const captions = captionOf(node.overlay);
  byId("leaf").hidden = node.kind === "answers" && !captions.length;
  if (node.kind === "leaf") {
    const title = node.goes_on ? "A leaf: try any move" : "A leaf: nothing is left to try";
    const { words, caption } = node.overlay;
    const lines = words.length ? captionOf({ words, caption: [`${node.text}.`, ...caption] }) : [el("p", {}, `${node.text}.`), ...captions];
    byId("leaf").replaceChildren(el("h2", {}, title), ...lines);
    say(words[0] ?? `${node.text}.`);
  } else {
    byId("leaf").replaceChildren(...captions);
    const answered = shown.move === "-" ? "That square does not matter: the proof passes. " : !shown.parent ? "" : `The proof ${shown.parent.parent ? "answers" : "begins with"} ${shown.move}. `;
    const [text] = node.text.split(", "); // Which bounds answer how many moves is for the terminal.
    say(`${answered}${capital(text.replace(/^.* to move: /, ""))}. You play ${nameOf(GAMES.get(opened.game), node.view.to_move)}: choose one.`);
  }
  for (const id of ["back", "start"]) allow(id, shown.parent);
  fillHistory(state, visit);
  byId("pictures").replaceChildren(pictureBar("proofs/picture", place(), "proof"));
}

function describe(proof) {
  opened = proof;
  document.title = `${proof.spec}: proof · Zermelo`;
  byId("about").hidden = false;
  byId("download").href = address("proofs/file", { proof: proof.id });
  const query = new URLSearchParams({ game: proof.game, spec: proof.spec, first: proof.starter, you: "both" });
  byId("play-it").href = `./${readable(query)}`;
  byId("play-it").hidden = !playersOf(GAMES.get(proof.game)).includes(proof.starter);
  byId("claim").textContent = `${proof.words} (${plural(proof.bytes, "byte")})`;
  byId("verdict").textContent = `Verified by ${proof.checker}, which shares no code with the solver.`;
}

function open(id, proof = null) {
  state = { proof: id, record: new Record() };
  setAddress(true);
  show(proof).catch(report);
}

// The claim of a file is not shown before it is verified.
const entryOf = (one) => el("button", { type: "button", class: "link", onclick: () => open(one.id) },
  `${capital(GAMES.get(one.game)?.title ?? one.game)} ${shorten(one.spec)} (${one.id.replace("file-", "")}, ${plural(one.bytes, "byte")})`);

function fillForm(game) {
  byId("spec").value = game.examples[0];
  byId("spec-help").textContent = game.spec_help;
  byId("first").replaceChildren(...options(Object.entries(game.players)));
}

byId("game").replaceChildren(...options(withService("prove").map(({ name, title }) => [name, capital(title)])));
byId("game").addEventListener("change", () => fillForm(gameOf({ game: byId("game").value })));
fillForm(GAMES.values().next().value);

byId("make").addEventListener("submit", (event) => {
  event.preventDefault();
  const question = { game: byId("game").value, spec: byId("spec").value.trim(), first: byId("first").value };
  const id = `made-${question.game}-${question.first}-${question.spec}`;
  make(id, (seconds, signal) => getJson("proofs/prove", { ...question, seconds }, signal));
});
function send() {
  const [file] = byId("file").files;
  if (file) make(null, (seconds, signal) => post("proofs/send", file, { seconds }, signal));
}
byId("file").addEventListener("change", send);
// Takes back the visitor's last move and the answers to it.
onPress("back", () => {
  let place = shown.parent;
  while (place?.parent && !place.asks) place = place.parent;
  visit(place);
});
onPress("start", () => visit(state.record.root));
onPress("cancel", cancel);
ready(byId("make"));
addEventListener("popstate", () => {
  state = read();
  show().catch(report);
});

getJson("proofs").then((proofs) => {
  byId("library").hidden = !proofs.length;
  byId("library").querySelector("ul").replaceChildren(...proofs.map((one) => el("li", {}, entryOf(one))));
}).catch(report);
if (byId("file").files.length) send(); // Chosen before this script was there.
else show().catch(report);
