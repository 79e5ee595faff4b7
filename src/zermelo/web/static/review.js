// Goes through a finished game and names the moves that threw it away.

import { stream } from "./api.js";
import { byId, el } from "./page.js";
import { gameOf, nameOf, question, toMove } from "./state.js";

const WORTH = { win: 2, draw: 1, loss: 0 };

async function marksOf(state, signal) {
  const marks = new Map();
  await stream(`${state.game}/moves`, question(state), (event) => {
    if (event.event === "move") for (const move of event.moves) marks.set(move, event.mark);
  }, signal);
  return marks;
}

export async function reviewGame({ state, box, signal, goTo }) {
  const found = [];
  let unknown = 0;
  for (let ply = 0; ply < state.moves.length; ply++) {
    const before = { ...state, moves: state.moves.slice(0, ply) };
    const player = toMove(before);
    if (state.you !== "both" && player !== state.you) continue;
    const marks = await marksOf(before, signal);
    const played = marks.get(state.moves[ply]);
    if (played === "unknown") unknown++;
    const best = Math.max(...[...marks.values()].map((mark) => WORTH[mark] ?? -1));
    if (played in WORTH && best > WORTH[played]) {
      const better = [...marks].filter(([, mark]) => WORTH[mark] === best).map(([move]) => move);
      found.push({ ply, player, better, best });
    }
  }
  const lines = found.map(({ ply, player, better, best }) => {
    better.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    byId("history").children[ply]?.classList.add("mistake");
    const link = el("button", { type: "button", onclick: () => goTo(state.moves.slice(0, ply)) }, `Move ${ply + 1}`);
    const word = best === 2 ? (better.length === 1 ? "wins" : "win") : better.length === 1 ? "draws" : "draw";
    return el("li", {}, link, ` ${nameOf(gameOf(state), player)} played ${state.moves[ply]}, but ${better.slice(0, 4).join(" or ")}${better.length > 4 ? " (and others)" : ""} ${word}.`);
  });
  if (!lines.length) {
    lines.push(el("li", {}, unknown ? "No mistake was found, but some positions were too hard to judge." :
      state.you === "both" ? "Nobody made a mistake: the starting position decides." :
      "You made no mistake: with perfect play by the solver this start cannot be won. Let the other side start, or change sides."));
  }
  box.replaceChildren(el("h2", {}, "What decided the game"), el("ul", {}, ...lines));
}
