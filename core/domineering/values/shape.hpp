// Connected sets of squares in one machine word, and their canonical form under everything that keeps the value:
// translation, the two mirrors, and (with a change of sign) transposition.
//
// A frame is at most 64 squares in rows of one stride, bit = row * stride + column. The frame of a shape is the first
// of these that holds it lying on its long side, so that each shape has one frame:
//   stride 8: up to 8x8       stride 16: up to 4x16      stride 32: up to 2x32
//   stride 9: up to 7x9       stride 10: up to 6x10      stride 12: up to 5x12
// A connected shape of n squares has rows + columns <= n + 1, so all shapes of up to 15 squares have one.
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

inline constexpr int STRIDES[] = {8, 16, 32, 9, 10, 12};
inline constexpr int FRAMES = 6;
constexpr int frame_index(int stride) {
  for (int frame = 0; frame < FRAMES; ++frame)
    if (STRIDES[frame] == stride) return frame;
  return FRAMES;
}

template <int STRIDE>
struct Frame {
  static_assert(frame_index(STRIDE) < FRAMES);
  static constexpr bool EVEN = 64 % STRIDE == 0;  // no bit is left over
  static constexpr int ROWS = 64 / STRIDE, UNUSED = 64 - ROWS * STRIDE;
  static constexpr std::uint64_t FIRST_COLUMN = [] {
    std::uint64_t column = 0;
    for (int row = 0; row < ROWS; ++row) column |= std::uint64_t{1} << (row * STRIDE);
    return column;
  }();
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
  // The squares on one side of a domino that its player never needs, if that is all that joins them to the others; else
  // none. Say a, b, c follow each other in a column, a has no neighbour but b, and c has none in its row. V may promise
  // never to play bc: as long as she could, ab leaves c, which serves only V, instead of a, which serves nobody.
  template <int BY, int ACROSS>
  static constexpr std::uint64_t loose_part(std::uint64_t cells) {
    const std::uint64_t own = cells & ~on<ACROSS>(cells) & ~back<ACROSS>(cells);
    const std::uint64_t after = own & on<BY>(on<BY>(own & ~on<BY>(cells)) & cells);
    const std::uint64_t before = own & back<BY>(back<BY>(own & ~back<BY>(cells)) & cells);
    for (std::uint64_t some = after | before; some; some &= some - 1) {
      const std::uint64_t c = some & -some, rest = cells ^ c, ends = (on<BY>(c) | back<BY>(c)) & cells;
      if ((ends & (ends - 1)) == 0) return c;
      const std::uint64_t part = component(rest, ends);
      if (part == rest) continue;
      const bool has_b = part & (after & c ? c >> BY : c << BY);
      return has_b ? cells ^ part : part | c;
    }
    return 0;
  }

  // All rows laid over each other.
  static constexpr std::uint64_t shadow(std::uint64_t cells) {
    if constexpr (EVEN) {
      for (int by = 32; by >= STRIDE; by /= 2) cells |= cells >> by;
    } else {
      for (int by = STRIDE; by < 64; by *= 2) cells |= cells >> by;
    }
    return cells & ((std::uint64_t{1} << STRIDE) - 1);
  }
  // Moves a non-empty set to the upper left corner.
  static constexpr std::uint64_t to_corner(std::uint64_t cells) {
    cells >>= std::countr_zero(cells) / STRIDE * STRIDE;
    return cells >> std::countr_zero(shadow(cells));
  }
  static constexpr std::uint64_t flip_rows(std::uint64_t cells) {
    if constexpr (!EVEN) {
      std::uint64_t flipped = 0;
      for (int row = 0; row < ROWS; ++row)
        flipped |= (cells >> (row * STRIDE) & ((std::uint64_t{1} << STRIDE) - 1)) << ((ROWS - 1 - row) * STRIDE);
      return flipped;
    }
    if constexpr (STRIDE == 8) return __builtin_bswap64(cells);
    if constexpr (STRIDE == 16) cells = (cells >> 16 & 0x0000ffff0000ffffULL) | (cells & 0x0000ffff0000ffffULL) << 16;
    return cells >> 32 | cells << 32;
  }
  // The least of the four mirror images in the corner, of a set in the corner.
  static constexpr std::uint64_t least_image(std::uint64_t cells, int rows, int cols) {
    const std::uint64_t turned = reverse_bits(cells) >> UNUSED;
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

// The same set in rows of another stride, which must hold it.
constexpr std::uint64_t with_stride(std::uint64_t cells, int from, int to) {
  const std::uint64_t row = (std::uint64_t{1} << std::min(from, to)) - 1;
  std::uint64_t result = 0;
  for (int number = 0; cells; ++number, cells = from < 64 ? cells >> from : 0) result |= (cells & row) << (number * to);
  return result;
}

// The canonical form of a connected set given in the frame with this stride.
template <int STRIDE>
Shape canonical_shape(std::uint64_t cells) {
  cells = Frame<STRIDE>::to_corner(cells);
  const int rows = Frame<STRIDE>::height(cells), cols = Frame<STRIDE>::width(cells);
  if constexpr (STRIDE == 8) {
    // An image with fewer rows is less than all with more.
    if (rows < cols) return {Frame<8>::least_image(cells, rows, cols), 8, false};
    const std::uint64_t lying = Frame<8>::least_image(transpose8(cells), cols, rows);
    if (rows > cols) return {lying, 8, true};
    const std::uint64_t upright = Frame<8>::least_image(cells, rows, cols);
    return lying < upright ? Shape{lying, 8, true} : Shape{upright, 8, false};
  } else {
    if (cols <= 8) return canonical_shape<8>(with_stride(cells, STRIDE, 8));
    if constexpr (STRIDE != 16) {
      if (rows <= 4 && cols <= 16) return canonical_shape<16>(with_stride(cells, STRIDE, 16));
      if (cols <= 9 && STRIDE > 9) return canonical_shape<9>(with_stride(cells, STRIDE, 9));
      if (cols <= 10 && STRIDE > 10) return canonical_shape<10>(with_stride(cells, STRIDE, 10));
    }
    return {Frame<STRIDE>::least_image(cells, rows, cols), STRIDE, false};
  }
}

// Calls work.template operator()<STRIDE>() for a stride that is one of STRIDES.
template <class Work>
auto with_frame(int stride, const Work& work) {
  if (stride == 8) return work.template operator()<8>();
  if (stride == 9) return work.template operator()<9>();
  if (stride == 10) return work.template operator()<10>();
  if (stride == 12) return work.template operator()<12>();
  return stride == 16 ? work.template operator()<16>() : work.template operator()<32>();
}

}  // namespace zermelo::cgt
