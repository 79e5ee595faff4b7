// The truth about small Domineering boards, in a few lines that share nothing with the core.
//
// Every set of free squares is a number; the outcome of a set follows from the outcomes of smaller numbers, so one pass
// in increasing order solves all of them. Player 0 places vertical dominoes, player 1 horizontal ones.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace oracle {

// The dominoes of a player as pairs of squares (bit row * cols + col). ring: the lines the dominoes lie on close.
inline std::vector<std::uint64_t> dominoes(int rows, int cols, int player, bool ring) {
  std::vector<std::uint64_t> result;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      int r2 = r + (player == 0), c2 = c + (player == 1);
      if (ring && r2 == rows && rows > 2) r2 = 0;
      if (ring && c2 == cols && cols > 2) c2 = 0;
      if (r2 < rows && c2 < cols)
        result.push_back(std::uint64_t{1} << (r * cols + c) | std::uint64_t{1} << (r2 * cols + c2));
    }
  return result;
}

// All subsets of a board of at most 25 squares.
class AllSubsets {
 public:
  AllSubsets(int rows, int cols, bool vertical_ring = false, bool horizontal_ring = false)
      : wins_(std::size_t{1} << (rows * cols)) {
    const std::vector<std::uint64_t> moves[2] = {dominoes(rows, cols, 0, vertical_ring),
                                                 dominoes(rows, cols, 1, horizontal_ring)};
    for (std::uint64_t free = 0; free < wins_.size(); ++free)
      for (int player = 0; player < 2; ++player)
        for (const std::uint64_t move : moves[player])
          if ((free & move) == move && !(wins_[free ^ move] >> (1 - player) & 1)) {
            wins_[free] = static_cast<std::uint8_t>(wins_[free] | 1 << player);
            break;
          }
  }
  std::uint64_t size() const { return wins_.size(); }
  // Does the player win who is on move?
  bool wins(std::uint64_t free, int player) const { return wins_[free] >> player & 1; }

 private:
  std::vector<std::uint8_t> wins_;
};

// Single positions of any board of at most 64 squares, as long as few squares are free.
class Position {
 public:
  Position(int rows, int cols, bool vertical_ring = false, bool horizontal_ring = false)
      : moves_{dominoes(rows, cols, 0, vertical_ring), dominoes(rows, cols, 1, horizontal_ring)} {}
  // Does the player win who is on move? `spare`: so many free moves of player 0 beside, of player 1 if it is negative.
  bool wins(std::uint64_t free, int player, int spare = 0) {
    const auto [place, fresh] = memo_[player][spare].try_emplace(free, false);
    bool& known = place->second;  // it stays where it is when others come
    if (!fresh) return known;
    const int own = player ? -1 : 1;
    if (spare * own > 0) known = !wins(free, 1 - player, spare - own);
    for (std::size_t i = 0; i < moves_[player].size() && !known; ++i)
      if (const std::uint64_t move = moves_[player][i]; (free & move) == move)
        known = !wins(free ^ move, 1 - player, spare);
    return known;
  }
  std::size_t size() { return memo_[0][0].size() + memo_[1][0].size(); }
  void forget() { memo_[0].clear(), memo_[1].clear(); }

 private:
  std::vector<std::uint64_t> moves_[2];
  std::map<int, std::unordered_map<std::uint64_t, bool>> memo_[2];
};

}  // namespace oracle
