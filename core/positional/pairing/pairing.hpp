// Pairing strategies: disjoint pairs of free vertices such that every live hyperedge holds a pair. Breaker answers one
// vertex of a pair with the other and wins as second player; her zone is the paired vertices (Theorem 3).
//
// Two finders: the published one for any hypergraph, here (Hsu et al. 2020, Algorithms 2, 3 and 9), and the one that
// works per line on mnk boards (line_pairing.hpp). Both only propose pairs: every caller tests them with is_pairing.
#pragma once

#include <optional>

#include "positional/board/reduce.hpp"

namespace zermelo::positional {

// True when the pairs are disjoint free vertices and every live hyperedge contains one.
template <int W>
bool is_pairing(const Game<W>& game, const Position<W>& at, const PairList<W>& pairs) {
  Vertices<W> seen;
  Edges<W> open = at.live;
  for (const auto& [u, v] : pairs) {
    if (u == v || !at.free.test(u) || !at.free.test(v) || seen.test(u) || seen.test(v)) return false;
    seen.set(u);
    seen.set(v);
    open &= ~(game.edges_through(u) & game.edges_through(v));
  }
  return open.none();
}

// Algorithm 2: greedy rules 1 and 2, then the best `branching` pairs of the most urgent hyperedge. With branching 0
// only the greedy rules. Not complete: nullopt means that no pairing was found, within `budget` assignments.
template <int W>
std::optional<PairList<W>> find_pairing(const Game<W>& game, const Position<W>& at, int branching,
                                        int budget = 100'000);

}  // namespace zermelo::positional
