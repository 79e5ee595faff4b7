// Maker's forcing sequences: he marks one of the two vertices a hyperedge lacks, Breaker must mark the other, until one
// mark threatens twice. Cheap, and the win comes with a carrier: the vertices of the hyperedges used. Breaker's earlier
// reply must have been one of them, or it changes nothing.
#pragma once

#include "positional/board/game.hpp"

namespace zermelo::positional {

template <int W>
class Forcing {
 public:
  Forcing(const Game<W>& game, int budget) : game_(game), budget_(budget) {}

  // With Maker to move and no live hyperedge below two free vertices. True: Maker wins, `carrier` says where.
  bool wins(const Position<W>& at, Vertices<W>& carrier) {
    Edges<W> twos;
    for_each(at.live, [&](int e) {
      if (is_two(game_.residual(at, e))) twos.set(e);
    });
    return search(at, twos, carrier);
  }

 private:
  static bool is_two(Vertices<W> set) {
    set.pop_lowest();
    return set.any() && !at_least_two(set);
  }

  bool search(const Position<W>& at, const Edges<W>& twos, Vertices<W>& carrier) {
    for (Edges<W> left = twos; left.any();) {
      const int e = left.pop_lowest();
      Vertices<W> ends = game_.residual(at, e);
      const int u = ends.pop_lowest(), v = ends.lowest();
      if (force(at, twos, u, v, carrier) || force(at, twos, v, u, carrier)) return true;
    }
    return false;
  }

  // Maker marks `own`, Breaker must mark `other`.
  bool force(const Position<W>& at, const Edges<W>& twos, int own, int other, Vertices<W>& carrier) {
    if (budget_-- <= 0) return false;
    const Edges<W> mine = at.live & game_.edges_through(own);
    const Edges<W> second = mine & twos & ~game_.edges_through(other);
    if (second.any()) {
      carrier = game_.residual(at, second.lowest());
      carrier.set(other);
      return true;
    }
    const Position<W> next = game_.after_breaker(game_.after_maker(at, own), other);
    Edges<W> fresh;
    for_each(mine & next.live, [&](int e) {
      if (is_two(game_.residual(next, e))) fresh.set(e);
    });
    if (fresh.none()) return false;  // a threat that brings no new one only burns itself
    if (!search(next, (twos & next.live) | fresh, carrier)) return false;
    carrier.set(own);
    carrier.set(other);
    return true;
  }

  const Game<W>& game_;
  int budget_;
};

}  // namespace zermelo::positional
