// Tables of strips that are too wide for a table of all subsets.
//
// An empty column parts a strip in two, so no look-up has such a pattern. In the others a column holds one of
// 2^height - 1 sets of squares, and a pattern is a number to that base with a digit for each column. There are far
// fewer of them: 14 million of 2x15 instead of a thousand million, 40 million of 3x9 instead of 134.
//
// The price: a move may leave two parts, and the bounds of their sum come from the entries of both.
// So these floors are sound, but some are lower than they could be (2x15: one entry in 25, 3x9: one in 240), and there
// are no ceilings. docs/theory-strips.md, section 3, has the recursion with its proof.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "domineering/bound/strip_table.hpp"

namespace zermelo {

constexpr std::size_t wide_patterns(int height, int width) {
  std::size_t patterns = 1;
  for (int i = 0; i < width; ++i) patterns *= (std::size_t{1} << height) - 1;
  return patterns;
}
// Where the patterns of a width begin in a table of all widths from `exact` + 1 on.
constexpr std::size_t wide_offset(int height, int exact, int width) {
  std::size_t offset = 0;
  for (int narrower = exact + 1; narrower < width; ++narrower) offset += wide_patterns(height, narrower);
  return offset;
}

// The digits of 12 squares, which are whole columns: column c with the set of squares m is the digit m - 1.
struct WideDigits {
  static constexpr int SQUARES = 12, GROUPS = 3;
  std::array<std::array<std::uint16_t, 1 << SQUARES>, MAX_STRIP_HEIGHT + 1> of;
  std::array<std::uint64_t, MAX_STRIP_HEIGHT + 1> base;  // the weight of the next digit
  constexpr WideDigits() : of{}, base{} {
    for (int height = 2; height <= MAX_STRIP_HEIGHT; ++height) {
      base[height] = wide_patterns(height, SQUARES / height);
      for (unsigned squares = 0; squares < 1 << SQUARES; ++squares)
        for (int column = SQUARES / height - 1; column >= 0; --column) {
          const unsigned digit = squares >> (height * column) & ((1u << height) - 1);
          of[height][squares] =
              static_cast<std::uint16_t>(of[height][squares] * ((1u << height) - 1) + (digit ? digit - 1 : 0));
        }
    }
  }
};
extern const WideDigits WIDE_DIGITS;

inline constexpr int MAX_WIDE_SQUARES = WideDigits::GROUPS * WideDigits::SQUARES;

// The number of a pattern among those of its width. It has no empty column and at most MAX_WIDE_SQUARES.
inline std::size_t wide_number(std::uint64_t pattern, int height) {
  const auto digits = [&](int group) {
    return WIDE_DIGITS.of[height][pattern >> (WideDigits::SQUARES * group) & 4095];
  };
  return digits(0) + WIDE_DIGITS.base[height] * (digits(1) + WIDE_DIGITS.base[height] * digits(2));
}

// Tables of one height to look things up in. The pattern of a run of columns has entry[*number_of(...)].
struct StripLookup {
  const std::uint16_t* number = nullptr;  // of every subset of the widths up to `exact`
  const StripPair* entry = nullptr;
  int height = 0, exact = 0, widest = 0;
  std::array<const std::uint16_t*, MAX_TABLE_WIDTH + 1> wide{};  // by width, beyond that

  // The run is no wider than the widest.
  const std::uint16_t* number_of(std::uint64_t run, int width) const {
    return width <= exact ? number + run : wide[width] + wide_number(run, height);
  }
  const StripPair& pair(std::uint64_t run, int width) const { return entry[*number_of(run, width)]; }
};

// Works in `numbers`, which has room for wide_offset(height, exact, width + 1) of them, with all processors; `narrow`
// is the table of all subsets of height x exact, `entries` its entries. In the end the first half of the memory holds
// the 16-bit numbers. Returns the entries, those of the narrow table first; none if it was stopped.
std::vector<StripPair> build_wide_table(int height, int exact, int width, const std::uint16_t* narrow,
                                        std::span<const StripPair> entries, std::uint32_t* numbers,
                                        const StopCheck& stop = {});

}  // namespace zermelo
