// Strips leaves (FORMAT.md 5.4): are these pieces worth enough together?
#pragma once

#include <span>

#include "values.hpp"

namespace zcheck {

inline constexpr int MAX_PIECE = 64;
inline constexpr std::array<std::int64_t, 3> HEATS = {5 * UNIT / 4, UNIT, 0};  // the temperatures of switches

// The largest sums. Bit i of the index: parity of the switches at temperature i; the bit above them: Vertical has
// moved.
class BestSums {
 public:
  explicit BestSums(bool first) : first_(first), states_(first ? 2 * MOVED : MOVED) {
    best_.fill(-INFINITE);
    best_[0] = 0;
  }

  void add(std::span<const Box> boxes, Pieces& pieces) {
    for (const Box& box : boxes) add(pieces.worth(box), pieces);
  }

  void check() const {
    for (std::size_t state = 0; state < states_; ++state)
      if (vertical_wins(state)) return;
    reject("the strips are not worth enough");
  }

 private:
  static constexpr std::size_t MOVED = std::size_t{1} << HEATS.size(), SIZE = 2 * MOVED;

  void add(const Worth& worth, Pieces& pieces) {
    std::array<std::int64_t, SIZE> after;
    std::fill_n(after.begin(), states_, -INFINITE);
    const auto term = [&](std::size_t flips, std::int64_t amount) {
      for (std::size_t state = 0; state < states_; ++state)
        if (!(state & flips & MOVED)) after[state ^ flips] = std::max(after[state ^ flips], best_[state] + amount);
    };
    term(0, worth.floor);
    if (first_) term(MOVED, worth.left_first);
    if (worth.game != ZERO_GAME)  // a number plus a switch is never more than the number
      for (std::size_t i = 0; i < HEATS.size(); ++i) {
        const std::size_t flips = std::size_t{1} << i;
        term(flips, worth.number + pieces.switch_floor(worth.game, HEATS[i], false));
        if (first_) term(flips | MOVED, worth.number + pieces.switch_floor(worth.game, HEATS[i], true));
      }
    best_ = after;
  }

  // The sum and the switches. Those are taken in turn, the hottest first. A state that is not reached has a sum of
  // about -INFINITE, which is never enough.
  bool vertical_wins(std::size_t state) const {
    bool vertical_takes = first_ && !(state & MOVED);
    std::int64_t total = best_[state];
    for (std::size_t i = 0; i < HEATS.size(); ++i) {
      if (!(state >> i & 1)) continue;
      total += vertical_takes ? HEATS[i] : -HEATS[i];
      vertical_takes = !vertical_takes;
    }
    return vertical_takes ? total > 0 : total >= 0;
  }

  bool first_;
  std::size_t states_;
  std::array<std::int64_t, SIZE> best_;
};

}  // namespace zcheck
