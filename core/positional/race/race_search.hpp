// Can one player, the attacker, complete a goal within so many moves, before the defender completes one of his own?
//
// The order of turns is any periodic one. Every mark is one move (a ply). The search is an AND/OR search with a table:
//
//   attacker   tries the free vertices near his goal. A vertex on no completion that is short enough is no help.
//   defender   first passes. If the attacker fails even so, he fails: a mark more never hurts its owner. If he wins,
//   the
//              vertices of his winning strategy (the carrier) are the only replies that can help, with those that bring
//              the defender's own goal within reach. Each refuted reply gives another carrier, and cuts the list again.
//
// Results in the table carry the number of moves: a win within n holds for every larger number, a failure within n for
// every smaller one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/bits.hpp"
#include "base/limits.hpp"
#include "positional/search/tree_progress.hpp"

namespace zermelo::positional {

// A goal as plain data: winning sets, or a graph whose two ends are to be joined.
struct RaceGoal {
  std::vector<std::vector<int>> sets;
  std::vector<std::vector<int>> neighbours;  // empty where the goal has sets
  std::vector<int> first, last;
};

// Whose move it is: `prefix` once, then `cycle` for ever. 0 is the attacker, 1 the defender.
struct RaceTurns {
  std::vector<std::uint8_t> prefix, cycle;

  int phases() const { return static_cast<int>(prefix.size() + cycle.size()); }
  int next(int phase) const { return phase + 1 < phases() ? phase + 1 : static_cast<int>(prefix.size()); }
  int at(int phase) const {
    const auto i = static_cast<std::size_t>(phase);
    return i < prefix.size() ? prefix[i] : cycle[i - prefix.size()];
  }
};

enum class RaceAnswer : std::uint8_t { UNKNOWN, YES, NO };

struct RaceResult {
  RaceAnswer answer = RaceAnswer::UNKNOWN;
  int within = 0;            // YES: the least number of moves that is enough; else the largest known not to be
  int move = -1;             // a move that keeps the answer for the player to move, where the search knows one
  std::vector<int> carrier;  // YES: the vertices of the attacker's strategy
  std::uint64_t nodes = 0;
};

// The proof of an answer, as checker/FORMAT.md 10 writes it after the claim.
struct RaceProof {
  RaceAnswer answer = RaceAnswer::UNKNOWN;
  std::string bytes;
  std::uint64_t records = 0;  // 0: a limit was reached, or the game is over before a move
  std::uint64_t nodes = 0;
};

struct RaceQuestion {
  std::vector<int> attacker, defender;  // marks
  int phase = 0;
  int within = 0;          // moves of both players
  std::vector<int> first;  // the first move is one of these; any if empty
};

inline constexpr int MAX_RACE_VERTICES = 384;
inline constexpr int MOST_RACE_PATHS = 6000;

class RaceSolver {
 public:
  // A graph with more minimal paths than `most_paths` is searched as a graph; of fewer the paths are winning sets.
  // Throws std::invalid_argument with one clear sentence if the board is too large.
  static std::unique_ptr<RaceSolver> make(int vertices, RaceGoal attacker, RaceGoal defender, RaceTurns turns,
                                          std::uint64_t table_bytes, int most_paths = MOST_RACE_PATHS);
  virtual ~RaceSolver() = default;
  virtual RaceResult solve(const RaceQuestion& question, const Limits& limits, TreeProgress* progress = nullptr) = 0;
  virtual RaceProof prove(const RaceQuestion& question, const Limits& limits, TreeProgress* progress = nullptr) = 0;
};

}  // namespace zermelo::positional
