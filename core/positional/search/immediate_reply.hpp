// Breaker's answer to a Maker move without search: a forced one, or a reply with a pairing strategy for the rest.
#pragma once

#include "positional/board/order.hpp"
#include "positional/pairing/line_pairing.hpp"
#include "positional/pairing/movable_pairing.hpp"
#include "positional/search/maker_breaker_search.hpp"

namespace zermelo::positional {

// Breaker's answer to one Maker move.
template <int W>
struct BreakerAnswer {
  Outcome<W> outcome;
  int reply = -1;
  PairList<W> pairs;
  bool by_pairing = false;
};

// Facts about a position that the attempt leaves for the search.
template <int W>
struct BreakerNotes {
  Vertices<W> candidates;
  Vertices<W> replies;  // the candidates that no other vertex dominates
  Edges<W> conflict;    // of the last failed pairing, none when there was no proof of failure
  bool has_deficiency = false;
  std::array<std::uint8_t, Game<W>::MAX_V> deficiency;

  // Of the replies; 0 where it is not known.
  int least_deficiency() const {
    int least = has_deficiency ? 255 : 0;
    for_each(replies, [&](int y) { least = std::min<int>(least, deficiency[y]); });
    return least;
  }
};

// Failed pairings of earlier positions: each is a set of hyperedges that no pairs can block together.
template <int W>
struct Conflicts {
  static constexpr int MOST = 6;

  int count = 0;
  std::array<Edges<W>, MOST> set;
  void add(const Edges<W>& conflict) {
    if (conflict.none()) return;
    if (count == MOST) {
      std::copy(set.begin() + 1, set.end(), set.begin());
      --count;
    }
    set[count++] = conflict;
  }
  // Those that a Breaker mark on these hyperedges leaves standing.
  Conflicts without(const Edges<W>& edges) const {
    Conflicts left;
    for (int i = 0; i < count; ++i)
      if (!set[i].meets(edges)) left.add(set[i]);
    return left;
  }
  // A pairing can only exist after a reply that hits every conflict.
  bool all_hit_by(const Edges<W>& edges) const {
    for (int i = 0; i < count; ++i)
      if (!set[i].meets(edges)) return false;
    return true;
  }
};

// Finds such answers. Each thread has one: it remembers good replies, and pairings that can be moved.
template <int W>
class ImmediateReply {
 public:
  ImmediateReply(const Game<W>& game, const MakerBreakerOptions& options)
      : game_(game),
        options_(options),
        lines_(game),
        by_line_(!game.lines.empty()),
        killer_at_(static_cast<std::size_t>(game.vertex_count / 2 + 2), -1) {
    killer_for_.fill(-1);
  }

  // See LinePairing::find, at the root and inside. CPU seconds and thousand nodes of 8,8,5 after c3 d4 e4 with 40
  // inside 0.375 and 111, with 50 0.36 and 102.
  static constexpr int ROOT_BUDGET = 1000, PAIRING_BUDGET = 50;

  // Pairs that serve every live hyperedge; where there are none, perhaps a conflict that says why.
  Found find_pairs(const Position<W>& at, PairList<W>& pairs, int budget, Edges<W>* conflict = nullptr) {
    if (by_line_) {
      Edges<W> unused;
      return lines_.find(at, pairs, conflict ? *conflict : unused, budget);
    }
    const auto found = find_pairing(game_, at, GENERAL_BRANCHING, GENERAL_BUDGET);
    if (found) pairs = *found;
    return found ? Found::YES : Found::GAVE_UP;
  }

  // After Maker's x (-1: unknown), where Maker still may try `open`: true when decided, else `notes` is for the search.
  bool decides(const Position<W>& at, int x, int ply, const Vertices<W>& open, const Conflicts<W>& conflicts,
               BreakerNotes<W>& notes, BreakerAnswer<W>& answer) {
    // 1. Threats: two different last vertices lose, one must be taken.
    Vertices<W> threats;
    for_each(at.live, [&](int e) {
      const Vertices<W> rest = game_.residual(at, e);
      if (!at_least_two(rest)) threats |= rest;
    });
    if (at_least_two(threats)) {
      answer.outcome = {Winner::MAKER, threats};
      return true;
    }
    notes.candidates = threats.any() ? threats : at.free;
    notes.has_deficiency = false;
    notes.conflict = {};
    Position<W> cleaned = at;
    drop_redundant(game_, cleaned);
    notes.replies = notes.candidates & (options_.domination ? undominated(game_, cleaned) : cleaned.free);
    if (!options_.pairing) return false;
    // 2. Killers.
    Vertices<W> tried;
    if (options_.killers) {
      const int killers[2] = {x >= 0 ? killer_for_[x] : -1, killer_at_[ply]};
      for (int y : killers) {
        if (y < 0 || !notes.replies.test(y) || tried.test(y)) continue;
        tried.set(y);
        if (try_pairing(at, y, conflicts, notes, answer)) return true;
      }
    }
    // 3. Deficiency 0: the pairing with the smallest part of its zone in what Maker still may try.
    if (by_line_ && options_.deficiency) {
      const Vertices<W> zero = lines_.deficiencies(at, notes.replies, notes.deficiency);
      notes.has_deficiency = true;
      int least = Vertices<W>::CAPACITY + 1;
      for_each(zero, [&](int y) {
        const PairList<W> pairs = lines_.zero_pairing(at, y);
        Vertices<W> zone = pairs.vertices();
        zone.set(y);
        const int size = (zone & open).count();
        if (size >= least || !is_pairing(game_, game_.after_breaker(at, y), pairs)) return;
        least = size;
        answer = {{Winner::BREAKER, zone}, y, pairs, true};
      });
      if (answer.outcome.winner == Winner::BREAKER) return true;
    }
    // 4. A full pairing search for the most promising replies.
    MoveList<W> list;
    for_each(notes.replies & ~tried, [&](int y) {
      if (promising(notes, y)) list.add(y);
    });
    const Weights<W> weights(game_, at);
    list.sort([&](int y) {
      const double deficiency = notes.has_deficiency ? notes.deficiency[y] : 0;
      return weights[y] - 1000 * deficiency;
    });
    int tries = FULL_TRIES;
    for (int y : list) {
      if (tries == 0) break;
      if (options_.conflicts && !hits_all(at, y, conflicts, notes)) continue;
      --tries;
      if (try_pairing(at, y, conflicts, notes, answer)) return true;
    }
    return false;
  }

  // The answers to other moves of Maker from the position `at` that he is in now begin anew, or with one more pairing.
  void forget_pairings() { movable_.clear(); }
  void keep_pairing(const Position<W>& at, const BreakerAnswer<W>& answer) {
    if (options_.moving && answer.by_pairing) movable_.emplace_back(game_, at, answer.reply, answer.pairs);
  }
  // After Maker's x: a pairing that answered an earlier move of his from the same position. True when decided.
  bool moves_a_pairing(const Position<W>& at, int x, BreakerAnswer<W>& answer) {
    for (auto pairing = movable_.rbegin(); pairing != movable_.rend(); ++pairing) {
      if (!pairing->avoid(x)) continue;
      const PairList<W> pairs = pairing->pairs();
      if (!is_pairing(game_, game_.after_breaker(at, pairing->reply()), pairs)) continue;
      const int y = pairing->reply();
      answer = {{Winner::BREAKER, pairs.vertices() | Vertices<W>::single(y)}, y, pairs, true};
      return true;
    }
    return false;
  }

  // This reply was good after Maker's x.
  void remember(int x, int ply, int reply) {
    killer_for_[x] = static_cast<std::int16_t>(reply);
    killer_at_[ply] = reply;
  }

 private:
  static constexpr int FULL_TRIES = 4;         // replies of least deficiency that get a full pairing search ...
  static constexpr int FULL_DEFICIENCY = 6;    // ... unless their deficiency is above this
  static constexpr int GENERAL_BRANCHING = 2;  // N of the published pairing finder, where there are no lines
  static constexpr int GENERAL_BUDGET = 500;

  static bool promising(const BreakerNotes<W>& notes, int y) {
    return !notes.has_deficiency || notes.deficiency[y] <= FULL_DEFICIENCY;
  }

  bool hits_all(const Position<W>& at, int y, const Conflicts<W>& conflicts, const BreakerNotes<W>& notes) const {
    const Edges<W> edges = at.live & game_.edges_through(y);
    return conflicts.all_hit_by(game_.edges_through(y)) && (notes.conflict.none() || notes.conflict.meets(edges));
  }

  bool try_pairing(const Position<W>& at, int y, const Conflicts<W>& conflicts, BreakerNotes<W>& notes,
                   BreakerAnswer<W>& answer) {
    if (options_.conflicts && !hits_all(at, y, conflicts, notes)) return false;
    const Position<W> next = game_.after_breaker(at, y);
    PairList<W> pairs;
    Edges<W> conflict;
    const Found found = find_pairs(next, pairs, PAIRING_BUDGET, &conflict);
    if (found == Found::NO) notes.conflict = conflict;
    if (found != Found::YES) return false;
    answer = {{Winner::BREAKER, pairs.vertices() | Vertices<W>::single(y)}, y, pairs, true};
    return true;
  }

  const Game<W>& game_;
  const MakerBreakerOptions& options_;
  LinePairing<W> lines_;
  const bool by_line_;
  std::vector<MovablePairing<W>> movable_;               // of the Maker position whose moves are looked at
  std::array<std::int16_t, Game<W>::MAX_V> killer_for_;  // by Maker's move
  std::vector<int> killer_at_;                           // by ply
};

}  // namespace zermelo::positional
