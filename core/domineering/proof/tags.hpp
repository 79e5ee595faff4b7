// The number before every node and leaf of a strategy (checker/FORMAT.md 4 and 5), for its writers and readers.
#pragma once

#include <cstdint>

namespace zermelo::proof {

// With each cut that answers moves CUT and CUT_KEEP are one more, at most MAX_CUTS. CUT alone is a leaf, in a position
// of the winner CUT_WON.
enum StrategyTag { ALL, KEEP, REF, COVER = 7, CUT = 16, CUT_KEEP = 24, CUT_WON = 0 };
inline constexpr unsigned MAX_CUTS = 7;
inline constexpr std::uint64_t FIRST_MOVE = 8;  // of the winner; the next one is one more

}  // namespace zermelo::proof
