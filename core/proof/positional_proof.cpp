#include "proof/positional_proof.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace zermelo::proof {

using namespace positional;

namespace {

enum Tag { END, PAIRS, EDGE, STEP, SUM, SWAP };
enum { MAKER_STARTS = 0, BREAKER_STARTS = 1, BREAKER_WINS = 1 };

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

template <int W>
class Writer {
 public:
  Writer(const Game<W>& game, const Hypergraph& graph, const PositionalBoard& board, std::FILE* file)
      : game_(game), graph_(graph), board_(board), file_(file) {
    name_symmetries();
  }

  void claim(const Marks& marks, Side starter) {
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
    number(starter == Side::MAKER ? MAKER_STARTS : BREAKER_STARTS), number(BREAKER_WINS);
  }

  // The claims behind a result with Maker to move: the strategy below `root` and the pairs taken out before it.
  void strategy(const Strategy<W>& recorded, const StrategyRef& root, const std::vector<std::pair<int, int>>& pairs) {
    place_.assign(recorded.size(), 0);
    mark_needed(recorded, root.node);
    for (std::uint32_t id = 1; id < recorded.size(); ++id)
      if (place_[id] == NEEDED) {
        node(recorded, recorded.node(id));
        place_[id] = records_;
      }
    Ref base{root.node ? place_[root.node] : 0, root.node ? name_[root.symmetry] : 0};
    if (!pairs.empty() || !root.node) {
      const std::uint64_t paired = pairs_record(pairs.data(), pairs.size());
      base = base.record ? sum_record({{paired, 0}, base}) : Ref{paired, 0};
    } else if (base.record != records_ || base.symmetry) {
      sum_record({base});  // the last record must be the claim itself
    }
  }
  void end() { number(END); }
  void number(int value) { number(static_cast<std::uint64_t>(value)); }
  std::uint64_t records() const { return records_; }
  std::uint64_t bytes() const { return bytes_; }
  void flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size() || std::fflush(file_))
      throw std::runtime_error("the proof file cannot be written: is the disk full?");
    bytes_ += buffer_.size();
    buffer_.clear();
  }

 private:
  static constexpr std::uint64_t NEEDED = ~std::uint64_t{0};
  struct Ref {
    std::uint64_t record;  // counted from 1
    int symmetry;          // as FORMAT.md 6.1 names it
  };

  // The search's symmetries are permutations in some order; the format names them by what they do.
  void name_symmetries() {
    name_.assign(std::max<std::size_t>(1, game_.symmetries.size()), 0);
    if (!board_.columns) return;
    const int m = board_.columns, n = board_.rows;
    for (std::size_t i = 0; i < game_.symmetries.size(); ++i)
      for (int image = 0; image < (m == n ? 8 : 4); ++image) {
        bool same = true;
        for (int v = 0; v < m * n && same; ++v) {
          const int col = image & 4 ? v / m : v % m, row = image & 4 ? v % m : v / m;
          const int to = (image & 2 ? n - 1 - row : row) * m + (image & 1 ? m - 1 - col : col);
          same = game_.map_vertex(static_cast<int>(i), v) == to;
        }
        if (same) name_[i] = image;
      }
  }

  void mark_needed(const Strategy<W>& recorded, std::uint32_t root) {
    std::vector<std::uint32_t> stack = {root};
    while (!stack.empty()) {
      const std::uint32_t id = stack.back();
      stack.pop_back();
      if (!id || place_[id]) continue;
      place_[id] = NEEDED;
      const StrategyNode<W>& node = recorded.node(id);
      for (int i = 0; i < node.branch_count; ++i) stack.push_back(recorded.branches(node)[i].child.node);
      for (int i = 0; i < node.part_count; ++i) stack.push_back(recorded.parts(node)[i].node);
    }
  }

  void node(const Strategy<W>& recorded, const StrategyNode<W>& node) {
    if (node.part_count) {
      std::vector<Ref> parts;
      for (int i = 0; i < node.part_count; ++i) {
        const StrategyRef& part = recorded.parts(node)[i];
        if (part.node) parts.push_back({place_[part.node], name_[part.symmetry]});
      }
      sum_record(parts);
      return;
    }
    struct Answer {
      int reply;
      Ref after;
    };
    std::vector<Answer> answers;
    for (int i = 0; i < node.branch_count; ++i) {
      const StrategyBranch<W>& branch = recorded.branches(node)[i];
      Ref child{branch.child.node ? place_[branch.child.node] : 0,
                branch.child.node ? name_[branch.child.symmetry] : 0};
      if (branch.pair_count || !branch.child.node) {
        const std::uint64_t paired = pairs_record(recorded.pairs(branch), branch.pair_count);
        child = child.record ? sum_record({{paired, 0}, child}) : Ref{paired, 0};
      }
      answers.push_back({branch.breaker, child});
    }
    for (int i = 0; i < node.swap_count; ++i) {
      const StrategySwap& swap = recorded.swaps(node)[i];
      const StrategyBranch<W>& branch = recorded.branches(node)[swap.branch];
      const Answer& old = answers[swap.branch];
      if (branch.breaker == swap.dominated) {
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

  template <class P>
  std::uint64_t pairs_record(const P* pairs, std::size_t count) {
    if (!count && nothing_) return nothing_;
    number(PAIRS), number(static_cast<int>(count));
    for (std::size_t i = 0; i < count; ++i) number(pairs[i].first), number(pairs[i].second);
    ++records_;
    if (!count) nothing_ = records_;
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
  void number(std::uint64_t value) {
    for (; value > 127; value >>= 7) buffer_ += static_cast<char>((value & 127) | 128);
    buffer_ += static_cast<char>(value);
    if (buffer_.size() >= std::size_t{1} << 20) flush();
  }

  const Game<W>& game_;
  const Hypergraph& graph_;
  const PositionalBoard& board_;
  std::FILE* file_;
  std::vector<int> name_;
  std::vector<std::uint64_t> place_;  // of each strategy node: its record
  std::uint64_t records_ = 0, nothing_ = 0, bytes_ = 0;
  std::string buffer_;
};

template <int W>
PositionalProofResult write_sized(const Hypergraph& graph, const PositionalBoard& board, Marks marks, Side starter,
                                  const FullOptions& options, std::uint64_t table_bytes, const Limits& limits,
                                  std::FILE* file) {
  const double start = now();
  const Game<W> game(graph);
  FullSearch<W> search(game, options, table_bytes);
  Strategy<W> strategy;
  search.record(&strategy);
  const auto position = [&] {
    Position<W> at = game.start();
    for (int v : marks.maker) at = game.after_maker(at, v);
    for (int v : marks.breaker) at = game.after_breaker(at, v);
    return at;
  };
  Writer<W> writer(game, graph, board, file);
  writer.claim(marks, starter);

  FullResult found = search.solve(position(), starter, limits);
  PositionalProofResult result{.winner = found.winner, .nodes = found.nodes};
  const bool breaker_starts = starter == Side::BREAKER;
  if (breaker_starts && found.winner == Winner::BREAKER) {
    // The strategy after her first move. If nothing is left to defend, any free cell is a first move.
    int first = found.reply.vertex;
    for (int v = 0; first < 0 && v < game.vertex_count; ++v)
      if (position().free.test(v)) first = v;
    if (first < 0) throw std::invalid_argument("there is no cell left for Breaker's first move");
    marks.breaker.push_back(first);
    found = search.solve(position(), Side::MAKER, limits);
    result.winner = found.winner;
    result.nodes += found.nodes;
  }
  result.solving_seconds = now() - start;
  if (result.winner == Winner::BREAKER) {
    writer.strategy(strategy, found.strategy, found.pairs);
    writer.end();
    if (breaker_starts) writer.number(marks.breaker.back());
  }
  writer.flush();
  result.recorded = strategy.size() - 1;
  result.records = writer.records();
  result.bytes = writer.bytes();
  result.seconds = now() - start;
  return result;
}

}  // namespace

PositionalProofResult write_positional_proof(const Hypergraph& graph, const PositionalBoard& board, const Marks& marks,
                                             Side starter, const FullOptions& options, std::uint64_t table_bytes,
                                             const Limits& limits, std::FILE* file) {
  VertexSet seen;
  for (const std::vector<int>* list : {&marks.maker, &marks.breaker})
    for (int v : *list) {
      if (v < 0 || v >= graph.vertices) throw std::invalid_argument("a mark lies outside the board");
      if (seen.test(v)) throw std::invalid_argument("a vertex is marked twice");
      seen.set(v);
    }
  const auto write = [&]<int W>() {
    return write_sized<W>(graph, board, marks, starter, options, table_bytes, limits, file);
  };
  if (Game<1>::fits(graph)) return write.template operator()<1>();
  if (Game<2>::fits(graph)) return write.template operator()<2>();
  return write.template operator()<4>();
}

}  // namespace zermelo::proof
