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
  std::size_t bytes() const { return capacity_ * (sizeof(std::uint64_t) + sizeof(std::uint32_t)); }

  const std::uint32_t* find(std::uint64_t key) const {
    for (std::size_t i = mix(key) & (capacity_ - 1);; i = (i + 1) & (capacity_ - 1)) {
      if (keys_[i] == key) return &values_[i];
      if (keys_[i] == 0) return nullptr;
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
      if (keys_[i]) visit(keys_[i], values_[i]);
  }

 private:
  void allocate(std::size_t capacity) {
    capacity_ = capacity;
    keys_ = std::make_unique<std::uint64_t[]>(capacity);
    values_ = std::make_unique<std::uint32_t[]>(capacity);
  }
  void put(std::uint64_t key, std::uint32_t value) {
    std::size_t i = mix(key) & (capacity_ - 1);
    while (keys_[i] && keys_[i] != key) i = (i + 1) & (capacity_ - 1);
    size_ += keys_[i] == 0;
    keys_[i] = key;
    values_[i] = value;
  }
  void grow() {
    const std::unique_ptr<std::uint64_t[]> keys = std::move(keys_);
    const std::unique_ptr<std::uint32_t[]> values = std::move(values_);
    const std::size_t old = capacity_;
    allocate(old * 2);
    size_ = 0;
    for (std::size_t i = 0; i < old; ++i)
      if (keys[i]) put(keys[i], values[i]);
  }

  std::size_t capacity_ = 0, size_ = 0;
  std::unique_ptr<std::uint64_t[]> keys_;
  std::unique_ptr<std::uint32_t[]> values_;
};

}  // namespace zermelo::cgt
