#include "cgt/heat.hpp"

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
    GameId result;
    if (!end_(game, result)) {
      std::vector<GameId> left, right;
      for (GameId option : arena_.left_options(game))
        for (GameId bonus : bonuses_) left.push_back(arena_.add(of(option), bonus));
      for (GameId option : arena_.right_options(game))
        for (GameId bonus : bonuses_) right.push_back(arena_.subtract(of(option), bonus));
      result = arena_.make(left, right);
    }
    known_.emplace(game, result);
    return result;
  }

 private:
  Arena& arena_;
  std::vector<GameId> bonuses_;
  End end_;
  std::unordered_map<GameId, GameId> known_;
};

}  // namespace

GameId cool(Arena& arena, Thermographs& thermographs, GameId game, const Dyadic& t) {
  if (t.sign() < 0) throw std::invalid_argument("a game cannot be cooled by a negative number");
  const auto end = [&](GameId at, GameId& result) {
    const Thermograph& graph = thermographs.of(at);
    if (t <= graph.temperature) return false;
    result = arena.number(graph.mean);
    return true;
  };
  return Integral(arena, {arena.number(-t)}, end).of(game);
}

GameId heat(Arena& arena, GameId game, GameId t) {
  const auto end = [&](GameId at, GameId& result) {
    result = at;
    return arena.is_number(at);
  };
  return Integral(arena, {t}, end).of(game);
}

GameId overheat(Arena& arena, GameId game, GameId s, GameId t) {
  const auto end = [&](GameId at, GameId& result) {
    if (!arena.is_number(at) || !arena.value(at).is_integer()) return false;
    result = arena.multiple(s, arena.value(at).numerator());
    return true;
  };
  return Integral(arena, {t}, end).of(game);
}

GameId norton_product(Arena& arena, GameId game, GameId unit) {
  if (arena.outcome(unit) != Outcome::LEFT) throw std::invalid_argument("a Norton product needs a positive unit");
  // U plus an incentive: U + (U^L - U), or U + (U - U^R).
  std::vector<GameId> earned = arena.left_options(unit);
  for (GameId option : arena.right_options(unit)) earned.push_back(arena.subtract(arena.add(unit, unit), option));
  const auto end = [&](GameId at, GameId& result) {
    if (!arena.is_number(at) || !arena.value(at).is_integer()) return false;
    result = arena.multiple(unit, arena.value(at).numerator());
    return true;
  };
  return Integral(arena, std::move(earned), end).of(game);
}

}  // namespace zermelo::cgt
