// A proof in units: the search ends at positions that somebody else searches, and joins their certificates.
#include <optional>
#include <unordered_set>

#include "positional/proof/record_writer.hpp"

namespace zermelo::proof {

namespace {

constexpr std::uint64_t PLAN_MEMORY = 1 << 24;

// Marks that give a position with these free vertices and live hyperedges: what Maker holds of these, and all the rest
// for Breaker. Hyperedges that were left out as supersets of others come back, which changes nothing.
template <int W>
Marks marks_of(const Game<W>& game, const Position<W>& at) {
  Vertices<W> maker;
  for_each(at.live, [&](int e) { maker |= game.edge[e] & ~at.free; });
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
    outcome.symmetry = game_.compose[game_.inverse[here.symmetry]][symmetry];
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
    for (int s = 0; s < static_cast<int>(game_.symmetries.size()); ++s) {
      std::string name;
      for (const std::vector<int>* list : {&marks.maker, &marks.breaker}) {
        std::vector<int> cells;
        for (int v : *list) cells.push_back(game_.map_vertex(s, v));
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
    RecordWriter<W> writer(game, graph, board, payload.get());
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
    RecordWriter<W>(game, graph, board, nowhere.get()).copy(proof, zone);
    return members(zone);
  });
}

}  // namespace zermelo::proof
