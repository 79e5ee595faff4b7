// What every search takes and gives: limits in, a result out. A limit that is reached gives UNKNOWN, never a guess.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "domineering/board/board.hpp"

namespace zermelo {

// Seen from the player to move.
enum class Verdict : std::uint8_t { UNKNOWN, WIN, LOSS };

enum class StopReason : std::uint8_t { FINISHED, NODES, TIME, CANCELLED };

// A snapshot for the progress display; the search calls back about ten times a second, never from a hot path.
struct Progress {
  std::uint64_t nodes = 0;
  double seconds = 0;
  int root_moves_done = 0;
  int root_moves = 0;
};

struct Limits {
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  const std::atomic<bool>* cancel = nullptr;  // set by another thread; polled every few thousand nodes
  std::function<void(const Progress&)> on_progress;
};

struct SearchResult {
  Verdict verdict = Verdict::UNKNOWN;
  StopReason stopped = StopReason::FINISHED;
  std::optional<Move> move;  // a winning move, when verdict is WIN and the search (not a bound at the root) found it
  std::uint64_t nodes = 0;   // positions entered, also those decided at once (as Obsequi counts)
  std::uint64_t evaluations = 0;             // evaluations of one player's bound
  std::vector<std::uint64_t> nodes_per_ply;  // [0]: after the first move; empty if the search does not tell
  double seconds = 0;
};

}  // namespace zermelo
