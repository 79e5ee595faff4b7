// The cut behind a strip bound: the strips of each part, found again once their sum is known.
//
// A player's bound is the best over all cuts, straight and bent, of the sum of the strips (docs/theory-strips.md). The
// search needs that sum only. Proofs and explanations need one cut that reaches it.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "domineering/board/board.hpp"
#include "domineering/search/component_position.hpp"

namespace zermelo {

class CutFinder {
 public:
  // Cuts the parts for the player, so that the margin of their sum with `needs` is the best of all cuts; returns it.
  // `needs` holds the numbers of the position too. Sum is MoveSum, or StripSum to leave out the player's next move.
  template <class Sum>
  int find(std::span<Part* const> parts, Player player, const Sum& needs) {
    cuts_.resize(std::max(cuts_.size(), parts.size()));
    // One part after the other is cut, the best way for the sum of all others.
    Sum before = needs;
    int margin = Sum::zero().margin_with(needs);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Part& part = *parts[i];
      std::vector<CutStrip>& cut = cuts_[i];
      cut.clear();
      Sum others = before;
      for (std::size_t k = i + 1; k < parts.size(); ++k) {
        parts[k]->bent(player);  // its sum knows of the cuts that bend from then on
        others = others.plus(part_of<Sum>(parts[k]->sum(player)));
      }
      Sum sum;
      if (const BentProfile* bent = part.bent(player)) {
        if constexpr (std::is_same_v<Sum, MoveSum>) bent->find_behind(others, behind_);
        else bent->find_behind({others, others}, behind_);
        sum = bent->find_cut<Sum>(behind_, cut);
        margin = sum.margin_with(others);
        if (const auto floor = part.floor_by_rival(player)) {
          const Sum whole = Sum::zero().plus(*floor);
          if (const int uncut = whole.margin_with(others); uncut >= margin) {
            sum = whole;
            margin = uncut;
            cut.clear();
          }
        }
      } else {
        sum = part_of<Sum>(part.sum(player));
        margin = sum.margin_with(others);
      }
      before = before.plus(sum);
    }
    return margin;
  }
  // The strips of one of these parts, none if it counts as a whole. Lines and bits count from the part's own corner.
  const std::vector<CutStrip>& of(std::size_t index) const { return cuts_[index]; }

 private:
  std::vector<std::vector<CutStrip>> cuts_;
  BentProfile::Behind behind_;
};

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

// The pieces that prove that `player` wins when `to_move` starts, if the bound says so. For every board; says nothing
// where the other player's dominoes wrap around a ring, which no promise can cut.
std::optional<StripWitness> strip_witness(const Board& board, Player player, Player to_move, const StripTables& tables);

}  // namespace zermelo
