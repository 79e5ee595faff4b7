// Canonical short games, each stored once: equal values have equal ids, so equality is one comparison of integers.
//
// A game is either a number, held as a dyadic rational, or a pair of sorted lists of option ids without dominated and
// reversible options (Conway, On Numbers and Games, chapter 10). Ids are never freed; every operation is memoised.
//
// Each game carries its stops and whether it reaches them, which answers every comparison with a number and most
// comparisons between games without looking at an option:
//   right_stop = R, reaches_right:  G >= x  iff  x < R, or x = R and reaches_right
//   left_stop  = L, reaches_left:   G <= x  iff  x > L, or x = L and reaches_left
// Most comparisons look at the same in steps of 1/1024: low <= G <= high.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/limits.hpp"
#include "cgt/dyadic.hpp"
#include "cgt/flat_map.hpp"

namespace zermelo::cgt {

using GameId = std::uint32_t;

enum class Outcome : std::uint8_t { LEFT, RIGHT, FIRST, SECOND };

class Arena {
 public:
  static constexpr GameId ZERO = 0;
  // Recursion is as deep as the games. Games deeper than any real position are refused, so the stack is large enough.
  static constexpr int MAX_DEPTH = 1500;

  Arena();
  ~Arena();

  // Limits hold for every following operation, the clock starting now. An operation that hits one throws LimitReached
  // and leaves the arena sound.
  void set_limits(Limits limits) { watch_.emplace(std::move(limits)); }

  GameId number(const Dyadic& value);
  GameId nimber(std::int64_t n);
  // n times up, plus *m; n < 0 for down.
  GameId up_star(std::int64_t ups, std::int64_t star);
  // ^[n] = { ^[n-1] | * }, which is the sum of ^<1> to ^<n>; ^<n> = { 0 | v[n-1]* } (Siegel, Combinatorial Game Theory,
  // chapter II). n >= 0, where ^[0] = 0; ^<0> is refused.
  GameId up_sum(std::int64_t n);
  GameId up_power(std::int64_t n);
  // The canonical form of { left | right }.
  GameId make(std::span<const GameId> left, std::span<const GameId> right);
  GameId make(std::initializer_list<GameId> left, std::initializer_list<GameId> right) {
    return make(std::span(left.begin(), left.size()), std::span(right.begin(), right.size()));
  }

  GameId negative(GameId game);
  GameId add(GameId a, GameId b);
  GameId subtract(GameId a, GameId b) { return add(a, negative(b)); }
  // The sum of parts, which are put in order.
  GameId sum(std::vector<GameId>& parts);
  GameId multiple(GameId game, std::int64_t times);
  bool greater_or_equal(GameId a, GameId b);
  Outcome outcome(GameId game) const;

  bool is_number(GameId game) const { return measures_[game].is_number; }
  // The value of a number.
  const Dyadic& value(GameId game) const { return games_[game].left_stop; }
  const Dyadic& left_stop(GameId game) const { return games_[game].left_stop; }
  const Dyadic& right_stop(GameId game) const { return games_[game].right_stop; }
  bool at_least(GameId game, const Dyadic& x) const {
    const Game& g = games_[game];
    return x < g.right_stop || (g.reaches_right && x == g.right_stop);
  }
  bool at_most(GameId game, const Dyadic& x) const {
    const Game& g = games_[game];
    return x > g.left_stop || (g.reaches_left && x == g.left_stop);
  }
  // The greatest low with G >= low / STEPS and the least high with G <= high / STEPS, if they are within FARTHEST;
  // a low of -FARTHEST - 1 or a high of FARTHEST + 1 says nothing.
  static constexpr std::int32_t STEPS = 1024, FARTHEST = 1 << 28;
  std::int32_t low(GameId game) const { return measures_[game].low; }
  std::int32_t high(GameId game) const { return measures_[game].high; }
  // Brings these into the cache.
  void prefetch(GameId game) const { __builtin_prefetch(&measures_[game]); }
  std::vector<GameId> left_options(GameId game);
  std::vector<GameId> right_options(GameId game);
  std::int64_t birthday(GameId game);

  std::size_t size() const { return games_.size(); }
  std::size_t bytes() const;
  std::size_t yardsticks() const;  // see cgt/yardsticks.hpp
  double seconds() const { return watch_->seconds(); }

  // Counts how deep a recursion over games is, and throws LimitReached before the stack ends.
  class Depth {
   public:
    explicit Depth(Arena& arena);
    ~Depth() { --arena_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    Arena& arena_;
  };
  // Call once per unit of work (about a microsecond); looks at the limits now and then.
  void step() {
    if (++steps_ % STEPS_PER_LOOK == 0) look();
  }

 private:
  static constexpr GameId NONE = 0xffffffff;
  static constexpr std::uint64_t STEPS_PER_LOOK = 1024;

  struct Game {
    Dyadic left_stop, right_stop;
    std::uint32_t first = 0;  // left options at options_[first], then the right ones; none for a number
    std::uint16_t lefts = 0, rights = 0;
    GameId negative = NONE;
    bool reaches_left = false, reaches_right = false;
  };
  // The data that most comparisons need, in half a cache line.
  struct Measure {
    std::int32_t low = 0, high = 0;
    std::uint64_t above = 0, below = 0;  // the yardsticks that the game is at least, and at most
    std::uint32_t sticks = 0;            // how many there were when it was measured
    bool is_number = false;
  };
  class Simplifier;
  class Yardsticks;
  friend class Simplifier;
  friend class Yardsticks;

  std::span<const GameId> lefts(GameId game) const {
    const Game& g = games_[game];
    return {options_.data() + g.first, g.lefts};
  }
  std::span<const GameId> rights(GameId game) const {
    const Game& g = games_[game];
    return {options_.data() + g.first + g.lefts, g.rights};
  }
  std::optional<bool> at_a_glance(GameId a, GameId b);
  static std::int32_t steps_below(const Dyadic& stop, bool reaches);
  GameId store(const Game& game, bool is_number);
  GameId intern(std::vector<GameId>& left, std::vector<GameId>& right);
  GameId translate(GameId game, GameId by);
  void grow_index();
  void look();

  std::vector<Game> games_;
  std::vector<Measure> measures_;  // one of each game
  std::vector<GameId> options_;
  std::vector<GameId> index_;  // hash of the option lists -> game; open addressing
  std::size_t indexed_ = 0;
  static constexpr int SMALL_EXPONENTS = 4, SMALL_NUMERATORS = 64;
  std::vector<GameId> small_numbers_ = std::vector<GameId>(SMALL_EXPONENTS * 2 * SMALL_NUMERATORS, NONE);
  std::unordered_map<std::uint64_t, GameId> numbers_[Dyadic::MAX_EXPONENT + 1];  // the others
  FlatMap sums_;
  BitMap comparisons_;
  std::unique_ptr<Yardsticks> yardsticks_;
  std::unique_ptr<Simplifier> simplifier_;
  std::unordered_map<GameId, std::int64_t> birthdays_;
  std::vector<GameId> nimbers_ = {ZERO};  // *0, *1, ... as far as they are in use
  std::unordered_map<GameId, std::size_t> nimber_of_;
  int depth_ = 0;
  std::uint64_t steps_ = 0;
  std::optional<Watch> watch_{std::in_place};
};

}  // namespace zermelo::cgt
