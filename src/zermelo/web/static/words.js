// The words of a game: rules with a picture, the glossary, where the theory is; and the hint of a first visit.

import { getJson } from "./api.js";
import { Board } from "./board.js";
import { always, byId, capital, el, report } from "./page.js";

const COMMON = {
  "winning, losing": "A move wins if you can force a win after it whatever the other side does; it loses if the other side can.",
  "proved by search": "A program has looked at every way the game can go on, or at enough of them to be sure.",
  "shipped fact": "A result that was proved before and comes with the program; where it has a certificate, that was checked.",
  certificate: "A file with an answer to every move of the loser. A second program, which shares nothing with the first, checks it.",
  guess: "A move that looks good where nothing is proved.",
};

export function fillRules(game) {
  byId("rules-title").textContent = `${capital(game.title)}: the rules`;
  byId("rules").textContent = game.rules;
  // The board of the game comes first.
  const draw = () => getJson(`${game.name}/position`, { spec: game.rules_example }).then((view) => new Board(byId("rules-picture")).show(view)).catch(report);
  (window.requestIdleCallback ?? setTimeout)(draw);
  const words = Object.entries({ ...game.glossary, ...COMMON });
  byId("glossary").replaceChildren(...words.flatMap(([word, text]) => [el("dt", {}, word), el("dd", {}, text)]));
  const pages = Object.entries(game.theory).flatMap(([page, title], index) => [index ? ", " : "", el("a", { href: `manual.html?page=${page}` }, title)]);
  byId("theory").replaceChildren(...(pages.length ? ["Why it holds: ", ...pages, "."] : []));
}

// Three sentences for whoever is here for the first time.
export function welcome(game) {
  const box = byId("welcome");
  if (always.get("welcomed")) return;
  box.hidden = false;
  const close = el("button", { type: "button", id: "welcomed" }, "Got it");
  close.addEventListener("click", () => {
    always.set("welcomed", "yes");
    box.hidden = true;
  });
  box.replaceChildren(
    el("p", {}, el("b", {}, `${game.title}. `), game.rules, " Click the board to play. A check mark wins, a cross loses; hide them under “Show”. "), close);
}
