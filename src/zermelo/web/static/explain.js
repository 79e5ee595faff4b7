// The overlays: what the bounds see, the components and their values.

import { getJson, pictureAddress } from "./api.js";
import { byId, el } from "./page.js";
import { gameOf } from "./state.js";

const OVERLAYS = {
  domineering: [
    ["marks", "Winning and losing moves"],
    ["replies", "Best reply on hover"],
  ],
  mnk: [
    ["marks", "Winning and losing moves"],
    ["replies", "Best reply on hover"],
  ],
};

export function overlaysOf(game, shown, onChange) {
  byId("overlays").replaceChildren(...OVERLAYS[game].map(([name, label]) =>
    el("label", {}, el("input", { type: "checkbox", id: `show-${name}`, checked: shown.has(name), onchange: (event) => onChange(name, event.target.checked) }), label)));
}

export async function explain({ state, view, board, shown, signal }) {
  byId("explanation").replaceChildren();
}
