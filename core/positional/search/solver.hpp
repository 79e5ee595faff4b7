// One door to the Maker-Breaker searches for any hypergraph: picks the width, keeps the table warm between questions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "positional/search/hsu.hpp"
#include "positional/search/maker_breaker_search.hpp"
#include "positional/search/strong.hpp"

namespace zermelo::positional {

// The position after some marks, with Maker's and Breaker's vertices. What is left over is free.
struct Marks {
  std::vector<int> maker;
  std::vector<int> breaker;
};

// Facts about a position that `explain` shows, all without search.
struct Description {
  int live = 0;                                 // hyperedges Breaker has not hit
  double beck = 0;                              // sum of 2^-|r(e)|; below 1 with Breaker to move: Breaker wins
  std::vector<std::pair<int, double>> weights;  // potential weight per free vertex on a live hyperedge
  std::vector<std::pair<int, int>> pairs;       // mutually dominated pairs, taken out
  std::vector<std::pair<int, int>> dominated;   // (vertex, a vertex that dominates it) in what is left
  std::vector<int> redundant;                   // free vertices on no live hyperedge
  std::vector<std::pair<int, int>> pairing;     // a complete pairing strategy for Breaker as second player, if found
  bool has_pairing = false;
};

class Solver {
 public:
  Solver(Hypergraph graph, const MakerBreakerOptions& options, std::uint64_t table_bytes);
  ~Solver();

  const Hypergraph& graph() const { return graph_; }
  MakerBreakerResult solve(const Marks& marks, Side side, const Limits& limits, TreeProgress* progress = nullptr);
  HsuResult solve_as_published(const Marks& marks, Side side, const HsuOptions& options, const Limits& limits) const;
  // The real rules: can the owner of marks.maker force a hyperedge before the opponent? The table, of limits.bytes
  // bytes, is made by the first question and kept.
  StrongResult solve_strong(const Marks& marks, Side side, const Limits& limits);
  Description describe(const Marks& marks) const;

 private:
  struct Base;
  template <int W>
  struct Sized;

  Hypergraph graph_;
  std::unique_ptr<Base> impl_;
};

}  // namespace zermelo::positional
