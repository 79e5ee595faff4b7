// Tables of strip patterns: for every subset of a HEIGHT x WIDTH rectangle, the floors that the strip bound adds up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bound/strip_sum.hpp"

namespace zermelo {

inline constexpr int MAX_STRIP_HEIGHT = 4;
inline constexpr int MAX_TABLE_SQUARES = 27;  // 1 GiB

// Entry i of the table describes the subset whose square (row, column) is bit row * width + column of i.
constexpr std::size_t strip_table_entries(int height, int width) { return std::size_t{1} << (height * width); }

// Fills `entries`, which has room for strip_table_entries(height, width). Needs 16 more bytes an entry while it runs.
void build_strip_table(int height, int width, StripEntry* entries);

// The simplest number strictly between two multiples of 1/64, in units of 1/64, or `none` if no multiple of 1/64 lies
// between.
int simplest_between(int low, int high, int none);

}  // namespace zermelo
