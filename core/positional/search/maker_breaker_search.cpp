#include "positional/search/maker_breaker_search.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "base/busy_marks.hpp"
#include "base/threads.hpp"
#include "positional/search/forcing.hpp"
#include "positional/search/immediate_reply.hpp"
#include "positional/search/table.hpp"

namespace zermelo::positional {

namespace {

constexpr int FORCING_BUDGET = 60;  // forcing moves per Maker position; more brought nothing
constexpr double DEFICIENCY_COST = 3.5;
// Looking ahead pays where a large subtree is expected: near the root. Measured on 8,7,5 (thousand nodes): from least
// deficiency 8 on 123, from 10 on 90, from 12 on 86, from 16 on (never) 428; three replies 89, five 86, eight 89.
constexpr int AHEAD_DEFICIENCY = 12, AHEAD_REPLIES = 5;
constexpr double AHEAD_GROWTH = 1.6, AHEAD_POTENTIAL = 4;
// Shares of free vertices above which threads share work, and above which all replies are looked up first: that takes a
// tenth of the time from 0.88 on (8,7,5 0.63 s, 0.51 s from 0.94 on with the same nodes), and never half as many nodes
// more.
constexpr double SHARED_ABOVE = 0.88, LOOKED_UP_ABOVE = 0.94;

}  // namespace

template <int W>
struct MakerBreakerSearch<W>::Shared {
  Shared(const Game<W>& g, const MakerBreakerOptions& o, std::uint64_t bytes)
      : game(g), options(o), table(o.table ? bytes : 0) {}

  const Game<W>& game;
  const MakerBreakerOptions options;
  Table<W> table;
  BusyMarks busy;
  StrategyFile* strategy = nullptr;
  std::optional<Table<W>> hints;  // results without a recorded strategy, while recording
};

namespace {

// The search of one thread. `Shared` is MakerBreakerSearch<W>::Shared, private there.
template <int W, class Shared>
class Worker {
 public:
  Worker(Shared& shared, Watch& watch, TreeProgress* progress)
      : shared_(shared),
        game_(shared.game),
        options_(shared.options),
        watch_(watch),
        progress_(progress),
        at_once_(shared.game, shared.options),
        shared_above_(static_cast<int>(SHARED_ABOVE * shared.game.vertex_count)),
        looked_up_above_(static_cast<int>(LOOKED_UP_ABOVE * shared.game.vertex_count)),
        notes_(static_cast<std::size_t>(shared.game.vertex_count / 2 + 2)) {}

  // Pairs off, then the search. Zone and carrier are those of `at` itself.
  Outcome<W> solve_maker(Position<W> at, MakerBreakerResult& result) {
    if (Vertices<W> last; completes(at, last)) return {Winner::MAKER, last};
    PairList<W> pairs;
    if (options_.pairing && at_once_.find_pairs(at, pairs, ImmediateReply<W>::ROOT_BUDGET) == Found::YES) {
      result.pairs.assign(pairs.begin(), pairs.end());
      result.by_pairing = true;
      return {Winner::BREAKER, pairs.vertices()};
    }
    pairs = reduce(game_, at, {options_.supersets, options_.pairs});
    result.pairs.assign(pairs.begin(), pairs.end());
    Outcome<W> outcome = maker(at, 0, {});
    if (outcome.winner == Winner::BREAKER) {
      result.strategy = {outcome.node, outcome.symmetry};
      outcome.zone |= pairs.vertices();
    }
    result.maker_move = best_maker_move_;
    return outcome;
  }

  Outcome<W> solve_breaker(const Position<W>& at, MakerBreakerResult& result) {
    if (at.live.none()) return {Winner::BREAKER, {}};
    bool lost = false;
    for_each(at.live, [&](int e) { lost = lost || game_.residual(at, e).none(); });
    if (lost) return {Winner::MAKER, {}};
    if (out_of_time()) return {};
    BreakerAnswer<W> answer;
    BreakerNotes<W> notes;
    if (!at_once_.decides(at, -1, 0, at.free, {}, notes, answer)) answer_by_search(at, 0, {}, notes, answer);
    if (answer.outcome.winner == Winner::BREAKER) {
      result.reply.vertex = answer.reply;
      result.reply.by_pairing = answer.by_pairing;
      result.reply.pairs.assign(answer.pairs.begin(), answer.pairs.end());
    }
    return answer.outcome;
  }

  std::uint64_t nodes() const { return nodes_; }

 private:
  // A Maker position won by Breaker's reply to one of his moves.
  struct Branch {
    int reply;
    Vertices<W> zone;
    PairList<W> pairs;
    StrategyRef after;
  };

  bool out_of_time() {
    ++nodes_;
    if (progress_ && (nodes_ & 255) == 0) progress_->nodes.store(watch_.nodes(), std::memory_order_relaxed);
    return watch_.tick();
  }

  // A live hyperedge that Maker completes with one mark, or has.
  bool completes(const Position<W>& at, Vertices<W>& last) const {
    for (Edges<W> left = at.live; left.any();) {
      last = game_.residual(at, left.pop_lowest());
      if (!at_least_two(last)) return true;
    }
    return false;
  }

  // Maker to move, `at` reduced. The zone or carrier is that of `at`. UNKNOWN: a limit was reached.
  Outcome<W> maker(const Position<W>& at, int ply, const Conflicts<W>& conflicts) {
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
    if ((!options_.table || !shared_.table.find(key, side, outcome)) && !hint(key, side, Winner::MAKER, outcome))
      return false;
    const int back = game_.inverse[symmetry];
    if (symmetry) outcome.zone = game_.map(back, outcome.zone);
    outcome.symmetry = game_.compose[back][outcome.symmetry];
    return true;
  }

  // Whether the hints say that this player wins.
  bool hint(const Position<W>& key, Side side, Winner winner, Outcome<W>& outcome) const {
    Outcome<W> found;
    if (!shared_.hints || !shared_.hints->find(key, side, found) || found.winner != winner) return false;
    outcome = found;
    return true;
  }

  void store(const Position<W>& key, int symmetry, Side side, Outcome<W> outcome, std::uint64_t nodes) {
    if (!options_.table) return;
    if (symmetry) outcome.zone = game_.map(symmetry, outcome.zone);
    outcome.symmetry = game_.compose[symmetry][outcome.symmetry];
    shared_.table.store(key, side, outcome, nodes);
  }

  // Parts that share no vertex: with Maker to move Breaker wins the sum exactly when she wins every part.
  Outcome<W> by_components(const Position<W>& at, int ply, const Conflicts<W>& conflicts) {
    if (!options_.components) return by_moves(at, ply, conflicts);
    Edges<W> left = at.live;
    Outcome<W> sum{Winner::BREAKER, {}};
    StrategyNode node;
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
      if (shared_.strategy) node.parts.push_back({outcome.node, outcome.symmetry});
    }
    if (shared_.strategy) sum.node = shared_.strategy->add(node);
    return sum;
  }

  std::vector<BreakerNotes<W>>& notes_at(int ply) {
    std::vector<BreakerNotes<W>>& notes = notes_[ply];
    if (notes.empty()) notes.resize(static_cast<std::size_t>(game_.vertex_count));
    return notes;
  }

  // Calls report(x, answer) for every move in `open` (which may shrink meanwhile) that is decided without search.
  // Returns false if report() does, or at a limit. The other moves then have notes.
  template <class Report>
  bool answer_at_once(const Position<W>& at, const MoveList<W>& moves, int ply, const Conflicts<W>& conflicts,
                      const Vertices<W>& open, Report&& report) {
    std::vector<BreakerNotes<W>>& notes = notes_at(ply);
    at_once_.forget_pairings();
    for (int x : moves) {
      if (!open.test(x)) continue;
      BreakerAnswer<W> answer;
      const Position<W> next = game_.after_maker(at, x);
      const bool moved = at_once_.moves_a_pairing(next, x, answer);
      if (out_of_time()) return false;
      if (!moved) {
        if (!at_once_.decides(next, x, ply, open, conflicts, notes[x], answer)) continue;
        at_once_.keep_pairing(at, answer);
      }
      if (!report(x, answer)) return false;
    }
    return true;
  }

  // The branches of a Maker position: first all moves that are answered at once, then the others by search.
  Outcome<W> by_moves(const Position<W>& at, int ply, const Conflicts<W>& conflicts) {
    const Vertices<W> top = options_.domination ? undominated(game_, at) : at.free;
    const MoveList<W> moves = by_weight(game_, at, top);
    std::vector<Branch> branches;
    Vertices<W> open = at.free, done;
    const auto add = [&](int x, const BreakerAnswer<W>& answer) {
      branches.push_back(
          {answer.reply, answer.outcome.zone, answer.pairs, {answer.outcome.node, answer.outcome.symmetry}});
      done.set(x);
      at_once_.remember(x, ply, answer.reply);
      if (options_.zones) open &= answer.outcome.zone;
    };
    Outcome<W> lost;
    if (!answer_at_once(at, moves, ply, conflicts, open, [&](int x, const BreakerAnswer<W>& answer) {
          if (answer.outcome.winner == Winner::MAKER) lost = maker_wins(x, ply, answer.outcome);
          else add(x, answer);
          return lost.winner == Winner::UNKNOWN;
        }))
      return lost;
    std::vector<BreakerNotes<W>>& notes = notes_at(ply);
    int open_moves = 0;
    for (int x : moves) open_moves += open.test(x) && !done.test(x);
    const double weight = (ply > 0 && ply <= TreeProgress::PLIES ? path_[ply - 1].weight : 1) / std::max(1, open_moves);
    MoveList<W> deferred;
    const bool share = options_.threads > 1 && at.free.count() >= shared_above_;
    for (int round = 0; round < 2; ++round) {
      for (int x : round == 0 ? moves : deferred) {
        if (!open.test(x) || done.test(x)) continue;
        const Position<W> next = game_.after_maker(at, x);
        Position<W> key = next;
        int symmetry = 0;
        if (share) {
          std::tie(key, symmetry) = game_.canonical(next, options_.symmetry);
          if (round == 0 && shared_.busy.contains(key.hash())) {
            deferred.add(x);
            continue;
          }
          shared_.busy.enter(key.hash());
        }
        BreakerAnswer<W> answer;
        const bool reports = progress_ && ply < TreeProgress::PLIES;
        if (reports) path_[ply] = {static_cast<std::uint8_t>(x), weight};
        answer_by_search(next, ply, conflicts, notes[x], answer);
        if (share) shared_.busy.leave(key.hash());
        if (answer.outcome.winner == Winner::MAKER) return maker_wins(x, ply, answer.outcome);
        if (answer.outcome.winner == Winner::UNKNOWN) return {};
        if (reports) progress_->finish(path_, ply + 1);
        add(x, answer);
      }
    }
    return breaker_wins(at, top, branches);
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
  Outcome<W> breaker_wins(const Position<W>& at, const Vertices<W>& top, std::vector<Branch>& branches) {
    if (!options_.zones) return {Winner::BREAKER, at.free};
    if (options_.trim) trim(top, at.free, branches);
    Vertices<W> zone, inside_all = at.free;
    for (const Branch& branch : branches) {
      zone |= branch.zone;
      inside_all &= branch.zone;
    }
    StrategyNode node;
    for_each(inside_all, [&](int v) {
      const int u = dominator_of(game_, at, top, v);
      zone.set(u);
      if (!shared_.strategy) return;
      std::uint8_t i = 0;
      while (branches[i].zone.test(u)) ++i;
      node.swaps.push_back({static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(u), i});
    });
    Outcome<W> outcome{Winner::BREAKER, zone};
    if (shared_.strategy) {
      for (const Branch& branch : branches)
        node.branches.push_back({branch.reply, branch.after, {branch.pairs.begin(), branch.pairs.end()}});
      outcome.node = shared_.strategy->add(node);
    }
    return outcome;
  }

  // Leaves out branches, oldest first, as long as every undominated vertex stays outside the zone of some branch.
  static void trim(const Vertices<W>& top, const Vertices<W>& free, std::vector<Branch>& branches) {
    for (std::size_t i = 0; i < branches.size() && branches.size() > 1;) {
      Vertices<W> inside_others = free;
      for (std::size_t j = 0; j < branches.size(); ++j)
        if (j != i) inside_others &= branches[j].zone;
      if (inside_others.meets(top)) ++i;
      else branches.erase(branches.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  // Breaker to move, not decided at once.
  void answer_by_search(const Position<W>& at, int ply, Conflicts<W> conflicts, const BreakerNotes<W>& notes,
                        BreakerAnswer<W>& answer) {
    if (out_of_time()) return;
    conflicts.add(notes.conflict);
    Position<W> cleaned = at;
    drop_redundant(game_, cleaned);
    MoveList<W> list(notes.replies);
    const Weights<W> weights(game_, cleaned);
    list.sort([&](int y) { return weights[y] - (notes.has_deficiency ? DEFICIENCY_COST * notes.deficiency[y] : 0); });
    const bool hinted = shared_.hints && put_hinted_reply_first(cleaned, list);
    if (at.free.count() >= looked_up_above_ && known_reply(cleaned, list, answer)) return;
    if (!hinted && options_.ahead && notes.least_deficiency() > AHEAD_DEFICIENCY)
      look_ahead(cleaned, ply + 1, conflicts, list);

    Vertices<W> carrier, must = notes.candidates;
    if (!options_.carriers) must = at.free;
    for (int y : list) {
      if (!must.test(y)) continue;
      Position<W> next = game_.after_breaker(cleaned, y);
      const PairList<W> pairs = reduce(game_, next, {options_.supersets, options_.pairs});
      const Outcome<W> child = maker(next, ply + 1, conflicts.without(game_.edges_through(y)));
      if (child.winner == Winner::UNKNOWN) return;
      if (child.winner == Winner::BREAKER) {
        answer = won_with(y, pairs, child);
        return;
      }
      carrier |= child.zone;
      if (options_.carriers) must &= child.zone;
    }
    // Replies outside `candidates` leave a threat of Maker standing.
    if (notes.candidates != at.free) carrier |= notes.candidates;
    answer.outcome = {Winner::MAKER, carrier};
  }

  // Puts the first replies of the list in order: first the one after which the position looks easiest.
  void look_ahead(const Position<W>& at, int ply, const Conflicts<W>& conflicts, MoveList<W>& list) {
    std::array<double, Game<W>::MAX_V> hardness;
    MoveList<W> first = list;
    first.count = std::min(list.count, AHEAD_REPLIES);
    for (int y : first) {
      Position<W> next = game_.after_breaker(at, y);
      reduce(game_, next, {options_.supersets, options_.pairs});
      hardness[y] = hardness_of(next, ply, conflicts.without(game_.edges_through(y)));
    }
    first.sort([&](int y) { return -hardness[y]; });
    std::copy(first.begin(), first.end(), list.vertex.begin());
  }

  // A guess of how many nodes it takes to win a Maker position: the moves that are not answered at once count, each by
  // how far it is from a pairing, and so does the potential.
  double hardness_of(const Position<W>& at, int ply, const Conflicts<W>& conflicts) {
    const MoveList<W> moves = by_weight(game_, at, options_.domination ? undominated(game_, at) : at.free);
    Vertices<W> open = at.free, left;
    for (int x : moves) left.set(x);
    if (!answer_at_once(at, moves, ply, conflicts, open, [&](int x, const BreakerAnswer<W>& answer) {
          left.reset(x);
          if (options_.zones) open &= answer.outcome.zone;
          return answer.outcome.winner == Winner::BREAKER;
        }))
      return std::numeric_limits<double>::infinity();
    double sum = 0;
    for_each(left & open, [&](int x) { sum += std::pow(AHEAD_GROWTH, notes_at(ply)[x].least_deficiency()); });
    return std::exp(AHEAD_POTENTIAL * potential(game_, at)) * sum;
  }

  // A reply whose position the table already knows as won.
  bool known_reply(const Position<W>& at, const MoveList<W>& list, BreakerAnswer<W>& answer) {
    for (int y : list) {
      Position<W> next = game_.after_breaker(at, y);
      const PairList<W> pairs = reduce(game_, next, {options_.supersets, options_.pairs});
      const auto [key, symmetry] = game_.canonical(next, options_.symmetry);
      Outcome<W> child;
      if (!look_up(key, symmetry, Side::MAKER, child) || child.winner != Winner::BREAKER) continue;
      answer = won_with(y, pairs, child);
      return true;
    }
    return false;
  }

  bool put_hinted_reply_first(const Position<W>& at, MoveList<W>& list) {
    for (int i = 0; i < list.count; ++i) {
      Position<W> next = game_.after_breaker(at, list.vertex[i]);
      reduce(game_, next, {options_.supersets, options_.pairs});
      Outcome<W> child;
      if (!hint(game_.canonical(next, options_.symmetry).first, Side::MAKER, Winner::BREAKER, child)) continue;
      std::rotate(list.vertex.begin(), list.vertex.begin() + i, list.vertex.begin() + i + 1);
      return true;
    }
    return false;
  }

  // Her answer y takes these pairs out, and she wins the rest.
  static BreakerAnswer<W> won_with(int y, const PairList<W>& pairs, Outcome<W> rest) {
    rest.zone |= pairs.vertices();
    rest.zone.set(y);
    return {rest, y, pairs, false};
  }

  Shared& shared_;
  const Game<W>& game_;
  const MakerBreakerOptions& options_;
  Watch& watch_;
  TreeProgress* const progress_;
  TreeProgress::Path path_;  // the first Maker moves from the root to here
  ImmediateReply<W> at_once_;
  const int shared_above_, looked_up_above_;
  std::vector<std::vector<BreakerNotes<W>>> notes_;  // by ply, by Maker's move
  int best_maker_move_ = -1;
  std::uint64_t nodes_ = 0;
};

}  // namespace

template <int W>
MakerBreakerSearch<W>::MakerBreakerSearch(const Game<W>& game, const MakerBreakerOptions& options,
                                          std::uint64_t table_bytes)
    : shared_(std::make_unique<Shared>(game, options, table_bytes)) {}

template <int W>
MakerBreakerSearch<W>::~MakerBreakerSearch() = default;

template <int W>
void MakerBreakerSearch<W>::record(StrategyFile* strategy) {
  shared_->strategy = strategy;
}

template <int W>
void MakerBreakerSearch<W>::save(SavedWords& words, std::size_t most) const {
  shared_->table.save(words, most);
}

template <int W>
std::size_t MakerBreakerSearch<W>::load(std::span<const std::uint64_t>& words) {
  if (!shared_->strategy) return shared_->table.load(words, shared_->game.start());
  if (!shared_->hints) shared_->hints.emplace(32 * words.size());
  return shared_->hints->load(words, shared_->game.start());
}

template <int W>
MakerBreakerResult MakerBreakerSearch<W>::solve(const Position<W>& at, Side side, const Limits& limits,
                                                TreeProgress* progress, bool alone) {
  MakerBreakerResult result;
  Watch watch(limits);
  std::mutex mutex;
  const auto work = [&](int) {
    Worker<W, Shared> worker(*shared_, watch, progress);
    MakerBreakerResult own;
    const Outcome<W> outcome = side == Side::MAKER ? worker.solve_maker(at, own) : worker.solve_breaker(at, own);
    const std::lock_guard lock(mutex);
    if (outcome.winner != Winner::UNKNOWN && result.winner == Winner::UNKNOWN) {
      result = std::move(own);
      result.winner = outcome.winner;
      result.zone = outcome.zone.template resize<4>();
      watch.stop();  // one answer is enough
    }
  };
  run_threads(alone ? 1 : shared_->options.threads, work, [&] { watch.stop(StopReason::CANCELLED); });
  result.nodes = watch.nodes();
  if (progress) {
    progress->nodes = result.nodes;
    if (result.winner != Winner::UNKNOWN) progress->finish();
  }
  return result;
}

template class MakerBreakerSearch<1>;
template class MakerBreakerSearch<2>;
template class MakerBreakerSearch<4>;
template class MakerBreakerSearch<MANY_EDGES>;

}  // namespace zermelo::positional
