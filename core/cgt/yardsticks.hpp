// Games that many others are compared with. Two games that were both measured against the same ones need no comparison
// of their own where some yardstick T shows the answer:
//   a >= T and T >= b:             then a >= b
//   b >= T but not a >= T, or a <= T but not b <= T:  then not a >= b
// They are chosen from the comparisons made so far, together with their options, so that a game is measured from the
// measures of its options with a few operations on words.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cgt/arena.hpp"

namespace zermelo::cgt {

class Arena::Yardsticks {
 public:
  explicit Yardsticks(Arena& arena) : arena_(arena) {}

  // Whether a >= b, as far as the yardsticks say.
  std::optional<bool> compare(GameId a, GameId b) {
    if (sticks_.empty()) return std::nullopt;
    const Measure &x = measured(a), &y = measured(b);
    if (x.above & y.below) return true;
    if ((y.above & ~x.above) | (x.below & ~y.below)) return false;
    return std::nullopt;
  }
  // Notes that a comparison was made the long way; now and then some of the games in them become yardsticks.
  void note(std::size_t comparisons) {
    if (comparisons == next_) choose();
  }
  std::size_t size() const { return sticks_.size(); }

 private:
  static constexpr std::size_t MOST = 64, FIRST = std::size_t{1} << 10, TIMES_MORE = 16;

  struct Stick {
    GameId game, left_number, right_number;  // NONE: no option is a number
    std::uint64_t lefts = 0, rights = 0;     // the options that are yardsticks
  };

  const Measure& measured(GameId game) {
    const Measure& measure = arena_.measures_[game];
    if (measure.sticks != sticks_.size()) this->measure(game);
    return measure;
  }
  void measure(GameId game);
  void choose();
  bool add(GameId game, std::size_t room);

  Arena& arena_;
  std::vector<Stick> sticks_;
  std::vector<std::uint32_t> place_;  // of a game among the yardsticks, from 1; 0: it is none
  std::size_t next_ = FIRST;
};

}  // namespace zermelo::cgt
