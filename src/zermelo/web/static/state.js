// The state of the Play page and its address: everything that matters is in the URL, so it can be shared and gone back to.

export const GAMES = {
  domineering: {
    players: ["V", "H"],
    names: { V: "Vertical", H: "Horizontal" },
    separator: ";",
    start: "6x6",
    toMove(state) {
      const last = state.moves.at(-1);
      return last ? (last[0] === "V" ? "H" : "V") : state.first;
    },
    query: (state) => ({ spec: specOf(state), to_move: GAMES.domineering.toMove(state) }),
  },
  mnk: {
    players: ["X", "O"],
    names: { X: "X (first)", O: "O (second)" },
    separator: ",",
    start: "4,4,4",
    toMove: (state) => (state.moves.length % 2 ? "O" : "X"),
    query: (state) => ({ spec: specOf(state) }),
  },
};

export const gameOf = (state) => GAMES[state.game];

export function specOf(state, moves = state.moves) {
  return moves.length ? `${state.base}:${moves.join(gameOf(state).separator)}` : state.base;
}

export function readAddress(search) {
  const query = new URLSearchParams(search);
  const game = query.get("game") in GAMES ? query.get("game") : "domineering";
  const { players, separator, start } = GAMES[game];
  const spec = query.get("spec") ?? start;
  // The moves follow the last colon; a topology's colon is followed by a board.
  const colon = spec.lastIndexOf(":");
  const tail = spec.slice(colon + 1);
  const hasMoves = colon >= 0 && (game === "mnk" || /^[VH]/.test(tail));
  const you = query.get("you");
  return {
    game,
    base: hasMoves ? spec.slice(0, colon) : spec,
    moves: hasMoves && tail ? tail.split(separator) : [],
    first: query.get("first") === "H" ? "H" : "V",
    you: players.includes(you) || you === "both" ? you : query.has("spec") ? "both" : players[0],
    overlay: query.get("show") ?? "",
  };
}

export function addressOf(state) {
  const query = new URLSearchParams({ game: state.game, spec: specOf(state) });
  if (state.game === "domineering") query.set("first", state.first);
  query.set("you", state.you);
  if (state.overlay) query.set("show", state.overlay);
  // Commas, colons, slashes and semicolons may stand in a query and read better so.
  return `?${query.toString().replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%2F/g, "/").replace(/%3B/g, ";")}`;
}
