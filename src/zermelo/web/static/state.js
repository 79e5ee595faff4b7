// The games as the server describes them, and the state of the game on show. The address holds the state, so that it can
// be shared; variations are kept for the session.

import { getJson, stream } from "./api.js";
import { capital } from "./page.js";
import { recall } from "./record.js";

export const GAMES = new Map((await getJson("games")).map((game) => [game.name, game]));

export const withService = (service) => [...GAMES.values()].filter((game) => game.services.includes(service));
export const gameOf = (state) => GAMES.get(state.game);
export const playersOf = (game) => Object.keys(game.players);
export const nameOf = (game, player) => game?.players[player] ?? capital(player);
export const otherPlayer = (game, player) => playersOf(game).find((one) => one !== player);

export const toMove = (state, moves) => (moves.length % 2 ? otherPlayer(gameOf(state), state.first) : state.first);

export const question = (state, moves = state.record.moves) => ({ spec: state.start, moves: moves.join(";"), to_move: toMove(state, moves) });

// Asks for the marks of all moves at a place, and the result of the position; keeps both at the place.
export async function judge(state, place, { moves, seconds, signal }, onEvent = () => {}) {
  place.marks ??= new Map();
  await stream(`${state.game}/moves`, { ...question(state, moves), seconds }, (event) => {
    if (signal.aborted) return;
    if (event.event !== "move") place[event.event] = event; // "outcome" and "done"
    for (const move of event.moves ?? []) place.marks.set(move, event.mark);
    onEvent(event);
  }, signal);
}

// Reads an address. If the spec contains moves, the server splits them off, so that they can be undone.
export async function readAddress(search) {
  const query = new URLSearchParams(search);
  const game = GAMES.get(query.get("game")) ?? GAMES.values().next().value;
  const players = playersOf(game);
  const [you, first] = [query.get("you"), query.get("first")];
  const state = {
    game: game.name,
    start: query.get("spec") ?? game.examples[0],
    first: players.includes(first) ? first : players[0],
    you: players.includes(you) || you === "both" ? you : query.has("spec") ? "both" : players[0],
    overlay: query.get("show") ?? "",
    hide: query.get("marks") === "hidden",
    embed: query.get("embed") === "1",
  };
  let moves = (query.get("moves") ?? "").split(";").filter(Boolean);
  if (query.has("spec") && !query.has("moves")) {
    const view = await getJson(`${state.game}/position`, { spec: state.start }).catch(() => null);
    if (view && (view.played.length || view.turn_fixed)) {
      [state.start, moves] = [view.start, view.played];
      state.first = moves.length % 2 ? otherPlayer(game, view.to_move) : view.to_move;
    }
  }
  state.record = recall(state, moves);
  return state;
}

// Commas, colons, slashes and semicolons are allowed in a query and easier to read.
export const readable = (query) => `?${query.toString().replace(/%(2C|3A|2F|3B)/g, decodeURIComponent)}`;

export function addressOf(state, moves = state.record.moves) {
  const query = new URLSearchParams({ game: state.game, spec: state.start, moves: moves.join(";"), first: state.first, you: state.you });
  if (state.overlay) query.set("show", state.overlay);
  if (state.hide) query.set("marks", "hidden");
  if (state.embed) query.set("embed", "1");
  return readable(query);
}
