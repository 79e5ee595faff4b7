// Tables of strip patterns: for every subset of a HEIGHT x WIDTH rectangle, the floors that the strip bound adds up.
//
// Millions of patterns share a few thousand different entries (3x8: 4,332; 4x6: 6,768), so a table is a list of entries
// and a 16-bit number for each pattern. Lookups lie all over a table, and a quarter of the room means many more of them
// within the processor's caches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "domineering/board/lines.hpp"
#include "domineering/bound/strip_sum.hpp"

namespace zermelo {

inline constexpr int MAX_STRIP_HEIGHT = 4;
inline constexpr int TALLEST_STRIP = 6;       // on boards with a side of 4 at most, whose strips have short lines
inline constexpr int MAX_TABLE_SQUARES = 24;  // of all subsets: 3x8 and 4x6 take 32 MB and a second each
inline constexpr int MAX_TABLE_WIDTH = 16;
inline constexpr std::size_t MAX_STRIP_ENTRIES = std::size_t{1} << 16;  // of one table

// Pattern i of a table is the subset whose square (row, column) is bit column * height + row of i. So a table is the
// beginning of every wider one of its height.
constexpr std::size_t strip_table_patterns(int height, int width) { return std::size_t{1} << (height * width); }

// Columns of a strip that fit into a pattern of 64 bits.
constexpr int pattern_columns(int height) { return 64 / height; }

// The squares of a line, `height` bits apart: what row 0 of a strip adds to its pattern. Squares from
// pattern_columns() on do not fit. Tall strips have short lines, whose squares fit into 32 bits.
struct SpreadBytes {
  std::array<std::array<std::uint32_t, 256>, TALLEST_STRIP + 1> of;
  constexpr SpreadBytes() : of{} {
    for (std::size_t height = 1; height <= TALLEST_STRIP; ++height)
      for (std::size_t byte = 0; byte < 256; ++byte)
        for (std::size_t i = 0; i < 8 && height * i < 32; ++i)
          of[height][byte] |= static_cast<std::uint32_t>(byte >> i & 1) << (height * i);
  }
};
inline constexpr SpreadBytes SPREAD_BYTES;
inline std::uint64_t spread_line(unsigned line, int height) {
  const auto& of = SPREAD_BYTES.of[height];
  std::uint64_t spread = of[line & 255] | std::uint64_t{of[line >> 8 & 255]} << (8 * height);
  if (line >> 16 && height < 4) {
    spread |= std::uint64_t{of[line >> 16 & 255]} << (16 * height);
    if (height == 2) spread |= std::uint64_t{of[line >> 24]} << 48;
  }
  return spread;
}

// The pattern of columns [first, first + width) of lines[0 .. height).
inline std::size_t strip_pattern(const Line* lines, int height, int first, int width) {
  const auto mask = static_cast<unsigned>((std::uint64_t{1} << width) - 1);
  std::size_t pattern = 0;
  for (int row = 0; row < height; ++row) pattern |= spread_line(lines[row] >> first & mask, height) << row;
  return pattern;
}

// Called about a hundred times a second while a table is built. Building ends when it returns true; an empty function
// never ends it.
using StopCheck = std::function<bool()>;

// Works in `numbers`, which has room for strip_table_patterns(height, width), with all processors. In the end the first
// half of that memory holds the 16-bit numbers. Returns the entries, `most` at most, the most frequent ones first; none
// if it was stopped.
std::vector<StripPair> build_strip_table(int height, int width, std::uint32_t* numbers, const StopCheck& stop = {},
                                         std::size_t most = MAX_STRIP_ENTRIES);

// The simplest number strictly between two multiples of 1/64, in units of 1/64, or `none` if no multiple of 1/64 lies
// between.
int simplest_between(int low, int high, int none);

}  // namespace zermelo
