// The games as the server describes them, and the state of the game on show. The address holds the state, so that it can
// be shared; variations are kept for the session.

import { getJson, stream } from "./api.js";
import { capital } from "./page.js";
import { recall } from "./record.js";

export const GAMES = new Map((await getJson("games")).map((game) => [game.name, game]));

// The entries of the list of games: starts that people know by a name of their own come first, then each game as a
// whole, and last the rest of the games with such starts.
const famous = [...GAMES.values()].flatMap((game) => Object.entries(game.famous).map(([title, start]) => ({ game: game.name, start, title })));
const wholes = [...GAMES.values()].map(({ name, title, examples }) => {
  const own = famous.filter(({ game }) => game === name).map(({ start }) => start);
  return { game: name, start: examples.find((one) => !own.includes(one)), title: own.length ? `Other ${title}` : capital(title) };
});
export const CHOICES = [...famous, ...wholes].sort((one, two) => one.title.startsWith("Other ") - two.title.startsWith("Other "));

export const withService = (service) => [...GAMES.values()].filter((game) => game.services.includes(service));
export const gameOf = (state) => GAMES.get(state.game);
export const choiceOf = (state) => CHOICES.find(({ game, start }) => game === state.game && start === state.start) ?? CHOICES.findLast(({ game }) => game === state.game);
export const titleOf = (state) => Object.entries(gameOf(state).famous).find(([, start]) => start === state.start)?.[0] ?? capital(gameOf(state).title);
export const playersOf = (game) => Object.keys(game.players);
export const nameOf = (game, player) => game?.players[player] ?? capital(player);
export const otherPlayer = (game, player) => playersOf(game).find((one) => one !== player);

export const toMove = (state, moves) => (moves.length % 2 ? otherPlayer(gameOf(state), state.first) : state.first);

export const question = (state, moves = state.record.moves) => ({ spec: state.start, moves: moves.join(";"), to_move: toMove(state, moves) });

// Asks for the marks of all moves at a place and the result of the position, and in how many moves the game is over after
// each; keeps everything at the place.
export async function judge(state, place, signal, onEvent) {
  place.marks ??= new Map();
  const asked = question(state);
  if (!place.done) await stream(`${state.game}/moves`, { ...asked, seconds: place.seconds }, (event) => {
    if (signal.aborted) return;
    if (event.event !== "move") place[event.event] = event; // "outcome" and "done"
    for (const move of event.moves ?? []) place.marks.set(move, event.mark);
    onEvent(event);
  }, signal);
  place.distances = (await getJson(`${state.game}/distances`, asked, signal)).moves;
}

// Reads an address. If the spec contains moves, the server splits them off, so that they can be undone.
export async function readAddress(search) {
  const query = new URLSearchParams(search);
  const game = GAMES.get(query.get("game")) ?? GAMES.values().next().value;
  const players = playersOf(game);
  const state = {
    game: game.name,
    start: query.get("spec") ?? game.examples[0],
    first: players.includes(query.get("first")) ? query.get("first") : players[0],
    you: [...players, "both"].find((one) => one === query.get("you")),
    overlay: query.get("show") ?? "",
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
  state.you ??= toMove(state, moves);
  state.hide = query.has("marks") ? query.get("marks") === "hidden" : hides(state);
  state.record = recall(state, moves);
  return state;
}

// Marks are shown at first only to analyse.
export const hides = (state) => state.you !== "both";

// Commas, colons, slashes and semicolons are allowed in a query and easier to read.
export const readable = (query) => `?${query.toString().replace(/%(2C|3A|2F|3B)/g, decodeURIComponent)}`;

export function addressOf(state, moves = state.record.moves) {
  const marks = state.hide ? "hidden" : "shown";
  const query = new URLSearchParams({ game: state.game, spec: state.start, moves: moves.join(";"), first: state.first, you: state.you, marks });
  if (state.overlay) query.set("show", state.overlay);
  if (state.embed) query.set("embed", "1");
  return readable(query);
}
