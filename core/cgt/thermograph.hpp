// Extended thermographs: the walls of a game at every temperature from -1 up, exact.
//
// The left wall is the value that Left gets if she starts and each move costs t, the right wall the value if Right
// starts; where they meet, the mast begins, at the game's temperature and mean. Below t = 0 the walls of numbers show
// how much a move in them loses (Berlekamp, The economist's view of combinatorial games, 1996): an integer has
// temperature -1, n / 2^k has -1 / 2^k.
#pragma once

#include <unordered_map>
#include <vector>

#include "cgt/arena.hpp"

namespace zermelo::cgt {

// A piecewise linear function on t >= -1, by its corners; constant after the last one.
struct Corner {
  Dyadic t, value;
  friend bool operator==(const Corner&, const Corner&) = default;
};
using Wall = std::vector<Corner>;

Dyadic wall_at(const Wall& wall, const Dyadic& t);

struct Thermograph {
  Wall left, right;
  Dyadic mean, temperature;
};

class Thermographs {
 public:
  explicit Thermographs(Arena& arena) : arena_(arena) {}
  // The reference stays valid.
  const Thermograph& of(GameId game);

 private:
  Arena& arena_;
  std::unordered_map<GameId, Thermograph> known_;
};

}  // namespace zermelo::cgt
