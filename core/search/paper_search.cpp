#include "search/paper_search.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "bound/cover_pack.hpp"
#include "search/order.hpp"

namespace zermelo {

namespace {

constexpr int MAX_PLIES = MAX_SQUARES / 2 + 2;
constexpr std::uint64_t POLL_INTERVAL = 1024;

constexpr std::size_t at(Player player) { return static_cast<std::size_t>(player); }

// The free squares in both players' numbering, for all four mirror images.
template <class W>
struct Position {
  std::array<std::array<W, IMAGES>, 2> image;

  const W& squares(Player player) const { return image[at(player)][0]; }
  // Free or take the squares of a move, given as a Position of its two squares.
  Position operator^(const Position& move) const {
    Position result;
    for (std::size_t player = 0; player < 2; ++player)
      for (std::size_t i = 0; i < IMAGES; ++i) result.image[player][i] = image[player][i] ^ move.image[player][i];
    return result;
  }
};

template <class W>
Position<W> position_of(const Board& board) {
  Position<W> result;
  for (int i = 0; i < IMAGES; ++i) {
    const Board image = mirrored(board, i);
    for (const Player player : {Player::V, Player::H})
      result.image[at(player)][static_cast<std::size_t>(i)] = squares_of<W>(image, player);
  }
  return result;
}

// What all threads of one search share: the rules of this board, the table, the limits.
template <class W, bool RINGS>
struct Shared {
  using Clock = std::chrono::steady_clock;

  Shared(const Board& board_, const PaperSettings& settings_, const Limits& limits_)
      : board(board_),
        settings(settings_),
        limits(limits_),
        frame{frame_of<W, RINGS>(board, Player::V), frame_of<W, RINGS>(board, Player::H)},
        table(settings.table_bytes, settings.replacement, settings.threads > 1) {
    for (const Player player : {Player::V, Player::H}) {
      const Frame<W, RINGS>& f = frame[at(player)];
      for (int square = 0; square < f.lines * f.length; ++square) {
        const Move move = move_at(player, square);
        Board only = board;
        only.free = domino(board, move);
        if (only.free.none()) continue;
        const auto s = static_cast<std::size_t>(square);
        masks[at(player)][s] = position_of<W>(only);
        positional[at(player)][s] = positional_value(f, square);
      }
    }
  }

  Move move_at(Player player, int square) const {
    const int length = frame[at(player)].length;
    return player == Player::H ? Move{player, square / length, square % length}
                               : Move{player, square % length, square / length};
  }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start).count(); }
  void stop(StopReason reason) {
    StopReason none = StopReason::FINISHED;
    stopped.compare_exchange_strong(none, reason);
    halt = true;
  }

  Board board;
  PaperSettings settings;
  const Limits& limits;
  std::array<Frame<W, RINGS>, 2> frame;
  std::array<std::array<Position<W>, MAX_SQUARES>, 2> masks{};
  std::array<std::array<int, MAX_SQUARES>, 2> positional{};
  Table<W> table;
  Clock::time_point start = Clock::now();
  std::atomic<bool> halt{false};
  std::atomic<StopReason> stopped{StopReason::FINISHED};
  std::atomic<std::uint64_t> nodes{0};  // of all threads, brought up to date at every poll
};

template <class W, bool RINGS>
class Worker {
 public:
  explicit Worker(Shared<W, RINGS>& shared, int index) : shared_(shared), settings_(shared.settings), index_(index) {}

  // Does `me`, on move, win? Meaningless once stopped(). The root is neither counted nor bounded, as in the papers'
  // figures: every answer comes with a move.
  bool search_root(const Position<W>& position, Player me) { return expand(position, me, 0, counts(position, me)); }

  bool stopped() const { return stopped_; }
  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t evaluations() const { return evaluations_; }
  const std::array<std::uint64_t, MAX_PLIES>& per_ply() const { return per_ply_; }
  int root_move() const { return root_move_; }

 private:
  const Frame<W, RINGS>& frame(Player player) const { return shared_.frame[at(player)]; }
  const Position<W>& mask(Player player, int square) const {
    return shared_.masks[at(player)][static_cast<std::size_t>(square)];
  }

  MoveCounts counts(const Position<W>& position, Player me) const {
    const W &mine = position.squares(me), &theirs = position.squares(other(me));
    const Frame<W, RINGS>&f = frame(me), &g = frame(other(me));
    return {f.dominoes(mine), g.dominoes(theirs), f.dominoes(f.protected_squares(mine)),
            g.dominoes(g.protected_squares(theirs))};
  }

  bool search(const Position<W>& position, Player me, int ply, const MoveCounts& c) {
    // Step 1. Count the node; look at limits now and then.
    ++per_ply_[static_cast<std::size_t>(ply)];
    height_[static_cast<std::size_t>(ply)] = 0;
    const std::uint64_t nodes_before = nodes_;
    if (++nodes_ >= next_poll_) poll();
    if (stopped_) return false;

    // Step 2. DOMI's test: who has more moves than the other can ever make?
    if (settings_.real) {
      if (c.safe_me > c.real_other) return true;
      if (c.safe_other >= c.real_me) return false;
    }

    // Step 3. Cover bounds, for the player on move and then for the other. The table's cache lines arrive meanwhile.
    const TableKey<W> key = shared_.table.key(position.image[at(Player::H)], me);
    shared_.table.prefetch(key);
    if (settings_.cover) {
      ++evaluations_;
      if (cover_wins(frame(me), position.image[at(me)], true, c.real_other, settings_.switches)) return true;
      ++evaluations_;
      if (cover_wins(frame(other(me)), position.image[at(other(me))], false, c.real_me, settings_.switches))
        return false;
    }

    // Step 4. Transposition table.
    if (const auto known = shared_.table.find(key, me)) return *known;

    // Step 5. Play.
    const bool wins = expand(position, me, ply, c);

    // Step 6. Store.
    if (!stopped_) shared_.table.store(key, me, wins, nodes_ - nodes_before, height_[static_cast<std::size_t>(ply)]);
    return wins;
  }

  // Does one of the moves win?
  bool expand(const Position<W>& position, Player me, int ply, const MoveCounts& c) {
    // Step 1. Moves of which the opponent could prevent both halves: scored, the best is tried before the rest is
    // sorted.
    const Frame<W, RINGS>& f = frame(me);
    const W& mine = position.squares(me);
    const W shielded = f.protected_squares(mine);
    const W moves = f.moves(mine);
    const W half = moves & (shielded ^ f.upper(shielded));
    const W safe = moves & shielded & f.upper(shielded);
    std::array<ScoredMove, MAX_SQUARES> list;
    int count = 0, best = 0;
    for (W open = moves & ~half & ~safe; any(open); ++count) {
      const int square = lowest(open);
      open ^= bit<W>(square);
      list[static_cast<std::size_t>(count)] = {score(position, me, square), static_cast<std::uint8_t>(square)};
      if (list[static_cast<std::size_t>(count)].score > list[static_cast<std::size_t>(best)].score) best = count;
    }
    bool wins = false;
    if (count) {
      std::rotate(list.begin(), list.begin() + best, list.begin() + best + 1);
      wins = wins_with(position, me, ply, list[0].square);
      if (!wins && !stopped_) {
        sort_moves(list.data() + 1, list.data() + count);
        for (int i = 1; i < count && !wins && !stopped_; ++i)
          wins = wins_with(position, me, ply, list[static_cast<std::size_t>(i)].square);
      }
    }
    // Step 2. Moves with one protected square.
    for (W rest = half; any(rest) && !wins && !stopped_;) {
      const int square = lowest(rest);
      rest ^= bit<W>(square);
      wins = wins_with(position, me, ply, square);
    }
    // Step 3. Safe moves are no better than any other (theorem 4.3.1). If there are only safe moves, neither player can
    //         disturb the other any more, and they count.
    if (settings_.skip_safe_moves) {
      if (!any(moves & ~safe)) wins = c.real_me > c.real_other;
    } else {
      for (W rest = safe; any(rest) && !wins && !stopped_;) {
        const int square = lowest(rest);
        rest ^= bit<W>(square);
        wins = wins_with(position, me, ply, square);
      }
    }
    return wins;
  }

  bool wins_with(const Position<W>& position, Player me, int ply, int square) {
    const Position<W> child = position ^ mask(me, square);
    const bool wins = !search(child, other(me), ply + 1, counts(child, other(me)));
    const auto here = static_cast<std::size_t>(ply);
    height_[here] = std::max(height_[here], height_[here + 1] + 1);
    if (ply == 0) {
      if (wins) root_move_ = square;
    }
    return wins;
  }

  int score(const Position<W>& position, Player me, int square) const {
    int result = 0;
    if (settings_.order_primary) result = 128 * counts(position ^ mask(me, square), me).primary();
    if (settings_.order_positional) result += shared_.positional[at(me)][static_cast<std::size_t>(square)];
    return result;
  }

  void poll() {
    next_poll_ = nodes_ + POLL_INTERVAL;
    const Limits& limits = shared_.limits;
    if (nodes_ > limits.nodes) shared_.stop(StopReason::NODES);
    if (limits.cancel && limits.cancel->load(std::memory_order_relaxed)) shared_.stop(StopReason::CANCELLED);
    if (shared_.seconds() > limits.seconds) shared_.stop(StopReason::TIME);
    stopped_ = shared_.halt.load(std::memory_order_relaxed);
  }

  Shared<W, RINGS>& shared_;
  const PaperSettings& settings_;
  int index_;
  bool stopped_ = false;
  std::uint64_t nodes_ = 0, next_poll_ = 0, evaluations_ = 0;
  int root_move_ = -1;
  std::array<std::uint64_t, MAX_PLIES> per_ply_{};
  std::array<int, MAX_PLIES> height_{};
};

template <class W, bool RINGS>
SearchResult run(const Board& board, Player first, const PaperSettings& settings, const Limits& limits) {
  auto shared = std::make_unique<Shared<W, RINGS>>(board, settings, limits);
  const Position<W> root = position_of<W>(board);
  Worker<W, RINGS> worker(*shared, 0);
  SearchResult result;
  const bool wins = worker.search_root(root, first);
  result.nodes = worker.nodes();
  result.evaluations = worker.evaluations();
  result.nodes_per_ply.assign(worker.per_ply().begin() + 1, worker.per_ply().end());
  while (result.nodes_per_ply.size() > 1 && result.nodes_per_ply.back() == 0) result.nodes_per_ply.pop_back();
  result.stopped = shared->stopped;
  if (!worker.stopped()) {
    result.verdict = wins ? Verdict::WIN : Verdict::LOSS;
    if (wins) {
      if (worker.root_move() >= 0) result.move = shared->move_at(first, worker.root_move());
    }
  }
  result.seconds = shared->seconds();
  return result;
}

}  // namespace

SearchResult paper_search(const Board& board, Player first, const PaperSettings& settings, const Limits& limits) {
  if (settings.threads < 1 || settings.threads > 1024) throw std::invalid_argument("threads must be from 1 to 1024");
  return with_word(board, [&]<class W, bool RINGS>() { return run<W, RINGS>(board, first, settings, limits); });
}

}  // namespace zermelo
