// The Proof page: the visitor plays the loser, the certificate answers, down to a leaf and its picture. Nothing of a
// certificate is shown before the independent checker has verified it: the server refuses those that it does not.

import { getJson, pictureAddress, post } from "./api.js";
import { Board } from "./board.js";
import { byId, defineMarks, el, report, say, topBar } from "./page.js";
import { GAMES, playersOf, readable } from "./state.js";

topBar();
defineMarks();

let state = read();
let node = null;
let opened = null; // The id of the proof that is described.
let work = new AbortController();

const board = new Board(byId("board"), { onMove: (id) => walk([...state.moves, id]), onSquare() {} });
const NUMBER = new Intl.NumberFormat("en");

function read() {
  const query = new URLSearchParams(location.search);
  return { proof: query.get("proof"), moves: (query.get("moves") ?? "").split(";").filter(Boolean) };
}

// A proof that cannot be trusted, or made: the reason, and nothing else.
function refuse(error) {
  if (error.name === "AbortError") return;
  clear();
  byId("banner").textContent = error.message;
  byId("banner").hidden = false;
  say("");
}

function clear() {
  node = opened = null;
  byId("banner").hidden = byId("about").hidden = byId("leaf").hidden = true;
  byId("board").replaceChildren();
  byId("history").replaceChildren();
  byId("back").disabled = byId("start").disabled = true;
}

function go(changes, replace = false) {
  state = { ...state, ...changes };
  const query = new URLSearchParams({ proof: state.proof });
  if (state.moves.length) query.set("moves", state.moves.join(";"));
  history[replace ? "replaceState" : "pushState"](null, "", readable(query));
  return show();
}

const walk = (moves) => go({ moves }).catch(report);

async function show() {
  work.abort();
  work = new AbortController();
  const { signal } = work;
  if (!state.proof) return;
  if (opened !== state.proof) {
    clear();
    say("The independent checker is at work …");
    let proof;
    try {
      proof = await getJson("proofs/about", { proof: state.proof }, signal);
    } catch (error) {
      return refuse(error);
    }
    describe(proof);
    if (proof.walk) {
      byId("leaf").hidden = !proof.story.length;
      byId("leaf").replaceChildren(...proof.story.map((line) => el("p", {}, line)));
      return say(`No moves to walk: ${proof.walk}.`);
    }
  }
  node = await getJson("proofs/node", { proof: state.proof, moves: state.moves.join(";") }, signal);
  // The winner's move is the certificate's: it is played at once, so that the visitor is always on turn.
  if (node.kind === "move" && !signal.aborted) return go({ moves: [...state.moves, node.move] }, true);
  board.enabled = node.goes_on;
  board.show(node.view);
  board.showMarks(false);
  board.overlay(node.overlay.areas);
  board.root.dataset.kind = node.kind;
  const captions = node.overlay.caption.map((line) => el("p", {}, line));
  byId("leaf").hidden = node.kind === "answers" && !captions.length;
  if (node.kind === "leaf") {
    const title = node.goes_on ? "A leaf: try what you like" : "A leaf: nothing is left to try";
    byId("leaf").replaceChildren(el("h2", {}, title), el("p", {}, `${node.text}.`), ...captions);
    say(`${node.text}.`);
  } else {
    byId("leaf").replaceChildren(...captions);
    const answered = state.moves.at(-1) === "-" ? "That square does not matter: the winner passes. " : "";
    say(`${answered}${node.text}. Choose one.`);
  }
  byId("back").disabled = byId("start").disabled = !state.moves.length;
  byId("history").replaceChildren(...state.moves.map((move) => el("li", {}, move === "-" ? "pass" : move)));
}

function describe(proof) {
  opened = proof.id;
  byId("about").hidden = false;
  byId("download").href = pictureAddress("proofs/file", { proof: proof.id });
  byId("claim").textContent = `${proof.words} (${NUMBER.format(proof.bytes)} bytes)`;
  byId("verdict").textContent = `Verified by ${proof.checker}, which shares no code with the solver.`;
}

const open = (proof) => go({ proof: proof.id, moves: [] });

// What a file of the folder claims is not said before it is verified.
const entryOf = (one) => el("button", { type: "button", class: "link", onclick: () => open(one).catch(report) },
  `${GAMES.get(one.game)?.title ?? one.game} ${one.spec} (${one.id.replace("file-", "")}, ${NUMBER.format(one.bytes)} bytes)`);

function fillForm(game) {
  byId("spec").value = game.examples[0];
  byId("spec-help").textContent = game.spec_help;
  byId("first").replaceChildren(...playersOf(game).map((player) => el("option", { value: player }, game.players[player])));
}

byId("game").replaceChildren(...[...GAMES.values()].map(({ name, title }) => el("option", { value: name }, title)));
byId("game").addEventListener("change", () => fillForm(GAMES.get(byId("game").value)));
fillForm(GAMES.values().next().value);

byId("make").addEventListener("submit", (event) => {
  event.preventDefault();
  clear();
  say("Solving, writing the proof, and letting it be verified …");
  const question = { game: byId("game").value, spec: byId("spec").value.trim(), first: byId("first").value };
  getJson("proofs/prove", question).then(open).catch(refuse);
});
byId("file").addEventListener("change", () => {
  const [file] = byId("file").files;
  if (!file) return;
  clear();
  say("The independent checker is at work …");
  post("proofs/send", file).then(open).catch(refuse);
});
byId("back").addEventListener("click", () => {
  // Back to the visitor's own last choice: her move and the answer to it go together.
  walk(state.moves.slice(0, node.loser_to_move ? -2 : -1));
});
byId("start").addEventListener("click", () => walk([]));
addEventListener("popstate", () => {
  state = read();
  show().catch(report);
});

getJson("proofs").then((proofs) => {
  byId("library").hidden = !proofs.length;
  byId("library").querySelector("ul").replaceChildren(...proofs.map((one) => el("li", {}, entryOf(one))));
}).catch(report);
show().catch(report);
