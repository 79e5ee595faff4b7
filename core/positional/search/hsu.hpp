// The published solver, as printed and corrected: Algorithms 4 to 8 of Hsu et al. 2020, with the pairing finder of
// Algorithms 2, 3 and 9. The full search (maker_breaker_search.hpp) is compared with it.
#pragma once

#include "positional/board/outcome.hpp"

namespace zermelo::positional {

struct HsuOptions {
  bool partial_pairing = true;
  bool domination = true;
  bool zones = true;
  int branching = 2;  // N of the pairing finder; 0: greedy rules only; negative: no pairing strategies at all (Table 1)
};

struct HsuResult {
  Winner winner = Winner::UNKNOWN;
  VertexSet zone;           // Breaker's zone when she wins and zones are on
  std::uint64_t nodes = 0;  // Maker and Breaker positions entered
  double seconds = 0;
};

// Finds the winner of `at` with `side` to move.
template <int W>
HsuResult hsu_search(const Game<W>& game, const Position<W>& at, Side side, const HsuOptions& options,
                     const Limits& limits);

}  // namespace zermelo::positional
