// Connected sets of squares in one machine word, and their canonical form under everything that keeps the value:
// translation, the two mirrors, and (with a change of sign) transposition.
//
// A frame is 64 squares with rows of 8, 16 or 32, bit = row * stride + column. The frame of a shape is the narrowest
// one that holds it lying on its long side, so that each shape has one frame:
//   stride 8: up to 8x8       stride 16: up to 4x16      stride 32: up to 2x32
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "domineering/board/lines.hpp"

namespace zermelo::cgt {

constexpr std::uint64_t reverse_bits(std::uint64_t x) {
  x = (x >> 1 & 0x5555555555555555ULL) | (x & 0x5555555555555555ULL) << 1;
  x = (x >> 2 & 0x3333333333333333ULL) | (x & 0x3333333333333333ULL) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0fULL) | (x & 0x0f0f0f0f0f0f0f0fULL) << 4;
  return __builtin_bswap64(x);
}

// Rows become columns in an 8x8 frame.
constexpr std::uint64_t transpose8(std::uint64_t x) {
  std::uint64_t t = (x ^ (x >> 7)) & 0x00aa00aa00aa00aaULL;
  x ^= t ^ (t << 7);
  t = (x ^ (x >> 14)) & 0x0000cccc0000ccccULL;
  x ^= t ^ (t << 14);
  t = (x ^ (x >> 28)) & 0x00000000f0f0f0f0ULL;
  return x ^ t ^ (t << 28);
}

template <int STRIDE>
struct Frame {
  static_assert(STRIDE == 8 || STRIDE == 16 || STRIDE == 32);
  static constexpr int ROWS = 64 / STRIDE;
  static constexpr std::uint64_t FIRST_COLUMN = ~std::uint64_t{0} / ((std::uint64_t{1} << STRIDE) - 1);
  static constexpr std::uint64_t LAST_COLUMN = FIRST_COLUMN << (STRIDE - 1);

  // All squares one on, or one back, in a row (BY = 1) or a column (BY = STRIDE).
  template <int BY>
  static constexpr std::uint64_t on(std::uint64_t cells) {
    return BY == 1 ? (cells & ~LAST_COLUMN) << 1 : cells << STRIDE;
  }
  template <int BY>
  static constexpr std::uint64_t back(std::uint64_t cells) {
    return BY == 1 ? (cells & ~FIRST_COLUMN) >> 1 : cells >> STRIDE;
  }
  // The first squares of the dominoes of V (BY = STRIDE, ACROSS = 1) or H (BY = 1, ACROSS = STRIDE), without some that
  // others dominate. Say a, b, c follow each other in a column, no square is free before a, and c has no neighbour in
  // its row. Then V's ab leaves at least what bc leaves: after bc square a serves only H, so V loses nothing if it is
  // taken away, and c, which serves only V, can be added.
  template <int BY, int ACROSS>
  static constexpr std::uint64_t moves(std::uint64_t cells) {
    const std::uint64_t all = cells & back<BY>(cells), first = cells & ~on<BY>(cells), last = cells & ~back<BY>(cells);
    const std::uint64_t own = cells & ~on<ACROSS>(cells) & ~back<ACROSS>(cells);
    const std::uint64_t after_first = all & on<BY>(first) & back<BY>(own);
    // Of three squares both dominoes may dominate each other: one stays.
    const std::uint64_t before_last = all & own & back<BY>(back<BY>(last)) & ~back<BY>(after_first);
    return all & ~(after_first | before_last);
  }

  static constexpr std::uint64_t spread(std::uint64_t set) {
    return set | on<1>(set) | back<1>(set) | on<STRIDE>(set) | back<STRIDE>(set);
  }
  // The part with the first seed. Every part has a seed, so one that has them all is all there is.
  static constexpr std::uint64_t component(std::uint64_t cells, std::uint64_t seeds) {
    for (std::uint64_t part = seeds & -seeds;;) {
      if ((seeds & ~part) == 0) return cells;
      const std::uint64_t grown = spread(part) & cells;
      if (grown == part) return part;
      part = grown;
    }
  }
  // All rows laid over each other.
  static constexpr std::uint64_t shadow(std::uint64_t cells) {
    for (int by = 32; by >= STRIDE; by /= 2) cells |= cells >> by;
    return cells & ((std::uint64_t{1} << STRIDE) - 1);
  }
  // Moves a non-empty set to the upper left corner.
  static constexpr std::uint64_t to_corner(std::uint64_t cells) {
    cells >>= std::countr_zero(cells) / STRIDE * STRIDE;
    return cells >> std::countr_zero(shadow(cells));
  }
  static constexpr std::uint64_t flip_rows(std::uint64_t cells) {
    if constexpr (STRIDE == 8) return __builtin_bswap64(cells);
    if constexpr (STRIDE == 16) cells = (cells >> 16 & 0x0000ffff0000ffffULL) | (cells & 0x0000ffff0000ffffULL) << 16;
    return cells >> 32 | cells << 32;
  }
  // The least of the four mirror images in the corner, of a set in the corner.
  static constexpr std::uint64_t least_image(std::uint64_t cells, int rows, int cols) {
    const std::uint64_t turned = reverse_bits(cells);
    const int rows_left = (ROWS - rows) * STRIDE, cols_left = STRIDE - cols;
    return std::min(
        {cells, flip_rows(cells) >> rows_left, turned >> (rows_left + cols_left), flip_rows(turned) >> cols_left});
  }
  static constexpr int height(std::uint64_t cells) {
    return (63 - std::countl_zero(cells)) / STRIDE - std::countr_zero(cells) / STRIDE + 1;
  }
  static constexpr int width(std::uint64_t cells) {
    const std::uint64_t low = shadow(cells);
    return 64 - std::countl_zero(low) - std::countr_zero(low);
  }
};

// A canonical shape: the same for every translated, mirrored or transposed copy.
struct Shape {
  std::uint64_t cells = 0;
  int stride = 8;
  bool negated = false;  // the shape was transposed, so its value is the negative of this one's
};

// The canonical form of a connected set given in the frame with this stride.
template <int STRIDE>
Shape canonical_shape(std::uint64_t cells) {
  if constexpr (STRIDE == 8) {
    cells = Frame<8>::to_corner(cells);
    const int rows = Frame<8>::height(cells), cols = Frame<8>::width(cells);
    const std::uint64_t upright = Frame<8>::least_image(cells, rows, cols);
    const std::uint64_t lying = Frame<8>::least_image(transpose8(cells), cols, rows);
    return lying < upright ? Shape{lying, 8, true} : Shape{upright, 8, false};
  } else {
    cells = Frame<STRIDE>::to_corner(cells);
    if (Frame<STRIDE>::width(cells) <= STRIDE / 2) {
      // A narrower frame holds it, since it has few rows: close the rows up.
      constexpr std::uint64_t ROW = (std::uint64_t{1} << STRIDE) - 1;
      std::uint64_t narrow = 0;
      for (int row = 0; row < Frame<STRIDE>::ROWS; ++row)
        narrow |= (cells >> (row * STRIDE) & ROW) << (row * (STRIDE / 2));
      return canonical_shape<STRIDE / 2>(narrow);
    }
    return {Frame<STRIDE>::least_image(cells, Frame<STRIDE>::height(cells), Frame<STRIDE>::width(cells)), STRIDE,
            false};
  }
}

}  // namespace zermelo::cgt
