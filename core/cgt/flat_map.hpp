// Open-addressing hash maps from non-zero keys of one or two words, for memos of games.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/memory.hpp"

namespace zermelo::cgt {

constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  return x ^ (x >> 32);
}

struct WordPair {
  std::uint64_t a = 0, b = 0;
  auto operator<=>(const WordPair&) const = default;
};
constexpr std::uint64_t mix(const WordPair& pair) { return mix(pair.a ^ mix(pair.b)); }

// A slot holds key() and its value side by side: a probe costs one miss. A slot of zeros is empty.
template <class Slot>
class SlotMap {
 public:
  using Key = decltype(Slot{}.key());

  SlotMap() { allocate(1024); }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return memory_.size(); }

  // The slot of a key, nullptr if there is none.
  const Slot* find(const Key& key) const {
    for (std::size_t i = mix(key) & (capacity_ - 1);; i = (i + 1) & (capacity_ - 1)) {
      if (slots_[i].key() == key) return &slots_[i];
      if (slots_[i].key() == Key{}) return nullptr;
    }
  }
  // Brings the place of a key into the cache, for a find() that comes soon.
  void prefetch(const Key& key) const { __builtin_prefetch(&slots_[mix(key) & (capacity_ - 1)]); }
  // Inserts, or overwrites the old value.
  void set(const Slot& slot) {
    if (size_ * 8 >= capacity_ * 5) grow();
    put(slot);
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < capacity_; ++i)
      if (slots_[i].key() != Key{}) visit(slots_[i]);
  }

 private:
  void allocate(std::size_t capacity) {
    capacity_ = capacity;
    memory_ = MappedMemory::zeroed(capacity * sizeof(Slot), MappedMemory::Pages::LARGE);
    slots_ = memory_.as<Slot>();
  }
  void put(const Slot& slot) {
    std::size_t i = mix(slot.key()) & (capacity_ - 1);
    while (slots_[i].key() != Key{} && slots_[i].key() != slot.key()) i = (i + 1) & (capacity_ - 1);
    size_ += slots_[i].key() == Key{};
    slots_[i] = slot;
  }
  void grow() {
    const MappedMemory kept = std::move(memory_);
    const Slot* const old_slots = slots_;
    const std::size_t old = capacity_;
    allocate(old * 2);
    size_ = 0;
    for (std::size_t i = 0; i < old; ++i)
      if (old_slots[i].key() != Key{}) put(old_slots[i]);
  }

  std::size_t capacity_ = 0, size_ = 0;
  MappedMemory memory_;
  Slot* slots_ = nullptr;
};

struct ValueSlot {
  std::uint64_t name;
  std::uint32_t value;
  std::uint64_t key() const { return name; }
};
using FlatMap = SlotMap<ValueSlot>;

struct PairSlot {
  WordPair name;
  std::uint32_t value;
  WordPair key() const { return name; }
};
using PairMap = SlotMap<PairSlot>;

// One bit of keys of 62 bits, which share a word: half the memory, and so fewer misses.
struct BitSlot {
  std::uint64_t word;
  std::uint64_t key() const { return word >> 1; }
  bool value() const { return word & 1; }
};
using BitMap = SlotMap<BitSlot>;

}  // namespace zermelo::cgt
