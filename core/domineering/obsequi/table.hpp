// The transposition table: every replacement scheme of Breuker, Uiterwijk and van den Herik (2000) and of Bullock
// (thesis 4.1.2), with exact keys, shared by threads without locks.
//
// An entry (base/exact_table.hpp) holds the whole position, that is the set of free squares, and of the result:
//
//   32                10 9       2   1       0
//  +--------------------+---------+------+--------+
//  | subtree nodes (23) | depth(8)| wins | player |      node counts saturate at 2^23 - 1, and are never 0
//  +--------------------+---------+------+--------+
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "base/exact_table.hpp"
#include "domineering/board/board.hpp"
#include "domineering/bound/board_words.hpp"

namespace zermelo {

enum class Replacement : std::uint8_t { NEW, DEEP, BIG, TWO_DEEP, TWO_BIG, FIND_FIRST, FIND_WORST };

// The four mirror images of a position and where they live.
template <class W>
struct TableKey {
  std::array<W, IMAGES> image;
  std::array<std::uint64_t, IMAGES> slot;  // schemes with one home use only the first

  // The same for all mirror images.
  std::uint64_t hash() const { return (slot[0] + slot[1] + slot[2] + slot[3] + 1) * 0x9e3779b97f4a7c15ULL >> 8; }
};

template <class W>
class Table {
  static constexpr std::size_t WORDS = sizeof(W) / 8;

  using Entry = ExactEntry<WORDS, 0, 33, 1>;  // the player is part of the key
  static_assert(sizeof(Entry) == 8 + sizeof(W));

 public:
  // The largest table that fits into `bytes`, at least a few entries. It starts small and doubles when an eighth of it
  // is used, so that an easy position touches little memory. A shared table doubles when the threads meet; since they
  // stand still meanwhile, it starts larger and waits until a quarter is used.
  Table(std::size_t bytes, Replacement scheme, bool shared)
      : scheme_(scheme),
        shared_(shared),
        size_(std::max<std::size_t>(bytes / sizeof(Entry), 16) & ~std::size_t{1}),
        memory_(MappedMemory::zeroed(size_ * sizeof(Entry), MappedMemory::Pages::LARGE)),
        entries_(memory_.as<Entry>()) {
    while (size_ > (shared_ ? 8 * START_SIZE : START_SIZE)) {
      size_ = size_ / 4 * 2;
      ++doublings_;
    }
  }

  // Slots of a position. Schemes with one home use that of the smallest image, so that mirror images meet there.
  TableKey<W> key(const std::array<W, IMAGES>& images, Player player) const {
    TableKey<W> result{images, {}};
    if (homes() == IMAGES) {
      for (std::size_t i = 0; i < IMAGES; ++i) result.slot[i] = slot(images[i], player);
    } else {
      for (std::size_t i = 1; i < IMAGES; ++i)
        if (images[i] < result.image[0]) result.image[0] = images[i];
      result.slot[0] = slot(result.image[0], player);
    }
    return result;
  }
  void prefetch(const TableKey<W>& key) const {
    for (int i = 0; i < homes(); ++i) __builtin_prefetch(&entries_[key.slot[i]]);
  }

  // Does the player to move win? Empty if the position is not stored.
  std::optional<bool> find(const TableKey<W>& key, Player player) const {
    for (int i = 0; i < homes(); ++i) {
      if (const auto known = read(entries_[key.slot[i]], key.image[i], player)) return known;
    }
    if (two_level())
      if (const auto known = read(entries_[key.slot[0] ^ 1], key.image[0], player)) return known;
    return {};
  }

  // Whether a shared table is due to grow. Only while no thread is inside find() or store() may grow() be called.
  bool is_crowded() const { return doublings_ && used_.load(std::memory_order_relaxed) > size_ / (shared_ ? 4 : 8); }

  void store(const TableKey<W>& key, Player player, bool wins, std::uint64_t nodes, int depth) {
    std::uint64_t size = nodes < SIZE_LIMIT ? nodes : SIZE_LIMIT;
    const std::uint64_t content =
        size << 10 | std::uint64_t(depth < 255 ? depth : 255) << 2 | std::uint64_t{wins} << 1 | std::uint64_t(player);
    switch (scheme_) {
      case Replacement::NEW:
        return write(key.slot[0], key.image[0], content);
      case Replacement::DEEP:
        if (depth_at(key.slot[0]) <= depth) write(key.slot[0], key.image[0], content);
        return;
      case Replacement::BIG:
        if (size_at(key.slot[0]) <= size) write(key.slot[0], key.image[0], content);
        return;
      case Replacement::TWO_DEEP:
        return write(key.slot[0] ^ (depth_at(key.slot[0]) > depth), key.image[0], content);
      case Replacement::TWO_BIG:
        return write(key.slot[0] ^ (size_at(key.slot[0]) > size), key.image[0], content);
      case Replacement::FIND_FIRST:
        for (std::size_t i = 0; i < IMAGES; ++i)
          if (size_at(key.slot[i]) <= size) return write(key.slot[i], key.image[i], content);
        return;
      case Replacement::FIND_WORST: {
        std::size_t worst = 0;
        for (std::size_t i = 1; i < IMAGES; ++i)
          if (size_at(key.slot[i]) < size_at(key.slot[worst])) worst = i;
        if (size_at(key.slot[worst]) <= size) write(key.slot[worst], key.image[worst], content);
        return;
      }
    }
  }

  // An entry of slot i belongs to slot 2 i or 2 i + 1 of the doubled table (in two-level tables the same holds for
  // pairs of slots). From the last to the first, every entry moves to a place that is already empty, or stays.
  void grow() {
    const std::size_t old_size = size_;
    size_ *= 2;
    --doublings_;
    for (std::size_t i = old_size; i-- > 0;) {
      const std::uint64_t content = entries_[i].content();
      if (content == 0) continue;
      const typename Entry::Key words = entries_[i].key();
      const std::size_t target = slot(from_words(words), Player(content & 1)) | (two_level() ? i & 1 : 0);
      if (target == i) continue;
      entries_[i].clear();
      entries_[target].write(words, content, {}, false);
    }
  }

 private:
  static constexpr std::size_t START_SIZE = std::size_t{1} << 15;
  static constexpr std::size_t SAMPLE = 64;
  static constexpr std::uint64_t SIZE_LIMIT = (std::uint64_t{1} << 23) - 1;

  int homes() const { return scheme_ == Replacement::FIND_FIRST || scheme_ == Replacement::FIND_WORST ? IMAGES : 1; }
  bool two_level() const { return scheme_ == Replacement::TWO_BIG || scheme_ == Replacement::TWO_DEEP; }

  std::uint64_t slot(const W& image, Player player) const {
    const std::uint64_t hash = mixed(image) ^ (player == Player::V ? 0 : 0xa0761d6478bd642fULL);
    const std::uint64_t index = static_cast<std::uint64_t>((Word128{hash} * size_) >> 64);
    return two_level() ? index & ~std::uint64_t{1} : index;  // a slot and its neighbour share a cache line
  }
  static typename Entry::Key words_of(const W& key) {
    if constexpr (WORDS == 1) return {key};
    else if constexpr (WORDS == 2) return {static_cast<std::uint64_t>(key), static_cast<std::uint64_t>(key >> 64)};
    else return key.word;
  }
  static W from_words(const typename Entry::Key& words) {
    W key{};
    if constexpr (WORDS == 1) key = words[0];
    else if constexpr (WORDS == 2) key = W{words[1]} << 64 | words[0];
    else key.word = words;
    return key;
  }
  std::uint64_t size_at(std::uint64_t index) const { return entries_[index].content() >> 10; }
  int depth_at(std::uint64_t index) const { return static_cast<int>(entries_[index].content() >> 2 & 255); }

  std::optional<bool> read(const Entry& entry, const W& key, Player player) const {
    const std::uint64_t content = entry.find(words_of(key), std::uint64_t(player), nullptr, shared_);
    if (content == 0) return {};
    return (content >> 1 & 1) != 0;
  }

  void write(std::uint64_t index, const W& key, std::uint64_t content) {
    if (!entries_[index].write(words_of(key), content, {}, shared_) || !doublings_) return;
    if (shared_) {
      // One slot in SAMPLE stands for all: counting every store made two threads wait for each other's count.
      if (index % SAMPLE == 0) used_.fetch_add(SAMPLE, std::memory_order_relaxed);
      return;
    }
    used_.store(used_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (is_crowded()) grow();
  }

  Replacement scheme_;
  bool shared_;
  std::size_t size_;
  int doublings_ = 0;  // how often the table may still grow
  MappedMemory memory_;
  Entry* entries_;
  // Entries in use, while it may grow. On a cache line of its own: every probe of every thread reads the fields above.
  alignas(64) std::atomic<std::size_t> used_{0};
};

}  // namespace zermelo
