// Potential weights (Beck 1981; Hsu et al. 2020, Subsection 2.4) and vertex domination (Subsection 4.2): which moves to
// try, and in which order.
#pragma once

#include <algorithm>
#include <array>

#include "positional/board/reduce.hpp"

namespace zermelo::positional {

// weight[v] = sum of 2^(longest - |r(e)|) over the live hyperedges e through v: the paper's formula (3) on boards whose
// hyperedges all have k vertices.
template <int W>
struct Weights {
  std::array<double, Game<W>::MAX_V> of{};

  Weights(const Game<W>& game, const Position<W>& at) {
    for_each(at.live, [&](int e) {
      const Vertices<W> rest = game.residual(at, e);
      const double weight = edge_weight(game.max_edge_size - rest.count());
      for_each(rest, [&](int v) { of[v] += weight; });
    });
  }
  static double edge_weight(int exponent) {
    double weight = 1;
    for (; exponent > 0; --exponent) weight *= 2;
    return weight;
  }
  double operator[](int v) const { return of[v]; }
};

// Beck's criterion (Property 1): with Breaker to move and the sum of 2^-|r(e)| below 1, Breaker wins by always marking
// a vertex of largest weight. Sizes are at most 256, so the doubles here are exact enough for "< 1" only when every
// term is: hyperedges of more than 40 vertices are counted as 40.
template <int W>
double potential(const Game<W>& game, const Position<W>& at) {
  double sum = 0;
  for_each(at.live, [&](int e) { sum += 1 / Weights<W>::edge_weight(std::min(40, game.residual(at, e).count())); });
  return sum;
}

template <int W>
struct MoveList {
  int count = 0;
  std::array<std::uint8_t, Game<W>::MAX_V> vertex{};

  MoveList() = default;
  explicit MoveList(const Vertices<W>& of) {
    for_each(of, [&](int v) { add(v); });
  }
  void add(int v) { vertex[count++] = static_cast<std::uint8_t>(v); }
  const std::uint8_t* begin() const { return vertex.data(); }
  const std::uint8_t* end() const { return vertex.data() + count; }

  // Largest score first; equal scores keep their order.
  template <class Score>
  void sort(Score&& score) {
    std::stable_sort(vertex.begin(), vertex.begin() + count,
                     [&](std::uint8_t a, std::uint8_t b) { return score(a) > score(b); });
  }
};

template <int W>
MoveList<W> by_weight(const Game<W>& game, const Position<W>& at, const Vertices<W>& of) {
  const Weights<W> weights(game, at);
  MoveList<W> moves(of);
  moves.sort([&](int v) { return weights[v]; });
  return moves;
}

// The free vertices that no other dominates; of several with the same hyperedges the first stays. Every free vertex
// must lie on a live hyperedge.
template <int W>
Vertices<W> undominated(const Game<W>& game, const Position<W>& at) {
  Vertices<W> result = at.free;
  for_each(at.free, [&](int v) {
    Vertices<W> above = dominators(game, at, v);
    above.reset(v);
    const Edges<W> own = at.live & game.edges_through(v);
    while (above.any()) {
      const int u = above.pop_lowest();
      if (u < v || (at.live & game.edges_through(u)) != own) {
        result.reset(v);
        return;
      }
    }
  });
  return result;
}

// An undominated vertex that dominates the dominated v. (In print, Theorem 5 and Algorithm 4 lines 22 to 26 take any
// dominator; it must itself be undominated, or its branch was never looked at.)
template <int W>
int dominator_of(const Game<W>& game, const Position<W>& at, const Vertices<W>& top, int v) {
  return (dominators(game, at, v) & top).lowest();
}

}  // namespace zermelo::positional
