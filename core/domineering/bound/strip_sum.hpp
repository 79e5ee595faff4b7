// Sums of strips: lower bounds of a sum of games, in eight 16-bit lanes.
//
// Everything is in units of 1/64. Lane p is a number s[p] such that the sum S of the pieces added so far satisfies
//
//     S >= s[p] + (p & 4 ? +-HOT : 0) + (p & 2 ? +-WARM : 0) + (p & 1 ? +-COOL : 0),
//
// where +-t is the switch {t | -t}, and +-0 is *. Two equal switches cancel, so one parity bit a switch is all that has
// to be remembered. docs/theory-strips.md has the proofs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace zermelo {

inline constexpr int STRIP_UNIT = 64;  // units in the number 1
inline constexpr int HOT = 80;         // 5/4
inline constexpr int WARM = 64;        // 1
inline constexpr int COOL = 0;
inline constexpr int SWITCHES = 3;
inline constexpr std::array<int, SWITCHES> SWITCH_TEMPERATURES = {HOT, WARM, COOL};

// One entry of a strip table: the bounds of one pattern X. Left is the player who cuts.
//
//    bits 63..48      47..32        31..16        15..0
//    F_COOL (12) | 0   F_WARM | n2   F_HOT | n1    N (12 bits, signed) | n0 (4 bits)
//
// N is the largest n with X >= n and F_t the largest m with X >= m +- t. The nibbles n2 n1 n0 hold N' - N, where N' is
// the smallest n with X <= n: zero exactly when X is the number N.
struct StripEntry {
  std::uint64_t bits = 0;

  static constexpr StripEntry make(int floor, int ceiling, const std::array<int, SWITCHES>& switches) {
    const auto lane = [](int value, int nibble) {
      return std::uint64_t{
          static_cast<std::uint16_t>(static_cast<unsigned>(value) << 4 | static_cast<unsigned>(nibble))};
    };
    const int gap = ceiling - floor;
    return {lane(floor, gap & 15) | lane(switches[0], gap >> 4 & 15) << 16 | lane(switches[1], gap >> 8 & 15) << 32 |
            lane(switches[2], 0) << 48};
  }
  constexpr int floor() const { return static_cast<std::int16_t>(bits & 0xffff) >> 4; }
  constexpr int switch_floor(int index) const {
    return static_cast<std::int16_t>(bits >> (16 * (index + 1)) & 0xffff) >> 4;
  }
  constexpr int ceiling() const {
    return floor() + static_cast<int>((bits & 15) | (bits >> 12 & 0xf0) | (bits >> 24 & 0xf00));
  }
  constexpr bool is_number() const { return (bits & 0x0000'000f'000f'000fULL) == 0; }
};

// A pattern X as it is, and the best that one move of Left makes of it: the largest N and the largest F_t of any X^L.
// If she has none, `moved` is below every value of a pattern by so much (NO_MOVE) that no sum with it decides anything
// which the sum without the move does not.
struct StripPair {
  static constexpr int NO_MOVE = -2048;
  StripEntry whole, moved;
};

using StripLanes = std::int16_t __attribute__((vector_size(16)));

// A board has at most 256 squares, so every lane stays within +-(128 + 4) * 64 and 16 bits cannot overflow.
struct StripSum {
  StripLanes lane;

  // The empty sum. 0 >= s + (some switches) holds for the s at which Right, playing second, just wins the switches.
  static StripSum zero() {
    return {StripLanes{0, -COOL - 1, -WARM - 1, COOL - WARM, -HOT - 1, COOL - HOT, WARM - HOT, WARM - HOT - COOL - 1}};
  }
  static StripLanes all(int value) {
    const auto v = static_cast<std::int16_t>(value);
    return StripLanes{v, v, v, v, v, v, v, v};
  }
  static StripLanes maximum(StripLanes a, StripLanes b) {
#if defined(__SSE2__)
    return reinterpret_cast<StripLanes>(_mm_max_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    return a > b ? a : b;
#endif
  }
  // Lane p of the result is lane p ^ MASK.
  template <int MASK>
  static StripLanes flipped(StripLanes a) {
    return __builtin_shufflevector(a, a, 0 ^ MASK, 1 ^ MASK, 2 ^ MASK, 3 ^ MASK, 4 ^ MASK, 5 ^ MASK, 6 ^ MASK,
                                   7 ^ MASK);
  }
  template <int INDEX>
  static StripLanes broadcast(StripLanes a) {
    return __builtin_shufflevector(a, a, INDEX, INDEX, INDEX, INDEX, INDEX, INDEX, INDEX, INDEX);
  }

  StripSum plus(int number) const { return {static_cast<StripLanes>(lane + all(number))}; }

  // Adds one pattern, as the number N or as one of its switches, whichever is best for each lane.
  StripSum plus(StripEntry entry) const {
    const std::uint64_t bits = entry.bits;
    StripLanes e;
    const std::array<std::uint64_t, 2> twice = {bits, bits};
    __builtin_memcpy(&e, twice.data(), sizeof e);
    e >>= 4;
    const StripLanes as_number = lane + broadcast<0>(e);
    const StripLanes as_hot = flipped<4>(lane) + broadcast<1>(e);
    const StripLanes as_warm = flipped<2>(lane) + broadcast<2>(e);
    const StripLanes as_cool = flipped<1>(lane) + broadcast<3>(e);
    return {maximum(maximum(as_number, as_hot), maximum(as_warm, as_cool))};
  }

  StripSum plus(const StripPair& pair) const { return plus(pair.whole); }

  // Adds two sums: lane p is the best over q of a[q] + b[p ^ q].
  StripSum plus(StripSum b) const {
    StripLanes best = broadcast<0>(lane) + b.lane;
    best = maximum(best, broadcast<1>(lane) + flipped<1>(b.lane));
    best = maximum(best, broadcast<2>(lane) + flipped<2>(b.lane));
    best = maximum(best, broadcast<3>(lane) + flipped<3>(b.lane));
    best = maximum(best, broadcast<4>(lane) + flipped<4>(b.lane));
    best = maximum(best, broadcast<5>(lane) + flipped<5>(b.lane));
    best = maximum(best, broadcast<6>(lane) + flipped<6>(b.lane));
    best = maximum(best, broadcast<7>(lane) + flipped<7>(b.lane));
    return {best};
  }
  StripSum or_better(StripSum b) const { return {maximum(lane, b.lane)}; }

  // By how much the best lane misses or passes a win: Left wins if and only if this is >= 0. A sum of
  // different switches is played hottest first, so s decides against the alternating sum of the temperatures; what is
  // left over is a number, which Left wins if it is positive, or zero with Right to move.
  int margin_second() const { return best(lane - needed_second()); }
  int margin_first() const { return best(lane - needed_first()); }
  // margin_second() of this sum and what `needs` was made of, without adding them up lane by lane. Adding sums is a
  // product (best over q of a[q] + b[p ^ q]) that may be done in any order, and margins are the last factor of it: so
  // for many sums with the same rest, multiply the rest by that factor first. needs() is the factor.
  int margin_with(StripSum needs) const { return best(margins_with(needs)); }
  // The same lane by lane. The best margin of many sums is best() of the maximum of their lanes.
  StripLanes margins_with(StripSum needs) const { return lane + needs.lane; }
  static int best(StripLanes a) {
    a = maximum(a, flipped<4>(a));
    a = maximum(a, flipped<2>(a));
    a = maximum(a, flipped<1>(a));
    return a[0];
  }
  static bool any_above(StripLanes a, int value) {
#if defined(__SSE2__)
    return _mm_movemask_epi8(reinterpret_cast<__m128i>(a > all(value)));
#else
    return best(a) > value;
#endif
  }
  static StripSum needs() { return zero(); }  // zero() is -needed_second()
  static StripSum needs(bool first) { return first ? StripSum{-needed_first()} : needs(); }
  bool lane_decides(std::size_t p, bool first) const {
    return lane[p] >= (first ? needed_first() : needed_second())[p];
  }

 private:
  static StripLanes needed_second() {
    return StripLanes{0, COOL + 1, WARM + 1, WARM - COOL, HOT + 1, HOT - COOL, HOT - WARM, HOT - WARM + COOL + 1};
  }
  static StripLanes needed_first() {
    return StripLanes{1, -COOL, -WARM, COOL - WARM + 1, -HOT, COOL - HOT + 1, WARM - HOT + 1, WARM - HOT - COOL};
  }
};

// A sum of pieces as it is, and the best of it after one move of Left in one of the pieces.
struct MoveSum {
  StripSum still, moved;

  static MoveSum zero() {
    // No move is possible yet: far below anything that decides, and every lane moves by at most 132 * 64.
    return {StripSum::zero(), {StripSum::all(-12000)}};
  }
  MoveSum plus(int number) const { return {still.plus(number), moved.plus(number)}; }
  MoveSum plus(const StripPair& pair) const {
    return {still.plus(pair.whole), moved.plus(pair.whole).or_better(still.plus(pair.moved))};
  }
  MoveSum plus(const MoveSum& b) const {
    return {still.plus(b.still), moved.plus(b.still).or_better(still.plus(b.moved))};
  }
  MoveSum or_better(const MoveSum& b) const { return {still.or_better(b.still), moved.or_better(b.moved)}; }

  // As in StripSum, for margin_first(): she has her move in this sum or in the rest, or needs none.
  static MoveSum needs() { return {StripSum::needs(), StripSum::needs(true)}; }
  int margin_with(const MoveSum& needs) const { return StripSum::best(margins_with(needs)); }
  StripLanes margins_with(const MoveSum& needs) const {
    return StripSum::maximum(still.margins_with(needs.moved), moved.margins_with(needs.still));
  }

  int margin_second() const { return still.margin_second(); }
  // Moving first she wins as it stands, or by a move after which she wins moving second.
  int margin_first() const { return std::max(still.margin_first(), moved.margin_second()); }
};

// Without the next move, if Sum is StripSum.
template <class Sum>
const Sum& part_of(const MoveSum& sum) {
  if constexpr (std::is_same_v<Sum, MoveSum>) return sum;
  else return sum.still;
}

}  // namespace zermelo
