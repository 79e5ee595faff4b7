// Which positions some thread is searching now, so that another thread takes a different one first (ABDADA, Weill 1996,
// with the small separate table of Kerrigan). Only a hint: a lost or wrong mark costs time, never an answer.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace zermelo {

class BusyMarks {
 public:
  bool contains(std::uint64_t hash) const {
    for (const Mark& mark : set_of(hash))
      if (mark.load(std::memory_order_relaxed) == hash) return true;
    return false;
  }
  void enter(std::uint64_t hash) { exchange(hash, 0, hash); }
  void leave(std::uint64_t hash) { exchange(hash, hash, 0); }

 private:
  static constexpr std::size_t SETS = 4096, WAYS = 4;
  using Mark = std::atomic<std::uint64_t>;
  using Set = std::array<Mark, WAYS>;

  const Set& set_of(std::uint64_t hash) const { return sets_[hash % SETS]; }
  // A mark for each thread: who enters second adds one, who leaves first takes one away.
  void exchange(std::uint64_t hash, std::uint64_t from, std::uint64_t to) {
    for (Mark& mark : sets_[hash % SETS])
      if (std::uint64_t expected = from; mark.compare_exchange_strong(expected, to, std::memory_order_relaxed)) return;
  }

  std::array<Set, SETS> sets_{};
};

}  // namespace zermelo
