// Move ordering: a score per move, best first.
#pragma once

#include <algorithm>
#include <cstdint>

#include "domineering/bound/player_frame.hpp"

namespace zermelo {

// real and safe of both players, seen from the player to move.
struct MoveCounts {
  std::uint8_t real_me = 0, real_other = 0, safe_me = 0, safe_other = 0;

  MoveCounts reversed() const { return {real_other, real_me, safe_other, safe_me}; }
  // Thesis 4.2; DOMI's order.
  int primary() const { return real_me - real_other + safe_me - safe_other; }
};

struct ScoredMove {
  int score;
  MoveCounts after;     // seen from the mover
  std::uint8_t square;  // lower square in the mover's frame
};

// Three orders in one number: primary, then symmetry (0 .. 255), then positional (0 .. 127).
constexpr int combined_score(int primary, int symmetry, int positional) {
  return (primary * 256 + symmetry) * 128 + positional;
}

// A value alike for the four mirror images of a move, so that the search tends to make positions that are mirror images
// of one another and finds them in the table: what OBSEQUI uses for thesis 4.2.1. Best on the second line from the edge
// and at even offsets from the line's end. Found by hill climbing on 6x7, 7x7, 7x8 and 8x8; the papers give no numbers.
template <class W, bool RINGS>
int positional_value(const Frame<W, RINGS>& frame, int square) {
  // Rows: distance of the line from the edge; columns: distance of the domino from the line's end.
  constexpr int VALUE[4][4] = {{75, 23, 35, 45}, {101, 31, 77, 46}, {56, 30, 56, 24}, {69, 56, 70, 27}};
  const int line = square / frame.length, offset = square % frame.length;
  const int from_edge = std::min(line, frame.lines - 1 - line);
  const int from_end = std::min(offset, std::max(frame.length - 2 - offset, 0));
  const auto folded = [](int distance) { return distance < 4 ? distance : 2 + distance % 2; };
  return VALUE[folded(from_edge)][folded(from_end)];
}

// Best first; equal scores keep their order.
inline void sort_moves(ScoredMove* begin, ScoredMove* end) {
  for (ScoredMove* i = begin; i < end; ++i) {
    const ScoredMove move = *i;
    ScoredMove* j = i;
    for (; j > begin && j[-1].score < move.score; --j) *j = j[-1];
    *j = move;
  }
}

}  // namespace zermelo
