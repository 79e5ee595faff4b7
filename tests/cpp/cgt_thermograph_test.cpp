// Thermographs against a second, slow computation: walls evaluated pointwise on a fine grid of temperatures.
#include <map>
#include <random>

#include "cgt/thermograph.hpp"
#include "check.hpp"

using namespace zermelo::cgt;

namespace {

struct Walls {
  Dyadic left, right;
};

// The walls at one temperature, by the definition; the mast by looking down the grid for where they crossed.
class Pointwise {
 public:
  static constexpr int UNITS = 6;  // grid of 1/64
  explicit Pointwise(Arena& arena) : arena_(arena) {}

  Walls at(GameId game, int step) {  // temperature -1 + step / 64
    if (const auto known = known_.find({game, step}); known != known_.end()) return known->second;
    const Walls result = compute(game, step);
    known_.emplace(std::pair{game, step}, result);
    return result;
  }

 private:
  Walls compute(GameId game, int step) {
    if (arena_.is_number(game) && arena_.value(game).is_integer()) return {arena_.value(game), arena_.value(game)};
    if (step > 0) {
      const Walls below = at(game, step - 1);
      if (below.left == below.right) return below;
    }
    const Dyadic t = Dyadic(-1) + Dyadic::ratio(step, UNITS);
    bool any = false;
    Dyadic left, right;
    for (GameId option : arena_.left_options(game)) {
      const Dyadic x = at(option, step).right - t;
      if (!any || x > left) left = x;
      any = true;
    }
    any = false;
    for (GameId option : arena_.right_options(game)) {
      const Dyadic x = at(option, step).left + t;
      if (!any || x < right) right = x;
      any = true;
    }
    return {left, right};
  }

  Arena& arena_;
  std::map<std::pair<GameId, int>, Walls> known_;
};

GameId random_game(Arena& arena, std::mt19937& random, int depth) {
  // Stops stay multiples of 1 and the games shallow, so that every corner lies on the grid of 1/64.
  if (depth == 0 || random() % 4 == 0) return arena.number(static_cast<int>(random() % 13) - 6);
  std::vector<GameId> left, right;
  for (auto i = 1 + random() % 2; i > 0; --i) left.push_back(random_game(arena, random, depth - 1));
  for (auto i = 1 + random() % 2; i > 0; --i) right.push_back(random_game(arena, random, depth - 1));
  return arena.make(left, right);
}

}  // namespace

TEST(walls_agree_with_the_definition) {
  std::mt19937 random(5);
  Arena arena;
  Thermographs thermographs(arena);
  Pointwise slow(arena);
  const int games = QUICK ? 60 : 600;
  for (int i = 0; i < games; ++i) {
    const GameId game = random_game(arena, random, 4);
    const Thermograph& graph = thermographs.of(game);
    for (int step = 0; step <= 9 * 64; ++step) {
      const Dyadic t = Dyadic(-1) + Dyadic::ratio(step, 6);
      const Walls expected = slow.at(game, step);
      CHECK(wall_at(graph.left, t) == expected.left);
      CHECK(wall_at(graph.right, t) == expected.right);
    }
    CHECK(wall_at(graph.left, 0) == arena.left_stop(game));
    CHECK(wall_at(graph.right, 0) == arena.right_stop(game));
    CHECK(graph.left.back().value == graph.mean && graph.right.back().value == graph.mean);
  }
}
