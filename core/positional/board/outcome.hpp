// The result of a Maker-Breaker search. A search that reaches a limit returns UNKNOWN, never a guess.
#pragma once

#include <cstdint>

#include "base/limits.hpp"
#include "positional/board/game.hpp"

namespace zermelo::positional {

enum class Winner : std::uint8_t { UNKNOWN, MAKER, BREAKER };
enum class Side : std::uint8_t { MAKER, BREAKER };

// The winner, and the vertices that decide the game.
//   BREAKER  zone: Breaker wins even if she marks vertices of the zone only. Put as a game: she wins on the traces
//            r(e) & zone of all live hyperedges.
//   MAKER    carrier: Maker wins with the live hyperedges inside it alone, whatever Breaker does outside.
// A set that is larger than need be is still valid.
template <int W>
struct Outcome {
  Winner winner = Winner::UNKNOWN;
  Vertices<W> zone;
  std::uint32_t node = 0;     // the recorded strategy node (strategy.hpp), 0 when none
  std::uint8_t symmetry = 0;  // maps the recorded node's position to this one
};

}  // namespace zermelo::positional
