#include "positional/board/hypergraph.hpp"

#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace zermelo::positional {

namespace {

void check_size(int vertices, std::size_t edges) {
  if (vertices < 0 || vertices > MAX_VERTICES)
    throw std::invalid_argument("a hypergraph may have at most " + std::to_string(MAX_VERTICES) +
                                " vertices, this one has " + std::to_string(vertices));
  if (edges > static_cast<std::size_t>(MAX_EDGES))
    throw std::invalid_argument("a hypergraph may have at most " + std::to_string(MAX_EDGES) +
                                " hyperedges, this one has " + std::to_string(edges));
}

std::vector<int> identity(int count) {
  std::vector<int> result(static_cast<std::size_t>(count));
  for (int v = 0; v < count; ++v) result[v] = v;
  return result;
}

}  // namespace

Hypergraph make_hypergraph(int vertices, const std::vector<std::vector<int>>& edges) {
  check_size(vertices, edges.size());
  Hypergraph graph;
  graph.vertices = vertices;
  std::set<VertexSet> seen;
  for (const std::vector<int>& edge : edges) {
    if (edge.empty()) throw std::invalid_argument("a hyperedge must have at least one vertex");
    VertexSet set;
    for (int v : edge) {
      if (v < 0 || v >= vertices) throw std::invalid_argument("a hyperedge names a vertex that does not exist");
      set.set(v);
    }
    if (seen.insert(set).second) graph.edges.push_back(set);
  }
  graph.symmetries.push_back(identity(vertices));
  return graph;
}

Hypergraph make_mnk(int columns, int rows, int k) {
  if (columns < 1 || rows < 1 || k < 1) throw std::invalid_argument("m, n and k of an m,n,k game must be at least 1");
  if (columns > MAX_VERTICES || rows > MAX_VERTICES || columns * rows > MAX_VERTICES)
    throw std::invalid_argument("an m,n,k board may have at most " + std::to_string(MAX_VERTICES) + " squares");
  Hypergraph graph;
  graph.vertices = columns * rows;

  // Hyperedges line by line. With k = 1 every direction gives the same single squares: one direction is enough.
  constexpr int STEPS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};  // {column step, row step}
  const auto inside = [&](int c, int r) { return c >= 0 && c < columns && r >= 0 && r < rows; };
  for (int direction = 0; direction < (k == 1 ? 1 : 4); ++direction) {
    const int dc = STEPS[direction][0], dr = STEPS[direction][1];
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        if (inside(c - dc, r - dr)) continue;  // not the first square of its line
        Line line;
        for (int i = 0; inside(c + (i + k - 1) * dc, r + (i + k - 1) * dr); ++i) {
          VertexSet edge;
          for (int j = i; j < i + k; ++j) edge.set((r + j * dr) * columns + c + j * dc);
          line.push_back(static_cast<int>(graph.edges.size()));
          graph.edges.push_back(edge);
        }
        if (!line.empty()) graph.lines.push_back(line);
      }
  }
  check_size(graph.vertices, graph.edges.size());

  for (int image = 0; image < (columns == rows ? 8 : 4); ++image) {
    std::vector<int> map(static_cast<std::size_t>(graph.vertices));
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        int to_c = image & 1 ? columns - 1 - c : c, to_r = image & 2 ? rows - 1 - r : r;
        if (image & 4) std::swap(to_c, to_r);
        map[r * columns + c] = to_r * columns + to_c;
      }
    graph.symmetries.push_back(map);
  }
  return graph;
}

}  // namespace zermelo::positional
