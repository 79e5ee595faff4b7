#include "positional/search/solver.hpp"

#include "positional/board/order.hpp"
#include "positional/pairing/line_pairing.hpp"

namespace zermelo::positional {

namespace {

template <int W>
struct SizedSolver final : Solver {
  SizedSolver(const Hypergraph& board, const MakerBreakerOptions& options, std::uint64_t bytes)
      : graph(board), game(board), table_bytes(bytes), threads(options.threads), search(game, options, bytes) {}

  MakerBreakerResult solve(const Marks& marks, Side side, const Limits& limits, TreeProgress* progress) override {
    return search.solve(position_of(game, marks), side, limits, progress);
  }

  HsuResult solve_as_published(const Marks& marks, Side side, const HsuOptions& options,
                               const Limits& limits) const override {
    return hsu_search(game, position_of(game, marks), side, options, limits);
  }

  StrongResult solve_strong(const Marks& marks, Side side, const Limits& limits) override {
    position_of(game, marks);  // throws when the marks are not on the board
    Vertices<W> maker, breaker;
    for (int v : marks.maker) maker.set(v);
    for (int v : marks.breaker) breaker.set(v);
    return strong(limits.bytes).solve(maker, breaker, side == Side::MAKER, limits);
  }

  ThreatResult solve_threats(const Marks& marks, Side side, ThreatLevel level, const Limits& limits) override {
    return threat_solver().solve(marks, side, level, limits);
  }

  ThreatSolver& threat_solver() {
    if (!threats) threats = std::make_unique<ThreatSolver>(graph, threads);
    threats_made.store(threats.get(), std::memory_order_release);
    return *threats;
  }

  StrongSearch<W>& strong(std::size_t bytes) {
    if (!strong_search) strong_search = StrongSearch<W>::make(game, bytes, &search);
    strong_made.store(strong_search.get(), std::memory_order_release);
    return *strong_search;
  }

  SavedWords save(std::size_t most) const override {
    SavedWords words;
    search.save(words, most / 2);
    if (const ThreatSolver* made = threats_made.load(std::memory_order_acquire)) made->save(words);
    if (const StrongSearch<W>* made = strong_made.load(std::memory_order_acquire)) made->save(words, most / 2);
    return words;
  }
  std::size_t load(std::span<const std::uint64_t> words) override {
    std::size_t count = search.load(words);
    if (ThreatSolver::saved_in(words)) count += threat_solver().load(words);
    if (!words.empty()) count += strong(table_bytes).load(words);
    if (!words.empty()) throw std::invalid_argument("the saved entries are damaged");
    return count;
  }

  Description describe(const Marks& marks) const override {
    Position<W> at = position_of(game, marks);
    Description result;
    result.live = at.live.count();
    result.beck = potential(game, at);
    const Vertices<W> unmarked = at.free;
    PairList<W> pairing;
    Edges<W> conflict;
    if (game.lines.empty()) {
      const auto found = find_pairing(game, at, 3, 10'000);
      result.has_pairing = found.has_value();
      if (found) pairing = *found;
    } else {
      result.has_pairing = LinePairing<W>(game).find(at, pairing, conflict) == Found::YES;
    }
    if (result.has_pairing) result.pairing.assign(pairing.begin(), pairing.end());
    drop_redundant(game, at);
    result.redundant = members(unmarked & ~at.free);
    const Weights<W> weights(game, at);
    for_each(at.free, [&](int v) { result.weights.emplace_back(v, weights[v]); });
    const PairList<W> pairs = reduce(game, at, {});
    result.pairs.assign(pairs.begin(), pairs.end());
    const Vertices<W> top = undominated(game, at);
    for_each(at.free & ~top, [&](int v) { result.dominated.emplace_back(v, dominator_of(game, at, top, v)); });
    return result;
  }

  const Hypergraph graph;
  Game<W> game;
  const std::size_t table_bytes;
  const int threads;
  MakerBreakerSearch<W> search;
  std::unique_ptr<StrongSearch<W>> strong_search;      // made when first needed
  std::atomic<StrongSearch<W>*> strong_made{nullptr};  // the same for save(), on another thread
  std::unique_ptr<ThreatSolver> threats;
  std::atomic<ThreatSolver*> threats_made{nullptr};
};

}  // namespace

std::unique_ptr<Solver> Solver::make(const Hypergraph& graph, const MakerBreakerOptions& options,
                                     std::uint64_t table_bytes) {
  return with_width(graph, [&]<int W>() -> std::unique_ptr<Solver> {
    return std::make_unique<SizedSolver<W>>(graph, options, table_bytes);
  });
}

}  // namespace zermelo::positional
