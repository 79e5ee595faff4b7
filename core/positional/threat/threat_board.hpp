// A position of a strong game as the threat searches need it: marks are placed and taken back one by one, and the edges
// that a player may complete soon are in lists.
//
// An edge is *pure* for a player if the opponent has no mark in it. It *lacks* the cells of it that the player has not
// marked. The lists hold, for each player, the pure edges that lack one, two and three cells.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "positional/board/hypergraph.hpp"

namespace zermelo::positional {

inline constexpr int ATTACKER = 0, DEFENDER = 1;

// Zones of a proof (docs/theory-positional.md): marks of the opponent e1, e2, e3 more, with ei outside at[i - 1], do
// not break it. Each zone lies inside the next one.
struct Zones {
  std::array<VertexSet, 3> at;
};

class ThreatBoard {
 public:
  static constexpr int MOST_LACKING = 3;

  explicit ThreatBoard(const Hypergraph& graph);

  void place(int player, int cell);
  void take_back(int player, int cell);
  // Places and takes back marks until the players hold exactly these.
  void go_to(const VertexSet& attacker, const VertexSet& defender);

  int cells() const { return static_cast<int>(first_.size()) - 1; }
  const VertexSet& held(int player) const { return held_[player]; }
  VertexSet free() const { return all_ & ~held_[0] & ~held_[1]; }
  bool is_free(int cell) const { return owner_[cell] == FREE; }
  std::uint64_t hash() const { return hash_; }
  int edges() const { return static_cast<int>(edge_.size()); }
  const VertexSet& edge(int e) const { return edge_[e]; }
  std::span<const std::uint16_t> through(int cell) const {
    return {through_.data() + first_[cell], through_.data() + first_[cell + 1]};
  }
  bool pure(int player, int e) const { return count_[1 - player][e] == 0; }
  int lacking(int player, int e) const { return size_[e] - count_[player][e]; }
  // The pure edges of a player that lack one to MOST_LACKING cells.
  std::span<const std::uint16_t> lacking_list(int player, int lacks) const {
    const List& list = lists_[player][lacks];
    return {list.edges.data(), list.size};
  }
  // The cell that an edge of the list 1 lacks.
  int last_cell(int e) const { return empty_[e]; }
  // The two cells that an edge of the list 2 lacks.
  std::pair<int, int> last_two(int e) const {
    for (int i = begin_[e]; i < begin_[e + 1]; ++i)
      if (owner_[members_[i]] == FREE) return {members_[i], empty_[e] ^ members_[i]};
    return {};
  }
  // The cells with which a player completes an edge at once; stops at two if `two`.
  VertexSet completions(int player) const {
    VertexSet cells;
    for (const int e : lacking_list(player, 1)) cells.set(last_cell(e));
    return cells;
  }
  // Adds the free cells of this edge to the zones whose condition it meets: no mark of the attacker, and i more of the
  // defender's marks would leave at most one cell.
  void add_danger(int attacker, int e, Zones& zones) const {
    const int lacks = lacking(1 - attacker, e);
    if (!pure(1 - attacker, e) || lacks > MOST_LACKING + 1) return;
    const VertexSet cells = edge_[e] & ~held_[1 - attacker];
    for (int i = lacks > 2 ? lacks - 2 : 0; i < MOST_LACKING; ++i) zones.at[i] |= cells;
  }
  void add_all_danger(int attacker, Zones& zones) const {
    for (int e = 0; e < edges(); ++e) add_danger(attacker, e, zones);
  }

 private:
  static constexpr std::uint8_t FREE = 2;
  struct List {
    std::vector<std::uint16_t> edges;
    std::size_t size = 0;
  };

  void enter(int player, int e, int lacks) {
    if (lacks > MOST_LACKING || lacks < 1) return;
    List& list = lists_[player][lacks];
    where_[player][e] = static_cast<std::uint16_t>(list.size);
    list.edges[list.size++] = static_cast<std::uint16_t>(e);
  }
  void leave(int player, int e, int lacks) {
    if (lacks > MOST_LACKING || lacks < 1) return;
    List& list = lists_[player][lacks];
    const std::uint16_t last = list.edges[--list.size], at = where_[player][e];
    list.edges[at] = last;
    where_[player][last] = at;
  }

  VertexSet all_;
  std::array<VertexSet, 2> held_;
  std::uint64_t hash_ = 0;
  std::vector<VertexSet> edge_;
  std::vector<std::uint8_t> size_, empty_, owner_, members_;  // empty_: exclusive or of an edge's unmarked cells
  std::vector<int> begin_, first_;
  std::vector<std::uint16_t> through_;
  std::array<std::vector<std::uint8_t>, 2> count_;
  std::array<std::vector<std::uint16_t>, 2> where_;
  std::array<std::array<List, MOST_LACKING + 1>, 2> lists_;
  std::array<std::vector<std::uint64_t>, 2> random_;
};

}  // namespace zermelo::positional
