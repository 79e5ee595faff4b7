// The transposition table of the Maker-Breaker searches: exact, shared by threads without locks (base/exact_table.hpp).
// The key is the whole position and the side to move.
#pragma once

#include <algorithm>
#include <bit>

#include "base/exact_table.hpp"
#include "positional/outcome.hpp"

namespace zermelo::positional {

template <int W>
class Table {
 public:
  explicit Table(std::uint64_t bytes)
      : buckets_(buckets_within(bytes)), table_(Exact::WAYS * buckets_, MappedMemory::Pages::SMALL) {}

  // Fills `out` and returns true when the position is known. The outcome's symmetry is the one it was stored with.
  bool find(const Position<W>& at, Side side, Outcome<W>& out) const {
    typename Exact::Value zone;
    const std::uint64_t content = table_.find(first_of(at, side), key_of(at), tag_of(side), &zone);
    if (content == 0) return false;
    out = {static_cast<Winner>(content >> 7 & 3),
           {},
           static_cast<std::uint32_t>(content >> 13),
           static_cast<std::uint8_t>(content >> 10 & 7)};
    out.zone.word = zone;
    return true;
  }

  void store(const Position<W>& at, Side side, const Outcome<W>& outcome, std::uint64_t nodes) {
    const auto work = static_cast<std::uint64_t>(std::bit_width(nodes));
    table_.store(first_of(at, side), key_of(at),
                 std::uint64_t{outcome.node} << 13 | std::uint64_t{outcome.symmetry} << 10 | tag_of(side) |
                     static_cast<std::uint64_t>(outcome.winner) << 7 | work,
                 outcome.zone.word);
  }

 private:
  //   44..13          12..10     9      8..7     6..0
  //   strategy node   symmetry   side   winner   bit width of the nodes behind it
  static constexpr std::uint64_t SIDE = 1 << 9;
  using Exact = ExactTable<W + EDGE_WORDS<W>, W, 45, SIDE, 7>;

  static std::uint64_t tag_of(Side side) { return side == Side::BREAKER ? SIDE : 0; }
  static typename Exact::Key key_of(const Position<W>& at) {
    typename Exact::Key key;
    std::copy(at.live.word.begin(), at.live.word.end(),
              std::copy(at.free.word.begin(), at.free.word.end(), key.begin()));
    return key;
  }
  std::size_t first_of(const Position<W>& at, Side side) const {
    const std::uint64_t hash = at.hash() ^ (side == Side::BREAKER ? 0x5851f42d4c957f2dULL : 0);
    return Exact::WAYS * (hash & (buckets_ - 1));
  }
  static std::size_t buckets_within(std::uint64_t bytes) {
    std::size_t buckets = 64;
    while (buckets * 2 * Exact::WAYS * sizeof(typename Exact::Entry) <= bytes) buckets *= 2;
    return buckets;
  }

  std::size_t buckets_;
  Exact table_;
};

}  // namespace zermelo::positional
