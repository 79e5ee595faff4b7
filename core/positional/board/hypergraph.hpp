// A hypergraph: the board of a positional game. Vertices are marked in turn; Maker wants to own a whole hyperedge.
//
// This is the readable form, up to 256 vertices and 4,096 hyperedges. Searches compile it into a Game<W> (game.hpp).
#pragma once

#include <vector>

#include "base/bits.hpp"

namespace zermelo::positional {

inline constexpr int MAX_VERTICES = 256;
inline constexpr int MAX_EDGES = 4096;

using VertexSet = Bits<4>;

// A line of a board: its hyperedges in order along the line, so that the hyperedges which contain two given vertices
// are neighbours. On an mnk board two vertices lie on at most one line, which the line pairing finder relies on.
using Line = std::vector<int>;

struct Hypergraph {
  int vertices = 0;
  std::vector<VertexSet> edges;
  std::vector<Line> lines;  // empty for a hypergraph that is not an mnk board
  std::vector<std::vector<int>>
      symmetries;  // vertex permutations that map hyperedges to hyperedges; [0] is the identity
};

// Throws std::invalid_argument with one clear sentence: too many vertices or hyperedges, an empty hyperedge, a vertex
// out of range.
Hypergraph make_hypergraph(int vertices, const std::vector<std::vector<int>>& edges);

// The m,n,k game: `columns` x `rows` squares, k in a row. Vertex = row * columns + column, row 0 at the bottom.
// A board on which no k in a row fits has no hyperedges.
Hypergraph make_mnk(int columns, int rows, int k);

}  // namespace zermelo::positional
