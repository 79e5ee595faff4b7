// The number before every node and leaf of a strategy (checker/FORMAT.md 4 and 5), for those who write it and who read
// it.
#pragma once

#include <cstdint>

namespace zermelo::proof {

// With a heat more STRIPS, ANSWERS and ANSWERS_KEEP are one more, at most MAX_HEATS; with a cut more BENT and
// BENT_KEEP, at most MAX_CUTS. A leaf is BENT without a cut that answers moves, and of the winner BENT_WON.
enum StrategyTag {
  ALL,
  KEEP,
  REF,
  STRIPS,
  COVER = 7,
  ANSWERS = 8,
  ANSWERS_KEEP = 12,
  BENT = 16,
  BENT_KEEP = 24,
  BENT_WON = 0
};
inline constexpr unsigned MAX_HEATS = 3, MAX_CUTS = 7;
inline constexpr std::uint64_t FIRST_MOVE = 8;  // of the winner; the next one is one more

}  // namespace zermelo::proof
