// The transposition table of the Maker-Breaker searches: exact, shared by threads without locks (base/exact_table.hpp).
// The key is the whole position and the side to move.
//
// It comes in levels, each 64 times as large as the one before. A result goes to the first level that is not half full
// and has room for it, and only the last level ever drops one. So a search takes as much memory as it needs (7,7,5
// touched 3,100 pages of 1 GiB, a fifth of its time), and threads need not wait for each other while the table grows.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "base/exact_table.hpp"
#include "base/saved_entries.hpp"
#include "positional/board/outcome.hpp"

namespace zermelo::positional {

template <int W>
class Table {
 public:
  explicit Table(std::uint64_t bytes) {
    const std::size_t most = buckets_within(bytes);
    for (std::size_t buckets = FIRST; 8 * buckets <= most; buckets *= GROWTH) levels_.emplace_back(buckets);
    levels_.emplace_back(most);
  }

  // Fills `out` and returns true when the position is known. The outcome's symmetry is the one it was stored with.
  bool find(const Position<W>& at, Side side, Outcome<W>& out) const {
    typename Exact::Value zone;
    const std::uint64_t hash = hash_of(at, side);
    const typename Exact::Key key = key_of(at);
    std::uint64_t content = 0;
    for (std::size_t i = used_.load(std::memory_order_relaxed); i-- > 0 && content == 0;)
      content = levels_[i].table.find(levels_[i].first(hash), key, tag_of(side), &zone);
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
    const std::uint64_t hash = hash_of(at, side);
    const typename Exact::Key key = key_of(at);
    // 1. The first level with room.
    std::size_t i = 0;
    for (std::size_t stored = stored_.fetch_add(1, std::memory_order_relaxed);
         i + 1 < levels_.size() && stored >= levels_[i].half(); ++i)
      stored -= levels_[i].half();
    while (i + 1 < levels_.size() && levels_[i].table.full(levels_[i].first(hash), key, tag_of(side))) ++i;
    std::size_t used = used_.load(std::memory_order_relaxed);
    while (used <= i && !used_.compare_exchange_weak(used, i + 1, std::memory_order_relaxed)) {
    }
    // 2. Into it.
    levels_[i].table.store(levels_[i].first(hash), key,
                           std::uint64_t{outcome.node} << 13 | std::uint64_t{outcome.symmetry} << 10 | tag_of(side) |
                               static_cast<std::uint64_t>(outcome.winner) << 7 | work,
                           outcome.zone.word);
  }

  // Appends the results that cost most, at most about so many, without their strategy nodes (base/saved_entries.hpp).
  void save(SavedWords& words, std::size_t most) const {
    save_entries(
        words, SECTION, most,
        [&](const auto& visit) {
          for (std::size_t i = 0; i < used_.load(std::memory_order_relaxed); ++i)
            levels_[i].table.each([&](const auto& key, std::uint64_t content, const auto& zone) {
              visit(key, content & CONTENT_SAVED, zone);
            });
        },
        [](std::uint64_t content) { return static_cast<int>(content & 63); });
  }
  // Reads the section that save() wrote for positions of a game from the front of `words`. Returns the number of
  // results. Throws std::invalid_argument if it is damaged.
  std::size_t load(std::span<const std::uint64_t>& words, const Position<W>& start) {
    return load_entries<typename Exact::Key, typename Exact::Value>(
        words, SECTION,
        [&](const typename Exact::Key& key, std::uint64_t content, const typename Exact::Value& zone_words) {
          Position<W> at;
          std::copy_n(key.begin(), at.free.word.size(), at.free.word.begin());
          std::copy_n(key.begin() + at.free.word.size(), at.live.word.size(), at.live.word.begin());
          Vertices<W> zone;
          zone.word = zone_words;
          const auto winner = static_cast<Winner>(content >> 7 & 3);
          if (content & ~CONTENT_SAVED || (winner != Winner::MAKER && winner != Winner::BREAKER) ||
              (at.free & ~start.free).any() || (at.live & ~start.live).any() || (zone & ~start.free).any())
            throw std::invalid_argument("a saved result is damaged");
          store(at, content & SIDE ? Side::BREAKER : Side::MAKER, {winner, zone},
                std::uint64_t{1} << (content & 63) >> 1);
        });
  }

 private:
  //   44..13          12..10     9      8..7     6..0
  //   strategy node   symmetry   side   winner   bit width of the nodes behind it
  static constexpr std::uint64_t SIDE = 1 << 9, CONTENT_SAVED = 0x3ff;
  static constexpr std::uint64_t SECTION = 0x201;  // kind and version: the version grows when the words change
  using Exact = ExactTable<VERTEX_WORDS<W> + EDGE_WORDS<W>, VERTEX_WORDS<W>, 45, SIDE, 7>;

  static constexpr std::size_t FIRST = 2048, GROWTH = 64;  // buckets; 320 KiB with one word of vertices
  struct Level {
    explicit Level(std::size_t count) : buckets(count), table(Exact::WAYS * count, MappedMemory::Pages::SMALL) {}
    std::size_t first(std::uint64_t hash) const { return Exact::WAYS * (hash & (buckets - 1)); }
    std::size_t half() const { return Exact::WAYS / 2 * buckets; }

    std::size_t buckets;
    Exact table;
  };

  static std::uint64_t tag_of(Side side) { return side == Side::BREAKER ? SIDE : 0; }
  static typename Exact::Key key_of(const Position<W>& at) {
    typename Exact::Key key;
    std::copy(at.live.word.begin(), at.live.word.end(),
              std::copy(at.free.word.begin(), at.free.word.end(), key.begin()));
    return key;
  }
  static std::uint64_t hash_of(const Position<W>& at, Side side) {
    return at.hash() ^ (side == Side::BREAKER ? 0x5851f42d4c957f2dULL : 0);
  }
  static std::size_t buckets_within(std::uint64_t bytes) {
    std::size_t buckets = 64;
    while (buckets * 2 * Exact::WAYS * sizeof(typename Exact::Entry) <= bytes) buckets *= 2;
    return buckets;
  }

  std::vector<Level> levels_;
  std::atomic<std::size_t> used_{0}, stored_{0};  // levels with results, results so far
};

}  // namespace zermelo::positional
