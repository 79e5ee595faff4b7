// The list of moves on the page: the current line, and below each move its variations.

import { byId, el } from "./page.js";
import { nextOf } from "./record.js";

export function fillHistory({ record }, visit) {
  const button = (place) => el("button", {
    type: "button", title: "Go to the position after this move", onclick: () => visit(place), "aria-current": place === record.at ? "step" : undefined,
  }, place.move);
  // A variation: its moves one after the other, with its own variations in brackets.
  const variation = (place) => {
    const parts = [];
    for (let one = place; one; one = nextOf(one)) {
      parts.push(button(one), " ");
      if (one === place) continue;
      for (const other of one.parent.children) if (other !== one) parts.push("(", ...variation(other), ") ");
    }
    return parts;
  };
  const { line } = record;
  const had = byId("history").contains(document.activeElement);
  const here = line.indexOf(record.at);
  byId("history").replaceChildren(...line.map((place, index) => {
    const others = place.parent.children.filter((one) => one !== place);
    return el("li", { class: index > here ? "later" : undefined }, button(place),
      others.length ? el("ul", { class: "variations", "aria-label": `Instead of ${place.move}` }, ...others.map((one) => el("li", {}, ...variation(one)))) : null);
  }));
  if (had) (byId("history").querySelector("[aria-current]") ?? byId("board")).focus();
}
