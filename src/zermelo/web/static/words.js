// The texts of a game: rules with a picture, the glossary, links to the theory; and the rules above the board for a first visit.

import { getJson } from "./api.js";
import { Board } from "./board.js";
import { always, byId, el, report } from "./page.js";
import { gameOf, titleOf } from "./state.js";

export function fillRules(state) {
  const game = gameOf(state);
  byId("rules-title").textContent = `${titleOf(state)}: the rules`;
  // The board of the game is more urgent.
  const draw = () => getJson(`${game.name}/position`, { spec: game.rules_example }).then((view) => new Board(byId("rules-picture")).show(view)).catch(report);
  (window.requestIdleCallback ?? setTimeout)(draw);
  byId("glossary").replaceChildren(...Object.entries(game.glossary).flatMap(([word, text]) => [el("dt", {}, word), el("dd", {}, text)]));
  const pages = Object.entries(game.theory).flatMap(([page, title], index) => [index ? ", " : "", el("a", { href: `manual.html?page=${page}` }, title)]);
  byId("theory").replaceChildren(...(pages.length ? ["Why it holds: ", ...pages, "."] : []));
}

// The rules of the game on show, in the side, and above the board until the visitor has read them.
export function welcome(state, view, walks) {
  byId("rules").textContent = view.rules;
  const [box, name] = [byId("welcome"), `read ${titleOf(state)}`];
  box.hidden = state.embed || always.get(name) !== null;
  if (box.dataset.rules === name + view.rules) return; // The same words as before, so that nothing moves.
  box.dataset.rules = name + view.rules;
  const close = el("button", { type: "button", id: "welcomed" }, "Got it");
  close.addEventListener("click", () => {
    always.set(name, "yes");
    box.hidden = true;
    byId("board").focus();
  });
  box.replaceChildren(el("p", {}, el("b", {}, `${titleOf(state)}. `), view.rules, walks ? " Click a piece, then where it goes." : " Click the board to play."), close);
}
