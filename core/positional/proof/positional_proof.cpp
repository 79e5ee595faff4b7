#include "positional/proof/positional_proof.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "positional/proof/maker_strategy.hpp"
#include "positional/proof/strategy_file.hpp"

namespace zermelo::proof {

using namespace positional;

namespace {

enum Tag { END, PAIRS, EDGE, STEP, SUM, SWAP };

template <int W>
class Writer {
 public:
  Writer(const Game<W>& game, const Hypergraph& graph, const PositionalBoard& board, std::FILE* file)
      : game_(game), graph_(graph), board_(board), out_(file) {
    name_symmetries();
    name_edges();
  }

  void claim(const Marks& marks, Side starter, Winner winner) {
    if (board_.columns) {
      number(2), number(board_.columns), number(board_.rows), number(board_.k);
    } else {
      number(3), number(graph_.vertices), number(static_cast<int>(graph_.edges.size()));
      for (const VertexSet& edge : graph_.edges) {
        number(edge.count());
        for_each(edge, [&](int v) { number(v); });
      }
    }
    for (const std::vector<int>* list : {&marks.maker, &marks.breaker}) {
      number(static_cast<int>(list->size()));
      for (int v : *list) number(v);
    }
    number(starter == Side::MAKER ? 0 : 1), number(winner == Winner::MAKER ? 0 : 1);
  }

  // The claims behind a result with Maker to move: the strategy below `root` and the pairs taken out before it.
  void strategy(StrategyFile<W>& recorded, const StrategyRef& root, const std::vector<std::pair<int, int>>& pairs) {
    nodes(recorded, {root});
    const Ref base = with_pairs(root, pairs);
    if (base.record != records_ || base.symmetry) sum_record({base});  // the last record must be the claim itself
  }
  // The nodes below some roots, each once.
  void nodes(StrategyFile<W>& recorded, const std::vector<StrategyRef>& roots) {
    const std::vector<bool> needed = recorded.needed_by(roots);
    place_.assign(needed.size(), 0);
    recorded.each(needed, [&](std::uint32_t id, const RecordedNode& recorded_node) {
      node(recorded_node);
      if (records_ > UINT32_MAX) throw std::runtime_error("the proof has too many records");
      place_[id] = static_cast<std::uint32_t>(records_);
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
    number(EDGE), number(edge_name_[static_cast<std::size_t>(edge)]);
    return ++records_;
  }
  std::uint64_t step_record(const std::vector<MakerReply>& replies) {
    number(STEP), number(static_cast<int>(replies.size()));
    for (const MakerReply& reply : replies) {
      number(reply.cell);
      reference({reply.after.record, name_[static_cast<std::size_t>(reply.after.symmetry)]});
    }
    return ++records_;
  }
  void end() { number(END); }
  void number(int value) { number(static_cast<std::uint64_t>(value)); }
  std::uint64_t records() const { return records_; }
  std::uint64_t bytes() const { return out_.size(); }
  void flush() { out_.flush(); }

 private:
  using Ref = NamedRecord;

  // FORMAT.md 6.1 turns first and flips afterwards, make_mnk the other way round.
  void name_symmetries() {
    name_.resize(std::max<std::size_t>(1, game_.symmetries.size()));
    for (int i = 0; i < static_cast<int>(name_.size()); ++i)
      name_[static_cast<std::size_t>(i)] = i & 4 ? 4 | (i & 1) << 1 | (i & 2) >> 1 : i;
  }

  // The format numbers the hyperedges of a board by their first cell, then by direction; make_mnk direction by
  // direction.
  void name_edges() {
    std::vector<int> order(graph_.edges.size());
    std::iota(order.begin(), order.end(), 0);
    const auto first_cell = [&](int e) { return graph_.edges[static_cast<std::size_t>(e)].lowest(); };
    if (board_.columns)
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return first_cell(a) < first_cell(b); });
    edge_name_.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) edge_name_[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  }

  Ref seen(const StrategyRef& ref) const { return ref.node ? Ref{place_[ref.node], name_[ref.symmetry]} : Ref{0, 0}; }

  void node(const RecordedNode& node) {
    if (!node.parts.empty()) {
      std::vector<Ref> parts;
      for (const StrategyRef& part : node.parts)
        if (part.node) parts.push_back(seen(part));
      sum_record(parts);
      return;
    }
    struct Answer {
      int reply;
      Ref after;
    };
    std::vector<Answer> answers;
    for (const RecordedNode::Branch& branch : node.branches) {
      Ref child = seen(branch.after);
      if (!branch.pairs.empty() || !branch.after.node) {
        const std::uint64_t paired = pairs_record(branch.pairs);
        child = child.record ? sum_record({{paired, 0}, child}) : Ref{paired, 0};
      }
      answers.push_back({branch.reply, child});
    }
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
    number(STEP), number(static_cast<int>(answers.size()));
    for (const Answer& answer : answers) {
      number(answer.reply);
      reference(answer.after);
    }
    ++records_;
  }

  std::uint64_t pairs_record(const std::vector<std::pair<int, int>>& pairs) {
    if (pairs.empty() && nothing_) return nothing_;
    number(PAIRS), number(static_cast<int>(pairs.size()));
    for (const auto& [one, two] : pairs) number(one), number(two);
    ++records_;
    if (pairs.empty()) nothing_ = records_;
    return records_;
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
  const PositionalBoard& board_;
  ByteWriter out_;
  std::vector<int> name_;
  std::vector<int> edge_name_;        // of the search's hyperedges
  std::vector<std::uint32_t> place_;  // of each strategy node: its record
  std::uint64_t records_ = 0, nothing_ = 0;
};

template <int W>
PositionalProofResult write_sized(const Hypergraph& graph, const PositionalBoard& board, Marks marks, Side starter,
                                  const MakerBreakerOptions& options, std::uint64_t memory, const Limits& limits,
                                  const ProofFiles& files) {
  const Watch watch(limits);
  const Game<W> game(graph);
  MakerBreakerSearch<W> search(game, options, memory);
  StrategyFile<W> recorded(files.strategy);
  search.record(&recorded);
  const auto position = [&] {
    Position<W> at = game.start();
    for (int v : marks.maker) at = game.after_maker(at, v);
    for (int v : marks.breaker) at = game.after_breaker(at, v);
    return at;
  };
  const auto first_free = [&](const char* who) {
    for (int v = 0; v < game.vertex_count; ++v)
      if (position().free.test(v)) return v;
    throw std::invalid_argument(std::string("there is no cell left for ") + who + "'s first move");
  };

  MakerBreakerResult found = search.solve(position(), starter, limits);
  PositionalProofResult result{.winner = found.winner, .nodes = found.nodes};
  Writer<W> writer(game, graph, board, files.payload);
  if (found.winner != Winner::UNKNOWN) writer.claim(marks, starter, found.winner);
  int first = -1;
  if (found.winner == Winner::BREAKER && starter == Side::BREAKER) {
    // The strategy after her first move. If nothing is left to defend, any free cell is a first move.
    first = found.reply.vertex >= 0 ? found.reply.vertex : first_free("Breaker");
    marks.breaker.push_back(first);
    found = search.solve(position(), Side::MAKER, limits);
    result.winner = found.winner;
    result.nodes += found.nodes;
  }
  result.solving_seconds = watch.seconds();
  if (result.winner == Winner::BREAKER) writer.strategy(recorded, found.strategy, found.pairs);
  if (result.winner == Winner::MAKER) {
    search.record(nullptr);
    MakerStrategy<W> maker(game, search, watch.rest(), memory / 2,
                           {[&](int edge) { return writer.edge_record(edge); },
                            [&](const std::vector<MakerReply>& replies) { return writer.step_record(replies); }});
    try {
      if (starter == Side::MAKER) {
        first = maker.reply(position());
        if (first < 0) first = first_free("Maker");
        marks.maker.push_back(first);
      }
      maker.prove(position());
    } catch (const typename MakerStrategy<W>::Stopped&) {
      result.winner = Winner::UNKNOWN;
    }
  }
  if (result.winner != Winner::UNKNOWN) {
    writer.end();
    if (first >= 0) writer.number(first);
  }
  writer.flush();
  result.recorded = recorded.size() - 1;
  result.recorded_bytes = recorded.bytes();
  result.records = writer.records();
  result.bytes = writer.bytes();
  result.seconds = watch.seconds();
  return result;
}

template <int W>
BlockingBase write_base(const Hypergraph& graph, const PositionalBoard& board, const std::vector<Marks>& positions,
                        const MakerBreakerOptions& options, std::uint64_t memory, const Limits& limits,
                        const ProofFiles& files) {
  const Watch watch(limits);
  const Game<W> game(graph);
  MakerBreakerSearch<W> search(game, options, memory);
  StrategyFile<W> recorded(files.strategy);
  search.record(&recorded);
  BlockingBase base;
  std::vector<StrategyRef> roots;
  std::vector<std::vector<std::pair<int, int>>> pairs;
  for (const Marks& marks : positions) {
    Position<W> at = game.start();
    for (int v : marks.maker) at = game.after_maker(at, v);
    for (int v : marks.breaker) at = game.after_breaker(at, v);
    Limits left = watch.rest();
    left.nodes -= std::min(left.nodes, base.nodes);
    MakerBreakerResult found = search.solve(at, Side::MAKER, left, nullptr, true);
    base.nodes += found.nodes;
    if (found.winner != Winner::BREAKER) return base;
    roots.push_back(found.strategy);
    pairs.push_back(std::move(found.pairs));
  }
  Writer<W> writer(game, graph, board, files.payload);
  writer.nodes(recorded, roots);
  for (std::size_t i = 0; i < roots.size(); ++i) base.claims.push_back(writer.with_pairs(roots[i], pairs[i]));
  writer.end();
  writer.flush();
  base.complete = true;
  return base;
}

void check_marks(const Hypergraph& graph, const Marks& marks) {
  VertexSet seen;
  for (const std::vector<int>* list : {&marks.maker, &marks.breaker})
    for (int v : *list) {
      if (v < 0 || v >= graph.vertices) throw std::invalid_argument("a mark lies outside the board");
      if (seen.test(v)) throw std::invalid_argument("a vertex is marked twice");
      seen.set(v);
    }
}

}  // namespace

BlockingBase write_blocking_base(const Hypergraph& graph, const PositionalBoard& board,
                                 const std::vector<Marks>& positions, const MakerBreakerOptions& options,
                                 std::uint64_t memory, const Limits& limits, const ProofFiles& files) {
  for (const Marks& marks : positions) check_marks(graph, marks);
  const auto write = [&]<int W>() { return write_base<W>(graph, board, positions, options, memory, limits, files); };
  if (Game<1>::fits(graph)) return write.template operator()<1>();
  if (Game<2>::fits(graph)) return write.template operator()<2>();
  return write.template operator()<4>();
}

PositionalProofResult write_positional_proof(const Hypergraph& graph, const PositionalBoard& board, const Marks& marks,
                                             Side starter, const MakerBreakerOptions& options, std::uint64_t memory,
                                             const Limits& limits, const ProofFiles& files) {
  check_marks(graph, marks);
  const auto write = [&]<int W>() {
    return write_sized<W>(graph, board, marks, starter, options, memory, limits, files);
  };
  if (Game<1>::fits(graph)) return write.template operator()<1>();
  if (Game<2>::fits(graph)) return write.template operator()<2>();
  return write.template operator()<4>();
}

}  // namespace zermelo::proof
