// The strip bound of a whole board, with a witness: the clear form, for explanations, certificates and tests.
//
// A player may promise never to play across certain lines (V between rows, H between columns). That only hurts her, so
// if the pieces she cuts the board into are worth enough, she wins. docs/theory-strips.md has the proof.
#pragma once

#include <vector>

#include "domineering/board/board.hpp"
#include "domineering/bound/strip_store.hpp"

namespace zermelo {

// One piece of the cut board X and what it is worth to the player who cuts, in units of 1/64, that player as Left:
// X >= value for a number, X >= value +- temperature for a switch.
struct StripPiece {
  Bits<4> squares;
  bool is_switch = false;
  int temperature = 0;
  int value = 0;
};

// No free square is in two pieces, a free square in none has no free neighbour, and no domino of the other player
// has squares of two pieces. The player wins the sum of the values and switches; equal switches cancel in pairs.
struct StripWitness {
  std::vector<StripPiece> pieces;
  int sum = 0;                // of all values
  std::vector<int> unpaired;  // temperatures that occur an odd number of times, hottest first
};

// Whether the bound proves that `player` wins when `to_move` starts. Sound for every board; says no where the other
// player's dominoes wrap around a ring, which no promise can cut.
bool strip_bound(const Board& board, Player player, Player to_move, const StripTables& tables,
                 StripWitness* witness = nullptr);

}  // namespace zermelo
