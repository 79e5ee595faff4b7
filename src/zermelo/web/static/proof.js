// The Proof page: the visitor plays the loser and the certificate answers, down to a leaf and its picture. The server
// answers only about certificates that the independent checker has verified.

import { getJson, pictureAddress, post } from "./api.js";
import { Board } from "./board.js";
import { captionOf } from "./explain.js";
import { fillHistory } from "./moves.js";
import { byId, defineMarks, el, options, pictureBar, ready, report, say, whole } from "./page.js";
import { Record } from "./record.js";
import { GAMES, gameOf, playersOf, readable } from "./state.js";

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

// Shows why a proof is refused, and nothing else; if only the time was too short, offers more.
function refuse(error, again) {
  if (error.name === "AbortError") return;
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
  byId("back").disabled = byId("start").disabled = true;
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

async function show(seconds) {
  work.abort();
  work = new AbortController();
  const { signal } = work;
  if (!state.proof) return clear();
  if (opened?.id !== state.proof) {
    clear();
    say("The independent checker is at work …");
    let proof;
    try {
      proof = await getJson("proofs/about", { proof: state.proof, seconds }, signal);
    } catch (error) {
      return refuse(error, (more) => show(more).catch(report));
    }
    describe(proof);
    if (proof.walk) {
      byId("leaf").hidden = !proof.story.length;
      byId("leaf").replaceChildren(...proof.story.map((line) => el("p", {}, line)));
      return say(`No moves to walk: ${proof.walk}.`);
    }
  }
  const { record } = state;
  const place = () => ({ proof: state.proof, moves: record.moves.join(";") });
  let node = await getJson("proofs/node", place(), signal);
  // The certificate makes the winner's moves at once, so that it is always the visitor's turn.
  if (node.kind === "move") {
    record.play(node.move);
    node = await getJson("proofs/node", place(), signal);
  }
  if (signal.aborted) return;
  shown = record.at;
  setAddress();
  board.enabled = node.goes_on;
  board.show(node.view);
  board.showMarks(false);
  board.overlay(node.overlay.areas);
  board.root.dataset.kind = node.kind;
  const captions = captionOf(node.overlay);
  byId("leaf").hidden = node.kind === "answers" && !captions.length;
  if (node.kind === "leaf") {
    const title = node.goes_on ? "A leaf: try what you like" : "A leaf: nothing is left to try";
    const { words, caption } = node.overlay;
    const lines = words.length ? captionOf({ words, caption: [`${node.text}.`, ...caption] }) : [el("p", {}, `${node.text}.`), ...captions];
    byId("leaf").replaceChildren(el("h2", {}, title), ...lines);
    say(words[0] ?? `${node.text}.`);
  } else {
    byId("leaf").replaceChildren(...captions);
    const answered = shown.move === "-" ? "That square does not matter: the winner passes. " : shown.parent ? `The winner answers ${shown.move}. ` : "";
    say(`${answered}${node.text}. Choose one.`);
  }
  byId("back").disabled = byId("start").disabled = !shown.parent;
  fillHistory(state, visit);
  byId("pictures").replaceChildren(pictureBar("proofs/picture", place(), "proof"));
}

function describe(proof) {
  opened = proof;
  document.title = `${proof.spec}: proof · Zermelo`;
  byId("about").hidden = false;
  byId("download").href = pictureAddress("proofs/file", { proof: proof.id });
  const query = new URLSearchParams({ game: proof.game, spec: proof.spec, first: proof.starter, you: "both" });
  byId("play-it").href = `./${readable(query)}`;
  byId("play-it").hidden = !playersOf(GAMES.get(proof.game)).includes(proof.starter);
  byId("claim").textContent = `${proof.words} (${whole(proof.bytes)} bytes)`;
  byId("verdict").textContent = `Verified by ${proof.checker}, which shares no code with the solver.`;
}

function open(proof) {
  state = { proof: proof.id, record: new Record() };
  setAddress(true);
  return show();
}

// The claim of a file is not shown before it is verified.
const entryOf = (one) => el("button", { type: "button", class: "link", onclick: () => open(one).catch(report) },
  `${GAMES.get(one.game)?.title ?? one.game} ${one.spec} (${one.id.replace("file-", "")}, ${whole(one.bytes)} bytes)`);

function fillForm(game) {
  byId("spec").value = game.examples[0];
  byId("spec-help").textContent = game.spec_help;
  byId("first").replaceChildren(...options(Object.entries(game.players)));
}

byId("game").replaceChildren(...options([...GAMES.values()].map(({ name, title }) => [name, title])));
byId("game").addEventListener("change", () => fillForm(gameOf({ game: byId("game").value })));
fillForm(GAMES.values().next().value);

// Has a proof made or sent, and opens it.
function ask(words, request) {
  work.abort();
  clear();
  say(words);
  const attempt = (seconds) => {
    byId("banner").hidden = true;
    say(words);
    request(seconds).then(open).catch((error) => refuse(error, attempt));
  };
  attempt();
}

byId("make").addEventListener("submit", (event) => {
  event.preventDefault();
  const question = { game: byId("game").value, spec: byId("spec").value.trim(), first: byId("first").value };
  ask("Solving, writing and verifying the proof …", (seconds) => getJson("proofs/prove", { ...question, seconds }));
});
function send() {
  const [file] = byId("file").files;
  if (file) ask("The independent checker is at work …", (seconds) => post("proofs/send", file, { seconds }));
}
byId("file").addEventListener("change", send);
// Takes back the visitor's last move and the answer to it.
byId("back").addEventListener("click", () => visit(shown.parent?.parent ?? state.record.root));
byId("start").addEventListener("click", () => visit(state.record.root));
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
