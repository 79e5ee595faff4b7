// The strip tables of the processor, seen by the shared code.
#pragma once

#include "domineering/bound/strip_store.hpp"
#include "domineering/gpu/strip_margin.hpp"

namespace zermelo::gpu {

static_assert(sizeof(StripPair) == sizeof(PairWords) && MAX_STRIP_HEIGHT == MAX_HEIGHT && STRIP_UNIT == UNIT);
static_assert(HOT == 80 && WARM == 64 && COOL == 0, "Sum::zero() and the margins are written out for these");

inline Tables view_of(const StripTables& tables) {
  Tables view;
  for (int height = 2; height <= MAX_HEIGHT; ++height) {
    const StripLookup& lookup = tables.of(height);
    view.number[height] = lookup.number;
    view.entry[height] = reinterpret_cast<const PairWords*>(lookup.entry);
    view.widest[height] = lookup.exact;
  }
  return view;
}

inline void fill(SpreadTable& spread) {
  for (int height = 2; height <= MAX_HEIGHT; ++height)
    for (std::uint32_t byte = 0; byte < 256; ++byte) spread[height - 2][byte] = spread_byte(height, byte);
}

}  // namespace zermelo::gpu
