// The overlays: what the bounds see, the components with their values and thermographs, pairings and zones.

import { getJson, pictureAddress } from "./api.js";
import { byId, el } from "./page.js";
import { gameOf, specOf } from "./state.js";

const CHECKS = [
  ["marks", "Winning and losing moves"],
  ["replies", "Best reply on hover"],
];

const OVERLAYS = {
  domineering: [
    ["", "Nothing"],
    ["cover-V", "Cover of Vertical"],
    ["cover-H", "Cover of Horizontal"],
    ["strip-V", "Strips of Vertical"],
    ["strip-H", "Strips of Horizontal"],
    ["components", "Components and their values"],
  ],
  mnk: [
    ["", "Nothing"],
    ["pairing", "Pairing that draws"],
    ["zone", "Zone of the proof"],
  ],
};

const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442"];

export function fillOverlays(state, shown, { onCheck, onOverlay }) {
  const chosen = OVERLAYS[state.game].some(([name]) => name === state.overlay) ? state.overlay : "";
  const select = el("select", { id: "overlay", onchange: (event) => onOverlay(event.target.value) },
    ...OVERLAYS[state.game].map(([name, label]) => el("option", { value: name }, label)));
  select.value = chosen;
  byId("overlays").replaceChildren(
    ...CHECKS.map(([name, label]) => el("label", {},
      el("input", { type: "checkbox", id: `show-${name}`, checked: shown.has(name), onchange: (event) => onCheck(name, event.target.checked) }), label)),
    el("label", { class: "wide" }, "Over the board ", select),
  );
}

// Asks for the chosen overlay and draws it; the reasons go below the switches.
export async function explain({ state, board, signal }) {
  const box = byId("explanation");
  box.replaceChildren();
  if (!state.overlay) return;
  if (state.overlay === "components") return showComponents({ state, board, signal, box });
  const question = gameOf(state).query(state);
  if (state.game === "mnk") question.kind = state.overlay;
  else [question.bound, question.player] = state.overlay.split("-");
  const overlay = await getJson(`${state.game}/explain`, question, signal);
  board.overlay(overlay.areas);
  box.replaceChildren(...overlay.caption.map((line) => el("p", {}, line)));
  if (overlay.areas.length && state.overlay.startsWith("cover")) {
    box.append(el("p", { class: "hint" }, "P protective, V2 and V1 vulnerable of type 2 and 1, S safe, O option areas, x squares the opponent cannot use."));
  }
}

async function showComponents({ state, board, signal, box }) {
  const { components, sum } = await getJson("domineering/components", { spec: specOf(state) }, signal);
  const letter = (index) => String.fromCharCode(97 + (index % 26)) + (index >= 26 ? Math.floor(index / 26) + 1 : "");
  board.overlay(components.map((one, index) => ({ squares: one.squares, label: letter(index), colour: COLOURS[index % COLOURS.length] })));
  const items = components.map((one, index) => {
    const words = one.value === null ? "too large to work out here" : `${one.value}; mean ${one.mean}, temperature ${one.temperature}`;
    const item = el("li", {}, el("b", {}, letter(index)), ` = ${words} `);
    if (one.value !== null) {
      item.append(el("button", { type: "button", class: "link", onclick: () => showThermograph(box, one.spec, letter(index)) }, "thermograph"));
    }
    return item;
  });
  box.replaceChildren(
    components.length ? el("ul", {}, ...items) : el("p", {}, "No region has a move left."),
    sum === null ? "" : el("p", {}, `Sum: ${sum} (Vertical counts as positive).`),
    el("div", { class: "picture" }),
  );
}

function showThermograph(box, spec, name) {
  box.querySelector(".picture").replaceChildren(
    el("img", { src: pictureAddress("domineering/thermograph", { spec }), alt: `Thermograph of component ${name}`, width: 360, height: 300 }));
}
