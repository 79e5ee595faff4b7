// The full Maker-Breaker search: the paper's reductions, zones and pairings, and our additions
// (docs/theory-positional.md).
//
// A MakerBreakerSearch keeps its transposition table between calls, so that asking about positions after moves is cheap
// once the game is solved. Every idea has a switch; none of them may change a winner.
#pragma once

#include <memory>
#include <utility>

#include "base/saved_entries.hpp"
#include "positional/board/outcome.hpp"
#include "positional/board/reduce.hpp"
#include "positional/search/strategy.hpp"
#include "positional/search/tree_progress.hpp"

namespace zermelo::positional {

struct MakerBreakerOptions {
  bool supersets = true;   // drop hyperedges that contain another
  bool pairs = true;       // take mutually dominated pairs out
  bool domination = true;  // dominated moves need no branch
  bool zones = true;       // Breaker zones: Maker's moves outside need no branch
  bool carriers = true;    // Maker's carriers: Breaker's replies outside need no branch
  bool trim = true;        // leave out branches that the others make superfluous: smaller zones
  bool pairing = true;     // pairing strategies as leaves
  bool moving = true;      // a pairing that answered one Maker move is moved out of the way of the others
  bool deficiency = true;  // guide replies by unmatched slots (boards made of lines)
  bool ahead = true;       // before a large subtree, the reply after which the position looks easiest first
  bool killers = true;     // replies that were good elsewhere first
  bool conflicts = true;   // no pairing attempt where an earlier failure still holds
  bool forcing = true;     // Maker's forcing sequences
  bool components = true;  // independent parts one by one
  bool symmetry = true;    // symmetric positions share a table entry
  bool table = true;
  int threads = 1;
};
inline constexpr std::pair<const char*, bool MakerBreakerOptions::*> MAKER_BREAKER_SWITCHES[] = {
    {"supersets", &MakerBreakerOptions::supersets},   {"pairs", &MakerBreakerOptions::pairs},
    {"domination", &MakerBreakerOptions::domination}, {"zones", &MakerBreakerOptions::zones},
    {"carriers", &MakerBreakerOptions::carriers},     {"trim", &MakerBreakerOptions::trim},
    {"pairing", &MakerBreakerOptions::pairing},       {"deficiency", &MakerBreakerOptions::deficiency},
    {"killers", &MakerBreakerOptions::killers},       {"moving", &MakerBreakerOptions::moving},
    {"conflicts", &MakerBreakerOptions::conflicts},   {"forcing", &MakerBreakerOptions::forcing},
    {"components", &MakerBreakerOptions::components}, {"symmetry", &MakerBreakerOptions::symmetry},
    {"table", &MakerBreakerOptions::table},           {"ahead", &MakerBreakerOptions::ahead}};

// An answer to a Maker move: the reply, and the pairs that block the other hyperedges if no more search is needed.
struct Reply {
  int vertex = -1;
  bool by_pairing = false;
  std::vector<std::pair<int, int>> pairs;
};

struct MakerBreakerResult {
  Winner winner = Winner::UNKNOWN;
  VertexSet zone;           // Breaker's zone or Maker's carrier
  std::uint64_t nodes = 0;  // Maker and Breaker positions entered
  Reply reply;              // Breaker to move and winning: her reply
  int maker_move = -1;  // Maker to move and winning: his move, -1 when a forcing sequence or an immediate win has it
  std::vector<std::pair<int, int>> pairs;  // Maker to move: pairs that win at once, or that were taken out at the root
  bool by_pairing = false;                 // Maker to move: `pairs` is a complete pairing strategy
  StrategyRef strategy;  // when recording and Breaker wins with Maker to move: the node of the reduced position
};

template <int W>
class MakerBreakerSearch {
 public:
  MakerBreakerSearch(const Game<W>& game, const MakerBreakerOptions& options, std::uint64_t table_bytes);
  ~MakerBreakerSearch();

  // Finds the winner of `at` with `side` to move. Reports to `progress`, if given.
  // `alone`: uses this thread only, for small searches.
  MakerBreakerResult solve(const Position<W>& at, Side side, const Limits& limits, TreeProgress* progress = nullptr,
                           bool alone = false);

  // Appends the results that cost most, at most about so many, also while others search; and knows them again
  // (base/saved_entries.hpp). A search that records must find its own Breaker wins: there they only say which reply to
  // try first.
  void save(SavedWords& words, std::size_t most) const;
  std::size_t load(std::span<const std::uint64_t>& words);

  // From now on Breaker wins are written into `strategy` (nullptr: stop). Start with an empty table.
  void record(StrategyFile* strategy);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace zermelo::positional
