#include "positional/pairing/pairing.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::positional {

namespace {

// The published algorithm. `free` are its unassigned vertices, `live` its free hyperedges.
//
// Nearly all calls fail, after many assignments, so one assignment must be cheap. The number of unassigned vertices of
// every hyperedge is kept in binary, bit b of all of them as one set: a vertex is taken away from all its hyperedges
// by a few operations on whole sets, and so are "which have two left" and "which have fewest" answered.
//
// PLANES: binary digits of the largest hyperedge's size. With the number known the loops over them unroll.
template <int W, std::size_t PLANES>
class Finder {
 public:
  Finder(const Game<W>& game, int branching, int budget) : game_(game), branching_(branching), budget_(budget) {}

  bool find(const Position<W>& at, PairList<W>& pairs) {
    State state{at.free, at.live, at.free, {}};
    for_each(at.free, [&](int v) {
      Edges<W> carry = game_.edges_through(v);
      for (Edges<W>& plane : state.size) {
        const Edges<W> both = plane & carry;
        plane ^= carry;
        carry = both;
      }
    });
    return assign(state, pairs);
  }

 private:
  struct State {
    Vertices<W> free;
    Edges<W> live;
    Vertices<W> touched;  // the vertices that lost a free hyperedge since rule 2 last found nothing
    // Bit e of size[b] is bit b of the number of unassigned vertices on the free hyperedge e.
    std::array<Edges<W>, PLANES> size;
  };

  bool assign(State at, PairList<W>& pairs) {
    if (budget_-- <= 0) return false;
    if (!greedy(at, pairs)) return false;
    if (at.live.none()) return true;
    if (branching_ == 0) return false;
    return branch(at, pairs);
  }

  void take(State& at, PairList<W>& pairs, int u, int v) const {
    pairs.add(u, v);
    const Edges<W> served = at.live & game_.edges_through(u) & game_.edges_through(v);
    for_each(served, [&](int e) { at.touched |= game_.edge[e]; });
    at.live &= ~served;
    for (int gone : {u, v}) {
      at.free.reset(gone);
      Edges<W> borrow = game_.edges_through(gone);
      for (Edges<W>& plane : at.size) {
        const Edges<W> was = plane;
        plane ^= borrow;
        borrow &= ~was;
      }
    }
  }

  // Algorithm 9. In print rule 1 forgets to remove the hyperedges that hold the new pair. False: some hyperedge is left
  // with fewer than two unassigned vertices.
  bool greedy(State& at, PairList<W>& pairs) const {
    for (int last = -1;;) {  // rule 1: round after round, in the order of the hyperedges
      Edges<W> more_than_three;
      for (std::size_t p = 2; p < PLANES; ++p) more_than_three |= at.size[p];
      if ((at.live & ~more_than_three & ~at.size[1]).any()) return false;
      const Edges<W> twos = at.live & ~more_than_three & ~at.size[0];
      if (twos.none()) break;
      const Edges<W> behind = twos & ~Edges<W>::first(last + 1);
      last = (behind.any() ? behind : twos).lowest();
      Vertices<W> rest = game_.edge[last] & at.free;
      const int u = rest.pop_lowest();
      take(at, pairs, u, rest.lowest());
    }
    while (any_alike(at)) {  // rule 2, in the order of the vertices; it empties no hyperedge that it leaves free
      for (Vertices<W> unassigned = at.free; unassigned.any();) {
        const int u = unassigned.pop_lowest();
        const int v = alike(at, u, unassigned);
        if (v < 0) continue;
        take(at, pairs, u, v);
        unassigned.reset(v);
      }
    }
    return true;
  }

  // The first of `others` on exactly the free hyperedges of u, which must be some; -1: none.
  int alike(const State& at, int u, Vertices<W> others) const {
    const Edges<W> edges = at.live & game_.edges_through(u);
    if (edges.none()) return -1;
    others &= game_.edge[edges.lowest()];
    others &= game_.edge[edges.highest()];
    while (others.any())
      if (const int v = others.pop_lowest(); (at.live & game_.edges_through(v)) == edges) return v;
    return -1;
  }

  // Only a vertex that lost a hyperedge can have become like another.
  bool any_alike(State& at) const {
    for (Vertices<W> left = at.touched & at.free; left.any();) {
      const int u = left.pop_lowest();
      Vertices<W> others = at.free;
      others.reset(u);
      if (alike(at, u, others) >= 0) return true;
    }
    at.touched = {};
    return false;
  }

  // Algorithm 3, lines 6 to 15: the hyperedge with the fewest unassigned vertices, its best pairs by pair score.
  bool branch(const State& at, PairList<W>& pairs) {
    Edges<W> fewest = at.live;
    for (std::size_t p = PLANES; p-- > 0;)
      if (const Edges<W> fewer = fewest & ~at.size[p]; fewer.any()) fewest = fewer;
    struct Candidate {
      int score;
      std::uint8_t u, v;
    };
    std::array<Candidate, MAX_BRANCHING + 1> best;  // best first, of equal ones the first found
    const int wanted = std::min(branching_, MAX_BRANCHING);
    int count = 0;
    Vertices<W> cells = game_.edge[fewest.lowest()] & at.free;
    while (cells.any()) {
      const int u = cells.pop_lowest();
      const Edges<W> a = at.live & game_.edges_through(u);
      const int own = a.count();
      for_each(cells, [&](int v) {
        const Edges<W> b = at.live & game_.edges_through(v);
        // 2 |a & b| - |a ^ b|, by |a ^ b| = |a| + |b| - 2 |a & b|
        const int score = 4 * (a & b).count() - own - b.count();
        if (count == wanted && score <= best[count - 1].score) return;
        int place = count;
        for (; place > 0 && best[place - 1].score < score; --place) best[place] = best[place - 1];
        best[place] = {score, static_cast<std::uint8_t>(u), static_cast<std::uint8_t>(v)};
        count = std::min(count + 1, wanted);
      });
    }
    const int before = pairs.count;
    for (int i = 0; i < count; ++i) {
      State next = at;
      take(next, pairs, best[i].u, best[i].v);
      if (assign(next, pairs)) return true;
      pairs.count = before;
    }
    return false;
  }

  static constexpr int MAX_BRANCHING = 128;

  const Game<W>& game_;
  const int branching_;
  int budget_;  // a cap on the time of one call
};

}  // namespace

template <int W>
std::optional<PairList<W>> find_pairing(const Game<W>& game, const Position<W>& at, int branching, int budget) {
  constexpr std::size_t FEW = 3, ALL = std::bit_width(static_cast<unsigned>(Game<W>::MAX_V));
  PairList<W> pairs;
  const bool found = game.max_edge_size < 1 << FEW ? Finder<W, FEW>(game, branching, budget).find(at, pairs)
                                                   : Finder<W, ALL>(game, branching, budget).find(at, pairs);
  if (!found || !is_pairing(game, at, pairs)) return std::nullopt;
  return pairs;
}

template std::optional<PairList<1>> find_pairing(const Game<1>&, const Position<1>&, int, int);
template std::optional<PairList<2>> find_pairing(const Game<2>&, const Position<2>&, int, int);
template std::optional<PairList<4>> find_pairing(const Game<4>&, const Position<4>&, int, int);
template std::optional<PairList<MANY_EDGES>> find_pairing(const Game<MANY_EDGES>&, const Position<MANY_EDGES>&, int,
                                                          int);

}  // namespace zermelo::positional
