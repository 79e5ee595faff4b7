#include "positional/proof/positional_proof.hpp"

#include "positional/proof/record_writer.hpp"

namespace zermelo::proof {

namespace {

template <int W>
int first_free(const Position<W>& at, const char* player) {
  if (at.free.none()) throw std::invalid_argument(std::string("there is no free cell for the first move of ") + player);
  return at.free.lowest();
}

template <int W>
struct SizedProver final : PositionalProver {
  SizedProver(const Hypergraph& the_graph, const MakerBreakerOptions& options, std::uint64_t the_memory,
              const std::string& path)
      : graph(the_graph),
        game(graph),
        memory(the_memory),
        search(game, options, memory),
        file(create_unnamed_file(path)),
        recorded(file.get()) {
    search.record(&recorded);
  }

  void load(std::span<const std::uint64_t> words) override { search.load(words); }

  MakerBreakerResult solve(const Marks& marks, Side side, const Limits& limits, TreeProgress* progress) override {
    return search.solve(position_of(game, marks), side, limits, progress);
  }

  PositionalProofResult prove(Marks marks, Side starter, const Limits& limits, std::FILE* proof) override {
    const Watch watch(limits);
    MakerBreakerResult found = search.solve(position_of(game, marks), starter, limits);
    PositionalProofResult result{.winner = found.winner, .nodes = found.nodes};
    RecordWriter<W> writer(game, graph, proof);
    int first = -1;
    if (found.winner == Winner::BREAKER && starter == Side::BREAKER) {
      // The strategy after her first move. If nothing is left to defend, any free cell is a first move.
      first = found.reply.vertex >= 0 ? found.reply.vertex : first_free(position_of(game, marks), "Breaker");
      marks.breaker.push_back(first);
      found = search.solve(position_of(game, marks), Side::MAKER, limits);
      result.winner = found.winner;
      result.nodes += found.nodes;
    }
    if (result.winner == Winner::BREAKER) writer.strategy(recorded, found.strategy, found.pairs);
    if (result.winner == Winner::MAKER) {
      MakerStrategy<W, RecordWriter<W>> maker(game, search, watch.rest(), memory / 2, writer);
      try {
        if (starter == Side::MAKER) {
          first = maker.reply(position_of(game, marks));
          if (first < 0) first = first_free(position_of(game, marks), "Maker");
          marks.maker.push_back(first);
        }
        maker.prove(position_of(game, marks));
      } catch (const MakerStopped&) {
        result.winner = Winner::UNKNOWN;
      }
    }
    if (result.winner != Winner::UNKNOWN) {
      writer.end();
      if (first >= 0) writer.number(first);
    }
    writer.flush();
    result.records = writer.records();
    return result;
  }

  BlockingBase prove_all(const std::vector<Marks>& positions, const Limits& limits, std::FILE* proof) override {
    const Watch watch(limits);
    BlockingBase base;
    std::vector<StrategyRef> roots;
    std::vector<std::vector<std::pair<int, int>>> pairs;
    for (const Marks& marks : positions) {
      Limits left = watch.rest();
      left.nodes -= std::min(left.nodes, base.nodes);
      MakerBreakerResult found = search.solve(position_of(game, marks), Side::MAKER, left, nullptr, true);
      base.nodes += found.nodes;
      if (found.winner != Winner::BREAKER) return base;
      roots.push_back(found.strategy);
      pairs.push_back(std::move(found.pairs));
    }
    RecordWriter<W> writer(game, graph, proof);
    writer.nodes(recorded, roots);
    for (std::size_t i = 0; i < roots.size(); ++i) base.claims.push_back(writer.with_pairs(roots[i], pairs[i]));
    writer.end();
    writer.flush();
    base.complete = true;
    return base;
  }

  const Hypergraph graph;
  const Game<W> game;
  const std::uint64_t memory;
  MakerBreakerSearch<W> search;
  const File file;
  StrategyFile recorded;
};

}  // namespace

std::unique_ptr<PositionalProver> PositionalProver::make(const Hypergraph& graph, const MakerBreakerOptions& options,
                                                         std::uint64_t memory, const std::string& path) {
  return with_width(graph, [&]<int W>() -> std::unique_ptr<PositionalProver> {
    return std::make_unique<SizedProver<W>>(graph, options, memory, path);
  });
}

}  // namespace zermelo::proof
