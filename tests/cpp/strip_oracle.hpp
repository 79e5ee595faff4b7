// Who wins, by trying everything. Shares no code with the library: a square is bit row * cols + col of a mask.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace oracle {

inline std::uint64_t vertical_moves(std::uint64_t mask, int cols) { return mask & (mask >> cols); }
inline std::uint64_t horizontal_moves(std::uint64_t mask, int rows, int cols) {
  std::uint64_t moves = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c + 1 < cols; ++c)
      if ((mask >> (r * cols + c) & 3) == 3) moves |= std::uint64_t{1} << (r * cols + c);
  return moves;
}

// Bit 0: V wins moving first, bit 1: H wins moving first, for every subset of rows x cols.
inline std::vector<std::uint8_t> all_subsets(int rows, int cols) {
  std::vector<std::uint8_t> first(std::size_t{1} << (rows * cols));
  for (std::uint64_t mask = 0; mask < first.size(); ++mask) {
    std::uint8_t wins = 0;
    for (std::uint64_t m = vertical_moves(mask, cols); m; m &= m - 1) {
      const std::uint64_t low = m & (~m + 1);
      if (!(first[mask & ~(low | low << cols)] & 2)) wins |= 1;
    }
    for (std::uint64_t m = horizontal_moves(mask, rows, cols); m; m &= m - 1) {
      const std::uint64_t low = m & (~m + 1);
      if (!(first[mask & ~(low * 3)] & 1)) wins |= 2;
    }
    first[mask] = wins;
  }
  return first;
}

// One position at a time, remembering what it met.
class Memo {
 public:
  Memo(int rows, int cols) : rows_(rows), cols_(cols) {}
  // Whether the player to move (V if `vertical`) wins.
  bool first_wins(std::uint64_t mask, bool vertical) {
    auto& known = known_[vertical];
    if (const auto found = known.find(mask); found != known.end()) return found->second;
    bool wins = false;
    const std::uint64_t domino = vertical ? std::uint64_t{1} | std::uint64_t{1} << cols_ : 3;
    for (std::uint64_t m = vertical ? vertical_moves(mask, cols_) : horizontal_moves(mask, rows_, cols_); m && !wins;
         m &= m - 1)
      wins = !first_wins(mask & ~(domino * (m & (~m + 1))), !vertical);
    return known[mask] = wins;
  }
  std::size_t size() const { return known_[0].size() + known_[1].size(); }
  void forget() { known_[0].clear(), known_[1].clear(); }

 private:
  int rows_, cols_;
  std::unordered_map<std::uint64_t, bool> known_[2];
};

}  // namespace oracle
