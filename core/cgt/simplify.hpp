// From { left | right } to canonical form: the simplest number if one fits, else domination and reversal until nothing
// changes. Internal to the arena, which has one and asks it for one game after the other.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cgt/arena.hpp"

namespace zermelo::cgt {

class Arena::Simplifier {
 public:
  explicit Simplifier(Arena& arena) : arena_(arena) {}

  void take(std::span<const GameId> left, std::span<const GameId> right);
  bool is_number() const { return !is_empty(low_, high_); }
  Dyadic number() const { return simplest_between(low_, high_); }
  // Only for a game that is no number.
  void run();
  std::vector<GameId>& left() { return left_; }
  std::vector<GameId>& right() { return right_; }

 private:
  enum class Side : std::uint8_t { LEFT, RIGHT };

  // Whether G >= x and G <= x, for the game G = { left | right } under construction.
  bool at_least(GameId x);
  bool at_most(GameId x);
  bool at_least(const Dyadic& x) const { return x < high_.at || (reaches_right_ && x == high_.at); }
  bool at_most(const Dyadic& x) const { return x > low_.at || (reaches_left_ && x == low_.at); }
  template <Side SIDE>
  End best_end(std::vector<GameId>& options);
  // The reply to an option that makes it reversible, if there is one.
  template <Side SIDE>
  std::optional<GameId> reversing_reply(GameId option);
  template <Side SIDE>
  void remove_dominated(std::vector<GameId>& options);
  template <Side SIDE>
  bool bypass(std::vector<GameId>& options);

  Arena& arena_;
  std::vector<GameId> left_, right_, replaced_;
  End low_, high_;                     // numbers that fit between the options, if any
  bool reaches_left_, reaches_right_;  // of G, as in Arena
  std::int32_t lowest_, highest_;      // low() and high() of G
};

}  // namespace zermelo::cgt
