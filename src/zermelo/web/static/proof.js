// The Proof page: the visitor plays the loser, the certificate answers, down to a leaf and its picture.

import { getJson, pictureAddress, post } from "./api.js";
import { Board } from "./board.js";
import { byId, defineMarks, el, topBar } from "./page.js";

topBar();
defineMarks();

const NAMES = { V: "Vertical", H: "Horizontal", maker: "Maker (X)", breaker: "Breaker (O)" };
let state = read();
let described = null;
let node = null;
let work = new AbortController();

const board = new Board(byId("board"), { onMove: (id) => walk([...state.moves, id]), onSquare() {} });

function read() {
  const query = new URLSearchParams(location.search);
  return { proof: query.get("proof"), moves: (query.get("moves") ?? "").split(";").filter(Boolean) };
}

function say(text, bad = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("bad", bad);
}

const report = (error) => error.name === "AbortError" || say(error.message, true);

function go(changes, replace = false) {
  state = { ...state, ...changes };
  const query = new URLSearchParams({ proof: state.proof });
  if (state.moves.length) query.set("moves", state.moves.join(";"));
  history[replace ? "replaceState" : "pushState"](null, "", `?${query.toString().replace(/%3A/g, ":").replace(/%2C/g, ",").replace(/%3B/g, ";")}`);
  return show();
}

const walk = (moves) => go({ moves }).catch(report);

async function show() {
  work.abort();
  work = new AbortController();
  const { signal } = work;
  if (!state.proof) return;
  node = await getJson("proofs/node", { proof: state.proof, moves: state.moves.join(";") }, signal);
  // The winner's move is the certificate's: it is played at once, so that the visitor is always on turn.
  if (node.kind === "move" && !signal.aborted) return go({ moves: [...state.moves, node.move] }, true);
  board.enabled = node.goes_on;
  board.show(node.view);
  board.showMarks(false);
  board.overlay(node.overlay.areas);
  board.root.dataset.kind = node.kind;
  byId("leaf").hidden = node.kind === "answers";
  if (node.kind === "leaf") {
    const title = node.goes_on ? "A leaf: try what you like" : "A leaf: nothing is left to try";
    byId("leaf").replaceChildren(el("h2", {}, title), el("p", {}, `${node.text}.`), ...captions());
    say(`${node.text}.`);
  } else if (node.kind === "same") {
    byId("leaf").replaceChildren(el("p", {}, "This position is, up to mirror images and order of its parts, the one shown here, which the certificate has proved before. Go on from there."));
    say(`${node.text}.`);
  } else {
    byId("leaf").hidden = !node.overlay.caption.length;
    byId("leaf").replaceChildren(...captions());
    const answered = state.moves.at(-1) === "-" ? "That square does not matter: the winner passes. " : "";
    say(`${answered}${node.text}. Choose one.`);
  }
  byId("back").disabled = byId("start").disabled = !state.moves.length;
  byId("history").replaceChildren(...state.moves.map((move) => el("li", {}, move === "-" ? "pass" : move)));
  if (described !== state.proof) {
    described = state.proof;
    await describe(state.proof);
  }
}

const captions = () => node.overlay.caption.map((line) => el("p", {}, line));

// The claim, and what the independent checker says about the certificate; walking on does not stop it.
async function describe(proof) {
  const summary = await getJson("proofs/about", { proof });
  if (state.proof !== proof) return;
  byId("about").hidden = false;
  byId("download").href = pictureAddress("proofs/file", { proof });
  byId("claim").textContent = claimOf(summary);
  byId("verdict").textContent = "The independent checker is at work …";
  const verdict = await getJson("proofs/verdict", { proof });
  if (state.proof !== proof) return;
  byId("verdict").textContent = verdict.verified ? `Verified by ${verdict.checker}, which shares no code with the solver.` : `Not verified: ${verdict.message}`;
}

const BYTES = new Intl.NumberFormat("en");
function claimOf(one) {
  const name = (player) => NAMES[player] ?? player;
  const about = one.game === "mnk" && one.winner === "maker" ? `${one.spec} as a Maker-Breaker game` : one.spec;
  const so = one.game === "mnk" && one.winner === "breaker" ? ", so the first player cannot win" : "";
  return `${name(one.winner)} wins ${about} when ${name(one.starter)} starts${so} (${BYTES.format(one.bytes)} bytes).`;
}

const open = (summary) => go({ proof: summary.id, moves: [] });

// A derivation by rules has no moves to walk; it is shown where the rules are.
function entryOf(one) {
  if (one.game === "rectangle") return el("a", { href: `table.html?board=${one.spec}` }, `${claimOf(one)} By rules: see why.`);
  return el("button", { type: "button", class: "link", onclick: () => open(one).catch(report) }, claimOf(one));
}

// An m,n,k game is written 5,5,5; its first player always starts.
const isMnk = (spec) => /^\d+,\d+,\d+/.test(spec);

function showStarter() {
  byId("starter").hidden = isMnk(byId("spec").value.trim());
}
byId("spec").addEventListener("input", showStarter);

byId("make").addEventListener("submit", (event) => {
  event.preventDefault();
  say("Solving, and writing the proof …");
  const spec = byId("spec").value.trim();
  getJson("proofs/prove", { spec, first: isMnk(spec) ? "X" : byId("first").value }).then(open).catch(report);
});
byId("file").addEventListener("change", () => {
  const [file] = byId("file").files;
  if (file) post("proofs/send", file).then(open).catch(report);
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
