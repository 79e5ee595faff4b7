// A set of up to 64 * WORDS small numbers, held by value.
//
// Squares of a board, squares of one line, vertices of a hypergraph: whatever the hot loops ask about is a Bits.
// With WORDS == 1 every operation is one machine instruction; larger widths unroll at compile time.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace zermelo {

// The one bits of a word. Without the processor's instruction (a portable build) std::popcount is a call that looks
// eight bytes up in a table; this is a dozen operations in place.
constexpr int ones(std::uint64_t word) {
#ifdef __POPCNT__
  return std::popcount(word);
#else
  word -= word >> 1 & 0x5555555555555555ULL;
  word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  return static_cast<int>(word * 0x0101010101010101ULL >> 56);
#endif
}

// The first `width` bits of a line, 1 to 32, in reverse order.
constexpr std::uint32_t reversed(std::uint32_t line, int width) {
  line = (line & 0x55555555) << 1 | (line >> 1 & 0x55555555);
  line = (line & 0x33333333) << 2 | (line >> 2 & 0x33333333);
  line = (line & 0x0f0f0f0f) << 4 | (line >> 4 & 0x0f0f0f0f);
  line = (line & 0x00ff00ff) << 8 | (line >> 8 & 0x00ff00ff);
  return (line << 16 | line >> 16) >> (32 - width);
}

template <int WORDS>
struct Bits {
  static constexpr int CAPACITY = 64 * WORDS;

  std::array<std::uint64_t, WORDS> word{};

  constexpr Bits() = default;
  explicit constexpr Bits(std::uint64_t low) { word[0] = low; }

  static constexpr Bits single(int index) {
    Bits result;
    result.word[index >> 6] = std::uint64_t{1} << (index & 63);
    return result;
  }
  // The numbers 0 .. count-1.
  static constexpr Bits first(int count) {
    Bits result;
    for (int i = 0; i < WORDS; ++i) {
      const int left = count - 64 * i;
      result.word[i] = left >= 64 ? ~std::uint64_t{0} : left <= 0 ? 0 : (std::uint64_t{1} << left) - 1;
    }
    return result;
  }

  constexpr bool test(int index) const { return (word[index >> 6] >> (index & 63)) & 1; }
  constexpr void set(int index) { word[index >> 6] |= std::uint64_t{1} << (index & 63); }
  constexpr void reset(int index) { word[index >> 6] &= ~(std::uint64_t{1} << (index & 63)); }
  constexpr bool none() const {
    std::uint64_t all = 0;
    for (std::uint64_t w : word) all |= w;
    return all == 0;
  }
  constexpr bool any() const { return !none(); }
  explicit constexpr operator bool() const { return any(); }
  constexpr int count() const {
    int total = 0;
    for (std::uint64_t w : word) total += ones(w);
    return total;
  }
  // Index of the smallest member; CAPACITY when empty.
  constexpr int lowest() const {
    for (int i = 0; i < WORDS; ++i)
      if (const std::uint64_t w = word[i]) return 64 * i + std::countr_zero(w);
    return CAPACITY;
  }
  // Index of the largest member; -1 when empty.
  constexpr int highest() const {
    int i = WORDS - 1;
    while (i > 0 && !word[i]) --i;
    return 64 * i + 63 - std::countl_zero(word[i]);
  }
  // Removes and returns the smallest member of a non-empty set.
  constexpr int pop_lowest() {
    for (int i = 0; i < WORDS; ++i) {
      std::uint64_t& w = word[i];
      if (w) {
        const int index = 64 * i + std::countr_zero(w);
        w &= w - 1;
        return index;
      }
    }
    return CAPACITY;
  }
  constexpr bool contains(const Bits& other) const { return (other & ~*this).none(); }
  constexpr bool meets(const Bits& other) const { return (*this & other).any(); }

  friend constexpr Bits operator&(Bits a, const Bits& b) { return a &= b; }
  friend constexpr Bits operator|(Bits a, const Bits& b) { return a |= b; }
  friend constexpr Bits operator^(Bits a, const Bits& b) { return a ^= b; }
  friend constexpr Bits operator~(Bits a) {
    for (std::uint64_t& w : a.word) w = ~w;
    return a;
  }
  constexpr Bits& operator&=(const Bits& other) {
    for (std::size_t i = 0; i < WORDS; ++i) word[i] &= other.word[i];
    return *this;
  }
  constexpr Bits& operator|=(const Bits& other) {
    for (std::size_t i = 0; i < WORDS; ++i) word[i] |= other.word[i];
    return *this;
  }
  constexpr Bits& operator^=(const Bits& other) {
    for (std::size_t i = 0; i < WORDS; ++i) word[i] ^= other.word[i];
    return *this;
  }
  // Shifts by 0 .. CAPACITY; everything that leaves the set is lost.
  friend constexpr Bits operator<<(const Bits& a, int by) {
    if constexpr (WORDS == 1) {
      return Bits(by < 64 ? a.word[0] << by : 0);
    } else {
      Bits result;
      const int whole = by >> 6, part = by & 63;
      for (int i = WORDS - 1; i >= whole; --i) {
        std::uint64_t w = a.word[i - whole] << part;
        if (part && i > whole) w |= a.word[i - whole - 1] >> (64 - part);
        result.word[i] = w;
      }
      return result;
    }
  }
  friend constexpr Bits operator>>(const Bits& a, int by) {
    if constexpr (WORDS == 1) {
      return Bits(by < 64 ? a.word[0] >> by : 0);
    } else {
      Bits result;
      const int whole = by >> 6, part = by & 63;
      for (int i = 0; i + whole < WORDS; ++i) {
        std::uint64_t w = a.word[i + whole] >> part;
        if (part && i + whole + 1 < WORDS) w |= a.word[i + whole + 1] << (64 - part);
        result.word[i] = w;
      }
      return result;
    }
  }

  friend constexpr bool operator==(const Bits&, const Bits&) = default;
  friend constexpr auto operator<=>(const Bits&, const Bits&) = default;

  // Well mixed, not injective: an address, never an identity. Tables compare the whole set.
  constexpr std::uint64_t hash() const {
    std::uint64_t h = 0x9e3779b97f4a7c15ULL;
    for (std::uint64_t w : word) {
      h = (h ^ w) * 0xff51afd7ed558ccdULL;
      h ^= h >> 32;
    }
    h *= 0xc4ceb9fe1a85ec53ULL;
    return h ^ (h >> 29);
  }

  // Copies into a wider or narrower set; members beyond the target's capacity are lost.
  template <int OTHER>
  constexpr Bits<OTHER> resize() const {
    Bits<OTHER> result;
    for (int i = 0; i < OTHER && i < WORDS; ++i) result.word[i] = word[i];
    return result;
  }
};

// Calls visit(index) for every member, smallest first.
template <int WORDS, class Visit>
constexpr void for_each(Bits<WORDS> set, Visit&& visit) {
  for (int i = 0; i < WORDS; ++i)
    for (std::uint64_t w = set.word[i]; w; w &= w - 1) visit(64 * i + std::countr_zero(w));
}

template <int WORDS>
std::vector<int> members(const Bits<WORDS>& set) {
  std::vector<int> result;
  for_each(set, [&](int member) { result.push_back(member); });
  return result;
}

}  // namespace zermelo
