// Reviews a finished game: names the mistakes, and shows an explanation of the win.

import { getJson } from "./api.js";
import { captionOf, overlaysOf } from "./explain.js";
import { byId, el } from "./page.js";
import { gameOf, judge, nameOf, question, toMove } from "./state.js";

const WORTH = { win: 2, draw: 1, loss: 0 };

// Finds the first place with an explanation that proves the result.
async function witness({ state, places, winner, signal }) {
  const overlays = overlaysOf(gameOf(state)).filter(({ query }) => query);
  for (const { ply, place, moves } of places) {
    for (const { label, query } of overlays) {
      const found = await getJson(`${state.game}/explain`, { ...question(state, moves), ...query }, signal).catch((error) => {
        if (error.name === "AbortError") throw error;
        return null; // There is no explanation here.
      });
      if (found?.winner && (found.winner === winner || (found.winner === "draw" && winner === null)) && found.areas.length) return { ply, place, label, found };
    }
  }
  return null;
}

export async function reviewGame({ state, view, box, board, signal, visit }) {
  const game = gameOf(state);
  const line = [state.record.root, ...state.record.line.slice(0, state.record.moves.length)];
  const moves = state.record.moves;
  const found = [];
  let unknown = 0;
  for (let ply = 0; ply < moves.length; ply++) {
    const before = moves.slice(0, ply);
    const player = toMove(state, before);
    if (state.you !== "both" && player !== state.you) continue;
    if (!line[ply].done) await judge(state, line[ply], { moves: before, signal });
    const { marks } = line[ply];
    const played = marks.get(moves[ply]);
    if (played === "unknown") unknown++;
    const best = Math.max(...[...marks.values()].map((mark) => WORTH[mark] ?? -1));
    if (played in WORTH && best > WORTH[played]) {
      const better = [...marks].filter(([, mark]) => WORTH[mark] === best).map(([move]) => move);
      found.push({ ply, player, better, best });
    }
  }
  const link = (ply, text) => el("button", { type: "button", class: "link", onclick: () => visit(line[ply]) }, text);
  const lines = found.map(({ ply, player, better, best }) => {
    better.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    byId("history").children[ply]?.classList.add("mistake");
    const word = best === 2 ? (better.length === 1 ? "wins" : "win") : better.length === 1 ? "draws" : "draw";
    return el("li", {}, link(ply, `Move ${ply + 1}`), ` ${nameOf(game, player)} played ${moves[ply]}, but ${better.slice(0, 4).join(" or ")}${better.length > 4 ? " (and others)" : ""} ${word}.`);
  });
  if (!lines.length) {
    lines.push(el("li", {}, unknown ? "No mistake was found, but some positions were too hard to judge." :
      state.you === "both" ? "Nobody made a mistake: the starting position decides." :
      "You made no mistake: with perfect play by the solver this start cannot be won. Let the other side start, or change sides."));
  }
  box.replaceChildren(el("h2", {}, "What decided the game"), el("ul", {}, ...lines), el("p", { class: "hint", id: "witness" }, "Looking for a picture that shows it …"));
  const last = found.filter(({ player }) => player !== view.winner).at(-1)?.ply ?? -1;
  const places = line.map((place, ply) => ({ ply, place, moves: moves.slice(0, ply) })).slice(last + 1);
  const shown = await witness({ state, places, winner: view.winner, signal });
  if (!shown) return byId("witness").replaceChildren("No cover, cut or pairing shows it at a glance: it was found by search alone.");
  const { ply, place, label, found: picture } = shown;
  byId("witness").replaceWith(
    el("h3", {}, !view.winner ? "What held the game" : state.you === "both" ? "What decided it" : view.winner === state.you ? "What you won with" : "What beat you"),
    el("p", {}, ply ? `After move ${ply} (${moves[ply - 1]}) it could be seen: ` : "From the start it could be seen: ", label, ". ",
      el("button", { type: "button", class: "link", id: "show-witness", onclick: () => visit(place) }, "Go there")),
    ...captionOf(picture),
  );
  board.show(place.view ?? await getJson(`${state.game}/position`, question(state, moves.slice(0, ply)), signal));
  board.enabled = false;
  board.showMarks(false);
  board.overlay(picture.areas);
}
