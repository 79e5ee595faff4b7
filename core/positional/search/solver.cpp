#include "positional/search/solver.hpp"

#include "positional/board/order.hpp"
#include "positional/pairing/line_pairing.hpp"

namespace zermelo::positional {

namespace {

template <int W>
struct SizedSolver final : Solver {
  SizedSolver(const Hypergraph& graph, const MakerBreakerOptions& options, std::uint64_t bytes)
      : game(graph), search(game, options, bytes) {}

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
    if (!strong_search) strong_search = StrongSearch<W>::make(game, limits.bytes, &search);
    return strong_search->solve(maker, breaker, side == Side::MAKER, limits);
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

  Game<W> game;
  MakerBreakerSearch<W> search;
  std::unique_ptr<StrongSearch<W>> strong_search;  // made when first needed
};

}  // namespace

std::unique_ptr<Solver> Solver::make(const Hypergraph& graph, const MakerBreakerOptions& options,
                                     std::uint64_t table_bytes) {
  return with_width(graph, [&]<int W>() -> std::unique_ptr<Solver> {
    return std::make_unique<SizedSolver<W>>(graph, options, table_bytes);
  });
}

}  // namespace zermelo::positional
