// An open-addressing hash map from non-zero 64-bit keys to 32-bit values: what memos of games are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

class FlatMap {
 public:
  explicit FlatMap(std::size_t initial = 1024) { allocate(initial); }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return capacity_ * sizeof(Slot); }

  const std::uint32_t* find(std::uint64_t key) const {
    for (std::size_t i = mix(key) & (capacity_ - 1);; i = (i + 1) & (capacity_ - 1)) {
      if (slots_[i].key == key) return &slots_[i].value;
      if (slots_[i].key == 0) return nullptr;
    }
  }
  // Brings the place of a key into the cache, for a find() that comes soon.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[mix(key) & (capacity_ - 1)]); }
  // Inserts, or overwrites what was there.
  void set(std::uint64_t key, std::uint32_t value) {
    if (size_ * 8 >= capacity_ * 5) grow();
    put(key, value);
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < capacity_; ++i)
      if (slots_[i].key) visit(slots_[i].key, slots_[i].value);
  }

 private:
  // Key and value share a cache line: a probe costs one miss.
  struct Slot {
    std::uint64_t key;
    std::uint32_t value;
  };

  void allocate(std::size_t capacity) {
    capacity_ = capacity;
    memory_ = MappedMemory::zeroed(capacity * sizeof(Slot), MappedMemory::Pages::LARGE);
    slots_ = memory_.as<Slot>();
  }
  void put(std::uint64_t key, std::uint32_t value) {
    std::size_t i = mix(key) & (capacity_ - 1);
    while (slots_[i].key && slots_[i].key != key) i = (i + 1) & (capacity_ - 1);
    size_ += slots_[i].key == 0;
    slots_[i] = {key, value};
  }
  void grow() {
    const MappedMemory kept = std::move(memory_);
    const Slot* const old_slots = slots_;
    const std::size_t old = capacity_;
    allocate(old * 2);
    size_ = 0;
    for (std::size_t i = 0; i < old; ++i)
      if (old_slots[i].key) put(old_slots[i].key, old_slots[i].value);
  }

  std::size_t capacity_ = 0, size_ = 0;
  MappedMemory memory_;
  Slot* slots_ = nullptr;
};

// The same for one bit of keys of 62 bits, which share a word: half the memory, and so fewer misses.
class BitMap {
 public:
  BitMap() { allocate(1024); }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return memory_.size(); }

  std::optional<bool> find(std::uint64_t key) const {
    for (std::size_t i = mix(key) & (capacity_ - 1);; i = (i + 1) & (capacity_ - 1)) {
      if (words_[i] >> 1 == key) return words_[i] & 1;
      if (words_[i] == 0) return std::nullopt;
    }
  }
  // Inserts what was not there.
  void add(std::uint64_t key, bool value) {
    if (++size_ * 8 > capacity_ * 5) {
      const MappedMemory kept = std::move(memory_);
      const std::uint64_t* const old_words = words_;
      const std::size_t old = capacity_;
      allocate(old * 2);
      for (std::size_t i = 0; i < old; ++i)
        if (old_words[i]) put(old_words[i]);
    }
    put(key << 1 | value);
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < capacity_; ++i)
      if (words_[i]) visit(words_[i] >> 1);
  }

 private:
  void allocate(std::size_t capacity) {
    capacity_ = capacity;
    memory_ = MappedMemory::zeroed(capacity * sizeof(std::uint64_t), MappedMemory::Pages::LARGE);
    words_ = memory_.as<std::uint64_t>();
  }
  void put(std::uint64_t word) {
    std::size_t i = mix(word >> 1) & (capacity_ - 1);
    while (words_[i]) i = (i + 1) & (capacity_ - 1);
    words_[i] = word;
  }

  std::size_t capacity_ = 0, size_ = 0;
  MappedMemory memory_;
  std::uint64_t* words_ = nullptr;
};

}  // namespace zermelo::cgt
