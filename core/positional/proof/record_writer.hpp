// Writes the records of a Maker-Breaker certificate (checker/FORMAT.md 6).
#pragma once

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "positional/proof/maker_strategy.hpp"
#include "positional/proof/positional_proof.hpp"
#include "positional/search/strategy.hpp"

namespace zermelo::proof {

using namespace positional;

enum Tag { END, PAIRS, EDGE, STEP, SUM, SWAP };

template <int W>
class RecordWriter {
 public:
  RecordWriter(const Game<W>& game, const Hypergraph& graph, std::FILE* file) : game_(game), graph_(graph), out_(file) {
    name_symmetries();
    name_edges();
  }

  // The claims behind a result with Maker to move: the strategy below `root` and the pairs taken out before it.
  void strategy(StrategyFile& recorded, const StrategyRef& root, const std::vector<std::pair<int, int>>& pairs) {
    nodes(recorded, {root});
    const Ref base = with_pairs(root, pairs);
    if (base.record != records_ || base.symmetry) sum_record({base});  // the last record must be the claim itself
  }
  // The nodes below some roots, each once.
  void nodes(StrategyFile& recorded, const std::vector<StrategyRef>& roots) {
    StrategyFile::Below below(recorded, roots);
    first_ = below.first();
    place_.assign(below.end() - first_, 0);
    below.each([&](std::uint32_t id, const StrategyNode& recorded_node) {
      const std::uint64_t record = node(recorded_node);
      if (record > UINT32_MAX) throw std::runtime_error("the proof has too many records");
      place_[id - first_] = static_cast<std::uint32_t>(record);
    });
  }
  // The claim of a root with the pairs taken out before it.
  NamedRecord with_pairs(const StrategyRef& root, const std::vector<std::pair<int, int>>& pairs) {
    const Ref base = seen(root);
    if (pairs.empty() && root.node) return base;
    const std::uint64_t paired = pairs_record(pairs);
    return base.record ? sum_record({{paired, 0}, base}) : Ref{paired, 0};
  }
  // The claims of a Maker win go through these.
  std::uint64_t edge_record(int edge) {
    number(EDGE), number(edge_name_[edge]);
    return ++records_;
  }
  std::uint64_t step_record(const std::vector<MakerReply>& replies) {
    std::vector<Answer> answers;
    for (const auto& [cell, after] : replies) answers.push_back({cell, {after.record, name_[after.symmetry]}});
    return step_record(answers);
  }
  void end() { number(END); }
  void number(int value) { number(static_cast<std::uint64_t>(value)); }
  std::uint64_t records() const { return records_; }
  void flush() { out_.flush(); }

 private:
  using Ref = NamedRecord;
  struct Answer {
    int reply;
    Ref after;
  };

  // FORMAT.md 6.1 turns first and flips afterwards, make_mnk the other way round.
  void name_symmetries() {
    for (int i = 0; i < static_cast<int>(game_.symmetries.size()); ++i)
      name_.push_back(i & 4 ? 4 | (i & 1) << 1 | (i & 2) >> 1 : i);
  }

  // The format numbers the hyperedges of a board by their first cell, then by direction; make_mnk direction by
  // direction.
  void name_edges() {
    std::vector<int> order(graph_.edges.size());
    std::iota(order.begin(), order.end(), 0);
    const auto first_cell = [&](int e) { return graph_.edges[e].lowest(); };
    if (!graph_.lines.empty())
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return first_cell(a) < first_cell(b); });
    edge_name_.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) edge_name_[order[i]] = static_cast<int>(i);
  }

  Ref seen(const StrategyRef& ref) const {
    return ref.node ? Ref{place_[ref.node - first_], name_[ref.symmetry]} : Ref{0, 0};
  }

  std::uint64_t node(const StrategyNode& node) {
    if (!node.parts.empty()) {
      std::vector<Ref> parts;
      for (const StrategyRef& part : node.parts)
        if (part.node) parts.push_back(seen(part));
      return sum_record(parts).record;
    }
    std::vector<Answer> answers;
    for (const StrategyNode::Branch& branch : node.branches)
      answers.push_back({branch.reply, with_pairs(branch.after, branch.pairs)});
    for (const StrategySwap& swap : node.swaps) {
      const Answer old = answers[swap.branch];
      if (node.branches[swap.branch].reply == swap.dominated) {
        answers.push_back({swap.dominator, old.after});
      } else {
        number(SWAP);
        reference(old.after);
        number(swap.dominated), number(swap.dominator);
        answers.push_back({old.reply, {++records_, 0}});
      }
    }
    return step_record(answers);
  }

  std::uint64_t pairs_record(const std::vector<std::pair<int, int>>& pairs) {
    if (pairs.empty() && nothing_) return nothing_;
    number(PAIRS), number(static_cast<int>(pairs.size()));
    for (const auto& [one, two] : pairs) number(one), number(two);
    ++records_;
    if (pairs.empty()) nothing_ = records_;
    return records_;
  }
  std::uint64_t step_record(const std::vector<Answer>& answers) {
    number(STEP), number(static_cast<int>(answers.size()));
    for (const auto& [reply, after] : answers) number(reply), reference(after);
    return ++records_;
  }
  Ref sum_record(const std::vector<Ref>& parts) {
    number(SUM), number(static_cast<int>(parts.size()));
    for (const Ref& part : parts) reference(part);
    return {++records_, 0};
  }
  // From inside the record that will be number records_ + 1.
  void reference(const Ref& ref) {
    number(records_ + 1 - ref.record);
    number(ref.symmetry);
  }
  void number(std::uint64_t value) { out_.number(value); }

  const Game<W>& game_;
  const Hypergraph& graph_;
  ByteWriter out_;
  std::vector<int> name_;
  std::vector<int> edge_name_;  // of the search's hyperedges
  std::size_t first_ = 0;
  std::vector<std::uint32_t> place_;  // of each strategy node from the first on: its record
  std::uint64_t records_ = 0, nothing_ = 0;
};

}  // namespace zermelo::proof
