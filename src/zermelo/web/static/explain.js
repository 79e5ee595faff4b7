// The overlays: the explanations that a game offers, and the regions of a position with their values.

import { getJson, pictureAddress } from "./api.js";
import { byId, copyButton, el, pictureBar } from "./page.js";
import { gameOf, nameOf, question } from "./state.js";

const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442"];
const REGIONS = "components";

// Every kind of explanation with every choice of the options that need one: { name, label, query }.
export function overlaysOf(game) {
  let found = Object.entries(game.explanations).map(([kind, label]) => ({ name: kind, label, query: { kind } }));
  for (const option of game.explain_options.filter((one) => one.default !== null)) {
    found = found.flatMap((one) => option.choices.map((choice) => ({
      name: `${one.name}-${choice}`, label: `${one.label}: ${nameOf(game, choice)}`, query: { ...one.query, [option.name]: choice },
    })));
  }
  if (game.services.includes("regions")) found.push({ name: REGIONS, label: "Components and their values" });
  return found;
}

// A link may name the kind alone.
export const chosenOf = (state) => overlaysOf(gameOf(state)).find(({ name }) => name === state.overlay || (state.overlay && name.startsWith(`${state.overlay}-`)));

export function fillOverlays(state, replies, { onHide, onReplies, onOverlay }) {
  const overlays = overlaysOf(gameOf(state));
  const select = el("select", { id: "overlay", onchange: (event) => onOverlay(event.target.value) },
    el("option", { value: "" }, "Nothing"), ...overlays.map(({ name, label }) => el("option", { value: name }, label)));
  select.value = chosenOf(state)?.name ?? "";
  const check = (id, label, checked, change) => el("label", {}, el("input", { type: "checkbox", id, checked, onchange: (event) => change(event.target.checked) }), label);
  byId("overlays").replaceChildren(
    check("show-marks", "Winning and losing moves", !state.hide, (on) => onHide(!on)),
    check("show-replies", "Best reply on hover", replies, onReplies),
    overlays.length ? el("label", { class: "wide" }, "Over the board ", select) : "",
  );
}

// Plain words, with the formula in a fold.
export function captionOf({ words, caption }) {
  const lines = caption.map((line) => el("p", {}, line));
  if (!words.length) return lines;
  return [...words.map((line) => el("p", {}, line)), ...(lines.length ? [el("details", { class: "fold" }, el("summary", {}, "The formula"), ...lines)] : [])];
}

// Draws the chosen overlay, and writes its explanation below the switches.
export async function explain({ state, board, signal }) {
  const box = byId("explanation");
  box.replaceChildren();
  const chosen = chosenOf(state);
  if (!chosen) return;
  if (chosen.name === REGIONS) return showRegions({ state, board, signal, box });
  const overlay = await getJson(`${state.game}/explain`, { ...question(state), ...chosen.query }, signal);
  board.overlay(overlay.areas);
  box.replaceChildren(...captionOf(overlay));
}

async function showRegions({ state, board, signal, box }) {
  const { components, sum, sum_full } = await getJson(`${state.game}/components`, question(state), signal);
  const letter = (index) => String.fromCharCode(97 + (index % 26)) + (index >= 26 ? Math.floor(index / 26) + 1 : "");
  board.overlay(components.map((one, index) => ({ squares: one.squares, label: letter(index), colour: COLOURS[index % COLOURS.length] })));
  const copy = (text) => copyButton(el("button", { type: "button", class: "link" }, "copy"), () => text);
  const items = components.map((one, index) => {
    const words = one.value === null ? "too large to work out here" : `${one.value}; mean ${one.mean}, temperature ${one.temperature}`;
    const item = el("li", {}, el("b", {}, letter(index)), ` = ${words} `);
    if (one.value_full !== null) item.append(copy(one.value_full), " ");
    if (one.value !== null) {
      item.append(el("button", { type: "button", class: "link", onclick: () => showThermograph(box, state.game, one.spec, letter(index)) }, "thermograph"));
    }
    return item;
  });
  const [positive] = Object.values(gameOf(state).players);
  box.replaceChildren(
    components.length ? el("ul", {}, ...items) : el("p", {}, "No region has a move left."),
    sum === null ? "" : el("p", {}, `Sum: ${sum} (${positive} counts as positive). `, sum_full === null ? "" : copy(sum_full)),
    el("div", { class: "picture" }),
  );
}

function showThermograph(box, game, spec, name) {
  box.querySelector(".picture").replaceChildren(
    el("img", { src: pictureAddress(`${game}/thermograph`, { spec }), alt: `Thermograph of component ${name}`, width: 360, height: 300 }),
    pictureBar(`${game}/thermograph`, { spec }, "thermograph"));
}
