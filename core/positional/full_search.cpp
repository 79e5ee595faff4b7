#include "positional/full_search.hpp"

#include <thread>

#include "positional/busy.hpp"
#include "positional/forcing.hpp"
#include "positional/line_pairing.hpp"
#include "positional/movable_pairing.hpp"
#include "positional/order.hpp"
#include "positional/table.hpp"

namespace zermelo::positional {

namespace {

constexpr int FORCING_BUDGET = 60;  // forcing moves per Maker position; more brought nothing
constexpr int FULL_TRIES = 4;       // replies of least deficiency that get a full pairing search ...
constexpr int FULL_DEFICIENCY = 6;  // ... unless their deficiency is above this
constexpr int ROOT_BUDGET = 1000;   // failed matches before a pairing search gives up, at the root ...
constexpr int PAIRING_BUDGET = 60;  // ... and inside
constexpr double DEFICIENCY_COST = 3.5;
constexpr int CONFLICTS = 6;          // inherited conflicts that a reply is tested against
constexpr int GENERAL_BRANCHING = 2;  // N of the published pairing finder, where there are no lines
constexpr int GENERAL_BUDGET = 500;
constexpr double NEAR_ROOT = 0.88;  // share of free vertices above which children are looked up and work is shared

}  // namespace

template <int W>
struct FullSearch<W>::Shared {
  Shared(const Game<W>& g, const FullOptions& o, std::uint64_t bytes)
      : game(g), options(o), table(o.table ? bytes : 0) {}

  const Game<W>& game;
  const FullOptions options;
  Table<W> table;
  Busy<W> busy;
  StrategySink<W>* strategy = nullptr;
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> nodes{0};
};

namespace {

// What one thread needs. `Shared` is FullSearch<W>::Shared, private there.
template <int W, class Shared>
class Worker {
 public:
  Worker(Shared& shared, const Limits& limits)
      : shared_(shared),
        game_(shared.game),
        options_(shared.options),
        watch_(limits),
        progress_(limits.progress),
        lines_(shared.game),
        by_line_(!shared.game.lines.empty()),
        near_root_(static_cast<int>(NEAR_ROOT * shared.game.vertex_count)),
        plies_(static_cast<std::size_t>(shared.game.vertex_count / 2 + 2)) {
    killer_for_.fill(-1);
  }

  struct Answer {  // to one Maker move
    Outcome<W> outcome;
    int reply = -1;
    PairList<W> pairs;
    bool by_pairing = false;
  };

  // Pairs off, then the search. Zone and carrier are those of `at` itself.
  Outcome<W> solve_maker(Position<W> at, FullResult& result) {
    if (Vertices<W> last; completes(at, last)) return {Winner::MAKER, last};
    PairList<W> pairs;
    if (options_.pairing && find_pairs(at, pairs, ROOT_BUDGET) == Found::YES) {
      export_pairs(pairs, result.pairs);
      result.by_pairing = true;
      return {Winner::BREAKER, pairs.vertices()};
    }
    pairs = reduce(game_, at, {options_.supersets, options_.pairs});
    export_pairs(pairs, result.pairs);
    Outcome<W> outcome = maker(at, 0, {});
    if (outcome.winner == Winner::BREAKER) {
      result.strategy = {outcome.node, outcome.symmetry};
      outcome.zone |= pairs.vertices();
    }
    result.maker_move = best_maker_move_;
    return outcome;
  }

  Outcome<W> solve_breaker(const Position<W>& at, FullResult& result) {
    if (at.live.none()) return {Winner::BREAKER, {}};
    bool lost = false;
    for_each(at.live, [&](int e) { lost = lost || game_.residual(at, e).none(); });
    if (lost) return {Winner::MAKER, {}};
    Answer answer;
    Notes notes;
    if (!answer_at_once(at, -1, 0, at.free, {}, notes, answer)) answer_by_search(at, 0, {}, notes, answer);
    if (answer.outcome.winner == Winner::BREAKER) {
      result.reply.vertex = answer.reply;
      result.reply.by_pairing = answer.by_pairing;
      export_pairs(answer.pairs, result.reply.pairs);
    }
    return answer.outcome;
  }

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t pairings() const { return pairings_; }
  double seconds() const { return watch_.seconds(); }

 private:
  // What the static look at a Breaker position leaves for the search of it.
  struct Notes {
    Vertices<W> candidates;
    Vertices<W> replies;  // the candidates that no other vertex dominates
    Edges<W> conflict;    // of the last failed pairing, none when there was no proof of failure
    bool has_deficiency = false;
    std::array<std::uint8_t, Game<W>::MAX_V> deficiency;
  };
  struct ConflictList {
    int count = 0;
    std::array<Edges<W>, CONFLICTS> set;
    void add(const Edges<W>& conflict) {
      if (conflict.none()) return;
      if (count == CONFLICTS) {
        std::copy(set.begin() + 1, set.end(), set.begin());
        --count;
      }
      set[static_cast<std::size_t>(count++)] = conflict;
    }
    // Those that a Breaker mark on these hyperedges leaves standing.
    ConflictList without(const Edges<W>& edges) const {
      ConflictList left;
      for (int i = 0; i < count; ++i)
        if (!set[static_cast<std::size_t>(i)].meets(edges)) left.add(set[static_cast<std::size_t>(i)]);
      return left;
    }
    // A pairing can only exist after a reply that hits every conflict.
    bool all_hit_by(const Edges<W>& edges) const {
      for (int i = 0; i < count; ++i)
        if (!set[static_cast<std::size_t>(i)].meets(edges)) return false;
      return true;
    }
  };
  struct Ply {
    std::vector<Notes> notes;  // per Maker move
    int killer = -1;
  };

  static void export_pairs(const PairList<W>& from, std::vector<std::pair<int, int>>& to) {
    for (int i = 0; i < from.count; ++i) to.emplace_back(from.pair[static_cast<std::size_t>(i)]);
  }

  bool out_of_time() {
    ++nodes_;
    const std::uint64_t total = shared_.nodes.fetch_add(1, std::memory_order_relaxed) + 1;
    if (progress_ && (nodes_ & 255) == 0) progress_->nodes.store(total, std::memory_order_relaxed);
    return shared_.stop.load(std::memory_order_relaxed) || watch_.expired(total);
  }

  bool near_root(const Position<W>& at) const { return at.free.count() >= near_root_; }

  // A live hyperedge that Maker completes with one mark, or has.
  bool completes(const Position<W>& at, Vertices<W>& last) const {
    for (Edges<W> left = at.live; left.any();) {
      last = game_.residual(at, left.pop_lowest());
      if (!at_least_two(last)) return true;
    }
    return false;
  }

  Found find_pairs(const Position<W>& at, PairList<W>& pairs, int budget, Edges<W>* conflict = nullptr) {
    ++pairings_;
    if (by_line_) {
      Edges<W> unused;
      return lines_.find(at, pairs, conflict ? *conflict : unused, budget);
    }
    const auto found = find_pairing(game_, at, GENERAL_BRANCHING, GENERAL_BUDGET);
    if (found) pairs = *found;
    return found ? Found::YES : Found::GAVE_UP;
  }

  // Maker to move, `at` reduced. The zone or carrier is that of `at`. UNKNOWN: a limit was reached.
  Outcome<W> maker(const Position<W>& at, int ply, const ConflictList& conflicts) {
    if (out_of_time()) return {};
    // 1. Nothing left to defend; one mark short; a forcing sequence.
    if (at.live.none()) return {Winner::BREAKER, {}};
    Vertices<W> carrier;
    if (completes(at, carrier)) return {Winner::MAKER, carrier};
    if (options_.forcing && Forcing<W>(game_, FORCING_BUDGET).wins(at, carrier)) return {Winner::MAKER, carrier};
    // 2. Table.
    const auto [key, symmetry] = game_.canonical(at, options_.symmetry);
    Outcome<W> outcome;
    if (look_up(key, symmetry, Side::MAKER, outcome)) return outcome;
    // 3. Search.
    const std::uint64_t before = nodes_;
    outcome = by_components(at, ply, conflicts);
    if (outcome.winner == Winner::UNKNOWN) return outcome;
    store(key, symmetry, Side::MAKER, outcome, nodes_ - before);
    return outcome;
  }

  bool look_up(const Position<W>& key, int symmetry, Side side, Outcome<W>& outcome) {
    if (!options_.table || !shared_.table.find(key, side, outcome)) return false;
    const int back = game_.inverse[static_cast<std::size_t>(symmetry)];
    if (symmetry) outcome.zone = game_.map(back, outcome.zone);
    outcome.symmetry = game_.compose[static_cast<std::size_t>(back)][outcome.symmetry];
    return true;
  }

  void store(const Position<W>& key, int symmetry, Side side, Outcome<W> outcome, std::uint64_t nodes) {
    if (!options_.table) return;
    if (symmetry) outcome.zone = game_.map(symmetry, outcome.zone);
    outcome.symmetry = game_.compose[static_cast<std::size_t>(symmetry)][outcome.symmetry];
    shared_.table.store(key, side, outcome, nodes);
  }

  // Parts that share no vertex: with Maker to move Breaker wins the sum exactly when she wins every part.
  Outcome<W> by_components(const Position<W>& at, int ply, const ConflictList& conflicts) {
    if (!options_.components) return by_moves(at, ply, conflicts);
    Edges<W> left = at.live;
    Outcome<W> sum{Winner::BREAKER, {}};
    typename StrategySink<W>::Draft draft;
    while (left.any()) {
      Position<W> part;
      part.live = Edges<W>::single(left.lowest());
      part.free = game_.residual(at, left.lowest());
      for (bool grew = true; grew;) {
        grew = false;
        for_each(left & ~part.live, [&](int e) {
          const Vertices<W> rest = game_.residual(at, e);
          if (!rest.meets(part.free)) return;
          part.live.set(e);
          part.free |= rest;
          grew = true;
        });
      }
      if (part.live == at.live) return by_moves(at, ply, conflicts);
      left &= ~part.live;
      const Outcome<W> outcome = maker(part, ply, conflicts);
      if (outcome.winner != Winner::BREAKER) return outcome;
      sum.zone |= outcome.zone;
      if (shared_.strategy) draft.parts.push_back({outcome.node, outcome.symmetry});
    }
    if (shared_.strategy) sum.node = shared_.strategy->add(at, sum.zone, draft);
    return sum;
  }

  // The branches of a Maker position: first all moves that are answered at once, then the others by search.
  Outcome<W> by_moves(const Position<W>& at, int ply, const ConflictList& conflicts) {
    const Vertices<W> top = options_.domination ? undominated(game_, at) : at.free;
    const Weights<W> weights(game_, at);
    MoveList<W> moves;
    for_each(top, [&](int v) { moves.add(v); });
    moves.sort([&](int v) { return weights[v]; });
    std::vector<Notes>& notes = plies_[static_cast<std::size_t>(ply)].notes;
    if (notes.empty()) notes.resize(static_cast<std::size_t>(game_.vertex_count));

    std::vector<typename StrategySink<W>::Draft::Branch> branches;
    Vertices<W> open = at.free, done;
    const auto add = [&](int x, const Answer& answer) {
      branches.push_back(
          {x, answer.reply, answer.outcome.zone, answer.pairs, {answer.outcome.node, answer.outcome.symmetry}});
      done.set(x);
      killer_for_[static_cast<std::size_t>(x)] = static_cast<std::int16_t>(answer.reply);
      plies_[static_cast<std::size_t>(ply)].killer = answer.reply;
      if (options_.zones) open &= answer.outcome.zone;
    };
    movable_.clear();
    for (int x : moves) {
      if (!open.test(x)) continue;
      Answer answer;
      const Position<W> next = game_.after_maker(at, x);
      if (!answer_by_moving(next, x, answer)) {
        if (!answer_at_once(next, x, ply, open, conflicts, notes[static_cast<std::size_t>(x)], answer)) continue;
        if (options_.moving && answer.by_pairing) movable_.emplace_back(game_, at, answer.reply, answer.pairs);
      }
      if (answer.outcome.winner == Winner::MAKER) return maker_wins(x, ply, answer.outcome);
      if (answer.outcome.winner == Winner::UNKNOWN) return {};
      add(x, answer);
    }
    int open_moves = 0;
    for (int x : moves) open_moves += open.test(x) && !done.test(x);
    const double weight = (ply > 0 && ply <= Progress::PLIES ? path_[static_cast<std::size_t>(ply - 1)].weight : 1) /
                          std::max(1, open_moves);
    MoveList<W> deferred;
    const bool share = options_.threads > 1 && near_root(at);
    for (int round = 0; round < 2; ++round) {
      for (int x : round == 0 ? moves : deferred) {
        if (!open.test(x) || done.test(x)) continue;
        const Position<W> next = game_.after_maker(at, x);
        Position<W> key = next;
        int symmetry = 0;
        if (share) {
          std::tie(key, symmetry) = game_.canonical(next, options_.symmetry);
          if (round == 0 && shared_.busy.is_busy(key)) {
            deferred.add(x);
            continue;
          }
          shared_.busy.enter(key);
        }
        Answer answer;
        const bool told = progress_ && ply < Progress::PLIES;
        const std::uint64_t before = nodes_;
        if (told) path_[static_cast<std::size_t>(ply)] = {static_cast<std::uint8_t>(x), weight};
        answer_by_search(next, ply, conflicts, notes[static_cast<std::size_t>(x)], answer);
        if (share) shared_.busy.leave(key);
        if (answer.outcome.winner == Winner::MAKER) return maker_wins(x, ply, answer.outcome);
        if (answer.outcome.winner == Winner::UNKNOWN) return {};
        if (told) progress_->finish(path_, ply + 1, nodes_ - before);
        add(x, answer);
      }
    }
    return breaker_wins(at, top, branches);
  }

  // Breaker to move after Maker's x: a pairing that answered an earlier move of his from the same position. True when
  // decided, or when a limit is reached.
  bool answer_by_moving(const Position<W>& at, int x, Answer& answer) {
    for (auto pairing = movable_.rbegin(); pairing != movable_.rend(); ++pairing) {
      if (!pairing->avoid(x)) continue;
      const PairList<W> pairs = pairing->pairs();
      if (!is_pairing(game_, game_.after_breaker(at, pairing->reply()), pairs)) continue;
      if (out_of_time()) return true;
      const int y = pairing->reply();
      answer = {{Winner::BREAKER, pairs.vertices() | Vertices<W>::single(y)}, y, pairs, true};
      return true;
    }
    return false;
  }

  Outcome<W> maker_wins(int x, int ply, Outcome<W> outcome) {
    outcome.zone.set(x);
    outcome.node = 0;
    outcome.symmetry = 0;
    if (ply == 0) best_maker_move_ = x;
    return outcome;
  }

  // All branches are won: the zone (Property 3), without branches that the others make superfluous, and with the
  // dominators of dominated moves that no zone excludes (Theorem 5).
  Outcome<W> breaker_wins(const Position<W>& at, const Vertices<W>& top,
                          std::vector<typename StrategySink<W>::Draft::Branch>& branches) {
    if (!options_.zones) return {Winner::BREAKER, at.free};
    if (options_.trim) trim(top, at.free, branches);
    Vertices<W> zone, inside_all = at.free;
    for (const auto& branch : branches) {
      zone |= branch.zone;
      inside_all &= branch.zone;
    }
    typename StrategySink<W>::Draft draft;
    for_each(inside_all, [&](int v) {
      const int u = dominator_of(game_, at, top, v);
      zone.set(u);
      if (!shared_.strategy) return;
      std::uint8_t i = 0;
      while (branches[i].zone.test(u)) ++i;
      draft.swaps.push_back({static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(u), i});
    });
    Outcome<W> outcome{Winner::BREAKER, zone};
    if (shared_.strategy) {
      draft.branches = std::move(branches);
      outcome.node = shared_.strategy->add(at, zone, draft);
    }
    return outcome;
  }

  // Leaves out branches, oldest first, as long as every undominated vertex stays outside the zone of some branch.
  static void trim(const Vertices<W>& top, const Vertices<W>& free,
                   std::vector<typename StrategySink<W>::Draft::Branch>& branches) {
    for (std::size_t i = 0; i < branches.size() && branches.size() > 1;) {
      Vertices<W> inside_others = free;
      for (std::size_t j = 0; j < branches.size(); ++j)
        if (j != i) inside_others &= branches[j].zone;
      if (inside_others.meets(top)) {
        ++i;
      } else {
        branches.erase(branches.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }

  // Breaker to move after Maker's x (-1: unknown): what can be said without search. True when decided.
  bool answer_at_once(const Position<W>& at, int x, int ply, const Vertices<W>& open, const ConflictList& conflicts,
                      Notes& notes, Answer& answer) {
    if (out_of_time()) {
      answer.outcome = {};
      return true;
    }
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
    if (options_.beck && !shared_.strategy && beck_breaker_wins(game_, at)) {
      const Weights<W> weights(game_, at);
      MoveList<W> list;
      for_each(notes.candidates, [&](int v) { list.add(v); });
      list.sort([&](int v) { return weights[v]; });
      answer.outcome = {Winner::BREAKER, at.free};
      answer.reply = *list.begin();
      return true;
    }
    Position<W> cleaned = at;
    drop_redundant(game_, cleaned);
    notes.replies = notes.candidates & (options_.domination ? undominated(game_, cleaned) : cleaned.free);
    if (!options_.pairing) return false;
    // 2. Killers.
    Vertices<W> tried;
    if (options_.killers) {
      const int killers[2] = {x >= 0 ? killer_for_[static_cast<std::size_t>(x)] : -1,
                              plies_[static_cast<std::size_t>(ply)].killer};
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
      const double deficiency = notes.has_deficiency ? notes.deficiency[static_cast<std::size_t>(y)] : 0;
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

  static bool promising(const Notes& notes, int y) {
    return !notes.has_deficiency || notes.deficiency[static_cast<std::size_t>(y)] <= FULL_DEFICIENCY;
  }

  bool hits_all(const Position<W>& at, int y, const ConflictList& conflicts, const Notes& notes) const {
    const Edges<W> edges = at.live & game_.edges_through(y);
    return conflicts.all_hit_by(game_.edges_through(y)) && (notes.conflict.none() || notes.conflict.meets(edges));
  }

  bool try_pairing(const Position<W>& at, int y, const ConflictList& conflicts, Notes& notes, Answer& answer) {
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

  // Breaker to move, not decided at once.
  void answer_by_search(const Position<W>& at, int ply, ConflictList conflicts, const Notes& notes, Answer& answer) {
    if (out_of_time()) return;
    conflicts.add(notes.conflict);
    Position<W> cleaned = at;
    drop_redundant(game_, cleaned);
    MoveList<W> list;
    for_each(notes.replies, [&](int y) { list.add(y); });
    const Weights<W> weights(game_, cleaned);
    list.sort([&](int y) {
      return weights[y] - (notes.has_deficiency ? DEFICIENCY_COST * notes.deficiency[static_cast<std::size_t>(y)] : 0);
    });
    if (near_root(at) && known_reply(cleaned, list, answer)) return;

    Vertices<W> carrier, must = notes.candidates;
    if (!options_.carriers) must = at.free;
    for (int y : list) {
      if (!must.test(y)) continue;
      Position<W> next = game_.after_breaker(cleaned, y);
      const PairList<W> pairs = reduce(game_, next, {options_.supersets, options_.pairs});
      const Outcome<W> child = maker(next, ply + 1, conflicts.without(game_.edges_through(y)));
      if (child.winner == Winner::UNKNOWN) return;
      if (child.winner == Winner::BREAKER) {
        answer = {child, y, pairs, false};
        answer.outcome.zone |= pairs.vertices();
        answer.outcome.zone.set(y);
        return;
      }
      carrier |= child.zone;
      if (options_.carriers) must &= child.zone;
    }
    // Replies outside `candidates` leave a threat of Maker standing.
    if (notes.candidates != at.free) carrier |= notes.candidates;
    answer.outcome = {Winner::MAKER, carrier};
  }

  // A reply whose position the table already knows as won.
  bool known_reply(const Position<W>& at, const MoveList<W>& list, Answer& answer) {
    for (int y : list) {
      Position<W> next = game_.after_breaker(at, y);
      const PairList<W> pairs = reduce(game_, next, {options_.supersets, options_.pairs});
      const auto [key, symmetry] = game_.canonical(next, options_.symmetry);
      Outcome<W> child;
      if (!look_up(key, symmetry, Side::MAKER, child) || child.winner != Winner::BREAKER) continue;
      answer = {child, y, pairs, false};
      answer.outcome.zone |= pairs.vertices();
      answer.outcome.zone.set(y);
      return true;
    }
    return false;
  }

  Shared& shared_;
  const Game<W>& game_;
  const FullOptions& options_;
  Watch watch_;
  Progress* const progress_;
  Progress::Path path_;  // the Maker moves from the root to here, as far as progress is told
  LinePairing<W> lines_;
  const bool by_line_;
  const int near_root_;
  std::vector<Ply> plies_;
  std::vector<MovablePairing<W>> movable_;  // of the Maker position whose moves are looked at
  std::array<std::int16_t, Game<W>::MAX_V> killer_for_;
  int best_maker_move_ = -1;
  std::uint64_t nodes_ = 0, pairings_ = 0;
};

}  // namespace

template <int W>
FullSearch<W>::FullSearch(const Game<W>& game, const FullOptions& options, std::uint64_t table_bytes)
    : shared_(std::make_unique<Shared>(game, options, table_bytes)) {}

template <int W>
FullSearch<W>::~FullSearch() = default;

template <int W>
void FullSearch<W>::record(StrategySink<W>* strategy) {
  shared_->strategy = strategy;
}

template <int W>
FullResult FullSearch<W>::solve(const Position<W>& at, Side side, const Limits& limits) {
  FullResult result;
  shared_->stop = false;
  shared_->nodes = 0;
  std::mutex mutex;
  const auto work = [&] {
    Worker<W, Shared> worker(*shared_, limits);
    FullResult own;
    const Outcome<W> outcome = side == Side::MAKER ? worker.solve_maker(at, own) : worker.solve_breaker(at, own);
    const std::lock_guard lock(mutex);
    const std::uint64_t pairings = result.pairings + worker.pairings();
    if (outcome.winner != Winner::UNKNOWN && result.winner == Winner::UNKNOWN) {
      result = std::move(own);
      result.winner = outcome.winner;
      result.zone = outcome.zone.template resize<4>();
      shared_->stop = true;  // one answer is enough
    }
    result.pairings = pairings;
    result.seconds = std::max(result.seconds, worker.seconds());
  };
  std::vector<std::thread> others;
  for (int i = 1; i < shared_->options.threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  result.nodes = shared_->nodes;
  if (limits.progress) {
    limits.progress->nodes = result.nodes;
    if (result.winner != Winner::UNKNOWN) limits.progress->finish();
  }
  return result;
}

template class FullSearch<1>;
template class FullSearch<2>;
template class FullSearch<4>;

}  // namespace zermelo::positional
