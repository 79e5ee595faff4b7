#include "positional/board/game.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace zermelo::positional {

namespace {

// The images of all sets of the numbers 4i .. 4i+3, for each i (Game::Symmetry).
template <int WORDS>
std::vector<Bits<WORDS>> images(const std::vector<int>& map) {
  std::vector<Bits<WORDS>> result((map.size() + 3) / 4 * 16);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t last = i / 16 * 4 + static_cast<std::size_t>(std::bit_width(i % 16)) - 1;
    if (i % 16 == 0 || last >= map.size()) continue;
    result[i] = result[i & ~std::bit_floor(i % 16)];
    result[i].set(map[last]);
  }
  return result;
}

}  // namespace

template <int W>
Game<W>::Game(const Hypergraph& graph)
    : vertex_count(graph.vertices), edge_count(static_cast<int>(graph.edges.size())), lines(graph.lines) {
  std::map<Vertices<W>, int> index;
  for (int e = 0; e < edge_count; ++e) {
    edge[e] = graph.edges[e].template resize<VERTEX_WORDS<W>>();
    index[edge[e]] = e;
    max_edge_size = std::max(max_edge_size, edge[e].count());
    for_each(edge[e], [&](int v) { through[v].set(e); });
  }
  for (std::size_t l = 0; l < lines.size(); ++l)
    for (int e : lines[l]) line_of[e] = static_cast<std::uint16_t>(l);
  lines_through.resize(static_cast<std::size_t>(vertex_count));
  if (!lines.empty())
    for (int v = 0; v < vertex_count; ++v)
      for_each(edges_through(v), [&](int e) {
        std::vector<int>& own = lines_through[v];
        const int line = line_of[e];
        if (std::find(own.begin(), own.end(), line) == own.end()) own.push_back(line);
      });

  for (const std::vector<int>& map : graph.symmetries) {
    symmetries.emplace_back();
    if (symmetries.size() == 1) continue;
    symmetries.back().vertices = images<VERTEX_WORDS<W>>(map);
    std::vector<int> edges;
    for (int e = 0; e < edge_count; ++e) edges.push_back(index.at(image_of(symmetries.back().vertices, edge[e])));
    symmetries.back().edges = images<EDGE_WORDS<W>>(edges);
  }
  const int count = static_cast<int>(symmetries.size());
  const auto same = [&](int a, int b, int c) {  // a after b equals c, on every vertex
    for (int v = 0; v < vertex_count; ++v)
      if (map_vertex(a, map_vertex(b, v)) != map_vertex(c, v)) return false;
    return true;
  };
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b)
      for (int c = 0; c < count; ++c)
        if (same(a, b, c)) {
          compose[a][b] = static_cast<std::uint8_t>(c);
          if (c == 0) inverse[b] = static_cast<std::uint8_t>(a);
          break;
        }
}

template <int W>
std::pair<Position<W>, int> Game<W>::canonical(const Position<W>& at, bool use_symmetry) const {
  // 1. The least image of the free vertices; hyperedges are mapped only where two images of these are equal.
  Position<W> best = at;
  int best_symmetry = 0;
  bool mapped = true;  // best.live is the image
  for (int s = 1; use_symmetry && s < static_cast<int>(symmetries.size()); ++s) {
    const Vertices<W> free = map(s, at.free);
    if (free > best.free) continue;
    if (free == best.free) {
      if (!mapped) best.live = map_edges(best_symmetry, at.live);
      mapped = true;
      const Edges<W> live = map_edges(s, at.live);
      if (!(live < best.live)) continue;
      best.live = live;
    } else {
      best.free = free;
      mapped = false;
    }
    best_symmetry = s;
  }
  // 2. Its hyperedges.
  if (!mapped) best.live = map_edges(best_symmetry, at.live);
  return {best, best_symmetry};
}

template struct Game<1>;
template struct Game<2>;
template struct Game<4>;
template struct Game<MANY_EDGES>;

}  // namespace zermelo::positional
