// The transposition table: every replacement scheme of Breuker, Uiterwijk and van den Herik (2000) and of Bullock
// (thesis 4.1.2), with exact keys, shared by threads without locks.
//
// An entry holds the whole position (the set of free squares), never a digest of it, and one control word:
//
//   63            34 33                11 10      3   2      1       0
//  +----------------+--------------------+---------+------+--------+------+
//  | version (30)   | subtree nodes (23) | depth(8)| wins | player | busy |
//  +----------------+--------------------+---------+------+--------+------+
//
// Control 0 is an empty entry (a stored subtree has at least one node). Node counts saturate at 2^23 - 1.
//
// Why a reader never believes a torn entry. A writer claims an entry by a compare-and-swap that sets `busy`; if that
// fails, somebody else writes, and the new result is simply not stored. Only then does it change the key, and it ends
// with a new control word whose version is one higher. A reader takes the control word, the key, and the control word
// again, in this order; it uses the entry only if both control words are equal and not busy. Had a writer changed any
// part of the key in between, the version would differ (only 2^30 writes to this one entry within one read could
// return it). With a single thread the claim is a plain store.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "base/zeroed_memory.hpp"
#include "domineering/board/board.hpp"
#include "domineering/bound/word.hpp"

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

  struct Entry {
    std::atomic<std::uint64_t> control;
    std::array<std::atomic<std::uint64_t>, WORDS> key;
  };
  static_assert(sizeof(Entry) == 8 + sizeof(W) && std::atomic<std::uint64_t>::is_always_lock_free);

 public:
  // The largest table that fits into `bytes`, at least a few entries. It starts small and doubles when an eighth of it
  // is used, so that an easy position touches little memory. A shared table doubles when the threads meet; since they
  // stand still meanwhile, it starts larger and waits until a quarter is used.
  Table(std::size_t bytes, Replacement scheme, bool shared)
      : scheme_(scheme),
        shared_(shared),
        size_(std::max<std::size_t>(bytes / sizeof(Entry), 16) & ~std::size_t{1}),
        memory_(size_ * sizeof(Entry)),
        entries_(static_cast<Entry*>(memory_.data())) {
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
    for (int i = 0; i < homes(); ++i) __builtin_prefetch(&entries_[key.slot[static_cast<std::size_t>(i)]]);
  }

  // Does the player to move win? Empty if the position is not stored.
  std::optional<bool> find(const TableKey<W>& key, Player player) const {
    for (int i = 0; i < homes(); ++i) {
      const auto home = static_cast<std::size_t>(i);
      if (const auto known = read(entries_[key.slot[home]], key.image[home], player)) return known;
    }
    if (two_level())
      if (const auto known = read(entries_[key.slot[0] ^ 1], key.image[0], player)) return known;
    return {};
  }

  // Whether a shared table is due to grow. Only while no thread is inside find() or store() may grow() be called.
  bool is_crowded() const { return doublings_ && used_.load(std::memory_order_relaxed) > size_ / (shared_ ? 4 : 8); }

  void store(const TableKey<W>& key, Player player, bool wins, std::uint64_t nodes, int depth) {
    std::uint64_t size = nodes < SIZE_LIMIT ? nodes : SIZE_LIMIT;
    const std::uint64_t content = size << 11 | std::uint64_t(depth < 255 ? depth : 255) << 3 |
                                  std::uint64_t{wins} << 2 | std::uint64_t(player) << 1;
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
      const std::uint64_t control = entries_[i].control.load(std::memory_order_relaxed);
      if (control == 0) continue;
      W key{};
      for (std::size_t k = WORDS; k-- > 0;) set_word(key, k, entries_[i].key[k].load(std::memory_order_relaxed));
      const std::size_t target = slot(key, Player(control >> 1 & 1)) | (two_level() ? i & 1 : 0);
      if (target == i) continue;
      entries_[i].control.store(0, std::memory_order_relaxed);
      for (std::size_t k = 0; k < WORDS; ++k) entries_[target].key[k].store(word(key, k), std::memory_order_relaxed);
      entries_[target].control.store(control, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr std::size_t START_SIZE = std::size_t{1} << 15;
  static constexpr std::size_t SAMPLE = 64;
  static constexpr std::uint64_t BUSY = 1;
  static constexpr std::uint64_t SIZE_LIMIT = (std::uint64_t{1} << 23) - 1;
  static constexpr std::uint64_t VERSION = std::uint64_t{1} << 34;

  int homes() const { return scheme_ == Replacement::FIND_FIRST || scheme_ == Replacement::FIND_WORST ? IMAGES : 1; }
  bool two_level() const { return scheme_ == Replacement::TWO_BIG || scheme_ == Replacement::TWO_DEEP; }

  std::uint64_t slot(const W& image, Player player) const {
    const std::uint64_t hash = mixed(image) ^ (player == Player::V ? 0 : 0xa0761d6478bd642fULL);
    const std::uint64_t index = static_cast<std::uint64_t>((Word128{hash} * size_) >> 64);
    return two_level() ? index & ~std::uint64_t{1} : index;  // a slot and its neighbour share a cache line
  }
  static std::uint64_t word(const W& key, std::size_t index) {
    if constexpr (WORDS == 1) return key;
    else if constexpr (WORDS == 2) return static_cast<std::uint64_t>(key >> static_cast<int>(64 * index));
    else return key.word[index];
  }
  static void set_word(W& key, std::size_t index, std::uint64_t value) {
    if constexpr (WORDS == 1) key = value;
    else if constexpr (WORDS == 2) key |= W{value} << static_cast<int>(64 * index);
    else key.word[index] = value;
  }
  std::uint64_t size_at(std::uint64_t index) const {
    return entries_[index].control.load(std::memory_order_relaxed) >> 11 & SIZE_LIMIT;
  }
  int depth_at(std::uint64_t index) const {
    return static_cast<int>(entries_[index].control.load(std::memory_order_relaxed) >> 3 & 255);
  }

  std::optional<bool> read(const Entry& entry, const W& key, Player player) const {
    const std::uint64_t control = entry.control.load(std::memory_order_acquire);
    if (control == 0 || control & BUSY || (control >> 1 & 1) != std::uint64_t(player)) return {};
    for (std::size_t i = 0; i < WORDS; ++i)
      if (entry.key[i].load(std::memory_order_relaxed) != word(key, i)) return {};
    if (shared_) {
      std::atomic_thread_fence(std::memory_order_acquire);  // the second look comes after the key
      if (entry.control.load(std::memory_order_relaxed) != control) return {};
    }
    return (control >> 2 & 1) != 0;
  }

  void write(std::uint64_t index, const W& key, std::uint64_t content) {
    Entry& entry = entries_[index];
    std::uint64_t before = entry.control.load(std::memory_order_relaxed);
    if (shared_) {
      if (before & BUSY || !entry.control.compare_exchange_strong(before, before | BUSY, std::memory_order_acquire))
        return;
      std::atomic_thread_fence(std::memory_order_release);  // readers see `busy` before any new part of the key
    }
    for (std::size_t i = 0; i < WORDS; ++i) entry.key[i].store(word(key, i), std::memory_order_relaxed);
    entry.control.store(((before & ~(VERSION - 1)) + VERSION) | content, std::memory_order_release);
    if (before != 0 || !doublings_) return;
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
  ZeroedMemory memory_;
  Entry* entries_;
  // Entries in use, while it may grow. On a cache line of its own: every probe of every thread reads what is above.
  alignas(64) std::atomic<std::size_t> used_{0};
};

}  // namespace zermelo
