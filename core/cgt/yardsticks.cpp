#include "cgt/yardsticks.hpp"

#include <algorithm>

namespace zermelo::cgt {

namespace {

template <class Mask>
void set(Mask& mask, std::size_t bit) {
  mask[bit / 64] |= std::uint64_t{1} << bit % 64;
}
template <class Mask>
bool meet(const Mask& a, const Mask& b) {
  std::uint64_t common = 0;
  for (std::size_t w = 0; w < a.size(); ++w) common |= a[w] & b[w];
  return common != 0;
}

}  // namespace

void Arena::Yardsticks::measure(GameId game) {
  if (measures_.size() <= game) measures_.resize(std::max<std::size_t>(arena_.size(), game + 1));
  if (measures_[game].sticks == sticks_.size()) return;
  Measure result;
  result.sticks = static_cast<std::uint32_t>(sticks_.size());
  if (arena_.is_number(game)) {
    for (std::size_t i = 0; i < sticks_.size(); ++i) {
      if (arena_.at_most(sticks_[i].game, arena_.value(game))) set(result.above, i);
      if (arena_.at_least(sticks_[i].game, arena_.value(game))) set(result.below, i);
    }
  } else {
    const Depth depth(arena_);
    // Step 1: G >= T only if no right option of G is <= T; G <= T only if no left option is >= T.
    Mask not_above{}, not_below{};
    for (GameId option : arena_.rights(game)) {
      measure(option);
      for (std::size_t w = 0; w < WORDS; ++w) not_above[w] |= measures_[option].below[w];
    }
    for (GameId option : arena_.lefts(game)) {
      measure(option);
      for (std::size_t w = 0; w < WORDS; ++w) not_below[w] |= measures_[option].above[w];
    }
    // Step 2: and only if no left option of T is >= G, or no right option of T <= G. Options come before the game.
    for (std::size_t i = 0; i < sticks_.size(); ++i) {
      const Stick& stick = sticks_[i];
      const std::uint64_t bit = std::uint64_t{1} << i % 64;
      if (!(not_above[i / 64] & bit) && !meet(stick.lefts, result.below) &&
          (stick.left_number == NONE || !arena_.at_most(game, arena_.value(stick.left_number))))
        result.above[i / 64] |= bit;
      if (!(not_below[i / 64] & bit) && !meet(stick.rights, result.above) &&
          (stick.right_number == NONE || !arena_.at_least(game, arena_.value(stick.right_number))))
        result.below[i / 64] |= bit;
    }
  }
  measures_[game] = result;
}

// Adds a game and the options of it that are no numbers, if there is room for all.
bool Arena::Yardsticks::add(GameId game, std::size_t room) {
  if (place_.size() <= game) place_.resize(game + 1);
  if (place_[game]) return true;
  Stick stick{game, NONE, NONE};
  const auto with_options = [&](std::span<const GameId> options, GameId& number, Mask& mask) {
    for (GameId option : options) {
      if (arena_.is_number(option)) number = option;  // canonical: at most one
      else if (!add(option, room - 1)) return false;
      else set(mask, place_[option] - 1);
    }
    return true;
  };
  if (sticks_.size() >= room || !with_options(arena_.lefts(game), stick.left_number, stick.lefts) ||
      !with_options(arena_.rights(game), stick.right_number, stick.rights) || sticks_.size() >= room)
    return false;
  sticks_.push_back(stick);
  place_[game] = static_cast<std::uint32_t>(sticks_.size());
  return true;
}

void Arena::Yardsticks::choose() {
  next_ *= TIMES_MORE;
  std::vector<std::uint32_t> times(arena_.size());
  arena_.comparisons_.for_each([&](std::uint64_t key) {
    ++times[key >> 31];
    ++times[key & 0x7fffffff];
  });
  std::vector<GameId> games(arena_.size());
  for (GameId id = 0; id < games.size(); ++id) games[id] = id;
  const std::size_t looked_at = std::min<std::size_t>(games.size(), 64 * WORDS);
  std::ranges::partial_sort(games, games.begin() + static_cast<std::ptrdiff_t>(looked_at), std::ranges::greater{},
                            [&](GameId id) { return times[id]; });
  const std::size_t room = std::min(64 * WORDS, sticks_.size() + 32 * WORDS);
  for (std::size_t i = 0; i < looked_at && times[games[i]]; ++i) add(games[i], room);
}

}  // namespace zermelo::cgt
