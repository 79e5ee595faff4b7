// An open-addressing hash map from non-zero 64-bit keys to 32-bit values: what memos of games are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

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
    std::uint64_t key = 0;
    std::uint32_t value = 0;
  };

  void allocate(std::size_t capacity) {
    capacity_ = capacity;
    slots_ = std::make_unique<Slot[]>(capacity);
  }
  void put(std::uint64_t key, std::uint32_t value) {
    std::size_t i = mix(key) & (capacity_ - 1);
    while (slots_[i].key && slots_[i].key != key) i = (i + 1) & (capacity_ - 1);
    size_ += slots_[i].key == 0;
    slots_[i] = {key, value};
  }
  void grow() {
    const std::unique_ptr<Slot[]> old_slots = std::move(slots_);
    const std::size_t old = capacity_;
    allocate(old * 2);
    size_ = 0;
    for (std::size_t i = 0; i < old; ++i)
      if (old_slots[i].key) put(old_slots[i].key, old_slots[i].value);
  }

  std::size_t capacity_ = 0, size_ = 0;
  std::unique_ptr<Slot[]> slots_;
};

}  // namespace zermelo::cgt
