// A set of squares or cells.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace zcheck {

inline constexpr int MAX_CELLS = 256;

// A set of up to 64 * W squares.
template <int W>
struct Set {
  std::array<std::uint64_t, W> word{};

  static Set single(int square) {
    Set result;
    result.word[static_cast<std::size_t>(square >> 6)] = std::uint64_t{1} << (square & 63);
    return result;
  }
  bool has(int square) const { return word[static_cast<std::size_t>(square >> 6)] >> (square & 63) & 1; }
  bool empty() const {
    std::uint64_t all = 0;
    for (std::uint64_t w : word) all |= w;
    return !all;
  }
  int count() const {
    int result = 0;
    for (std::uint64_t w : word) result += std::popcount(w);
    return result;
  }
  int lowest() const {
    for (int i = 0; i < W; ++i)
      if (const std::uint64_t w = word[static_cast<std::size_t>(i)]) return 64 * i + std::countr_zero(w);
    return 64 * W;
  }
  int highest() const {  // the set must not be empty
    int i = W - 1;
    while (!word[static_cast<std::size_t>(i)]) --i;
    return 64 * i + 63 - std::countl_zero(word[static_cast<std::size_t>(i)]);
  }
  // The 64 squares from one on, as bits.
  std::uint64_t window(int from) const {
    const auto whole = static_cast<std::size_t>(from >> 6);
    const int part = from & 63;
    std::uint64_t bits = word[whole] >> part;
    if (part && whole + 1 < W) bits |= word[whole + 1] << (64 - part);
    return bits;
  }
  bool contains(const Set& other) const { return (other & *this) == other; }
  bool meets(const Set& other) const { return !(other & *this).empty(); }
  friend Set operator&(Set a, const Set& b) {
    for (std::size_t i = 0; i < W; ++i) a.word[i] &= b.word[i];
    return a;
  }
  friend Set operator|(Set a, const Set& b) {
    for (std::size_t i = 0; i < W; ++i) a.word[i] |= b.word[i];
    return a;
  }
  friend Set operator-(Set a, const Set& b) {
    for (std::size_t i = 0; i < W; ++i) a.word[i] &= ~b.word[i];
    return a;
  }
  Set up(int by) const {  // every member larger by 0 .. 256
    Set result;
    const int whole = by >> 6, part = by & 63;
    for (int i = W - 1; i >= whole; --i) {
      std::uint64_t w = word[static_cast<std::size_t>(i - whole)] << part;
      if (i > whole) w |= word[static_cast<std::size_t>(i - whole - 1)] >> 1 >> (63 - part);
      result.word[static_cast<std::size_t>(i)] = w;
    }
    return result;
  }
  Set down(int by) const {
    Set result;
    const int whole = by >> 6, part = by & 63;
    for (int i = 0; i + whole < W; ++i) {
      std::uint64_t w = word[static_cast<std::size_t>(i + whole)] >> part;
      if (i + whole + 1 < W) w |= word[static_cast<std::size_t>(i + whole + 1)] << 1 << (63 - part);
      result.word[static_cast<std::size_t>(i)] = w;
    }
    return result;
  }
  friend bool operator==(const Set&, const Set&) = default;
  friend auto operator<=>(const Set&, const Set&) = default;

  template <class Visit>
  void each(Visit&& visit) const {
    for (int i = 0; i < W; ++i)
      for (std::uint64_t w = word[static_cast<std::size_t>(i)]; w; w &= w - 1) visit(64 * i + std::countr_zero(w));
  }
};

}  // namespace zcheck
