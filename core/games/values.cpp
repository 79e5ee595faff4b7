#include "games/values.hpp"

#include <algorithm>

namespace zermelo::games {

using cgt::Arena;
using cgt::GameId;

GameId LocalValues::value(const Cells& cells) {
  std::vector<GameId> parts;
  rules_.for_each_part(cells, [&](const Cells& part) {
    const CanonicalPart least = rules_.canonical(part);
    const GameId id = canonical_value(least.cells);
    parts.push_back(least.negated ? arena_.negative(id) : id);
  });
  return arena_.sum(parts);
}

// The values of the positions after a player's moves, without those that numbers show to be dominated: they are never
// added up.
std::vector<GameId> LocalValues::options(Side side, const Cells& cells) {
  std::vector<GameId> values;
  std::vector<Option> found;
  rules_.for_each_move(side, cells, [&](const Cells& after) {
    Option option{static_cast<std::uint32_t>(values.size()), 0};
    rules_.for_each_part(after, [&](const Cells& part) {
      const CanonicalPart least = rules_.canonical(part);
      const GameId canonical = canonical_value(least.cells),
                   id = least.negated ? arena_.negative(canonical) : canonical;
      values.push_back(id);
      option.low += arena_.low(id);
      option.high += arena_.high(id);
    });
    option.end = static_cast<std::uint32_t>(values.size());
    if (side == Side::RIGHT) option = {option.first, option.end, -option.high, -option.low};
    found.push_back(option);
  });
  std::vector<GameId> result, several;
  if (found.empty()) return result;
  const auto best = std::ranges::max_element(found, {}, &Option::low);
  for (auto option = found.begin(); option != found.end(); ++option) {
    if (option->high <= best->low && option != best) continue;
    several.assign(values.begin() + option->first, values.begin() + option->end);
    result.push_back(arena_.sum(several));
  }
  return result;
}

GameId LocalValues::canonical_value(const Cells& cells) {
  if (const cgt::PairSlot* known = known_.find(cells)) return known->value;
  arena_.step();
  const Arena::Depth depth(arena_);
  const std::vector<GameId> left = options(Side::LEFT, cells), right = options(Side::RIGHT, cells);
  const GameId result = arena_.make(left, right);
  known_.set({cells, result});
  return result;
}

}  // namespace zermelo::games
