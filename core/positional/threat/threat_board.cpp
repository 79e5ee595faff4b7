#include "positional/threat/threat_board.hpp"

namespace zermelo::positional {

ThreatBoard::ThreatBoard(const Hypergraph& graph)
    : all_(VertexSet::first(graph.vertices)), edge_(graph.edges), owner_(graph.vertices, FREE) {
  const std::size_t edges = edge_.size();
  size_.resize(edges), empty_.resize(edges);
  std::vector<std::vector<std::uint16_t>> through(graph.vertices);
  for (std::size_t e = 0; e < edges; ++e) {
    begin_.push_back(static_cast<int>(members_.size()));
    for (const int cell : members(edge_[e])) {
      members_.push_back(static_cast<std::uint8_t>(cell));
      through[cell].push_back(static_cast<std::uint16_t>(e));
      empty_[e] ^= static_cast<std::uint8_t>(cell);
    }
    // An edge of all 256 cells is never lacking few cells on a board that can be searched.
    size_[e] = static_cast<std::uint8_t>(std::min(edge_[e].count(), 255));
  }
  begin_.push_back(static_cast<int>(members_.size()));
  for (const auto& list : through) {
    first_.push_back(static_cast<int>(through_.size()));
    through_.insert(through_.end(), list.begin(), list.end());
  }
  first_.push_back(static_cast<int>(through_.size()));
  std::uint64_t state = 0x9e3779b97f4a7c15ULL;
  for (const int player : {ATTACKER, DEFENDER}) {
    count_[player].assign(edges, 0);
    where_[player].assign(edges, 0);
    for (List& list : lists_[player]) list.edges.resize(edges);
    for (std::size_t e = 0; e < edges; ++e) enter(player, static_cast<int>(e), size_[e]);
    for (int cell = 0; cell < graph.vertices; ++cell) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      random_[player].push_back(state * 0xd1342543de82ef95ULL);
    }
  }
}

void ThreatBoard::place(int player, int cell) {
  owner_[cell] = static_cast<std::uint8_t>(player);
  held_[player].set(cell);
  hash_ ^= random_[player][cell];
  for (const int e : through(cell)) {
    const int own = count_[player][e]++, other = count_[1 - player][e], size = size_[e];
    empty_[e] ^= static_cast<std::uint8_t>(cell);
    if (own == 0) leave(1 - player, e, size - other);
    if (other == 0) {
      leave(player, e, size - own);
      enter(player, e, size - own - 1);
    }
  }
}

void ThreatBoard::take_back(int player, int cell) {
  owner_[cell] = FREE;
  held_[player].reset(cell);
  hash_ ^= random_[player][cell];
  for (const int e : through(cell)) {
    const int own = --count_[player][e], other = count_[1 - player][e], size = size_[e];
    empty_[e] ^= static_cast<std::uint8_t>(cell);
    if (other == 0) {
      leave(player, e, size - own - 1);
      enter(player, e, size - own);
    }
    if (own == 0) enter(1 - player, e, size - other);
  }
}

void ThreatBoard::go_to(const VertexSet& attacker, const VertexSet& defender) {
  const VertexSet* wanted[2] = {&attacker, &defender};
  for (const int player : {ATTACKER, DEFENDER})
    for (VertexSet gone = held_[player] & ~*wanted[player]; gone.any();) take_back(player, gone.pop_lowest());
  for (const int player : {ATTACKER, DEFENDER})
    for (VertexSet missing = *wanted[player] & ~held_[player]; missing.any();) place(player, missing.pop_lowest());
}

}  // namespace zermelo::positional
