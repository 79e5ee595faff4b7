#include "cgt/heat.hpp"

#include <optional>
#include <stdexcept>
#include <unordered_map>

namespace zermelo::cgt {

namespace {

// The shape all of them share: G -> { G^L changed + bonus | G^R changed - bonus }, for each bonus, down to where `end`
// gives a value.
template <class End>
class Integral {
 public:
  Integral(Arena& arena, std::vector<GameId> bonuses, End end)
      : arena_(arena), bonuses_(std::move(bonuses)), end_(end) {}

  GameId of(GameId game) {
    if (const auto known = known_.find(game); known != known_.end()) return known->second;
    const Arena::Depth depth(arena_);
    std::optional<GameId> result = end_(game);
    if (!result) {
      std::vector<GameId> left, right;
      for (GameId option : arena_.left_options(game))
        for (GameId bonus : bonuses_) left.push_back(arena_.add(of(option), bonus));
      for (GameId option : arena_.right_options(game))
        for (GameId bonus : bonuses_) right.push_back(arena_.subtract(of(option), bonus));
      result = arena_.make(left, right);
    }
    known_.emplace(game, *result);
    return *result;
  }

 private:
  Arena& arena_;
  std::vector<GameId> bonuses_;
  End end_;
  std::unordered_map<GameId, GameId> known_;
};

// Ends at the integers: n becomes n copies of a unit.
auto copies_of(Arena& arena, GameId unit) {
  return [&arena, unit](GameId at) -> std::optional<GameId> {
    if (!arena.is_number(at) || !arena.value(at).is_integer()) return std::nullopt;
    return arena.multiple(unit, arena.value(at).numerator());
  };
}

}  // namespace

GameId cool(Arena& arena, Thermographs& thermographs, GameId game, const Dyadic& t) {
  if (t.sign() < 0) throw std::invalid_argument("a game cannot be cooled by a negative number");
  const auto end = [&](GameId at) -> std::optional<GameId> {
    const Thermograph& graph = thermographs.of(at);
    if (t <= graph.temperature) return std::nullopt;
    return arena.number(graph.mean);
  };
  return Integral(arena, {arena.number(-t)}, end).of(game);
}

GameId heat(Arena& arena, GameId game, GameId t) {
  const auto end = [&](GameId at) { return arena.is_number(at) ? std::optional(at) : std::nullopt; };
  return Integral(arena, {t}, end).of(game);
}

GameId overheat(Arena& arena, GameId game, GameId s, GameId t) {
  return Integral(arena, {t}, copies_of(arena, s)).of(game);
}

GameId norton_product(Arena& arena, GameId game, GameId unit) {
  if (arena.outcome(unit) != Outcome::LEFT) throw std::invalid_argument("a Norton product needs a positive unit");
  // U plus an incentive: U + (U^L - U), or U + (U - U^R).
  std::vector<GameId> earned = arena.left_options(unit);
  for (GameId option : arena.right_options(unit)) earned.push_back(arena.subtract(arena.add(unit, unit), option));
  return Integral(arena, std::move(earned), copies_of(arena, unit)).of(game);
}

}  // namespace zermelo::cgt
