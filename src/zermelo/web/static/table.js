// "Who wins?": the chart of outcomes, and the derivation of the chosen board. Both are in the address.

import { getJson } from "./api.js";
import { byId, el, options, pictureBar, ready, report, say } from "./page.js";
import { readable, withService } from "./state.js";

let query = new URLSearchParams(location.search);
let work = new AbortController();

const game = withService("table").find(({ name }) => name === query.get("game")) ?? withService("table")[0];
const kinds = Object.keys(game.tables);
const LABELS = Object.values(game.outcome_labels);
const topology = () => (kinds.includes(query.get("topology")) ? query.get("topology") : kinds[0]);
const isPlain = () => topology() === kinds[0];
const MOST = 60;
const side = () => (/^\d+$/.test(query.get("side")) && Math.min(Number(query.get("side")), MOST)) || (isPlain() ? 33 : 10);
const SIDES = [[12, 20, 33, 48], [6, 10, 16]];

byId("codes").open = innerWidth > 700;
addEventListener("beforeprint", () => (byId("codes").open = true));
byId("title").textContent = `Who wins ${game.title}?`;
byId("topology").replaceChildren(...options(Object.entries(game.tables)));

function go(changes) {
  for (const [key, value] of Object.entries(changes)) value === null ? query.delete(key) : query.set(key, value);
  history.pushState(null, "", readable(query));
  show().then(() => changes.board && reveal());
}

let charted = ""; // The table on show.
function show() {
  if (charted !== (charted = `${side()} ${topology()}`)) showChart(charted).catch(report);
  return showWhy().catch(report);
}

// The colour of an outcome; half-known outcomes share one.
function colourOf(name) {
  const place = LABELS.indexOf(name);
  return place >= 0 ? `outcome-${place}` : name === "." ? "outcome-open" : "outcome-half";
}

// Two possible outcomes are separated by a stroke, so that they do not look like a number.
function shownCode(name) {
  if (name === ".") return "·";
  return name.length > 1 && [...name].every((letter) => LABELS.includes(letter)) ? [...name].join("/") : name;
}

async function showChart(wanted) {
  const choices = SIDES[isPlain() ? 0 : 1];
  byId("side").replaceChildren(...options([...new Set([...choices, side()])].sort((a, b) => a - b).map((n) => [n, `${n} x ${n}`])));
  byId("side").value = side();
  byId("topology").value = topology();
  say("Working out the table …");
  const chart = await getJson(`${game.name}/table`, { rows: side(), cols: side(), topology: topology() });
  if (wanted !== charted) return; // Another was chosen.
  const head = el("tr", {}, el("td", {}), ...Array.from({ length: chart.cols }, (_, col) => el("th", { scope: "col" }, String(col + 1))));
  const body = chart.cells.map((line, row) => el("tr", {}, el("th", { scope: "row" }, String(row + 1)), ...line.map((cell, col) => {
    const words = `${row + 1} by ${col + 1}: ${chart.legend[cell.name]}, ${cell.source}`;
    return el("td", {}, el("button", {
      type: "button", class: `cell ${colourOf(cell.name)} ${cell.source}`, "data-board": cell.board,
      "data-row": row, "data-col": col, "aria-label": words, title: words, tabindex: row + col ? -1 : 0,
    }, shownCode(cell.name)));
  })));
  byId("legend").replaceChildren(...Object.entries(chart.legend).map(([code, words]) => el("div", {}, el("dt", { class: `cell ${colourOf(code)}` }, shownCode(code)), el("dd", {}, words))));
  byId("chart").replaceChildren(el("table", {}, el("caption", { class: "unseen" }, `Who wins on boards up to ${side()} by ${side()}; rows down, columns across`), el("thead", {}, head), el("tbody", {}, ...body)));
  const { decided, "half-known": half, open } = chart.counts;
  say(`${decided} of ${decided + half + open} boards decided, ${half} half known, ${open} open.`);
  byId("eventual").hidden = !chart.statements.length;
  byId("eventual").querySelector("ul").replaceChildren(...chart.statements.map((text) => el("li", {}, text)));
  byId("chart").style.setProperty("--cols", chart.cols + 1);
  byId("pictures").replaceChildren(pictureBar(`${game.name}/table/picture`, { rows: side(), cols: side(), topology: topology() }, "table"));
  markChosen();
}

function markChosen() {
  for (const cell of document.querySelectorAll(".cell[aria-pressed]")) cell.removeAttribute("aria-pressed");
  document.querySelector(`.cell[data-board="${CSS.escape(query.get("board") ?? "")}"]`)?.setAttribute("aria-pressed", "true");
}

// Shows why, or the reason why that cannot be said, in the panel; nothing of another board stays.
async function showWhy() {
  markChosen();
  const board = query.get("board");
  byId("why").replaceChildren(el("h2", {}, "Why?"), el("p", { class: "hint" }, board ? "Working it out …" : "Choose a board of the table, or type one of any size, such as 3x1000."));
  if (!board) return;
  byId("board").value = board;
  work.abort();
  work = new AbortController();
  let answer;
  try {
    answer = await getJson(`${game.name}/why`, { board }, work.signal);
  } catch (error) {
    if (error.name !== "AbortError") byId("why").lastChild.replaceWith(el("p", { class: "bad" }, error.message));
    return;
  }
  document.title = `${answer.board}: ${answer.means} · Zermelo`;
  byId("why").replaceChildren(
    el("h2", {}, `${answer.board}: ${answer.means}`),
    playable(answer) ? el("p", {}, playLink(answer.board)) : "",
    ...answer.remarks.map((text) => el("p", {}, text)),
    ...(answer.lines.length ? [el("ul", { class: "tree" }, ...answer.lines.map((line) => treeLine(line, 0)))] : []),
    ...(answer.rules.length ? [el("h3", {}, "The rules"), el("ul", { class: "rules" }, ...answer.rules.map((text) => el("li", {}, text)))] : []),
  );
}

const playable = ({ rows, cols }) => rows * cols > 0 && rows * cols <= game.squares && Math.max(rows, cols) <= game.side;
const playLink = (board, text = "Play it") => el("a", { href: `./?game=${game.name}&spec=${board}&you=both&marks=shown` }, text);

// A line of the derivation with its premises; deep lines are folded.
function treeLine(line, depth) {
  const claim = line.claim.replace(/(?<= is )\S+/, shownCode);
  const head = [el("b", { class: "claim" }, claim), " ", el("span", { class: "reason" }, line.again ? "see above" : line.reason), " "];
  if (!line.premises.length) return el("li", { class: "leaf" }, ...head, playable(line) ? playLink(line.board, "open") : null);
  return el("li", {}, el("details", { open: depth < 3 }, el("summary", {}, ...head), el("ul", {}, ...line.premises.map((one) => treeLine(one, depth + 1)))));
}

// On a narrow screen the answer is below the table: scroll to it.
function reveal() { if (matchMedia("(max-width: 1099px)").matches) byId("why").scrollIntoView({ block: "start" }); }

byId("chart").addEventListener("click", (event) => {
  const board = event.target.dataset.board;
  if (!board) return;
  go({ board });
});
byId("chart").addEventListener("keydown", (event) => {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!step || !event.target.dataset.board) return;
  const { row, col } = event.target.dataset;
  const next = document.querySelector(`.cell[data-row="${Number(row) + step[0]}"][data-col="${Number(col) + step[1]}"]`);
  if (next) {
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
  event.preventDefault();
});
byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  go({ board: byId("board").value.trim() });
});
byId("side").addEventListener("change", () => go({ side: byId("side").value }));
byId("topology").addEventListener("change", () => go({ topology: byId("topology").value, side: null, board: null }));
ready(byId("ask"));
addEventListener("popstate", () => {
  query = new URLSearchParams(location.search);
  show();
});

show();
