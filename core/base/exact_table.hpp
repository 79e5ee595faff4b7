// Tables that threads share without locks, and that never mistake one position for another.
//
// An entry holds the whole key, never a digest of it, in KEY words; VALUE more words that belong to it; and one control
// word with CONTENT bits of the owner's:
//
//   63         CONTENT+1  CONTENT             1    0
//  +---------------------+---------------------+------+
//  | version             | content             | busy |      content 0: the entry is empty
//  +---------------------+---------------------+------+
//
// Why a reader never believes a torn entry. A writer claims an entry by a compare-and-swap that sets `busy`; if that
// fails, another thread writes, and the new result is simply not stored. Only then does it change the other words, and
// it ends with a new control word whose version is one higher. A reader takes the control word, the other words, and
// the control word again, in this order; it uses the entry only if both control words are equal and not busy. Had a
// writer changed anything in between, the version would differ (only a full round of versions written to this one entry
// within one read could return it). With a single thread the claim is a plain store.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/memory.hpp"

namespace zermelo {

// TAG: which bits of the content are part of the key.
template <std::size_t KEY, std::size_t VALUE, int CONTENT, std::uint64_t TAG>
class ExactEntry {
 public:
  using Key = std::array<std::uint64_t, KEY>;
  using Value = std::array<std::uint64_t, VALUE>;

  // Empty entries and those that are being written: 0.
  std::uint64_t content() const { return content_of(control_.load(std::memory_order_relaxed)); }
  bool busy() const { return control_.load(std::memory_order_relaxed) & BUSY; }
  // The key of an entry that no thread writes.
  Key key() const {
    Key result;
    for (std::size_t i = 0; i < KEY; ++i) result[i] = word_[i].load(std::memory_order_relaxed);
    return result;
  }

  // The content if the entry holds this key, else 0. `shared`: other threads may write.
  std::uint64_t find(const Key& key, std::uint64_t tag, Value* value = nullptr, bool shared = true) const {
    const std::uint64_t control = control_.load(std::memory_order_acquire);
    const std::uint64_t content = content_of(control);
    if (content == 0 || (content & TAG) != tag) return 0;
    for (std::size_t i = 0; i < KEY; ++i)
      if (word_[i].load(std::memory_order_relaxed) != key[i]) return 0;
    if (value)
      for (std::size_t i = 0; i < VALUE; ++i) (*value)[i] = word_[KEY + i].load(std::memory_order_relaxed);
    if (shared) {
      std::atomic_thread_fence(std::memory_order_acquire);  // the second look comes after the other words
      if (control_.load(std::memory_order_relaxed) != control) return 0;
    }
    return content;
  }

  // The whole entry, also while others write; 0 if it is empty or just being written.
  std::uint64_t read(Key& key, Value& value) const {
    const std::uint64_t control = control_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < KEY; ++i) key[i] = word_[i].load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < VALUE; ++i) value[i] = word_[KEY + i].load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);  // the second look comes after the other words
    return control_.load(std::memory_order_relaxed) == control ? content_of(control) : 0;
  }

  // Returns whether it has filled an empty entry.
  bool write(const Key& key, std::uint64_t content, const Value& value = {}, bool shared = true) {
    std::uint64_t before = control_.load(std::memory_order_relaxed);
    if (shared) {
      if (before & BUSY || !control_.compare_exchange_strong(before, before | BUSY, std::memory_order_acquire))
        return false;
      std::atomic_thread_fence(std::memory_order_release);  // readers see `busy` before any other new word
    }
    for (std::size_t i = 0; i < KEY; ++i) word_[i].store(key[i], std::memory_order_relaxed);
    for (std::size_t i = 0; i < VALUE; ++i) word_[KEY + i].store(value[i], std::memory_order_relaxed);
    control_.store(((before & ~(VERSION - 1)) + VERSION) | content << 1, std::memory_order_release);
    return content_of(before) == 0;
  }
  void clear() { control_.store(0, std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t BUSY = 1, VERSION = std::uint64_t{1} << (CONTENT + 1);
  static_assert(CONTENT <= 47, "16 bits of version at least");

  static std::uint64_t content_of(std::uint64_t control) { return control & BUSY ? 0 : (control & (VERSION - 1)) >> 1; }

  std::atomic<std::uint64_t> control_;
  std::array<std::atomic<std::uint64_t>, KEY + VALUE> word_;
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
};

// Four neighbouring entries may hold a key; the owner says where they begin. The lowest WORK bits of the content are
// the work behind it: of four full entries the one with the least work makes room.
template <std::size_t KEY, std::size_t VALUE, int CONTENT, std::uint64_t TAG, int WORK>
class ExactTable {
 public:
  static constexpr std::size_t WAYS = 4;
  using Entry = ExactEntry<KEY, VALUE, CONTENT, TAG>;
  using Key = typename Entry::Key;
  using Value = typename Entry::Value;

  // Keys begin at entries 0 .. count - 1.
  ExactTable(std::size_t count, MappedMemory::Pages pages)
      : memory_(MappedMemory::zeroed((count + WAYS - 1) * sizeof(Entry), pages)), entries_(memory_.as<Entry>()) {}

  void prefetch(std::size_t first) const { __builtin_prefetch(&entries_[first]); }
  // The content, 0 if the key is not there.
  std::uint64_t find(std::size_t first, const Key& key, std::uint64_t tag, Value* value = nullptr) const {
    for (std::size_t i = first; i < first + WAYS; ++i)
      if (const std::uint64_t content = entries_[i].find(key, tag, value)) return content;
    return 0;
  }
  // Whether to store this key would drop another.
  bool full(std::size_t first, const Key& key, std::uint64_t tag) const {
    for (std::size_t i = first; i < first + WAYS; ++i)
      if (entries_[i].content() == 0 || entries_[i].find(key, tag)) return false;
    return true;
  }
  void store(std::size_t first, const Key& key, std::uint64_t content, const Value& value = {}) {
    constexpr std::uint64_t WORK_BITS = (std::uint64_t{1} << WORK) - 1;
    std::size_t target = first;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::size_t i = first; i < first + WAYS; ++i) {
      if (entries_[i].busy()) continue;
      const std::uint64_t there = entries_[i].content();
      if (there == 0 || entries_[i].find(key, content & TAG)) {
        target = i;
        break;
      }
      if ((there & WORK_BITS) < least) target = i, least = there & WORK_BITS;
    }
    entries_[target].write(key, content, value);
  }
  // Calls visit(key, content, value) for every entry. Other threads may go on storing results.
  template <class Visit>
  void each(const Visit& visit) const {
    Key key;
    Value value;
    for (std::size_t i = 0; i < memory_.size() / sizeof(Entry); ++i)
      if (entries_[i].content() != 0)
        if (const std::uint64_t content = entries_[i].read(key, value)) visit(key, content, value);
  }
  void clear() {
    for (std::size_t i = 0; i < memory_.size() / sizeof(Entry); ++i) entries_[i].clear();
  }

 private:
  MappedMemory memory_;
  Entry* entries_;
};

}  // namespace zermelo
