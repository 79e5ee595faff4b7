// Wins by fours: every move of the attacker leaves an edge of his that lacks one cell, so that the opponent has one
// answer. Depth first; positions without such a win are remembered in a small table.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "positional/threat/threat_board.hpp"

namespace zermelo::positional {

class FourSearch {
 public:
  explicit FourSearch(ThreatBoard& board) : board_(board), failures_(ENTRIES), candidates_(MAX_VERTICES / 2 + 2) {}

  // Whether this player, to move, wins by fours; false also if that takes more nodes than the limit. Neither player
  // holds an edge.
  bool find(int attacker, std::uint64_t limit);
  // Of the last win: the attacker's moves up to a double threat or a completed edge, and the zones.
  const std::vector<std::uint8_t>& moves() const { return moves_; }
  const Zones& zones() const { return zones_; }
  // Nodes since the last call.
  std::uint64_t new_nodes() { return nodes_ - std::exchange(reported_, nodes_); }

 private:
  static constexpr std::size_t ENTRIES = std::size_t{1} << 21;
  struct Candidate {
    std::uint8_t move, answer;
  };

  bool search(std::size_t ply);
  bool win_with(int move);
  std::uint64_t& slot() { return failures_[key() & (ENTRIES - 1)]; }
  std::uint64_t key() const { return (attacker_ == ATTACKER ? board_.hash() : ~board_.hash()) ^ 0x5851f42d4c957f2dULL; }

  ThreatBoard& board_;
  int attacker_ = ATTACKER;
  std::uint64_t nodes_ = 0, end_ = 0, reported_ = 0;
  bool cut_short_ = false;
  // Hashes of positions without a win by fours. Two positions with one hash can hide a win, never invent one.
  std::vector<std::uint64_t> failures_;
  std::vector<std::array<Candidate, MAX_VERTICES>> candidates_;  // by ply
  std::array<std::uint64_t, MAX_VERTICES> seen_{};               // the node at which a cell was a candidate last
  std::array<std::uint8_t, MAX_VERTICES> answer_{};
  std::vector<std::uint8_t> moves_;
  Zones zones_;
};

}  // namespace zermelo::positional
