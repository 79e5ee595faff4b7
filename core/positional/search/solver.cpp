#include "positional/search/solver.hpp"

#include <stdexcept>

#include "positional/board/order.hpp"
#include "positional/pairing/line_pairing.hpp"

namespace zermelo::positional {

struct Solver::Base {
  virtual ~Base() = default;
  virtual MakerBreakerResult solve(const Marks& marks, Side side, const Limits& limits, TreeProgress* progress) = 0;
  virtual HsuResult paper(const Marks& marks, Side side, const HsuOptions& options, const Limits& limits) const = 0;
  virtual StrongResult strong(const Marks& marks, Side side, const Limits& limits) = 0;
  virtual Description describe(const Marks& marks) const = 0;
};

template <int W>
struct Solver::Sized final : Solver::Base {
  Sized(const Hypergraph& graph, const MakerBreakerOptions& options, std::uint64_t bytes)
      : game(graph), search(game, options, bytes) {}

  Position<W> position(const Marks& marks) const {
    Position<W> at = game.start();
    const auto check = [&](int v) {
      if (v < 0 || v >= game.vertex_count) throw std::invalid_argument("a mark lies outside the board");
      if (!at.free.test(v)) throw std::invalid_argument("a vertex is marked twice");
    };
    for (int v : marks.maker) {
      check(v);
      at = game.after_maker(at, v);
    }
    for (int v : marks.breaker) {
      check(v);
      at = game.after_breaker(at, v);
    }
    return at;
  }

  MakerBreakerResult solve(const Marks& marks, Side side, const Limits& limits, TreeProgress* progress) override {
    return search.solve(position(marks), side, limits, progress);
  }

  HsuResult paper(const Marks& marks, Side side, const HsuOptions& options, const Limits& limits) const override {
    return hsu_search(game, position(marks), side, options, limits);
  }

  StrongResult strong(const Marks& marks, Side side, const Limits& limits) override {
    position(marks);  // throws when the marks are not on the board
    Vertices<W> maker, breaker;
    for (int v : marks.maker) maker.set(v);
    for (int v : marks.breaker) breaker.set(v);
    if (!strong_search) strong_search = std::make_unique<StrongSearch<W>>(game, limits.bytes, &search);
    return strong_search->solve(maker, breaker, side == Side::MAKER, limits);
  }

  Description describe(const Marks& marks) const override {
    Position<W> at = position(marks);
    Description result;
    result.live = at.live.count();
    for_each(at.live, [&](int e) { result.beck += 1 / Weights<W>::edge_weight(game.residual(at, e).count()); });
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
    if (result.has_pairing) append(pairing, result.pairing);
    drop_redundant(game, at);
    for_each(unmarked & ~at.free, [&](int v) { result.redundant.push_back(v); });
    const Weights<W> weights(game, at);
    for_each(at.free, [&](int v) { result.weights.emplace_back(v, weights[v]); });
    append(reduce(game, at, {}), result.pairs);
    const Vertices<W> top = undominated(game, at);
    for_each(at.free & ~top, [&](int v) { result.dominated.emplace_back(v, dominator_of(game, at, top, v)); });
    return result;
  }

  static void append(const PairList<W>& from, std::vector<std::pair<int, int>>& to) {
    for (int i = 0; i < from.count; ++i) to.emplace_back(from.pair[static_cast<std::size_t>(i)]);
  }

  Game<W> game;
  MakerBreakerSearch<W> search;
  std::unique_ptr<StrongSearch<W>> strong_search;  // made when first needed
};

Solver::Solver(Hypergraph graph, const MakerBreakerOptions& options, std::uint64_t table_bytes)
    : graph_(std::move(graph)) {
  if (Game<1>::fits(graph_)) impl_ = std::make_unique<Sized<1>>(graph_, options, table_bytes);
  else if (Game<2>::fits(graph_)) impl_ = std::make_unique<Sized<2>>(graph_, options, table_bytes);
  else impl_ = std::make_unique<Sized<4>>(graph_, options, table_bytes);
}

Solver::~Solver() = default;

MakerBreakerResult Solver::solve(const Marks& marks, Side side, const Limits& limits, TreeProgress* progress) {
  return impl_->solve(marks, side, limits, progress);
}

HsuResult Solver::solve_as_published(const Marks& marks, Side side, const HsuOptions& options,
                                     const Limits& limits) const {
  return impl_->paper(marks, side, options, limits);
}

StrongResult Solver::solve_strong(const Marks& marks, Side side, const Limits& limits) {
  return impl_->strong(marks, side, limits);
}

Description Solver::describe(const Marks& marks) const { return impl_->describe(marks); }

}  // namespace zermelo::positional
