// The texts of a game: rules with a picture, the glossary, links to the theory; and the hint for a first visit.

import { getJson } from "./api.js";
import { Board } from "./board.js";
import { always, byId, capital, el, report } from "./page.js";

const COMMON = {
  "winning, losing": "A winning move lets you force a win, whatever the other side does. A losing move lets the other side force a win.",
  "proved by search": "A program has searched all continuations of the game, or enough of them to be certain.",
  "shipped fact": "A result that was proved before and comes with the program. Its certificate, if there is one, was verified.",
  certificate: "A file with an answer to every move of the loser. A second, independent program checks it.",
  guess: "A move that looks good, without a proof.",
};

export function fillRules(game) {
  byId("rules-title").textContent = `${capital(game.title)}: the rules`;
  byId("rules").textContent = game.rules;
  // The board of the game is more urgent.
  const draw = () => getJson(`${game.name}/position`, { spec: game.rules_example }).then((view) => new Board(byId("rules-picture")).show(view)).catch(report);
  (window.requestIdleCallback ?? setTimeout)(draw);
  const words = Object.entries({ ...game.glossary, ...COMMON });
  byId("glossary").replaceChildren(...words.flatMap(([word, text]) => [el("dt", {}, word), el("dd", {}, text)]));
  const pages = Object.entries(game.theory).flatMap(([page, title], index) => [index ? ", " : "", el("a", { href: `manual.html?page=${page}` }, title)]);
  byId("theory").replaceChildren(...(pages.length ? ["Why it holds: ", ...pages, "."] : []));
}

// Three sentences for a first visit.
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
