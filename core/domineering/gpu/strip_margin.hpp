// The strip bound as host and device code: the same sums as bound/strip_sum.hpp and the same best cut as
// bound/strip_profile.hpp, bit for bit, over whole lines of a board. tests/cpp/gpu_test.cpp compares them.
//
// The eight 16-bit lanes lie in four words, two a word, as on the processor. Flipping lane bit 4 or 2 is a renaming of
// words, which costs nothing when all loops are unrolled.
#pragma once

#include <cstdint>

#include "domineering/gpu/both.hpp"

namespace zermelo::gpu {

inline constexpr int MAX_LINES = 16;
inline constexpr int MAX_HEIGHT = 4;
inline constexpr int UNIT = 64;

ZERMELO_BOTH std::uint32_t add2(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vadd2(a, b);
#else
  return ((a & 0x7fff7fffu) + (b & 0x7fff7fffu)) ^ ((a ^ b) & 0x80008000u);
#endif
}
ZERMELO_BOTH std::uint32_t max2(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vmaxs2(a, b);
#else
  const auto half = [](std::uint32_t x, std::uint32_t y) {
    return static_cast<std::int16_t>(x) > static_cast<std::int16_t>(y) ? x & 0xffffu : y & 0xffffu;
  };
  return half(a, b) | half(a >> 16, b >> 16) << 16;
#endif
}
// max2(a + b, c): one instruction of the device.
ZERMELO_BOTH std::uint32_t add_max2(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#if defined(__CUDA_ARCH__)
  return __viaddmax_s16x2(a, b, c);
#else
  return max2(add2(a, b), c);
#endif
}
ZERMELO_BOTH std::uint32_t swapped2(std::uint32_t a) { return a >> 16 | a << 16; }
ZERMELO_BOTH std::uint32_t both2(int value) { return (static_cast<std::uint32_t>(value) & 0xffffu) * 0x10001u; }

// What one pattern adds (StripEntry): the number and the three switches, each in both halves of a word.
struct Addends {
  std::uint32_t number, hot, warm, cool;
  ZERMELO_BOTH explicit Addends(std::uint32_t low, std::uint32_t high)
      : number(both2(static_cast<std::int32_t>(low << 16) >> 20)),
        hot(both2(static_cast<std::int32_t>(low) >> 20)),
        warm(both2(static_cast<std::int32_t>(high << 16) >> 20)),
        cool(both2(static_cast<std::int32_t>(high) >> 20)) {}
};

struct Sum {
  std::uint32_t word[4];

  static ZERMELO_BOTH Sum zero() { return {{0xffff0000u, 0xffc0ffbfu, 0xffb0ffafu, 0xffeffff0u}}; }
  static ZERMELO_BOTH Sum all(int value) { return {{both2(value), both2(value), both2(value), both2(value)}}; }

  ZERMELO_BOTH Sum plus(int number) const {
    const std::uint32_t n = both2(number);
    return {{add2(word[0], n), add2(word[1], n), add2(word[2], n), add2(word[3], n)}};
  }
  ZERMELO_BOTH Sum plus(const Addends& a) const {
    Sum sum;
#if defined(__CUDACC__)
#pragma unroll
#endif
    for (int i = 0; i < 4; ++i)
      sum.word[i] = add_max2(swapped2(word[i]), a.cool,
                             add_max2(word[i ^ 1], a.warm, add_max2(word[i ^ 2], a.hot, add2(word[i], a.number))));
    return sum;
  }
  ZERMELO_BOTH Sum or_better(const Sum& b) const {
    return {{max2(word[0], b.word[0]), max2(word[1], b.word[1]), max2(word[2], b.word[2]), max2(word[3], b.word[3])}};
  }
  ZERMELO_BOTH int margin_second() const { return best(0xffff0000u, 0xffc0ffbfu, 0xffb0ffafu, 0xffeffff0u); }
  ZERMELO_BOTH int margin_first() const { return best(0x0000ffffu, 0x003f0040u, 0x004f0050u, 0x0010000fu); }

 private:
  ZERMELO_BOTH int best(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) const {
    const std::uint32_t most = max2(max2(add2(word[0], a), add2(word[1], b)), max2(add2(word[2], c), add2(word[3], d)));
    const int low = static_cast<std::int16_t>(most & 0xffffu), high = static_cast<std::int16_t>(most >> 16);
    return low > high ? low : high;
  }
};

// The tables of one board, by height. A pair is four words: the pattern as it is, and after Left's best move. On the
// device they lie at multiples of 16 bytes and are read as one.
struct PairWords {
  std::uint32_t word[4];
};
struct Tables {
  const std::uint16_t* number[MAX_HEIGHT + 1] = {};
  const PairWords* entry[MAX_HEIGHT + 1] = {};
  int widest[MAX_HEIGHT + 1] = {};

  ZERMELO_BOTH PairWords pair(int height, std::uint64_t pattern) const {
#if defined(__CUDA_ARCH__)
    const uint4 words = __ldg(reinterpret_cast<const uint4*>(entry[height] + __ldg(number[height] + pattern)));
    return {{words.x, words.y, words.z, words.w}};
#else
    return entry[height][number[height][pattern]];
#endif
  }
};

// spread[height - 2][byte]: its bits `height` apart. The device keeps it near its processors.
using SpreadTable = std::uint32_t[MAX_HEIGHT - 1][256];
ZERMELO_BOTH std::uint32_t spread_byte(int height, std::uint32_t byte) {
  std::uint32_t wide = 0;
  for (int i = 0; i < 8; ++i) wide |= (byte >> i & 1u) << (height * i);
  return wide;
}
ZERMELO_BOTH std::uint64_t spread_line(const SpreadTable& spread, int height, std::uint32_t line) {
  const std::uint64_t low = spread[height - 2][line & 255];
  return low | std::uint64_t{spread[height - 2][line >> 8]} << (8 * height);
}

// A sum as it is, and with MOVED also the best of it after one move of Left.
template <bool MOVED>
struct CutSum {
  Sum still, moved;

  static ZERMELO_BOTH CutSum zero() {
    CutSum sum;
    sum.still = Sum::zero();
    if constexpr (MOVED) sum.moved = Sum::all(-12000);
    return sum;
  }
  ZERMELO_BOTH CutSum plus(int number) const {
    CutSum sum;
    sum.still = still.plus(number);
    if constexpr (MOVED) sum.moved = moved.plus(number);
    return sum;
  }
  ZERMELO_BOTH CutSum plus(const PairWords& pair) const {
    CutSum sum;
    const Addends whole(pair.word[0], pair.word[1]);
    sum.still = still.plus(whole);
    if constexpr (MOVED) sum.moved = moved.plus(whole).or_better(still.plus(Addends(pair.word[2], pair.word[3])));
    return sum;
  }
  ZERMELO_BOTH CutSum or_better(const CutSum& b) const {
    CutSum sum;
    sum.still = still.or_better(b.still);
    if constexpr (MOVED) sum.moved = moved.or_better(b.moved);
    return sum;
  }
  ZERMELO_BOTH int margin_second() const { return still.margin_second(); }
  ZERMELO_BOTH int margin_first() const {
    const int as_it_is = still.margin_first();
    if constexpr (MOVED) {
      const int after = moved.margin_second();
      return after > as_it_is ? after : as_it_is;
    } else {
      return as_it_is;
    }
  }
};

// Squares that are gone from some lines: the bits `mask` of `count` lines from `first` on.
struct Change {
  int first = 0, count = 0;
  std::uint32_t mask = 0;
  ZERMELO_BOTH std::uint32_t applied(std::uint32_t line, int index) const {
    return static_cast<unsigned>(index - first) < static_cast<unsigned>(count) ? line & ~mask : line;
  }
};

template <int HEIGHT, bool MOVED>
ZERMELO_BOTH void add_strip(CutSum<MOVED>& best, CutSum<MOVED> sum, std::uint64_t pattern, std::uint32_t columns,
                            const Tables& tables) {
  while (columns) {
    const int first = lowest(columns);
    const int width = lowest(~(columns >> first));
    if (width > tables.widest[HEIGHT]) return;  // no table: this strip has to be cut
    const std::uint64_t run = pattern >> (HEIGHT * first) & ((std::uint64_t{1} << (HEIGHT * width)) - 1);
    sum = sum.plus(tables.pair(HEIGHT, run));
    columns &= ~0u << (first + width);
  }
  best = best.or_better(sum);
}

// The best sum over all ways to cut the lines, for the player who cuts between them, after a change.
template <bool MOVED>
ZERMELO_BOTH CutSum<MOVED> best_cut(const std::uint16_t* lines, int count, const Change& change, const Tables& tables,
                                    const SpreadTable& spread) {
  // `before[k]`: k lines back; the patterns of the last 2, 3, 4 lines roll along with them: a shift moves each row up
  // by one, and the mask clears what comes out of the next column.
  CutSum<MOVED> before1 = CutSum<MOVED>::zero(), before2 = before1, before3 = before1, before4 = before1;
  std::uint64_t pattern2 = 0, pattern3 = 0, pattern4 = 0;
  std::uint32_t line1 = 0, line2 = 0, line3 = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint32_t line = change.applied(lines[i], i);
    pattern2 = (pattern2 >> 1 & 0x5555555555555555u) | spread_line(spread, 2, line) << 1;
    pattern3 = (pattern3 >> 1 & 0x6db6db6db6dbu) | spread_line(spread, 3, line) << 2;
    pattern4 = (pattern4 >> 1 & 0x7777777777777777u) | spread_line(spread, 4, line) << 3;
    CutSum<MOVED> best = before1.plus(-UNIT * dominoes_in(line));
    if (i >= 1) add_strip<2>(best, before2, pattern2, line | line1, tables);
    if (i >= 2) add_strip<3>(best, before3, pattern3, line | line1 | line2, tables);
    if (i >= 3) add_strip<4>(best, before4, pattern4, line | line1 | line2 | line3, tables);
    before4 = before3, before3 = before2, before2 = before1, before1 = best;
    line3 = line2, line2 = line1, line1 = line;
  }
  return before1;
}

// The margin of that sum: with MOVED for the player who cuts to move, else for the other.
template <bool MOVED>
ZERMELO_BOTH_ONCE int margin_after(const std::uint16_t* lines, int count, const Change& change, const Tables& tables,
                                   const SpreadTable& spread) {
  const auto sum = best_cut<MOVED>(lines, count, change, tables, spread);
  if constexpr (MOVED) return sum.margin_first();
  else return sum.margin_second();
}

}  // namespace zermelo::gpu
