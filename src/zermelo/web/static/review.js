// Reviews a finished game: who was winning after each move, the mistakes, how the game is won after the last one, and an
// explanation of that. The server judges; this shows.

import { stream } from "./api.js";
import { Board } from "./board.js";
import { captionOf } from "./explain.js";
import { byId, el, report } from "./page.js";
import { gameOf, nameOf, playersOf, toMove } from "./state.js";

// A column for each position: up for the first player, down for the second. Those where the result changes stand out.
function courseOf({ game, line, moves, results, visit }) {
  const [above, below] = Object.values(game.players);
  return [el("p", { class: "hint" }, `Who was winning after each move: ${above} above the line, ${below} below.`), el("ol", { class: "course", "aria-label": "Who was winning after each move" }, ...line.map((place, ply) => {
    const result = results[ply];
    const words = `${ply ? `After move ${ply}, ${moves[ply - 1]}` : "At the start"}: ${!result ? "not known" : result === "draw" ? "a draw" : `${nameOf(game, result)} is winning`}`;
    const turn = result && results[ply - 1] && result !== results[ply - 1];
    const column = result === "draw" ? "draw" : playersOf(game).indexOf(result);
    return el("li", {}, el("button", { type: "button", class: `course-${column}${turn ? " turn" : ""}`, title: words, "aria-label": words, onclick: () => visit(place) }));
  }))];
}

export async function reviewGame({ state, view, box, signal, visit, replay }) {
  const game = gameOf(state);
  const { moves } = state.record;
  box.replaceChildren(el("p", {}, "Looking at the moves …"));
  box.hidden = false;
  const line = [state.record.root, ...state.record.line.slice(0, moves.length)];
  const both = state.you === "both";
  const [results, mistakes] = [[], []];
  let [witness, unknown] = [null, 0];
  const of = both ? undefined : state.you;
  await stream(`${state.game}/review`, { spec: state.start, moves: moves.join(";"), first: state.first, of }, (event) => {
    if (event.event === "place") results[event.ply] ??= event.winner;
    if (event.event === "mistake") mistakes[event.ply] = event;
    if (event.event === "witness") witness = event;
    if (event.event === "done") ({ unknown } = event);
    box.firstChild.textContent = `Looking at move ${event.ply + 1} of ${moves.length} …`;
  }, signal);
  const link = (ply, text) => el("button", { type: "button", class: "link", onclick: () => visit(line[ply]) }, text);
  const lines = mistakes.map(({ ply, player, better, mark }) => {
    byId("history").children[ply]?.classList.add("mistake");
    const verb = `${mark}${better.length === 1 ? "s" : ""}`;
    return el("li", {}, link(ply, `Move ${ply + 1}`), ` ${nameOf(game, player)} played ${moves[ply]}, but ${better.slice(0, 4).join(" or ")}${better.length > 4 ? " (and others)" : ""} ${verb}.`);
  }).filter(Boolean);
  if (!lines.length) {
    lines.push(el("li", {}, unknown ? "No mistake was found, but some positions were too hard to judge." :
      both ? "Nobody made a mistake: the starting position decides." :
      view.winner === state.you ? "You made no mistake: you won from the start to the end." :
      "You made no mistake: with perfect play by Zermelo this start cannot be won. Let the other side start, or change sides."));
  }
  const last = mistakes.findLastIndex((one) => one && one.player !== view.winner);
  const heading = el("h2", { tabindex: -1 }, "What decided the game");
  const seen = el("div", { id: "witness" });
  box.replaceChildren(heading, ...courseOf({ game, line, moves, results, visit }), el("ul", {}, ...lines),
    view.winner ? el("button", { type: "button", id: "replay", onclick: () => replay(line[last + 1]).catch(report) }, `Show how ${nameOf(game, view.winner)} wins ${last < 0 ? "from the start" : `after ${moves[last]}`}`) : "",
    seen);
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start" });
  if (!witness) return seen.append(el("p", { class: "hint" }, "No picture explains it at a glance: a search found it."));
  const { ply, overlay } = witness;
  const whose = ply && toMove(state, moves.slice(0, ply - 1)) === state.you ? "your " : "";
  const host = el("div", { class: "board small" });
  seen.append(
    el("h3", {}, !view.winner ? "What held the game" : both ? "What decided it" : view.winner === state.you ? "What you won with" : "What beat you"),
    el("p", {}, "The board ", link(ply, ply ? `after move ${ply}, ${whose}${moves[ply - 1]}` : "at the start"), ". The colours show why:"),
    host, ...captionOf(overlay));
  const still = new Board(host);
  still.show(witness.view);
  still.overlay(overlay.areas);
}
