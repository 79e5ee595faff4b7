// Which positions some thread is searching now, so that another thread takes a different one first (ABDADA, Weill 1996,
// with the small separate table of Kerrigan). Only a hint: a lost or wrong entry costs time, never an answer.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace zermelo {

class BusyPositions {
 public:
  bool contains(std::uint64_t hash) const {
    for (std::size_t i = 0; i < WAYS; ++i)
      if (slot(hash, i).load(std::memory_order_relaxed) == hash) return true;
    return false;
  }
  void enter(std::uint64_t hash) {
    for (std::size_t i = 0; i < WAYS; ++i) {
      std::uint64_t none = 0;
      if (slot(hash, i).compare_exchange_strong(none, hash, std::memory_order_relaxed)) return;
    }
  }
  void leave(std::uint64_t hash) {
    for (std::size_t i = 0; i < WAYS; ++i) {
      std::uint64_t mine = hash;
      if (slot(hash, i).compare_exchange_strong(mine, 0, std::memory_order_relaxed)) return;
    }
  }

 private:
  static constexpr std::size_t SETS = 4096, WAYS = 4;

  std::atomic<std::uint64_t>& slot(std::uint64_t hash, std::size_t way) { return slots_[hash % SETS * WAYS + way]; }
  const std::atomic<std::uint64_t>& slot(std::uint64_t hash, std::size_t way) const {
    return slots_[hash % SETS * WAYS + way];
  }

  std::array<std::atomic<std::uint64_t>, SETS * WAYS> slots_{};
};

}  // namespace zermelo
