// The overlays: the explanations that a game offers, and the regions of a position with their values.

import { getJson, getText } from "./api.js";
import { byId, copyButton, dataAddress, el, options, pictureBar, report } from "./page.js";
import { gameOf, nameOf, question } from "./state.js";

// A link may name the kind alone.
export const chosenOf = (state) => gameOf(state).overlays.find(({ name }) => name === state.overlay || (state.overlay && name.startsWith(`${state.overlay}-`)));

export function fillOverlays(state) {
  const { overlays } = gameOf(state);
  byId("overlay").replaceChildren(...options([["", "Nothing"], ...overlays.map(({ name, label }) => [name, label])]));
  byId("overlay").value = chosenOf(state)?.name ?? "";
  byId("overlay").parentNode.hidden = !overlays.length;
}

// Plain words, with the formula in a fold.
export function captionOf({ words, caption }) {
  const lines = caption.map((line) => el("p", {}, line));
  if (!words.length) return lines;
  return [...words.map((line) => el("p", {}, line.replace("+-", "±"))), ...(lines.length ? [el("details", { class: "fold" }, el("summary", {}, "The formula"), ...lines)] : [])];
}

// Draws the chosen overlay, and writes its explanation below the switches.
export async function explain({ state, board, signal }) {
  const box = byId("explanation");
  box.replaceChildren();
  const chosen = chosenOf(state);
  if (!chosen) return;
  const overlay = await getJson(`${state.game}/explain`, { ...question(state), ...chosen.query }, signal).catch((error) => {
    if (error.status !== 422) throw error;
    return { areas: [], words: [error.message], caption: [] }; // There is nothing to explain here.
  });
  const tools = chosen.query.kind === "components" && overlay.areas.length ? regionTools(await getJson(`${state.game}/components`, question(state), signal), state, box) : [];
  board.overlay(overlay.areas);
  box.replaceChildren(...captionOf(overlay), el("div", { class: "picture" }));
  for (const [line, more] of tools.entries()) box.children[line].append(" ", ...more);
}

// For the line of each region and that of the sum: buttons that copy the value, or draw its thermograph.
function regionTools({ components, sum, sum_full }, state, box) {
  const button = (onclick, words) => el("button", { type: "button", class: "link", onclick }, words);
  const copy = (text) => (text === null ? "" : copyButton(button(null, "copy"), () => text));
  const draw = (value, asked, name) => (value === null ? "" : button(() => showThermograph(box, state.game, asked, name).catch(report), "thermograph"));
  const tools = components.map((one, index) => [copy(one.value_full), " ", draw(one.value, { spec: one.spec }, `component ${String.fromCharCode(97 + index)}`)]);
  return [...tools, [copy(sum_full), " ", draw(sum, question(state), "the sum")]];
}

async function showThermograph(box, game, asked, name) {
  box.querySelector(".picture").replaceChildren(
    el("img", { src: dataAddress(await getText(`${game}/thermograph`, asked)), alt: `Thermograph of ${name}`, width: 360, height: 300 }),
    pictureBar(`${game}/thermograph`, asked, "thermograph"));
}
