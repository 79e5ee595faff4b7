// A hypergraph in the form that the searches use, and a position on it.
//
// W names the widths of its sets: 1 is for up to 64 vertices and 128 hyperedges, 2 for 128 and 256, 4 for 256 and
// 1,024, and MANY_EDGES for 256 and 4,096. A position is two sets:
//
//   free   the vertices that matter and are unmarked
//   live   the hyperedges that Breaker has not hit (and that no reduction has settled)
//
// The residual of a live hyperedge e is r(e) = e & free, its unmarked vertices: Maker's vertices are not in `free`.
// Two positions with the same free and live are the same game, however they came about.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "positional/board/hypergraph.hpp"

namespace zermelo::positional {

inline constexpr int MANY_EDGES = 5;
template <int W>
inline constexpr int VERTEX_WORDS = W == MANY_EDGES ? 4 : W;
template <int W>
inline constexpr int EDGE_WORDS = W == 1   ? 2
                                  : W == 2 ? 4
                                  : W == 4 ? 16
                                           : 64;

template <int W>
using Vertices = Bits<VERTEX_WORDS<W>>;
template <int W>
using Edges = Bits<EDGE_WORDS<W>>;

template <int W>
struct Position {
  Vertices<W> free;
  Edges<W> live;

  std::uint64_t hash() const { return free.hash() ^ live.hash() * 0x9e3779b97f4a7c15ULL; }
  friend bool operator==(const Position&, const Position&) = default;
};

template <int W>
constexpr bool at_least_two(const Bits<W>& set) {
  if constexpr (W == 1) {
    return (set.word[0] & (set.word[0] - 1)) != 0;
  } else {
    bool one = false;
    for (std::uint64_t w : set.word) {
      if (!w) continue;
      if (one || (w & (w - 1))) return true;
      one = true;
    }
    return false;
  }
}

template <int W>
struct Game {
  static constexpr int MAX_V = Vertices<W>::CAPACITY;
  static constexpr int MAX_E = Edges<W>::CAPACITY;
  static constexpr int MAX_ON_LINES = MAX_E < 1024 ? MAX_E : 1024;  // hyperedges of an m,n,k board

  // Sets are mapped four members at a time: the images of all sets of the members 4i .. 4i+3 lie side by side. Symmetry
  // 0 is the identity and has no images.
  struct Symmetry {
    std::vector<Vertices<W>> vertices;
    std::vector<Edges<W>> edges;
  };

  explicit Game(const Hypergraph& graph);
  static bool fits(const Hypergraph& graph) {
    return graph.vertices <= MAX_V && static_cast<int>(graph.edges.size()) <= MAX_E;
  }

  int vertex_count = 0;
  int edge_count = 0;
  int max_edge_size = 0;
  std::array<Vertices<W>, MAX_E> edge{};
  std::array<Edges<W>, MAX_V> through{};  // the hyperedges that contain a vertex
  std::vector<Line> lines;
  std::array<std::uint16_t, MAX_E> line_of{};
  std::vector<std::vector<int>> lines_through;  // per vertex, the lines with a hyperedge through it
  std::vector<Symmetry> symmetries;
  std::array<std::array<std::uint8_t, 8>, 8> compose{};  // compose[a][b]: first b, then a
  std::array<std::uint8_t, 8> inverse{};

  Position<W> start() const { return {Vertices<W>::first(vertex_count), Edges<W>::first(edge_count)}; }
  Vertices<W> residual(const Position<W>& at, int e) const { return edge[e] & at.free; }
  const Edges<W>& edges_through(int v) const { return through[v]; }

  // Maker marks a vertex: it drops out of the residuals. Breaker marks one: its hyperedges are dead.
  Position<W> after_maker(Position<W> at, int v) const {
    at.free.reset(v);
    return at;
  }
  Position<W> after_breaker(Position<W> at, int v) const {
    at.free.reset(v);
    at.live &= ~edges_through(v);
    return at;
  }

  Vertices<W> map(int symmetry, const Vertices<W>& set) const {
    return symmetry ? image_of(symmetries[symmetry].vertices, set) : set;
  }
  Edges<W> map_edges(int symmetry, const Edges<W>& set) const {
    return symmetry ? image_of(symmetries[symmetry].edges, set) : set;
  }
  int map_vertex(int symmetry, int v) const { return map(symmetry, Vertices<W>::single(v)).lowest(); }
  // The least image of a position, and the symmetry that gives it.
  std::pair<Position<W>, int> canonical(const Position<W>& at, bool use_symmetry) const;

 private:
  template <int WORDS>
  static Bits<WORDS> image_of(const std::vector<Bits<WORDS>>& images, const Bits<WORDS>& set) {
    Bits<WORDS> image;
    for (std::size_t i = 0; i < WORDS; ++i) {
      const Bits<WORDS>* of = images.data() + 256 * i;
      for (std::uint64_t left = set.word[i]; left; left >>= 4, of += 16) image |= of[left & 15];
    }
    return image;
  }
};

// A position as the vertices of both players. All others are free.
struct Marks {
  std::vector<int> maker, breaker;
};

// Throws std::invalid_argument if a mark lies outside the board or on another.
template <int W>
Position<W> position_of(const Game<W>& game, const Marks& marks) {
  Position<W> at = game.start();
  const auto check = [&](int v) {
    if (v < 0 || v >= game.vertex_count) throw std::invalid_argument("a mark lies outside the board");
    if (!at.free.test(v)) throw std::invalid_argument("a vertex is marked twice");
    return v;
  };
  for (int v : marks.maker) at = game.after_maker(at, check(v));
  for (int v : marks.breaker) at = game.after_breaker(at, check(v));
  return at;
}

// Calls of_width.operator()<W>() with the width that the hypergraph needs.
template <class OfWidth>
auto with_width(const Hypergraph& graph, OfWidth&& of_width) {
  if (Game<1>::fits(graph)) return of_width.template operator()<1>();
  if (Game<2>::fits(graph)) return of_width.template operator()<2>();
  if (Game<4>::fits(graph)) return of_width.template operator()<4>();
  return of_width.template operator()<MANY_EDGES>();
}

}  // namespace zermelo::positional
