// Reductions: they take settled vertices and hyperedges out of a position and do not change the winner.
//
//   supersets   a live hyperedge whose residual contains another's never matters
//   pairs       two vertices on exactly the same live hyperedges (mutual domination; Hsu et al. 2020, Theorem 1 and
//               Algorithms 7 and 8): Breaker answers one with the other, so both and their hyperedges leave the game
//   redundant   a vertex on no live hyperedge leaves the game
//
// The zone of a Breaker win on the reduced position, plus the paired vertices, is a zone of the position (Theorem 4).
// A carrier of a Maker win on the reduced position is one of the position as it stands.
#pragma once

#include <array>
#include <utility>

#include "positional/board/game.hpp"

namespace zermelo::positional {

struct ReduceOptions {
  bool supersets = true;
  bool pairs = true;
};

using Pair = std::pair<std::uint8_t, std::uint8_t>;

// Disjoint pairs of vertices, by value: at most half of the vertices.
template <int W>
struct PairList {
  int count = 0;
  std::array<Pair, Game<W>::MAX_V / 2> pair{};

  void add(int u, int v) { pair[count++] = {static_cast<std::uint8_t>(u), static_cast<std::uint8_t>(v)}; }
  const Pair* begin() const { return pair.data(); }
  const Pair* end() const { return pair.data() + count; }
  Vertices<W> vertices() const {
    Vertices<W> set;
    for (const auto& [u, v] : *this) set.set(u), set.set(v);
    return set;
  }
};

// The live hyperedges whose residual contains every vertex of `set`.
template <int W>
Edges<W> edges_containing(const Game<W>& game, const Edges<W>& live, const Vertices<W>& set) {
  Edges<W> result = live;
  for_each(set, [&](int v) { result &= game.edges_through(v); });
  return result;
}

template <int W>
void drop_supersets_anywhere(const Game<W>& game, Position<W>& at) {
  Edges<W> left = at.live;
  while (left.any()) {
    const int e = left.pop_lowest();
    Edges<W> larger = edges_containing(game, at.live, game.residual(at, e));
    larger.reset(e);
    at.live &= ~larger;
    left &= ~larger;
  }
}

// On a board two hyperedges of different lines share one vertex at most, so with two vertices left a hyperedge is only
// contained in others of its line. These are intervals: one that lies between two others contains all their common
// vertices. So it is enough to compare each with the last one kept.
template <int W>
void drop_supersets(const Game<W>& game, Position<W>& at) {
  if (game.lines.empty()) return drop_supersets_anywhere(game, at);
  std::array<std::uint16_t, Game<W>::MAX_ON_LINES> kept;
  std::size_t first = 0, count = 0;  // those of the current line are kept[first .. count)
  int line = -1;
  Edges<W> dropped;
  for (Edges<W> left = at.live; left.any();) {
    const int e = left.pop_lowest();
    const Vertices<W> rest = game.edge[e] & at.free;
    if (!at_least_two(rest)) return drop_supersets_anywhere(game, at);
    if (game.line_of[e] != line) {
      line = game.line_of[e];
      first = count;
    }
    if (count > first && rest.contains(game.edge[kept[count - 1]] & at.free)) {
      dropped.set(e);
      continue;
    }
    while (count > first && game.edge[kept[count - 1]].contains(rest)) dropped.set(kept[--count]);
    kept[count++] = static_cast<std::uint16_t>(e);
  }
  at.live &= ~dropped;
}

template <int W>
void drop_redundant(const Game<W>& game, Position<W>& at) {
  Vertices<W> used;
  for_each(at.live, [&](int e) { used |= game.edge[e]; });
  at.free &= used;
}

// The vertices that lie on every live hyperedge of v, v itself among them: those that dominate v.
// v must lie on a live hyperedge. Its first and its last one share only v where they are on different lines of a board.
template <int W>
Vertices<W> dominators(const Game<W>& game, const Position<W>& at, int v) {
  const Edges<W> own = at.live & game.edges_through(v);
  Vertices<W> common = game.residual(at, own.lowest()) & game.edge[own.highest()];
  if (at_least_two(common)) for_each(own, [&](int e) { common &= game.edge[e]; });
  return common;
}

// Reduces in place and returns the pairs that were taken out.
template <int W>
PairList<W> reduce(const Game<W>& game, Position<W>& at, const ReduceOptions& options) {
  PairList<W> pairs;
  for (bool again = true; again;) {
    again = false;
    if (options.supersets) drop_supersets(game, at);
    drop_redundant(game, at);
    if (!options.pairs) break;
    Vertices<W> left = at.free;
    while (left.any()) {
      const int u = left.pop_lowest();
      const Edges<W> edges = at.live & game.edges_through(u);
      if (edges.none()) continue;  // became redundant in this round
      Vertices<W> others = dominators(game, at, u) & left;
      while (others.any()) {
        const int v = others.pop_lowest();
        if ((at.live & game.edges_through(v)) != edges) continue;
        pairs.add(u, v);
        at.free.reset(u);
        at.free.reset(v);
        left.reset(v);
        at.live &= ~edges;
        again = true;
        break;
      }
    }
  }
  return pairs;
}

}  // namespace zermelo::positional
