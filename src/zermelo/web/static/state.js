// The games as the server describes them, and the state of the Play page: everything that matters is in the address,
// so that it can be shared and gone back to.

import { getJson } from "./api.js";

export const GAMES = new Map((await getJson("games")).map((game) => [game.name, game]));

export const withService = (service) => [...GAMES.values()].filter((game) => game.services.includes(service));
export const gameOf = (state) => GAMES.get(state.game);
export const playersOf = (game) => Object.keys(game.players);
export const nameOf = (game, player) => game?.players[player] ?? player[0].toUpperCase() + player.slice(1);

export function toMove(state) {
  const players = playersOf(gameOf(state));
  return state.moves.length % 2 ? players.find((player) => player !== state.first) : state.first;
}

export const question = (state) => ({ spec: state.start, moves: state.moves.join(";"), to_move: toMove(state) });

// Reads an address. A spec may hold moves itself: the server takes them apart, so that they can be taken back.
export async function readAddress(search) {
  const query = new URLSearchParams(search);
  const game = GAMES.get(query.get("game")) ?? GAMES.values().next().value;
  const players = playersOf(game);
  const [you, first] = [query.get("you"), query.get("first")];
  const state = {
    game: game.name,
    start: query.get("spec") ?? game.examples[0],
    moves: (query.get("moves") ?? "").split(";").filter(Boolean),
    first: players.includes(first) ? first : players[0],
    you: players.includes(you) || you === "both" ? you : query.has("spec") ? "both" : players[0],
    overlay: query.get("show") ?? "",
  };
  if (query.has("spec") && !query.has("moves")) {
    const view = await getJson(`${state.game}/position`, { spec: state.start }).catch(() => null);
    if (view && (view.played.length || view.turn_fixed)) {
      const other = players.find((player) => player !== view.to_move);
      [state.start, state.moves] = [view.start, view.played];
      state.first = view.played.length % 2 ? other : view.to_move;
    }
  }
  return state;
}

// Commas, colons, slashes and semicolons may stand in a query and read better so.
export const readable = (query) => `?${query.toString().replace(/%(2C|3A|2F|3B)/g, decodeURIComponent)}`;

export function addressOf(state) {
  const query = new URLSearchParams({ game: state.game, spec: state.start, moves: state.moves.join(";"), first: state.first, you: state.you });
  if (state.overlay) query.set("show", state.overlay);
  return readable(query);
}
