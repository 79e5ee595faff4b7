// All searches of positional games, for a hypergraph of any width. The tables stay between calls.
#pragma once

#include <memory>
#include <vector>

#include "positional/search/hsu.hpp"
#include "positional/search/maker_breaker_search.hpp"
#include "positional/search/strong.hpp"
#include "positional/threat/threat_solver.hpp"

namespace zermelo::positional {

// Facts about a position that `explain` shows, all without search.
struct Description {
  int live = 0;                                 // hyperedges Breaker has not hit
  double beck = 0;                              // sum of 2^-|r(e)|; below 1 with Breaker to move: Breaker wins
  std::vector<std::pair<int, double>> weights;  // potential weight per free vertex on a live hyperedge
  std::vector<std::pair<int, int>> pairs;       // mutually dominated pairs, taken out
  std::vector<std::pair<int, int>> dominated;   // (vertex, a vertex that dominates it) in the reduced position
  std::vector<int> redundant;                   // free vertices on no live hyperedge
  std::vector<std::pair<int, int>> pairing;     // a complete pairing strategy for Breaker as second player, if found
  bool has_pairing = false;
};

class Solver {
 public:
  static std::unique_ptr<Solver> make(const Hypergraph& graph, const MakerBreakerOptions& options,
                                      std::uint64_t table_bytes);
  virtual ~Solver() = default;

  virtual MakerBreakerResult solve(const Marks& marks, Side side, const Limits& limits, TreeProgress* progress) = 0;
  virtual HsuResult solve_as_published(const Marks& marks, Side side, const HsuOptions& options,
                                       const Limits& limits) const = 0;
  // The real rules: can the owner of marks.maker force a hyperedge before the opponent? The table, of limits.bytes
  // bytes, is made by the first call and stays.
  virtual StrongResult solve_strong(const Marks& marks, Side side, const Limits& limits) = 0;
  // The same, by threats: a proof that he can, or no answer.
  virtual ThreatResult solve_threats(const Marks& marks, Side side, ThreatLevel level, const Limits& limits) = 0;
  // The results that cost most, at most about so many, also while a search runs; and to know them again. load() returns
  // their number and throws std::invalid_argument if the words are damaged.
  virtual SavedWords save(std::size_t most) const = 0;
  virtual std::size_t load(std::span<const std::uint64_t> words) = 0;
  virtual Description describe(const Marks& marks) const = 0;
};

}  // namespace zermelo::positional
