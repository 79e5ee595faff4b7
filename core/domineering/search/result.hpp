// The result of a search of Domineering.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "domineering/board/board.hpp"

namespace zermelo {

// Seen from the player to move.
enum class Verdict : std::uint8_t { UNKNOWN, WIN, LOSS };

struct SearchResult {
  Verdict verdict = Verdict::UNKNOWN;
  StopReason stopped = StopReason::FINISHED;
  std::optional<Move> move;  // a winning move, when verdict is WIN and the search (not a bound at the root) found it
  std::uint64_t nodes = 0;   // positions entered, also those decided at once (as Obsequi counts)
  std::uint64_t evaluations = 0;             // evaluations of one player's bound
  std::vector<std::uint64_t> nodes_per_ply;  // [0]: after the first move; empty if the search does not tell
  double seconds = 0;
  double table_seconds = 0;  // before that: strip tables were loaded or built
};

}  // namespace zermelo
