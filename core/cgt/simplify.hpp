// From { left | right } to canonical form: the simplest number if one fits, else domination and reversal until nothing
// changes. Internal to the arena.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cgt/arena.hpp"

namespace zermelo::cgt {

class Arena::Simplifier {
 public:
  Simplifier(Arena& arena, std::span<const GameId> left, std::span<const GameId> right);

  bool is_number() const { return !is_empty(low_, high_); }
  Dyadic number() const { return simplest_between(low_, high_); }
  // Only for a game that is no number.
  void run();
  std::vector<GameId>& left() { return left_; }
  std::vector<GameId>& right() { return right_; }

 private:
  // Whether G >= x and G <= x, for the game G = { left | right } under construction.
  bool at_least(GameId x);
  bool at_most(GameId x);
  bool at_least(const Dyadic& x) const { return x < high_.at || (reaches_right_ && x == high_.at); }
  bool at_most(const Dyadic& x) const { return x > low_.at || (reaches_left_ && x == low_.at); }
  // The reply to an option that makes it reversible, if there is one.
  std::optional<GameId> reversing_reply_to_left(GameId option);
  std::optional<GameId> reversing_reply_to_right(GameId option);
  void remove_dominated_left();
  void remove_dominated_right();
  bool bypass_left();
  bool bypass_right();

  Arena& arena_;
  std::vector<GameId> left_, right_;
  End low_, high_;                     // numbers that fit between the options, if any
  bool reaches_left_, reaches_right_;  // of G, as in Arena
};

}  // namespace zermelo::cgt
