// One strip of a cut: some squares of up to four neighbouring lines.
#pragma once

#include <array>

#include "domineering/board/lines.hpp"
#include "domineering/bound/strip_profile.hpp"

namespace zermelo {

struct CutStrip {
  int start = 0, height = 0;
  std::array<Line, MAX_STRIP_HEIGHT> lines{};  // from `start` on

  int end() const { return start + height; }
  unsigned line(int index) const {
    return index >= start && index < end() ? unsigned{lines[static_cast<std::size_t>(index - start)]} : 0u;
  }
  // Without some squares of a line, and without outer lines that have none then. Its height is 0 if nothing is left.
  CutStrip without(int index, unsigned squares) const {
    CutStrip rest{start, 0, {}};
    for (int i = start; i < end(); ++i) {
      const unsigned left = line(i) & ~(i == index ? squares : 0u);
      if (!left && !rest.height) ++rest.start;
      else rest.lines[static_cast<std::size_t>(rest.height++)] = static_cast<Line>(left);
    }
    while (rest.height && !rest.lines[static_cast<std::size_t>(rest.height - 1)]) --rest.height;
    return rest;
  }
};

// Adds a strip to a sum. False, and no change, if the strip has a piece without a table.
inline bool add_strip(MoveSum& sum, const CutStrip& strip, const StripTables& tables) {
  if (strip.height == 1) sum = with_line(sum, strip.lines[0]);
  if (strip.height < 2) return true;
  StripEntries entries;
  const StripEntries::Range range = entries.find(strip.lines.data(), strip.height, tables);
  if (is_missing(range)) return false;
  sum = entries.added(sum, range);
  return true;
}

}  // namespace zermelo
