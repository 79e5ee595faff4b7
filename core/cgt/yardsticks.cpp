#include "cgt/yardsticks.hpp"

#include <algorithm>

namespace zermelo::cgt {

void Arena::Yardsticks::measure(GameId game) {
  std::vector<Measure>& measures = arena_.measures_;
  std::uint64_t above = 0, below = 0;
  if (arena_.is_number(game)) {
    for (std::size_t i = 0; i < sticks_.size(); ++i) {
      above |= std::uint64_t{arena_.at_most(sticks_[i].game, arena_.value(game))} << i;
      below |= std::uint64_t{arena_.at_least(sticks_[i].game, arena_.value(game))} << i;
    }
  } else {
    const Depth depth(arena_);
    // Step 1: G >= T only if no right option of G is <= T; G <= T only if no left option is >= T.
    std::uint64_t not_above = 0, not_below = 0;
    for (GameId option : arena_.rights(game)) {
      not_above |= measured(option).below;
    }
    for (GameId option : arena_.lefts(game)) {
      not_below |= measured(option).above;
    }
    // Step 2: and only if no left option of T is >= G, or no right option of T <= G. Options come before the game.
    for (std::size_t i = 0; i < sticks_.size(); ++i) {
      const Stick& stick = sticks_[i];
      const std::uint64_t bit = std::uint64_t{1} << i;
      if (!(not_above & bit) && !(stick.lefts & below) &&
          (stick.left_number == NONE || !arena_.at_most(game, arena_.value(stick.left_number))))
        above |= bit;
      if (!(not_below & bit) && !(stick.rights & above) &&
          (stick.right_number == NONE || !arena_.at_least(game, arena_.value(stick.right_number))))
        below |= bit;
    }
  }
  measures[game].above = above;
  measures[game].below = below;
  measures[game].sticks = static_cast<std::uint32_t>(sticks_.size());
}

// Adds a game and the options of it that are no numbers, if there is room for all.
bool Arena::Yardsticks::add(GameId game, std::size_t room) {
  if (place_.size() <= game) place_.resize(game + 1);
  if (place_[game]) return true;
  Stick stick{game, NONE, NONE};
  const auto with_options = [&](std::span<const GameId> options, GameId& number, std::uint64_t& mask) {
    for (GameId option : options) {
      if (arena_.is_number(option)) number = option;  // canonical: at most one
      else if (!add(option, room - 1)) return false;
      else mask |= std::uint64_t{1} << (place_[option] - 1);
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
  arena_.comparisons_.for_each([&](const BitSlot& slot) {
    ++times[slot.key() >> 31];
    ++times[slot.key() & 0x7fffffff];
  });
  std::vector<GameId> games(arena_.size());
  for (GameId id = 0; id < games.size(); ++id) games[id] = id;
  const std::size_t looked_at = std::min(games.size(), MOST);
  std::ranges::partial_sort(games, games.begin() + static_cast<std::ptrdiff_t>(looked_at), std::ranges::greater{},
                            [&](GameId id) { return times[id]; });
  const std::size_t room = std::min(MOST, sticks_.size() + MOST / 2);
  for (std::size_t i = 0; i < looked_at && times[games[i]]; ++i) add(games[i], room);
}

}  // namespace zermelo::cgt
