// The machine words that hold a whole board in the hot loops: 64, 128 or 256 squares, one set of operations.
//
// std::uint64_t and unsigned __int128 bring their own operators; Bits<4> lacks only addition, which the run trick of
// player_frame.hpp needs. The functions below are all that the bounds and the search ask of a word beyond & | ^ ~ <<
// >>.
#pragma once

#include <bit>
#include <cstdint>

#include "base/bits.hpp"

namespace zermelo {

using Word64 = std::uint64_t;
__extension__ typedef unsigned __int128 Word128;
using Word256 = Bits<4>;

constexpr int count(Word64 x) { return ones(x); }
constexpr int count(Word128 x) { return count(static_cast<Word64>(x)) + count(static_cast<Word64>(x >> 64)); }
constexpr int count(const Word256& x) {
  return count(x.word[0]) + count(x.word[1]) + count(x.word[2]) + count(x.word[3]);
}

constexpr bool any(Word64 x) { return x != 0; }
constexpr bool any(Word128 x) { return x != 0; }
constexpr bool any(const Word256& x) { return x.any(); }

constexpr int lowest(Word64 x) { return std::countr_zero(x); }
constexpr int lowest(Word128 x) {
  const Word64 low = static_cast<Word64>(x);
  return low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<Word64>(x >> 64));
}
constexpr int lowest(const Word256& x) { return x.lowest(); }

constexpr Word64 sum(Word64 a, Word64 b) { return a + b; }
constexpr Word128 sum(Word128 a, Word128 b) { return a + b; }
constexpr Word256 sum(const Word256& a, const Word256& b) {
  Word256 result;
  Word64 carry = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Word64 partial = a.word[i] + carry;
    result.word[i] = partial + b.word[i];
    carry = (partial < carry) | (result.word[i] < b.word[i]);
  }
  return result;
}

template <class W>
constexpr W bit(int index) {
  return W(1) << index;
}

// An address, never an identity: tables compare the whole word.
constexpr Word64 mixed(Word64 x) {
  x *= 0x9e3779b97f4a7c15ULL;
  x ^= x >> 32;
  return x * 0xd6e8feb86659fd93ULL;
}
constexpr Word64 mixed(Word128 x) {
  const Word64 low = static_cast<Word64>(x), high = static_cast<Word64>(x >> 64);
  return mixed(low ^ mixed(high ^ Word64{0x632be59bd9b4e019}));
}
constexpr Word64 mixed(const Word256& x) { return x.hash(); }

template <class W>
constexpr W narrowed(const Bits<4>& set);
template <>
constexpr Word64 narrowed<Word64>(const Bits<4>& set) {
  return set.word[0];
}
template <>
constexpr Word128 narrowed<Word128>(const Bits<4>& set) {
  return static_cast<Word128>(set.word[1]) << 64 | set.word[0];
}
template <>
constexpr Word256 narrowed<Word256>(const Bits<4>& set) {
  return set;
}

}  // namespace zermelo
