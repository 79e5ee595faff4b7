// The transposition table of the Maker-Breaker searches. Keys are exact: an entry holds the whole position (free, live
// and side to move) and a lookup compares all of it, so no two positions can be mistaken for each other.
//
// Shared by threads: a small array of spin locks guards the buckets. A node costs tens of microseconds, a lock tens of
// nanoseconds. Memory is taken zeroed from the system and touched only where used, so a large table costs nothing
// until it fills.
#pragma once

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#include "positional/outcome.hpp"

namespace zermelo::positional {

template <int W>
class Table {
 public:
  static constexpr int BUCKET = 4;

  explicit Table(std::uint64_t bytes) {
    buckets_ = 64;
    while (buckets_ * 2 * sizeof(Bucket) <= bytes) buckets_ *= 2;
    memory_.reset(static_cast<Bucket*>(std::calloc(buckets_, sizeof(Bucket))));
    if (!memory_) throw std::bad_alloc();
  }

  // Fills `out` and returns true when the position is known. The outcome's symmetry is the one it was stored with.
  bool find(const Position<W>& at, Side side, Outcome<W>& out) {
    const std::uint64_t hash = address(at, side);
    const Guard guard(locks_[hash % LOCKS].flag);
    for (const Entry& entry : memory_[hash & (buckets_ - 1)]) {
      if (entry.winner == Winner::UNKNOWN || entry.side != side || entry.at != at) continue;
      out = {entry.winner, entry.zone, entry.node, entry.symmetry};
      return true;
    }
    return false;
  }

  // Keeps the position; of a full bucket the entry with the least work behind it goes.
  void store(const Position<W>& at, Side side, const Outcome<W>& outcome, std::uint64_t nodes) {
    const std::uint64_t hash = address(at, side);
    const std::uint8_t work = static_cast<std::uint8_t>(std::bit_width(nodes));
    const Guard guard(locks_[hash % LOCKS].flag);
    Bucket& bucket = memory_[hash & (buckets_ - 1)];
    Entry* target = &bucket[0];
    for (Entry& entry : bucket) {
      if (entry.winner == Winner::UNKNOWN || (entry.side == side && entry.at == at)) {
        target = &entry;
        break;
      }
      if (entry.work < target->work) target = &entry;
    }
    *target = {at, outcome.zone, outcome.node, outcome.winner, side, outcome.symmetry, work};
  }

 private:
  struct Entry {
    Position<W> at;
    Vertices<W> zone;
    std::uint32_t node;
    Winner winner;
    Side side;
    std::uint8_t symmetry;
    std::uint8_t work;  // bit width of the nodes spent on it
  };
  using Bucket = std::array<Entry, BUCKET>;
  struct Lock {
    std::atomic_flag flag = ATOMIC_FLAG_INIT;
  };
  struct Guard {
    explicit Guard(std::atomic_flag& f) : flag(f) {
      while (flag.test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Guard() { flag.clear(std::memory_order_release); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    std::atomic_flag& flag;
  };
  struct Free {
    void operator()(Bucket* memory) const { std::free(memory); }
  };

  static std::uint64_t address(const Position<W>& at, Side side) {
    return at.hash() ^ (side == Side::BREAKER ? 0x5851f42d4c957f2dULL : 0);
  }

  static constexpr std::size_t LOCKS = 1024;
  std::array<Lock, LOCKS> locks_;
  std::size_t buckets_;
  std::unique_ptr<Bucket[], Free> memory_;
};

}  // namespace zermelo::positional
