// A pairing that answers one Maker move also answers most others, once its pairs avoid the vertex of that move.
//
// Each pair serves some hyperedges, and any two vertices that all of these share (the pair's core) would serve them as
// well. So a pairing is a matching of two slots per pair to vertices of its core, and making it avoid a vertex takes
// one augmenting path: microseconds, where a search for another pairing takes ten or a hundred.
#pragma once

#include "positional/board/reduce.hpp"
#include "positional/pairing/matching.hpp"

namespace zermelo::positional {

template <int W>
class MovablePairing {
 public:
  // `at` is a Maker position; after some move of his, Breaker marks `reply` and has `pairs`.
  MovablePairing(const Game<W>& game, const Position<W>& at, int reply, const PairList<W>& pairs) : reply_(reply) {
    const Position<W> after = game.after_breaker(at, reply);
    Edges<W> left = after.live;
    for (const auto& [u, v] : pairs) {
      const Edges<W> own = left & game.edges_through(u) & game.edges_through(v);
      if (own.none()) continue;  // other pairs serve its hyperedges
      left &= ~own;
      Vertices<W> core = after.free;
      for_each(own, [&](int e) { core &= game.edge[e]; });
      matching_.add_pair(slots_, 0, core);
      matching_.give(matching_.slots - 2, u);
      matching_.give(matching_.slots - 1, v);
    }
  }

  int reply() const { return reply_; }

  // Moves the pairs off Maker's vertex. False: not possible with these cores, and nothing has changed.
  bool avoid(int v) {
    if (v == reply_) return false;
    if (!matching_.used.test(v)) return true;
    const int slot = matching_.take(v);
    Vertices<W> visited = Vertices<W>::single(v);
    if (matching_.augment(slots_, slot, visited)) return true;
    matching_.give(slot, v);
    return false;
  }

  PairList<W> pairs() const {
    PairList<W> result;
    for (int s = 0; s < matching_.slots; s += 2) result.add(matching_.vertex_of[s], matching_.vertex_of[s + 1]);
    return result;
  }

 private:
  static constexpr int MOST = Game<W>::MAX_V;

  int reply_;
  Slots<W, MOST> slots_;
  Matching<W, MOST> matching_;
};

}  // namespace zermelo::positional
