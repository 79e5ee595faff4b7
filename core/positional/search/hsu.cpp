#include "positional/search/hsu.hpp"

#include "positional/board/order.hpp"
#include "positional/pairing/pairing.hpp"
#include "positional/search/table.hpp"

namespace zermelo::positional {

namespace {

template <int W>
class HsuSearch {
 public:
  HsuSearch(const Game<W>& game, const HsuOptions& options, const Limits& limits)
      : game_(game), options_(options), watch_(limits), table_(limits.bytes) {}

  HsuResult run(const Position<W>& at, Side side) {
    HsuResult result;
    const Outcome<W> outcome = side == Side::MAKER ? maker(at) : breaker(at);
    result.winner = outcome.winner;
    result.zone = outcome.zone.template resize<4>();
    result.nodes = watch_.nodes();
    result.seconds = watch_.seconds();
    return result;
  }

 private:
  // Algorithm 4. An outcome of UNKNOWN means that a limit was reached.
  Outcome<W> maker(Position<W> at) {
    if (watch_.tick()) return {};
    // 1. Immediate win: a hyperedge that lacks one vertex.
    bool wins = false;
    for_each(at.live, [&](int e) { wins = wins || !at_least_two(game_.residual(at, e)); });
    if (wins) return {Winner::MAKER, {}};
    // 2. Reductions.
    const Vertices<W> pairs = reduce(game_, at, {.supersets = false, .pairs = options_.partial_pairing}).vertices();
    if (at.live.none()) return {Winner::BREAKER, pairs};
    // 3. Table. The entry's zone is that of the reduced position: the pairs of this reduction are added.
    Outcome<W> outcome;
    if (table_.find(at, Side::MAKER, outcome)) {
      if (outcome.winner == Winner::BREAKER) outcome.zone |= pairs;
      return outcome;
    }
    // 4. Every move that is neither dominated nor outside a zone.
    const std::uint64_t before = watch_.nodes();
    const Vertices<W> top = options_.domination ? undominated(game_, at) : at.free;
    Vertices<W> zone, to_check = at.free;
    for (int v : by_weight(game_, at, top)) {
      if (options_.zones && !to_check.test(v)) continue;
      const Outcome<W> child = breaker(game_.after_maker(at, v));
      if (child.winner == Winner::UNKNOWN) return {};
      if (child.winner == Winner::MAKER) {
        outcome = {Winner::MAKER, {}};
        table_.store(at, Side::MAKER, outcome, watch_.nodes() - before);
        return outcome;
      }
      zone |= child.zone;
      to_check &= child.zone;
    }
    // 5. Theorem 5: a dominated move still to be checked is answered as its dominator, with both exchanged.
    for_each(to_check & ~top, [&](int v) { zone.set(dominator_of(game_, at, top, v)); });
    outcome = {Winner::BREAKER, options_.zones ? zone : at.free};
    table_.store(at, Side::MAKER, outcome, watch_.nodes() - before);
    outcome.zone |= pairs;
    return outcome;
  }

  // Algorithm 5.
  Outcome<W> breaker(const Position<W>& at) {
    if (watch_.tick()) return {};
    if (at.live.none()) return {Winner::BREAKER, {}};
    Position<W> cleaned = at;  // redundant vertices dominate nothing and need no try
    drop_redundant(game_, cleaned);
    const MoveList<W> list =
        by_weight(game_, cleaned, options_.domination ? undominated(game_, cleaned) : cleaned.free);
    for (int v : list) {
      const Position<W> next = game_.after_breaker(cleaned, v);
      if (next.live.none()) return {Winner::BREAKER, Vertices<W>::single(v)};
      if (options_.branching < 0) continue;
      if (const auto pairs = find_pairing(game_, next, options_.branching))
        return {Winner::BREAKER, pairs->vertices() | Vertices<W>::single(v)};
    }
    for (int v : list) {
      Outcome<W> child = maker(game_.after_breaker(cleaned, v));
      if (child.winner == Winner::MAKER) continue;
      if (child.winner == Winner::BREAKER) child.zone.set(v);
      return child;
    }
    return {Winner::MAKER, {}};
  }

  const Game<W>& game_;
  const HsuOptions options_;
  Watch watch_;
  Table<W> table_;
};

}  // namespace

template <int W>
HsuResult hsu_search(const Game<W>& game, const Position<W>& at, Side side, const HsuOptions& options,
                     const Limits& limits) {
  return HsuSearch<W>(game, options, limits).run(at, side);
}

template HsuResult hsu_search(const Game<1>&, const Position<1>&, Side, const HsuOptions&, const Limits&);
template HsuResult hsu_search(const Game<2>&, const Position<2>&, Side, const HsuOptions&, const Limits&);
template HsuResult hsu_search(const Game<4>&, const Position<4>&, Side, const HsuOptions&, const Limits&);
template HsuResult hsu_search(const Game<MANY_EDGES>&, const Position<MANY_EDGES>&, Side, const HsuOptions&,
                              const Limits&);

}  // namespace zermelo::positional
