// How strip tables are numbered while they are built: every different entry has a number, and every pattern the number
// of its entry.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "domineering/bound/strip_table.hpp"

namespace zermelo {

inline constexpr int NO_VALUE = 30000;  // beyond every value, within 16 bits

inline StripLanes minimum(StripLanes a, StripLanes b) {
#if defined(__SSE2__)
  return reinterpret_cast<StripLanes>(_mm_min_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  return a < b ? a : b;
#endif
}

// Values of a pattern that building needs beyond its entry, in lanes: N'; M, the largest n such that Left moving first
// wins X - n; for each switch the best that Left gets by answering a move that led to X; and M', the smallest n such
// that Right moving first wins X - n.
enum WorkLane { CEILING, LEFT_FIRST, REPLY, RIGHT_FIRST = REPLY + SWITCHES };

struct Description {
  StripLanes
      entry;  // four lanes of the whole, four after a move; the nibbles below the values do not change their order
  StripLanes work;

  StripPair pair() const { return std::bit_cast<StripPair>(entry); }
};

// All different descriptions met so far, each with a number: an open hash table of numbers beside their list. Threads
// read published descriptions without locks; adding a new one, which is rare, takes the lock.
class Descriptions {
 public:
  explicit Descriptions(std::size_t patterns);
  std::uint32_t number_of(const StripPair& pair, StripLanes work);
  const Description& operator[](std::size_t number) const { return list_[number]; }
  std::size_t size() const { return size_; }  // while no thread adds

 private:
  std::vector<std::atomic<std::uint32_t>> slots_;
  std::unique_ptr<Description[]> list_;  // never moves; pages that are not used cost nothing
  std::uint32_t size_ = 0;
  std::mutex mutex_;
};

// The last step of building: replaces the numbers of descriptions by 16-bit numbers of entries, in the first half of
// their memory, and returns the entries, `most` at most. Entries of the first `fixed` descriptions keep their numbers;
// of the others the most frequent ones come first.
std::vector<StripPair> number_anew(const Descriptions& known, std::uint32_t* numbers, std::size_t count,
                                   std::size_t most, std::size_t fixed = 0);

}  // namespace zermelo
