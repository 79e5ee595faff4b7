// A Breaker win written down: the strategy as a directed acyclic graph that a simple checker can follow without search.
//
// A node claims: with Maker to move in the position (free, live), Breaker wins, and she does so marking vertices of
// `zone` only; in other words she wins, as second player, the game on the traces {r(e) & zone : e live}.
// It is proved by branches. A branch says: on the traces {r(e) & branch.zone : e live} Breaker wins *moving first*:
//   1. she marks branch.breaker (y);
//   2. every live hyperedge that avoids y
//        contains a pair of branch.pairs, or
//        contains a residual hyperedge of the child node (with the child's position mapped by branch.symmetry);
//      the child is node 0 when the pairs serve all;
//   3. branch.zone = {y} + the pairs' vertices + the child's zone (mapped); these three are disjoint.
// branch.maker (x) is the Maker move the branch was searched for: x is not in branch.zone, and by Property 2 the branch
// answers every Maker move outside its zone as well. The node's claim follows (Property 3) when every free vertex v
// is outside the zone of some branch, or is exchanged: a swap (v, u, branch i) says that u dominates v (every live
// hyperedge through v goes through u) and u is outside the zone of branch i, so that branch i with v renamed to u
// answers Maker's v (Theorem 5). The node's zone is the union of its branches' zones and of its swaps' u.
// A node with parts instead of branches is a sum: its live hyperedges fall into the parts' live sets, which share no
// free vertex; its zone is the union of the parts' zones.
#pragma once

#include <vector>

#include "positional/board/reduce.hpp"

namespace zermelo::positional {

struct StrategyRef {
  std::uint32_t node = 0;
  std::uint8_t symmetry = 0;  // maps the node's position to the one meant
};

struct StrategySwap {
  std::uint8_t dominated = 0, dominator = 0;
  std::uint8_t branch = 0;  // counted within the node
};

// Where a search writes its nodes, from any thread. Children come before parents.
template <int W>
struct StrategySink {
  struct Draft {
    struct Branch {
      int maker, breaker;
      Vertices<W> zone;
      PairList<W> pairs;
      StrategyRef child;
    };
    std::vector<Branch> branches;
    std::vector<StrategySwap> swaps;
    std::vector<StrategyRef> parts;
  };

  virtual ~StrategySink() = default;
  // Returns the node's number, counted from 1; 0 is "nothing left to defend".
  virtual std::uint32_t add(const Position<W>& at, const Vertices<W>& zone, const Draft& draft) = 0;
};

}  // namespace zermelo::positional
