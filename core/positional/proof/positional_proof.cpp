#include "positional/proof/positional_proof.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
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
    typename StrategyFile<W>::Below below(recorded, roots);
    first_ = below.first();
    place_.assign(below.end() - first_, 0);
    below.each([&](std::uint32_t id, const RecordedNode& recorded_node) {
      const std::uint64_t record = recorded_node.unit ? unit_record(recorded_node.unit) : node(recorded_node);
      if (record > UINT32_MAX) throw std::runtime_error("the proof has too many records");
      place_[id - first_] = static_cast<std::uint32_t>(record);
    });
  }
  std::function<std::uint64_t(std::uint32_t)> unit_record;  // writes what a unit's node stands for

  // Copies a proof's records, each once; returns the last one, and its zone.
  std::uint64_t copy(const std::string& proof, Vertices<W>& last_zone) {
    struct Copied {
      std::uint64_t record;
      Vertices<W> zone;
    };
    std::vector<Copied> copied;
    std::size_t at = 0;
    const auto next = [&](std::uint64_t below) {
      const std::uint64_t value = take_varint(proof, at);
      if (value >= below) throw std::invalid_argument("a unit's certificate is damaged");
      return value;
    };
    const auto cell = [&] { return static_cast<int>(next(static_cast<std::uint64_t>(game_.vertex_count))); };
    std::string content;  // as it would stand with numbers of records instead of places back
    std::vector<std::pair<Ref, std::size_t>> references;  // and where in the content
    const auto refer = [&] {
      const std::uint64_t back = next(copied.size() + 1), symmetry = next(name_.size());
      if (back == 0) throw std::invalid_argument("a unit's certificate is damaged");
      const Copied& to = copied[copied.size() - back];
      references.push_back({{to.record, static_cast<int>(symmetry)}, content.size()});
      const int turn = name_[symmetry];  // naming is its own inverse
      return turn ? game_.map(turn, to.zone) : to.zone;
    };
    for (std::uint64_t tag; (tag = next(SWAP + 1)) != END;) {
      content.clear(), references.clear();
      put_varint(content, tag);
      Vertices<W> zone;
      if (tag == EDGE) throw std::invalid_argument("a unit's certificate proves a win of Maker");
      if (tag == SWAP) {
        zone = refer();
        const int out = cell(), into = cell();
        zone.reset(out), zone.set(into);
        put_varint(content, static_cast<std::uint64_t>(out)), put_varint(content, static_cast<std::uint64_t>(into));
      } else {
        const std::uint64_t count = next(257);
        put_varint(content, count);
        for (std::uint64_t i = 0; i < count; ++i) {
          for (int cells = tag == PAIRS ? 2 : tag == STEP ? 1 : 0; cells > 0; --cells) {
            const int v = cell();
            zone.set(v), put_varint(content, static_cast<std::uint64_t>(v));
          }
          if (tag != PAIRS) zone |= refer();
        }
      }
      copied.push_back({put_once(content, references), zone});
    }
    if (copied.empty()) throw std::invalid_argument("a unit's certificate is empty");
    last_zone = copied.back().zone;
    return copied.back().record;
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

  Ref seen(const StrategyRef& ref) const {
    return ref.node ? Ref{place_[ref.node - first_], name_[ref.symmetry]} : Ref{0, 0};
  }

  // Writes a record unless it is there; `references` stand in the content at these places.
  std::uint64_t put_once(const std::string& content, const std::vector<std::pair<Ref, std::size_t>>& references) {
    std::string key = content;
    for (const auto& [ref, place] : references)
      put_varint(key, place), put_varint(key, ref.record), put_varint(key, static_cast<std::uint64_t>(ref.symmetry));
    const auto [found, fresh] = copied_.try_emplace(std::move(key), records_ + 1);
    if (!fresh) return found->second;
    std::size_t done = 0;
    for (const auto& [ref, place] : references) {
      out_.text(std::string_view(content).substr(done, place - done));
      reference(ref);
      done = place;
    }
    out_.text(std::string_view(content).substr(done));
    return ++records_;
  }

  std::uint64_t node(const RecordedNode& node) {
    if (!node.parts.empty()) {
      std::vector<Ref> parts;
      for (const StrategyRef& part : node.parts)
        if (part.node) parts.push_back(seen(part));
      return sum_record(parts).record;
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
    return ++records_;
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
  std::vector<int> edge_name_;  // of the search's hyperedges
  std::size_t first_ = 0;
  std::vector<std::uint32_t> place_;  // of each strategy node from the first on: its record
  std::unordered_map<std::string, std::uint64_t> copied_;
  std::uint64_t records_ = 0, nothing_ = 0;
};

void check_marks(const Hypergraph& graph, const Marks& marks) {
  VertexSet seen;
  for (const std::vector<int>* list : {&marks.maker, &marks.breaker})
    for (int v : *list) {
      if (v < 0 || v >= graph.vertices) throw std::invalid_argument("a mark lies outside the board");
      if (seen.test(v)) throw std::invalid_argument("a vertex is marked twice");
      seen.set(v);
    }
}

template <int W>
Position<W> position_of(const Game<W>& game, const Marks& marks) {
  Position<W> at = game.start();
  for (int v : marks.maker) at = game.after_maker(at, v);
  for (int v : marks.breaker) at = game.after_breaker(at, v);
  return at;
}

template <int W>
int first_free(const Position<W>& at, const char* who) {
  if (at.free.none()) throw std::invalid_argument(std::string("there is no cell left for ") + who + "'s first move");
  return at.free.lowest();
}

template <int W>
std::vector<int> members(const Vertices<W>& set) {
  std::vector<int> result;
  for_each(set, [&](int v) { result.push_back(v); });
  return result;
}

// Calls of_width.operator()<W>() with the width that the hypergraph needs.
template <class OfWidth>
auto with_width(const Hypergraph& graph, OfWidth&& of_width) {
  if (Game<1>::fits(graph)) return of_width.template operator()<1>();
  if (Game<2>::fits(graph)) return of_width.template operator()<2>();
  return of_width.template operator()<4>();
}

}  // namespace

struct PositionalProver::Base {
  virtual ~Base() = default;
  virtual MakerBreakerResult solve(const Marks& marks, Side side, const Limits& limits, TreeProgress* progress) = 0;
  virtual PositionalProofResult prove(Marks marks, Side starter, const Limits& limits, std::FILE* payload,
                                      bool alone) = 0;
  virtual BlockingBase prove_all(const std::vector<Marks>& positions, const Limits& limits, std::FILE* payload) = 0;
};

template <int W>
struct PositionalProver::Sized final : PositionalProver::Base {
  Sized(Hypergraph the_graph, const PositionalBoard& the_board, const MakerBreakerOptions& options,
        std::uint64_t the_memory, const std::string& path)
      : graph(std::move(the_graph)),
        board(the_board),
        game(graph),
        memory(the_memory),
        search(game, options, memory),
        file(create_unnamed_file(path)),
        recorded(file.get()) {
    search.record(&recorded);
  }

  MakerBreakerResult solve(const Marks& marks, Side side, const Limits& limits, TreeProgress* progress) override {
    check_marks(graph, marks);
    return search.solve(position_of(game, marks), side, limits, progress);
  }

  PositionalProofResult prove(Marks marks, Side starter, const Limits& limits, std::FILE* payload,
                              bool alone) override {
    check_marks(graph, marks);
    const Watch watch(limits);
    MakerBreakerResult found = search.solve(position_of(game, marks), starter, limits, nullptr, alone);
    PositionalProofResult result{.winner = found.winner, .nodes = found.nodes};
    Writer<W> writer(game, graph, board, payload);
    if (found.winner != Winner::UNKNOWN) writer.claim(marks, starter, found.winner);
    int first = -1;
    if (found.winner == Winner::BREAKER && starter == Side::BREAKER) {
      // The strategy after her first move. If nothing is left to defend, any free cell is a first move.
      first = found.reply.vertex >= 0 ? found.reply.vertex : first_free(position_of(game, marks), "Breaker");
      marks.breaker.push_back(first);
      found = search.solve(position_of(game, marks), Side::MAKER, limits, nullptr, alone);
      result.winner = found.winner;
      result.nodes += found.nodes;
    }
    result.solving_seconds = watch.seconds();
    if (result.winner == Winner::BREAKER) writer.strategy(recorded, found.strategy, found.pairs);
    if (result.winner == Winner::MAKER) {
      MakerStrategy<W> maker(game, search, watch.rest(), memory / 2,
                             {[&](int edge) { return writer.edge_record(edge); },
                              [&](const std::vector<MakerReply>& replies) { return writer.step_record(replies); }});
      try {
        if (starter == Side::MAKER) {
          first = maker.reply(position_of(game, marks));
          if (first < 0) first = first_free(position_of(game, marks), "Maker");
          marks.maker.push_back(first);
        }
        maker.prove(position_of(game, marks));
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

  BlockingBase prove_all(const std::vector<Marks>& positions, const Limits& limits, std::FILE* payload) override {
    const Watch watch(limits);
    BlockingBase base;
    std::vector<StrategyRef> roots;
    std::vector<std::vector<std::pair<int, int>>> pairs;
    for (const Marks& marks : positions) {
      check_marks(graph, marks);
      Limits left = watch.rest();
      left.nodes -= std::min(left.nodes, base.nodes);
      MakerBreakerResult found = search.solve(position_of(game, marks), Side::MAKER, left, nullptr, true);
      base.nodes += found.nodes;
      if (found.winner != Winner::BREAKER) return base;
      roots.push_back(found.strategy);
      pairs.push_back(std::move(found.pairs));
    }
    Writer<W> writer(game, graph, board, payload);
    writer.nodes(recorded, roots);
    for (std::size_t i = 0; i < roots.size(); ++i) base.claims.push_back(writer.with_pairs(roots[i], pairs[i]));
    writer.end();
    writer.flush();
    base.complete = true;
    return base;
  }

  const Hypergraph graph;
  const PositionalBoard board;
  const Game<W> game;
  const std::uint64_t memory;
  MakerBreakerSearch<W> search;
  const File file;
  StrategyFile<W> recorded;
};

PositionalProver::PositionalProver(Hypergraph graph, const PositionalBoard& board, const MakerBreakerOptions& options,
                                   std::uint64_t memory, const std::string& path)
    : impl_(with_width(graph, [&]<int W>() -> std::unique_ptr<Base> {
        return std::make_unique<Sized<W>>(graph, board, options, memory, path);
      })) {}

PositionalProver::~PositionalProver() = default;

MakerBreakerResult PositionalProver::solve(const Marks& marks, Side side, const Limits& limits,
                                           TreeProgress* progress) {
  return impl_->solve(marks, side, limits, progress);
}

PositionalProofResult PositionalProver::prove(const Marks& marks, Side starter, const Limits& limits,
                                              std::FILE* payload, bool alone) {
  return impl_->prove(marks, starter, limits, payload, alone);
}

BlockingBase PositionalProver::prove_all(const std::vector<Marks>& positions, const Limits& limits,
                                         std::FILE* payload) {
  return impl_->prove_all(positions, limits, payload);
}

// Plans

namespace {

constexpr std::uint64_t PLAN_MEMORY = 1 << 24;

// Marks that give a position with these free vertices and live hyperedges: what Maker holds of these, and all the rest
// for Breaker. Hyperedges that were left out as supersets of others come back, which changes nothing.
template <int W>
Marks marks_of(const Game<W>& game, const Position<W>& at) {
  Vertices<W> maker;
  for_each(at.live, [&](int e) { maker |= game.edge[static_cast<std::size_t>(e)] & ~at.free; });
  return {members(maker), members(Vertices<W>::first(game.vertex_count) & ~at.free & ~maker)};
}

template <int W>
class UnitBoundary final : public Boundary<W> {
 public:
  UnitBoundary(const Game<W>& game, int cut, const std::vector<Marks>& split, const std::vector<ProofUnit>& known)
      : game_(game), cut_(cut), known_(known) {
    for (const Marks& marks : split) split_.insert(least(marks).name);
    for (std::size_t i = 0; i < known.size(); ++i) {
      const Least named = least(known[i].marks);
      known_by_name_.emplace(named.name, Known{i, named.symmetry});
    }
  }

  bool knows(const Position<W>& at, Outcome<W>& outcome) override {
    const Marks marks = marks_of(game_, at);
    const Least here = least(marks);
    const auto found = known_by_name_.find(here.name);
    if (found == known_by_name_.end()) {
      // A reply that leads to a planned unit is as good as one to a known position.
      if (!met_.contains(here.name)) return false;
      ++this->assumed;
      outcome = {Winner::BREAKER, at.free};
      return true;
    }
    const auto [number, symmetry] = found->second;
    const ProofUnit& unit = known_[number];
    outcome = {unit.winner, {}};
    outcome.symmetry = game_.compose[game_.inverse[static_cast<std::size_t>(here.symmetry)]][symmetry];
    Vertices<W> zone;
    for (int v : unit.zone) zone.set(v);
    outcome.zone = zone.none() || unit.winner == Winner::MAKER ? at.free
                   : outcome.symmetry                          ? game_.map(outcome.symmetry, zone)
                                                               : zone;
    use(here, marks, unit.winner, 0);
    if (recorded_) {
      typename StrategySink<W>::Draft draft;
      draft.unit = static_cast<std::uint32_t>(number + 1);
      std::uint32_t& node = nodes_[number];
      if (node == 0) node = recorded_->add(at, zone, draft);
      outcome.node = node;
    }
    return true;
  }

  bool leaves(const Position<W>& at, int ply) override {
    const Marks marks = marks_of(game_, at);
    const Least here = least(marks);
    if (2 * ply < cut_ || split_.contains(here.name)) return false;
    use(here, marks, Winner::UNKNOWN, 2 * ply);
    return true;
  }

  void record(StrategySink<W>* recorded) { recorded_ = recorded; }
  std::vector<ProofUnit> units;  // met so far

 private:
  struct Least {
    std::string name;
    int symmetry;  // that maps the marks to it
  };
  struct Known {
    std::size_t number;
    int symmetry;
  };

  // The least image of marks, as bytes.
  Least least(const Marks& marks) const {
    Least found;
    for (int s = 0; s < std::max(1, static_cast<int>(game_.symmetries.size())); ++s) {
      std::string name;
      for (const std::vector<int>* list : {&marks.maker, &marks.breaker}) {
        std::vector<int> cells;
        for (int v : *list) cells.push_back(s ? game_.map_vertex(s, v) : v);
        std::sort(cells.begin(), cells.end());
        put_varint(name, cells.size());
        for (int v : cells) put_varint(name, static_cast<std::uint64_t>(v));
      }
      if (s == 0 || name < found.name) found = {std::move(name), s};
    }
    return found;
  }
  void use(const Least& here, const Marks& marks, Winner winner, int ply) {
    if (met_.insert(here.name).second) units.push_back({marks, winner, {}, {}, ply});
  }

  const Game<W>& game_;
  const int cut_;
  const std::vector<ProofUnit>& known_;
  std::unordered_set<std::string> split_, met_;
  std::unordered_map<std::string, Known> known_by_name_;
  std::unordered_map<std::size_t, std::uint32_t> nodes_;
  StrategySink<W>* recorded_ = nullptr;
};

}  // namespace

ProofPlan plan_proof(const Hypergraph& graph, const PositionalBoard& board, const Marks& marks, Side starter, int cut,
                     const std::vector<Marks>& split, const std::vector<ProofUnit>& known, const Limits& limits,
                     const std::string& joined) {
  check_marks(graph, marks);
  return with_width(graph, [&]<int W>() {
    const Game<W> game(graph);
    MakerBreakerSearch<W> search(game, {}, PLAN_MEMORY);
    UnitBoundary<W> boundary(game, cut, split, known);
    search.end_at(&boundary);
    File payload, strategy;
    std::optional<StrategyFile<W>> recorded;
    if (!joined.empty()) {
      payload = create_file(joined), strategy = create_unnamed_file(joined);
      recorded.emplace(strategy.get());
      search.record(&*recorded), boundary.record(&*recorded);
    }
    Position<W> at = position_of(game, marks);
    MakerBreakerResult found = search.solve(at, starter, limits);
    ProofPlan plan{.winner = found.winner, .nodes = found.nodes};
    if (found.winner == Winner::BREAKER && boundary.assumed) plan.winner = Winner::UNKNOWN;
    plan.units = std::move(boundary.units);
    if (joined.empty() || plan.winner != Winner::BREAKER) return plan;
    int first = -1;
    if (starter == Side::BREAKER) {
      first = found.reply.vertex >= 0 ? found.reply.vertex : first_free(at, "Breaker");
      at = game.after_breaker(at, first);
      found = search.solve(at, Side::MAKER, limits);
      if (found.winner != Winner::BREAKER) throw std::logic_error("the plan's first move does not win");
    }
    Writer<W> writer(game, graph, board, payload.get());
    writer.unit_record = [&](std::uint32_t unit) {
      Vertices<W> zone;
      return writer.copy(known[unit - 1].proof, zone);
    };
    writer.strategy(*recorded, found.strategy, found.pairs);
    writer.end();
    if (first >= 0) writer.number(first);
    writer.flush();
    return plan;
  });
}

std::vector<int> zone_of_proof(const Hypergraph& graph, const PositionalBoard& board, const std::string& proof) {
  return with_width(graph, [&]<int W>() {
    const Game<W> game(graph);
    File nowhere(std::fopen("/dev/null", "wb"));
    if (!nowhere) throw std::runtime_error("/dev/null cannot be opened");
    Vertices<W> zone;
    Writer<W>(game, graph, board, nowhere.get()).copy(proof, zone);
    return members(zone);
  });
}

}  // namespace zermelo::proof
