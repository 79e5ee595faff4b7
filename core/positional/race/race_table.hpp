// The table of a race: for a position and a phase of the turns, the least number of moves known to be enough for the
// attacker, and the largest known not to be enough.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/exact_table.hpp"
#include "base/limits.hpp"
#include "base/memory.hpp"

namespace zermelo::positional {

inline constexpr int MAX_RACE_MOVES = 1000, MAX_RACE_PHASES = 1024;

// Bounds on a position. 0 moves: nothing is known.
struct RaceBounds {
  int wins_within = 0;   // 0: not known to win
  int fails_within = 0;  // one more than the largest number that is not enough
  int move = 0;          // one more than the vertex that decided last
};

template <std::size_t KEY, std::size_t VALUE>
class RaceTable {
 public:
  using Exact = ExactTable<KEY, VALUE, 47, std::uint64_t{MAX_RACE_PHASES - 1} << 37, 6>;
  using Key = typename Exact::Key;
  using Value = typename Exact::Value;

  explicit RaceTable(std::uint64_t bytes)
      : buckets_(std::bit_floor(std::max<std::uint64_t>(1024, bytes / (Exact::WAYS * sizeof(typename Exact::Entry))))),
        table_(Exact::WAYS * buckets_, MappedMemory::Pages::SMALL) {}

  RaceBounds find(const Key& key, int phase, std::uint64_t hash, Value& value) const {
    const std::uint64_t content = table_.find(first(hash), key, tag(phase), &value);
    return {static_cast<int>(content >> 6 & 1023), static_cast<int>(content >> 16 & 1023),
            static_cast<int>(content >> 26 & 511)};
  }
  void store(const Key& key, int phase, std::uint64_t hash, const RaceBounds& bounds, const Value& value,
             std::uint64_t nodes) {
    const auto work = static_cast<std::uint64_t>(std::bit_width(nodes)) & 63;
    table_.store(first(hash), key,
                 tag(phase) | static_cast<std::uint64_t>(bounds.move) << 26 |
                     static_cast<std::uint64_t>(bounds.fails_within) << 16 |
                     static_cast<std::uint64_t>(bounds.wins_within) << 6 | work,
                 value);
  }

 private:
  static std::uint64_t tag(int phase) { return static_cast<std::uint64_t>(phase) << 37; }
  std::size_t first(std::uint64_t hash) const { return Exact::WAYS * (hash & (buckets_ - 1)); }

  std::size_t buckets_;
  Exact table_;
};

}  // namespace zermelo::positional
