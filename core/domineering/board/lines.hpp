// Squares of a rectangle as lines of bits, for the search and the proofs: connected parts, whether a domino cuts a
// part, and the least mirror image.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "domineering/board/board.hpp"

namespace zermelo {

// The longest side of a board that is searched by its lines.
inline constexpr int MAX_LINES = 32;
using Line = std::uint32_t;
using Lines = std::array<Line, MAX_LINES>;

// The squares line by line, line i being row i, of a board of at most MAX_LINES rows and columns; and back.
Lines rows_of(const Board& board);
Board with_rows(Board board, const Lines& rows);

// All that can be reached from `seed` within a set; spread() adds the neighbours of every member.
template <class Set, class Spread>
constexpr Set flooded(Set seed, const Set& within, Spread&& spread) {
  for (;;) {
    const Set grown = spread(seed) & within;
    if (grown == seed) return seed;
    seed = grown;
  }
}

// Takes one connected part out of the first `count` lines, the one with the first square of the first line that has
// any.
Lines take_part(Lines& lines, int count);

// The ten squares around a domino, as bits. Neighbours in the ring touch.
//
//     0 1 2        0 1 2 3
//     9 # 3        9 # # 4
//     8 # 4        8 7 6 5
//     7 6 5
//
// If all free squares that touch the domino lie in one free stretch of the ring, then whatever was connected by way of
// the domino still is, around it.
template <unsigned TOUCHING>
struct Rings {
  static constexpr int SQUARES = 10;
  std::array<bool, 1 << SQUARES> one_stretch;
  constexpr Rings() : one_stretch{} {
    for (unsigned ring = 0; ring < one_stretch.size(); ++ring) {
      // The stretch of the first touching square, then whether it has all others.
      unsigned stretch = ring & TOUCHING;
      stretch &= ~stretch + 1;
      for (int i = 0; i < SQUARES; ++i) stretch |= (stretch << 1 | stretch >> 1 | stretch >> 9 | stretch << 9) & ring;
      one_stretch[ring] = stretch != 0 && (ring & TOUCHING & ~stretch) == 0;
    }
  }
};
inline constexpr Rings<1u << 1 | 1u << 3 | 1u << 4 | 1u << 6 | 1u << 8 | 1u << 9> RINGS_ACROSS;
inline constexpr Rings<1u << 1 | 1u << 2 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 9> RINGS_ALONG;

// Whether what a domino leaves of a connected part is connected for sure. It lies on bit `bit` of lines `line` and
// `line` + 1, or, if not `across`, on bits `bit` and `bit` + 1 of one line.
inline bool stays_connected(const Lines& lines, int line, int bit, bool across) {
  const auto from_left = [&](int at) {  // the bits of a line from the one before the domino on
    return at < 0 || at >= MAX_LINES ? 0u : static_cast<unsigned>(std::uint64_t{lines[at]} << 1 >> bit);
  };
  const unsigned before = from_left(line - 1), upper = from_left(line), lower = from_left(line + 1);
  if (!across)
    return RINGS_ALONG
        .one_stretch[(before & 15u) | (upper >> 3 & 1u) << 4 | (lower >> 3 & 1u) << 5 | (lower >> 2 & 1u) << 6 |
                     (lower >> 1 & 1u) << 7 | (lower & 1u) << 8 | (upper & 1u) << 9];
  const unsigned behind = from_left(line + 2);
  return RINGS_ACROSS
      .one_stretch[(before & 7u) | (upper >> 2 & 1u) << 3 | (lower >> 2 & 1u) << 4 | (behind >> 2 & 1u) << 5 |
                   (behind >> 1 & 1u) << 6 | (behind & 1u) << 7 | (lower & 1u) << 8 | (upper & 1u) << 9];
}

// The least of the four mirror images of a box of squares, line by line; those beyond its height are zero.
struct LeastImage {
  Lines lines;
  int image;  // which one it is: 1: the lines in reverse order, 2: the bits of each line, 3: both
};
inline LeastImage least_image(const Lines& lines, int top, int height, int left, int width) {
  std::array<Lines, 4> image;
  for (int i = 0; i < height; ++i) {
    const int last = height - 1 - i;
    const Line line = lines[top + i] >> left;
    image[0][i] = image[1][last] = line;
    image[2][i] = image[3][last] = reversed(line, width);
  }
  std::size_t least = 0;
  for (std::size_t k = 1; k < 4; ++k)
    if (std::lexicographical_compare(image[k].begin(), image[k].begin() + height, image[least].begin(),
                                     image[least].begin() + height))
      least = k;
  std::fill(image[least].begin() + height, image[least].end(), Line{0});
  return {image[least], static_cast<int>(least)};
}

}  // namespace zermelo
