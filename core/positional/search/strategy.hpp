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

#include <mutex>
#include <vector>

#include "positional/board/reduce.hpp"

namespace zermelo::positional {

struct StrategyRef {
  std::uint32_t node = 0;
  std::uint8_t symmetry = 0;  // maps the node's position to the one meant
};

template <int W>
struct StrategyBranch {
  Vertices<W> zone;
  StrategyRef child;
  std::uint32_t first_pair = 0;
  std::uint8_t pair_count = 0;
  std::uint8_t maker = 0, breaker = 0;
};

struct StrategySwap {
  std::uint8_t dominated = 0, dominator = 0;
  std::uint8_t branch = 0;  // counted within the node
};

template <int W>
struct StrategyNode {
  Position<W> at;
  Vertices<W> zone;
  std::uint32_t first_branch = 0, first_swap = 0, first_part = 0;
  std::uint16_t branch_count = 0, swap_count = 0, part_count = 0;
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
    std::uint32_t unit = 0;  // nothing of the above: what somebody else has proved, by its number from 1
  };

  virtual ~StrategySink() = default;
  // Returns the node's number, counted from 1; 0 is "nothing left to defend".
  virtual std::uint32_t add(const Position<W>& at, const Vertices<W>& zone, const Draft& draft) = 0;
};

// Flat arrays that grow while a search runs, for tests; proof/strategy_file.hpp keeps large ones.
template <int W>
class Strategy : public StrategySink<W> {
 public:
  using Draft = typename StrategySink<W>::Draft;

  Strategy() : nodes_(1) {}

  std::uint32_t add(const Position<W>& at, const Vertices<W>& zone, const Draft& draft) override {
    const std::lock_guard lock(mutex_);
    StrategyNode<W> node{at, zone};
    node.first_branch = static_cast<std::uint32_t>(branches_.size());
    node.first_swap = static_cast<std::uint32_t>(swaps_.size());
    node.first_part = static_cast<std::uint32_t>(parts_.size());
    node.branch_count = static_cast<std::uint16_t>(draft.branches.size());
    node.swap_count = static_cast<std::uint16_t>(draft.swaps.size());
    node.part_count = static_cast<std::uint16_t>(draft.parts.size());
    for (const typename Draft::Branch& from : draft.branches) {
      branches_.push_back({from.zone, from.child, static_cast<std::uint32_t>(pairs_.size()),
                           static_cast<std::uint8_t>(from.pairs.count), static_cast<std::uint8_t>(from.maker),
                           static_cast<std::uint8_t>(from.breaker)});
      pairs_.insert(pairs_.end(), from.pairs.pair.begin(), from.pairs.pair.begin() + from.pairs.count);
    }
    swaps_.insert(swaps_.end(), draft.swaps.begin(), draft.swaps.end());
    parts_.insert(parts_.end(), draft.parts.begin(), draft.parts.end());
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  std::size_t size() const { return nodes_.size(); }
  const StrategyNode<W>& node(std::uint32_t id) const { return nodes_[id]; }
  const StrategyBranch<W>* branches(const StrategyNode<W>& of) const { return branches_.data() + of.first_branch; }
  const StrategySwap* swaps(const StrategyNode<W>& of) const { return swaps_.data() + of.first_swap; }
  const StrategyRef* parts(const StrategyNode<W>& of) const { return parts_.data() + of.first_part; }
  const Pair* pairs(const StrategyBranch<W>& of) const { return pairs_.data() + of.first_pair; }

 private:
  std::mutex mutex_;
  std::vector<StrategyNode<W>> nodes_;
  std::vector<StrategyBranch<W>> branches_;
  std::vector<StrategySwap> swaps_;
  std::vector<StrategyRef> parts_;
  std::vector<Pair> pairs_;
};

}  // namespace zermelo::positional
