// Which positions some thread is searching now, so that another thread takes a different one first (ABDADA, Weill 1996,
// with the small separate table of Kerrigan). Only a hint: a lost or wrong mark costs time, never an answer.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace zermelo {

class BusyMarks {
 public:
  bool contains(std::uint64_t hash) const { return mark(hash).load(std::memory_order_relaxed) == hash; }
  void enter(std::uint64_t hash) { mark(hash).store(hash, std::memory_order_relaxed); }
  void leave(std::uint64_t hash) {
    if (contains(hash)) mark(hash).store(0, std::memory_order_relaxed);
  }

 private:
  // Few and forgetful is best: with four marks a slot, one for each thread, 9x9 took 82 million nodes on 16 threads
  // instead of 40, with 65,536 slots 58. Small positions, which are soon done, are forgotten first.
  static constexpr std::size_t MARKS = 4096;
  std::atomic<std::uint64_t>& mark(std::uint64_t hash) { return marks_[hash % MARKS]; }
  const std::atomic<std::uint64_t>& mark(std::uint64_t hash) const { return marks_[hash % MARKS]; }
  std::array<std::atomic<std::uint64_t>, MARKS> marks_{};
};

}  // namespace zermelo
