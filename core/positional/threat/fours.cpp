#include "positional/threat/fours.hpp"

#include <algorithm>

namespace zermelo::positional {

bool FourSearch::find(int attacker, std::uint64_t limit) {
  attacker_ = attacker;
  end_ = nodes_ + std::min(limit, std::uint64_t{1} << 60);
  cut_short_ = false;
  if (!search(0)) return false;
  std::reverse(moves_.begin(), moves_.end());
  board_.add_all_danger(attacker_, zones_);
  return true;
}

// The win begins here; search() adds the rest on its way back.
bool FourSearch::win_with(int move) {
  zones_ = {};
  moves_.assign(1, static_cast<std::uint8_t>(move));
  VertexSet cells = VertexSet::single(move);
  if (board_.completions(attacker_).test(move)) {
    for (VertexSet& zone : zones_.at) zone = cells;
    return true;
  }
  board_.place(attacker_, move);
  cells |= board_.completions(attacker_);
  board_.take_back(attacker_, move);
  for (VertexSet& zone : zones_.at) zone = cells;
  return true;
}

bool FourSearch::search(std::size_t ply) {
  // 1. An edge is completed, or the opponent threatens to complete one.
  if (nodes_ >= end_) {
    cut_short_ = true;
    return false;
  }
  ++nodes_;
  const int opponent = 1 - attacker_;
  if (const auto last = board_.lacking_list(attacker_, 1); !last.empty()) return win_with(board_.last_cell(last[0]));
  int forced = -1;
  for (const int e : board_.lacking_list(opponent, 1)) {
    const int cell = board_.last_cell(e);
    if (forced >= 0 && forced != cell) return false;
    forced = cell;
  }
  if (slot() == key()) return false;
  // 2. The moves that leave one cell to complete; two such cells after one move are a win.
  std::array<Candidate, MAX_VERTICES>& list = candidates_[ply];
  std::size_t count = 0;
  const std::uint64_t node = nodes_;
  for (const int e : board_.lacking_list(attacker_, 2)) {
    const auto [one, two] = board_.last_two(e);
    for (const auto& [move, answer] : {std::pair{one, two}, std::pair{two, one}}) {
      if (forced >= 0 && move != forced) continue;
      if (seen_[move] != node) {
        seen_[move] = node;
        answer_[move] = static_cast<std::uint8_t>(answer);
        list[count++] = {static_cast<std::uint8_t>(move), static_cast<std::uint8_t>(answer)};
      } else if (answer_[move] != answer) {
        return win_with(move);
      }
    }
  }
  // 3. Each of them, with the one answer.
  for (std::size_t i = 0; i < count && !cut_short_; ++i) {
    const auto [move, answer] = list[i];
    board_.place(attacker_, move);
    board_.place(opponent, answer);
    const bool won = search(ply + 1);
    if (won) {
      moves_.push_back(move);
      for (VertexSet& zone : zones_.at) zone.set(move), zone.set(answer);
      for (const int e : board_.through(answer)) board_.add_danger(attacker_, e, zones_);
    }
    board_.take_back(opponent, answer);
    board_.take_back(attacker_, move);
    if (won) return true;
  }
  if (!cut_short_) slot() = key();
  return false;
}

}  // namespace zermelo::positional
