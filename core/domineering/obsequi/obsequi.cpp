#include "domineering/obsequi/obsequi.hpp"

#include <memory>
#include <mutex>
#include <stdexcept>

#include "base/busy_marks.hpp"
#include "base/grow_barrier.hpp"
#include "base/threads.hpp"
#include "domineering/bound/cover_pack.hpp"
#include "domineering/obsequi/mirrored_position.hpp"
#include "domineering/obsequi/order.hpp"

namespace zermelo {

namespace {

constexpr int MAX_PLIES = MAX_SQUARES / 2 + 2;
constexpr std::uint64_t POLL_INTERVAL = 1024;
// Threads avoid one another only above this many possible moves of both players, and above this part of the root's;
// below, a subtree is too small to share, and asking costs more than it saves. On 8x8 two threads took together 28 %
// more processor time than one with a limit of 24, and take 5 % more with 40.
constexpr int SHARE_ABOVE = 40;
constexpr int SHARE_PART_OF_8 = 5;
// After a move that took so many nodes it is worth asking whether another thread has finished the position meanwhile.
constexpr std::uint64_t WORTH_ASKING = 64;
constexpr int NEVER = 255;

// The data that all threads of a search share: the rules of this board, the table, the limits.
template <class W, bool RINGS>
struct Shared {
  Shared(const Board& board, Player first_, const ObsequiSettings& settings_, const Limits& limits)
      : settings(settings_),
        watch(limits),
        rules(board),
        root(mirrored_position<W>(board)),
        first(first_),
        table(settings.table_bytes, settings.replacement, settings.threads > 1) {
    for (std::size_t player = 0; player < 2; ++player)
      for (int square = 0; square < board.rows * board.cols; ++square)
        positional[player][square] = settings.order_positional ? positional_value(rules.frame[player], square) : 0;
    root_moves = static_cast<int>(legal_moves(board, first).size());
  }

  const ObsequiSettings settings;
  Watch watch;
  const MoveMasks<W, RINGS> rules;
  const MirroredPosition<W> root;
  const Player first;
  std::array<std::array<int, MAX_SQUARES>, 2> positional{};
  Table<W> table;
  BusyMarks busy;
  GrowBarrier barrier{settings.threads};
  int root_moves = 0;
  std::atomic<int> root_moves_done{0};

  std::mutex answer_mutex;
  Verdict verdict = Verdict::UNKNOWN;
  int winning_move = -1;
};

template <class W, bool RINGS>
class Worker {
 public:
  Worker(Shared<W, RINGS>& shared, bool reports)
      : shared_(shared), settings_(shared.settings), parallel_(settings_.threads > 1), reports_(reports) {
    for (auto& line : played_) line.fill(NEVER);
    const MoveCounts c = shared.rules.counts(shared.root, shared.first);
    share_above_ = std::min(SHARE_ABOVE, (c.real_me + c.real_other) * SHARE_PART_OF_8 / 8);
  }

  // Searches the root until this or another thread has the answer. The root itself is neither counted nor bounded, as
  // in the papers' figures: every win comes with a move.
  void solve_root() {
    const Resignation resignation{shared_};
    const MoveCounts c = shared_.rules.counts(shared_.root, shared_.first);
    const bool wins = expand(shared_.root, shared_.first, 0, c, nullptr);
    report_nodes();
    if (stopped_) return;
    const std::lock_guard lock(shared_.answer_mutex);
    if (shared_.verdict == Verdict::UNKNOWN) {
      shared_.verdict = wins ? Verdict::WIN : Verdict::LOSS;
      shared_.winning_move = winning_move_;
    }
    shared_.watch.stop();
  }

  std::uint64_t evaluations() const { return evaluations_; }
  const std::array<std::uint64_t, MAX_PLIES>& per_ply() const { return per_ply_; }

 private:
  using Position = MirroredPosition<W>;

  // Tells the barrier that this thread has ended, also after an exception.
  struct Resignation {
    Shared<W, RINGS>& shared;
    ~Resignation() {
      shared.barrier.resign([this] { shared.table.grow(); });
    }
  };

  const Frame<W, RINGS>& frame(Player player) const { return shared_.rules.frame[at(player)]; }
  Position after(const Position& position, Player me, int square) const {
    return shared_.rules.after(position, me, square);
  }

  // On rings the table knows a position by the least of its turns, one for each mirror image.
  TableKey<W> key_of(const Position& position, Player me) const {
    auto images = position.keys();
    if constexpr (RINGS)
      for (W& image : images) image = frame(Player::H).least_turn(image);
    return shared_.table.key(images, me);
  }

  decltype(auto) opened(const Position& position, Player player) const {
    if constexpr (RINGS) {
      auto images = position.image[at(player)];
      const std::size_t used = settings_.switches.four_packings ? IMAGES : 1;
      for (std::size_t i = 0; i < used; ++i) images[i] = frame(player).opened(images[i]);
      return images;
    } else {
      return (position.image[at(player)]);
    }
  }

  // Does `me`, on move, win? Meaningless once stopped_. `c` are the counts of this position.
  bool search(const Position& position, Player me, int ply, const MoveCounts& c) {
    // Step 1. Count the node; look at the limits now and then.
    if (nodes_ >= next_poll_) poll();
    if (stopped_) return false;
    const std::uint64_t nodes_before = nodes_++;
    ++per_ply_[ply];
    height_[ply] = 0;

    // Step 2. DOMI's test: does one player have more moves for certain than the other can ever make?
    if (settings_.real) {
      if (c.safe_me > c.real_other) return true;
      if (c.safe_other >= c.real_me) return false;
    }

    // Step 3. Cover bounds, of the player on move and then of the other. Meanwhile the table's cache lines arrive.
    const TableKey<W> key = key_of(position, me);
    shared_.table.prefetch(key);
    if (settings_.cover) {
      ++evaluations_;
      if (cover_wins(frame(me), opened(position, me), true, c.real_other, settings_.switches)) return true;
      ++evaluations_;
      if (cover_wins(frame(other(me)), opened(position, other(me)), false, c.real_me, settings_.switches)) return false;
    }

    // Step 4. Transposition table.
    if (const auto known = shared_.table.find(key, me)) return *known;

    // Step 5. Play.
    const bool sharing = parallel_ && c.real_me + c.real_other > share_above_;
    if (sharing) shared_.busy.enter(key.hash());
    const bool wins = expand(position, me, ply, c, sharing ? &key : nullptr);
    if (sharing) shared_.busy.leave(key.hash());

    // Step 6. Store. The table may have grown since, so the key is computed again.
    if (!stopped_) shared_.table.store(key_of(position, me), me, wins, nodes_ - nodes_before, height_[ply]);
    return wins;
  }

  // Does one of the moves win? With `key`, the position's own, other threads may work on the same position.
  bool expand(const Position& position, Player me, int ply, const MoveCounts& c, const TableKey<W>* key) {
    const Frame<W, RINGS>& f = frame(me);
    const W& mine = position.squares(me);
    const W shielded = f.protected_squares(mine);
    const W moves = f.moves(mine);
    const W safe = moves & shielded & f.upper(shielded);
    const W half = moves & (shielded ^ f.upper(shielded));
    const W open = moves & ~half & ~safe;

    // Step 1. With safe moves only, neither player can disturb the other any more, and they count.
    if (settings_.skip_safe_moves && !any(open | half)) {
      if (ply == 0) winning_move_ = thrifty_move(position, me, safe, c.real_me);
      return c.real_me > c.real_other;
    }

    // Step 2. Score the moves without a protected square; try the best before the others are sorted.
    std::array<ScoredMove, MAX_SQUARES> list;
    ScoredMove *next = list.data(), *end = next, *best = next;
    for_each_square(open, [&](int square) {
      *end = scored(position, me, ply, square);
      if (end->score >= best->score) best = end;
      ++end;
    });
    if (next != end) {
      std::rotate(next, best, best + 1);
      if (wins_with(position, me, ply, *next++)) return true;
      if (stopped_) return false;
    }
    sort_moves(next, end);

    // Step 3. Then the moves with one protected square. The papers leave them unsorted; sorting them takes 7x9 from
    //         7.47 to 5.50 million nodes. Safe moves are no better than any other (theorem 4.3.1): last, if wanted at
    //         all.
    const auto append = [&](int square) { *end++ = scored(position, me, ply, square); };
    ScoredMove* const halves = end;
    for_each_square(half, append);
    sort_moves(halves, end);
    if (!settings_.skip_safe_moves) for_each_square(safe, append);

    // Step 4. Try them in turn; positions that another thread searches now come last.
    std::array<ScoredMove*, MAX_SQUARES> deferred;
    int deferred_count = 0;
    for (; next != end; ++next) {
      if (key && is_busy(position, me, *next)) {
        deferred[deferred_count++] = next;
        continue;
      }
      const std::uint64_t nodes_before = nodes_;
      if (wins_with(position, me, ply, *next)) return true;
      if (stopped_) return false;
      if (key && nodes_ - nodes_before >= WORTH_ASKING)
        if (const auto known = shared_.table.find(*key, me)) return *known;
    }
    for (int i = 0; i < deferred_count; ++i) {
      if (wins_with(position, me, ply, *deferred[i])) return true;
      if (stopped_) return false;
    }
    return false;
  }

  bool wins_with(const Position& position, Player me, int ply, const ScoredMove& move) {
    std::uint8_t& played = played_[at(me)][move.square];
    played = static_cast<std::uint8_t>(std::min(ply, NEVER - 1));
    const bool wins = !search(after(position, me, move.square), other(me), ply + 1, move.after.reversed());
    played = NEVER;
    height_[ply] = std::max(height_[ply], height_[ply + 1] + 1);
    if (ply == 0 && !stopped_) {
      ++shared_.root_moves_done;
      if (wins) winning_move_ = move.square;
    }
    return wins && !stopped_;
  }

  // The lowest of the moves that leaves room for `real` - 1 more; none if there is no move. On a ring the lowest move
  // of all may take the middle out of a run that crosses the seam, and then both ends are lost.
  int thrifty_move(const Position& position, Player me, const W& moves, int real) const {
    int found = -1;
    for_each_square(moves, [&](int square) {
      const W left = after(position, me, square).squares(me);
      if (found < 0 && frame(me).dominoes(left) == real - 1) found = square;
    });
    return found;
  }

  ScoredMove scored(const Position& position, Player me, int ply, int square) const {
    const MoveCounts c = shared_.rules.counts(after(position, me, square), me);
    int symmetry = 0;
    if (settings_.order_symmetry && ply > 0) {
      const auto& mirror = shared_.rules.mirror[at(me)][square];
      for (std::size_t i = 1; i < IMAGES; ++i) symmetry = std::max(symmetry, NEVER - played_[at(me)][mirror[i]]);
    }
    return {combined_score(settings_.order_primary ? c.primary() : 0, symmetry, shared_.positional[at(me)][square]), c,
            static_cast<std::uint8_t>(square)};
  }

  bool is_busy(const Position& position, Player me, const ScoredMove& move) const {
    return shared_.busy.contains(key_of(after(position, me, move.square), other(me)).hash());
  }

  template <class Visit>
  static void for_each_square(W set, Visit&& visit) {
    while (any(set)) {
      const int square = lowest(set);
      set ^= bit<W>(square);
      visit(square);
    }
  }

  std::uint64_t report_nodes() {
    const std::uint64_t total = shared_.watch.add(nodes_ - nodes_reported_);
    nodes_reported_ = nodes_;
    return total;
  }

  void poll() {
    Watch& watch = shared_.watch;
    const std::uint64_t limit = watch.limits().nodes, total = report_nodes();
    next_poll_ = nodes_ + std::min(POLL_INTERVAL, limit - std::min(total, limit));
    stopped_ = watch.look();
    if (parallel_ && !stopped_) {
      if (shared_.table.is_crowded()) shared_.barrier.call();
      if (shared_.barrier.called()) shared_.barrier.attend([&] { shared_.table.grow(); });
    }
    if (reports_) watch.report(std::min<int>(shared_.root_moves_done, shared_.root_moves), shared_.root_moves);
  }

  Shared<W, RINGS>& shared_;
  const ObsequiSettings settings_;
  const bool parallel_, reports_;
  bool stopped_ = false;
  int share_above_ = 0;
  std::uint64_t nodes_ = 0, nodes_reported_ = 0, next_poll_ = 0, evaluations_ = 0;
  int winning_move_ = -1;
  std::array<std::array<std::uint8_t, MAX_SQUARES>, 2> played_;  // ply at which a move of this line was played
  std::array<std::uint64_t, MAX_PLIES> per_ply_{};
  std::array<int, MAX_PLIES> height_{};  // of the subtree searched last from this ply
};

template <class W, bool RINGS>
SearchResult run(const Board& board, Player first, const ObsequiSettings& settings, const Limits& limits) {
  const auto shared = std::make_unique<Shared<W, RINGS>>(board, first, settings, limits);
  std::vector<std::unique_ptr<Worker<W, RINGS>>> workers;
  for (int i = 0; i < settings.threads; ++i) workers.push_back(std::make_unique<Worker<W, RINGS>>(*shared, i == 0));
  run_threads(
      settings.threads, [&](int i) { workers[i]->solve_root(); }, [&] { shared->watch.stop(StopReason::CANCELLED); });
  SearchResult result;
  result.verdict = shared->verdict;
  if (result.verdict == Verdict::UNKNOWN) result.stopped = shared->watch.reason();
  if (result.verdict == Verdict::WIN) result.move = shared->rules.move_at(first, shared->winning_move);
  result.nodes = shared->watch.nodes();
  result.nodes_per_ply.resize(MAX_PLIES - 1);
  for (const auto& worker : workers) {
    result.evaluations += worker->evaluations();
    for (std::size_t ply = 1; ply < MAX_PLIES; ++ply) result.nodes_per_ply[ply - 1] += worker->per_ply()[ply];
  }
  while (!result.nodes_per_ply.empty() && result.nodes_per_ply.back() == 0) result.nodes_per_ply.pop_back();
  result.seconds = shared->watch.seconds();
  return result;
}

}  // namespace

SearchResult obsequi_search(const Board& board, Player first, const ObsequiSettings& settings, const Limits& limits) {
  if (settings.threads < 1 || settings.threads > 1024) throw std::invalid_argument("threads must be from 1 to 1024");
  return with_word(board, [&]<class W, bool RINGS>() { return run<W, RINGS>(board, first, settings, limits); });
}

}  // namespace zermelo
