#include "positional/pairing.hpp"

#include <algorithm>

namespace zermelo::positional {

namespace {

// The published algorithm. `at.free` plays the part of the unassigned vertices, `at.live` of the free hyperedges.
template <int W>
class Finder {
 public:
  Finder(const Game<W>& game, int branching, int budget) : game_(game), branching_(branching), budget_(budget) {}

  bool assign(Position<W> at, PairList<W>& pairs) {
    if (budget_-- <= 0) return false;
    if (!greedy(at, pairs)) return false;
    if (at.live.none()) return true;
    if (branching_ == 0) return false;
    return branch(at, pairs);
  }

 private:
  void take(Position<W>& at, PairList<W>& pairs, int u, int v) const {
    pairs.add(u, v);
    at.free.reset(u);
    at.free.reset(v);
    at.live &= ~(game_.edges_through(u) & game_.edges_through(v));
  }

  // Algorithm 9. In print rule 1 forgets to remove the hyperedges that hold the new pair. False: some hyperedge is left
  // with fewer than two unassigned vertices.
  bool greedy(Position<W>& at, PairList<W>& pairs) const {
    for (bool again = true; again;) {
      again = false;
      Edges<W> left = at.live;
      while (left.any()) {
        const int e = left.pop_lowest();
        Vertices<W> rest = game_.residual(at, e);
        if (!at_least_two(rest)) return false;
        const int u = rest.pop_lowest();
        const int v = rest.pop_lowest();
        if (rest.any()) continue;
        take(at, pairs, u, v);
        left &= at.live;
        again = true;
      }
      if (again) continue;
      Vertices<W> unassigned = at.free;
      while (unassigned.any()) {
        const int u = unassigned.pop_lowest();
        const Edges<W> edges = at.live & game_.edges_through(u);
        if (edges.none()) continue;
        Vertices<W> others = dominators(game_, at, u) & unassigned;
        while (others.any()) {
          const int v = others.pop_lowest();
          if ((at.live & game_.edges_through(v)) != edges) continue;
          take(at, pairs, u, v);
          unassigned.reset(v);
          again = true;
          break;
        }
      }
    }
    return true;
  }

  // Algorithm 3, lines 6 to 15: the hyperedge with the fewest unassigned vertices, its pairs by pair score.
  bool branch(const Position<W>& at, PairList<W>& pairs) {
    int urgent = -1, fewest = Vertices<W>::CAPACITY + 1;
    for_each(at.live, [&](int e) {
      const int size = game_.residual(at, e).count();
      if (size < fewest) {
        fewest = size;
        urgent = e;
      }
    });
    struct Candidate {
      int score;
      std::uint8_t u, v;
    };
    std::array<Candidate, 128> candidates;
    int count = 0;
    const Vertices<W> cells = game_.residual(at, urgent);
    for_each(cells, [&](int u) {
      for_each(cells, [&](int v) {
        if (v <= u || count == static_cast<int>(candidates.size())) return;
        const Edges<W> a = at.live & game_.edges_through(u), b = at.live & game_.edges_through(v);
        candidates[static_cast<std::size_t>(count++)] = {2 * (a & b).count() - (a ^ b).count(),
                                                         static_cast<std::uint8_t>(u), static_cast<std::uint8_t>(v)};
      });
    });
    std::stable_sort(candidates.begin(), candidates.begin() + count,
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    const int before = pairs.count;
    for (int i = 0; i < std::min(count, branching_); ++i) {
      Position<W> next = at;
      take(next, pairs, candidates[static_cast<std::size_t>(i)].u, candidates[static_cast<std::size_t>(i)].v);
      if (assign(next, pairs)) return true;
      pairs.count = before;
    }
    return false;
  }

  const Game<W>& game_;
  const int branching_;
  int budget_;  // a cap on the time of one call
};

}  // namespace

template <int W>
std::optional<PairList<W>> find_pairing(const Game<W>& game, const Position<W>& at, int branching, int budget) {
  PairList<W> pairs;
  if (!Finder<W>(game, branching, budget).assign(at, pairs) || !is_pairing(game, at, pairs)) return std::nullopt;
  return pairs;
}

template std::optional<PairList<1>> find_pairing(const Game<1>&, const Position<1>&, int, int);
template std::optional<PairList<2>> find_pairing(const Game<2>&, const Position<2>&, int, int);
template std::optional<PairList<4>> find_pairing(const Game<4>&, const Position<4>&, int, int);

}  // namespace zermelo::positional
