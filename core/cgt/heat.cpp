#include "cgt/heat.hpp"

#include <stdexcept>
#include <unordered_map>

namespace zermelo::cgt {

namespace {

// The shape all three share: G -> { G^L changed + bonus | G^R changed - bonus } down to where `end` gives a value.
template <class End>
class Integral {
 public:
  Integral(Arena& arena, GameId bonus, End end)
      : arena_(arena), bonus_(bonus), malus_(arena.negative(bonus)), end_(end) {}

  GameId of(GameId game) {
    if (const auto known = known_.find(game); known != known_.end()) return known->second;
    const Arena::Depth depth(arena_);
    GameId result;
    if (!end_(game, result)) {
      std::vector<GameId> left, right;
      for (GameId option : arena_.left_options(game)) left.push_back(arena_.add(of(option), bonus_));
      for (GameId option : arena_.right_options(game)) right.push_back(arena_.add(of(option), malus_));
      result = arena_.make(left, right);
    }
    known_.emplace(game, result);
    return result;
  }

 private:
  Arena& arena_;
  GameId bonus_, malus_;
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
  return Integral(arena, arena.number(-t), end).of(game);
}

GameId heat(Arena& arena, GameId game, GameId t) {
  const auto end = [&](GameId at, GameId& result) {
    result = at;
    return arena.is_number(at);
  };
  return Integral(arena, t, end).of(game);
}

GameId overheat(Arena& arena, GameId game, GameId s, GameId t) {
  const auto end = [&](GameId at, GameId& result) {
    if (!arena.is_number(at) || !arena.value(at).is_integer()) return false;
    result = arena.multiple(s, arena.value(at).numerator());
    return true;
  };
  return Integral(arena, t, end).of(game);
}

}  // namespace zermelo::cgt
