// What the Maker-Breaker searches take and give. A limit that is reached gives UNKNOWN, never a guess.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "positional/game.hpp"
#include "positional/progress.hpp"

namespace zermelo::positional {

enum class Winner : std::uint8_t { UNKNOWN, MAKER, BREAKER };
enum class Side : std::uint8_t { MAKER, BREAKER };

// Who wins, and the vertices that decide it.
//   BREAKER  zone: Breaker wins even if she marks vertices of the zone only. Put as a game: she wins on the traces
//            r(e) & zone of all live hyperedges.
//   MAKER    carrier: Maker wins with the live hyperedges inside it alone, whatever Breaker does outside.
// A set that is larger than need be is still valid.
template <int W>
struct Outcome {
  Winner winner = Winner::UNKNOWN;
  Vertices<W> zone;
  std::uint32_t node = 0;     // the recorded strategy node (strategy.hpp), 0 when none
  std::uint8_t symmetry = 0;  // maps the recorded node's position to this one
};

struct Limits {
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes of transposition table
  const std::atomic<bool>* cancel = nullptr;
  Progress* progress = nullptr;  // told how far the full search has come, where there is one
};

// Watches the limits; asked at every node, looks at the clock now and then.
class Watch {
 public:
  explicit Watch(const Limits& limits) : limits_(limits), start_(std::chrono::steady_clock::now()) {}

  // Call once per node with the nodes counted so far. True: stop.
  bool expired(std::uint64_t nodes) {
    if (stopped_) return true;
    if (nodes >= limits_.nodes) stopped_ = true;
    if ((++calls_ & 15) == 0) {
      if (limits_.cancel && limits_.cancel->load(std::memory_order_relaxed)) stopped_ = true;
      if (seconds() >= limits_.seconds) stopped_ = true;
    }
    return stopped_;
  }
  bool stopped() const { return stopped_; }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point start_;
  std::uint64_t calls_ = 0;
  bool stopped_ = false;
};

}  // namespace zermelo::positional
