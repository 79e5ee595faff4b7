#include "search/component_search.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bound/strip_profile.hpp"
#include "search/component_order.hpp"
#include "search/component_position.hpp"
#include "search/component_table.hpp"

namespace zermelo {

namespace {

using Clock = std::chrono::steady_clock;

// A bound that misses by no more than this is asked again with the parts that the move really leaves.
constexpr int NEAR_MISS = 16;
constexpr int CHILD_PROBES = 2;
constexpr std::size_t STACK_PARTS = 4096;
constexpr std::uint64_t POLL_INTERVAL = 1024;

struct Candidate {
  std::int32_t order;
  std::uint8_t part;
  std::uint8_t line;  // in board coordinates
  std::uint8_t bit;
  bool own_tested;
};

constexpr int MAX_MOVES = MAX_LINES * MAX_LINES;

}  // namespace

struct ComponentSearch::Shared {
  int rows, cols;
  ComponentOptions options;
  std::shared_ptr<const StripTables> tables;
  ComponentTable table;

  Shared(int r, int c, const ComponentOptions& o)
      : rows(r),
        cols(c),
        options(o),
        tables(StripTables::load(r, c, o.memory / 2, o.table_squares)),
        table(o.memory - tables->bytes()) {}
};

namespace {

// One thread's walk. Everything it needs is in its own memory, but for the strip tables and the transposition table.
class Walker {
 public:
  Walker(const StripTables& tables, ComponentTable& table, const Limits& limits, Clock::time_point start)
      : tables_(tables), table_(table), limits_(limits), start_(start), stack_(STACK_PARTS) {}

  Verdict run(const Board& board, Player to_move);

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t evaluations() const { return evaluations_; }
  std::optional<Move> best() const { return best_; }
  StopReason stopped() const { return stopped_; }

 private:
  // Profiles of one part for both players, made when first asked for.
  struct PartProfiles {
    std::array<bool, 2> built{};
    std::array<StripProfile, 2> profile;
  };

  Verdict search(const ComponentPosition& position, Player player, int ply);
  Verdict static_verdict(const ComponentPosition& position, Player player);
  ComponentPosition child_of(const ComponentPosition& position, const Candidate& move, Player player);
  const StripProfile& profile_of(const ComponentPosition& position, PartProfiles& profiles, std::size_t part,
                                 Player player);
  bool wins_at_once(const ComponentPosition& position, PartProfiles& profiles, const Candidate& move, Player player);
  bool loses_at_once(const ComponentPosition& position, PartProfiles& profiles, const Candidate& move, Player player);
  void play(const Candidate& move, Player player, int ply);
  void undo(const Candidate& move, Player player);
  bool poll();

  const StripTables& tables_;
  ComponentTable& table_;
  const Limits& limits_;
  Clock::time_point start_;
  PartStack stack_;
  OrderContext board_;
  std::uint64_t nodes_ = 0, evaluations_ = 0, next_poll_ = POLL_INTERVAL;
  std::optional<Move> best_;
  StopReason stopped_ = StopReason::FINISHED;
};

bool Walker::poll() {
  next_poll_ = nodes_ + POLL_INTERVAL;
  if (limits_.cancel && limits_.cancel->load(std::memory_order_relaxed)) stopped_ = StopReason::CANCELLED;
  if (nodes_ >= limits_.nodes) stopped_ = StopReason::NODES;
  if (std::chrono::duration<double>(Clock::now() - start_).count() > limits_.seconds) stopped_ = StopReason::TIME;
  return stopped_ != StopReason::FINISHED;
}

void Walker::play(const Candidate& move, Player player, int ply) {
  const std::size_t p = index_of(player);
  board_.lines[p][move.line] ^= static_cast<std::uint16_t>(1u << move.bit);
  board_.lines[p][move.line + 1u] ^= static_cast<std::uint16_t>(1u << move.bit);
  board_.lines[1 - p][move.bit] ^= static_cast<std::uint16_t>(3u << move.line);
  board_.played[p][move.line][move.bit] = static_cast<std::uint8_t>(ply);
}

void Walker::undo(const Candidate& move, Player player) { play(move, player, OrderContext::NEVER); }

ComponentPosition Walker::child_of(const ComponentPosition& position, const Candidate& move, Player player) {
  ComponentPosition child;
  child.number = position.number;
  for (int i = 0; i < position.count; ++i)
    if (i != move.part)
      child.part[static_cast<std::size_t>(child.count++)] = position.part[static_cast<std::size_t>(i)];
  Lines rows = position.part[move.part]->lines[0];
  if (player == Player::V) {
    rows[move.line] &= static_cast<std::uint16_t>(~(1u << move.bit));
    rows[move.line + 1u] &= static_cast<std::uint16_t>(~(1u << move.bit));
  } else {
    rows[move.bit] &= static_cast<std::uint16_t>(~(3u << move.line));
  }
  add_parts(child, rows, board_.count[0], stack_, tables_);
  return child;
}

Verdict Walker::static_verdict(const ComponentPosition& position, Player player) {
  ++evaluations_;
  if (position.sum_for(player).margin_first() >= 0) return Verdict::WIN;
  ++evaluations_;
  if (position.sum_for(other(player)).margin_second() >= 0) return Verdict::LOSS;
  // A single part of a table is known exactly: it is lost only if the other player, moving second, is seen to win.
  if (position.count == 1 && position.part[0]->exact) return Verdict::WIN;
  return Verdict::UNKNOWN;
}

const StripProfile& Walker::profile_of(const ComponentPosition& position, PartProfiles& profiles, std::size_t part,
                                       Player player) {
  const std::size_t p = index_of(player);
  StripProfile& profile = profiles.profile[p];
  if (!profiles.built[p]) {
    const Part& whole = *position.part[part];
    const std::uint16_t* lines = whole.lines[p].data() + whole.first[p];
    profile.build(lines, whole.count[p], position.sum_for(player, static_cast<int>(part)), tables_);
    profile.build_behind(lines, tables_);
    profiles.built[p] = true;
  }
  return profile;
}

// The player's own bound says that the move wins.
bool Walker::wins_at_once(const ComponentPosition& position, PartProfiles& profiles, const Candidate& move,
                          Player player) {
  const std::size_t p = index_of(player);
  const Part& part = *position.part[move.part];
  const StripProfile& profile = profile_of(position, profiles, move.part, player);
  Lines lines = part.lines[p];
  lines[move.line] &= static_cast<std::uint16_t>(~(1u << move.bit));
  lines[move.line + 1u] &= static_cast<std::uint16_t>(~(1u << move.bit));
  const int at = move.line - part.first[p];
  ++evaluations_;
  const int margin = profile.changed(lines.data() + part.first[p], at, at + 2, tables_).margin_second();
  if (margin >= 0) return true;
  if (margin < -NEAR_MISS) return false;
  const std::size_t mark = stack_.size();
  const ComponentPosition child = child_of(position, move, player);
  ++evaluations_;
  const bool wins = child.sum_for(player).margin_second() >= 0;
  stack_.shrink(mark);
  return wins;
}

// The other player's bound says that the move loses.
bool Walker::loses_at_once(const ComponentPosition& position, PartProfiles& profiles, const Candidate& move,
                           Player player) {
  const Player rival = other(player);
  const std::size_t p = index_of(rival);
  const Part& part = *position.part[move.part];
  const StripProfile& profile = profile_of(position, profiles, move.part, rival);
  Lines lines = part.lines[p];
  lines[move.bit] &= static_cast<std::uint16_t>(~(3u << move.line));
  const int at = move.bit - part.first[p];
  ++evaluations_;
  const int margin = profile.changed(lines.data() + part.first[p], at, at + 1, tables_).margin_first();
  if (margin >= 0) return true;
  if (margin < -NEAR_MISS) return false;
  const std::size_t mark = stack_.size();
  const ComponentPosition child = child_of(position, move, player);
  ++evaluations_;
  const bool loses = child.sum_for(rival).margin_first() >= 0;
  stack_.shrink(mark);
  return loses;
}

// Seen from `player`, who is to move.
Verdict Walker::search(const ComponentPosition& position, Player player, int ply) {
  // 1. Count, and stop when told to.
  ++nodes_;
  if (nodes_ >= next_poll_ && poll()) return Verdict::UNKNOWN;
  const std::uint64_t nodes_before = nodes_;

  // 2. Bounds.
  if (const Verdict verdict = static_verdict(position, player); verdict != Verdict::UNKNOWN) return verdict;

  // 3. Table.
  const ComponentKey key = key_of(position, player);
  if (const Verdict verdict = table_.probe(key); verdict != Verdict::UNKNOWN) return verdict;

  // 4. Moves in the parts. Safe moves, on squares that the other player cannot use, come last.
  const std::size_t p = index_of(player);
  const Player rival = other(player);
  std::array<Candidate, MAX_MOVES> moves;
  int count = 0;
  for (int k = 0; k < position.count; ++k) {
    const Part& part = *position.part[static_cast<std::size_t>(k)];
    const Lines& lines = part.lines[p];
    const auto usable = [&lines](std::size_t i) { return (lines[i] << 1 | lines[i] >> 1) & lines[i]; };
    for (int i = part.first[p]; i + 1 < part.first[p] + part.count[p]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const unsigned both = lines[at] & lines[at + 1];
      const unsigned risky = usable(at) | usable(at + 1);
      for (unsigned bits = both; bits; bits &= bits - 1) {
        const int bit = std::countr_zero(bits);
        const bool safe = !(risky >> bit & 1);
        std::int32_t order = move_order(board_, player, i, bit);
        if (safe) order -= 1 << 28;
        moves[static_cast<std::size_t>(count++)] = {order, static_cast<std::uint8_t>(k), static_cast<std::uint8_t>(i),
                                                    static_cast<std::uint8_t>(bit), false};
      }
    }
  }

  // A safe move, or a move in an integer, gives up 1: it wins only from a position that is at least 1. The rival's
  // bound often says that it is not.
  const StripSum rival_sum = position.sum_for(rival);
  const bool may_give_up_one = rival_sum.plus(STRIP_UNIT).margin_first() < 0;
  if (!may_give_up_one)
    count = static_cast<int>(
        std::remove_if(moves.begin(), moves.begin() + count, [](const Candidate& m) { return m.order < -(1 << 27); }) -
        moves.begin());

  const std::size_t mark = stack_.size();
  std::vector<PartProfiles> profiles(static_cast<std::size_t>(position.count));
  const auto profiles_of = [&](const Candidate& move) -> PartProfiles& { return profiles[move.part]; };

  Verdict verdict = Verdict::LOSS;
  const auto first = moves.begin();
  // 5. Decide what one bound can decide. The bound of the player who is nearer to a win goes first.
  const int own_margin = position.sum_for(player).margin_first();
  const int rival_margin = rival_sum.margin_second();
  const bool hopeful = own_margin >= rival_margin;
  if (hopeful) {
    std::sort(first, first + count, [](const Candidate& a, const Candidate& b) { return a.order > b.order; });
    for (int i = 0; i < count && verdict != Verdict::WIN; ++i)
      if (wins_at_once(position, profiles_of(moves[static_cast<std::size_t>(i)]), moves[static_cast<std::size_t>(i)],
                       player)) {
        verdict = Verdict::WIN;
        if (ply == 0)
          best_ = player == Player::V
                      ? Move{player, moves[static_cast<std::size_t>(i)].line, moves[static_cast<std::size_t>(i)].bit}
                      : Move{player, moves[static_cast<std::size_t>(i)].bit, moves[static_cast<std::size_t>(i)].line};
      }
  } else {
    count = static_cast<int>(
        std::remove_if(first, first + count,
                       [&](const Candidate& m) { return loses_at_once(position, profiles_of(m), m, player); }) -
        first);
    std::sort(first, first + count, [](const Candidate& a, const Candidate& b) { return a.order > b.order; });
  }

  // 6. Search the rest in order.
  int probed = 0;
  for (int i = 0; i < count && verdict == Verdict::LOSS; ++i) {
    const Candidate move = moves[static_cast<std::size_t>(i)];
    if (hopeful ? loses_at_once(position, profiles_of(move), move, player) : false) continue;
    if (!hopeful && wins_at_once(position, profiles_of(move), move, player)) {
      verdict = Verdict::WIN;
    } else {
      // the first few surviving moves may be known already
      if (probed == 0) {
        for (int j = i; j < count && probed < CHILD_PROBES; ++j, ++probed) {
          const std::size_t here = stack_.size();
          const ComponentPosition child = child_of(position, moves[static_cast<std::size_t>(j)], player);
          const Verdict known = table_.probe(key_of(child, rival));
          stack_.shrink(here);
          if (known == Verdict::LOSS) {
            verdict = Verdict::WIN;
            if (ply == 0)
              best_ =
                  player == Player::V
                      ? Move{player, moves[static_cast<std::size_t>(j)].line, moves[static_cast<std::size_t>(j)].bit}
                      : Move{player, moves[static_cast<std::size_t>(j)].bit, moves[static_cast<std::size_t>(j)].line};
            break;
          }
        }
        if (verdict == Verdict::WIN) break;
      }
      const std::size_t here = stack_.size();
      const ComponentPosition child = child_of(position, move, player);
      play(move, player, ply);
      const Verdict reply = search(child, rival, ply + 1);
      undo(move, player);
      stack_.shrink(here);
      if (reply == Verdict::UNKNOWN) return Verdict::UNKNOWN;
      if (reply == Verdict::LOSS) verdict = Verdict::WIN;
    }
    if (verdict == Verdict::WIN && ply == 0)
      best_ = player == Player::V ? Move{player, move.line, move.bit} : Move{player, move.bit, move.line};
  }

  // 7. A move in the number: to n - 1 from an integer, down by the last bit from a fraction.
  const int own_number = player == Player::V ? position.number : -position.number;
  if (verdict == Verdict::LOSS) {
    int cost = 0;
    if (own_number % STRIP_UNIT != 0) cost = own_number & -own_number;
    else if (own_number > 0) cost = STRIP_UNIT;
    if (cost && rival_sum.plus(cost).margin_first() < 0) {
      ComponentPosition child = position;
      child.number += player == Player::V ? -cost : cost;
      const Verdict reply = search(child, rival, ply + 1);
      if (reply == Verdict::UNKNOWN) return Verdict::UNKNOWN;
      if (reply == Verdict::LOSS) verdict = Verdict::WIN;
    }
  }

  // 8. Remember.
  stack_.shrink(mark);
  table_.store(key, verdict, nodes_ - nodes_before + 1);
  return verdict;
}

Verdict Walker::run(const Board& board, Player to_move) {
  board_.count = {board.rows, board.cols};
  board_.lines = {};
  for (auto& player : board_.played)
    for (auto& line : player) line.fill(OrderContext::NEVER);
  for_each(board.free, [&](int square) {
    const int row = square / board.cols, col = square % board.cols;
    board_.lines[0][static_cast<std::size_t>(row)] |= static_cast<std::uint16_t>(1u << col);
    board_.lines[1][static_cast<std::size_t>(col)] |= static_cast<std::uint16_t>(1u << row);
  });
  ComponentPosition position;
  add_parts(position, board_.lines[0], board.rows, stack_, tables_);
  const Verdict verdict = search(position, to_move, 0);
  stack_.shrink(0);
  return verdict;
}

}  // namespace

ComponentSearch::ComponentSearch(int rows, int cols, const ComponentOptions& options) {
  if (rows < 1 || cols < 1 || rows > MAX_LINES || cols > MAX_LINES)
    throw std::invalid_argument("the component search takes boards of at most 16 rows and 16 columns, not " +
                                std::to_string(rows) + "x" + std::to_string(cols));
  shared_ = std::make_unique<Shared>(rows, cols, options);
}
ComponentSearch::~ComponentSearch() = default;
ComponentSearch::ComponentSearch(ComponentSearch&&) noexcept = default;
ComponentSearch& ComponentSearch::operator=(ComponentSearch&&) noexcept = default;

void ComponentSearch::clear() { shared_->table.clear(); }

SearchResult ComponentSearch::solve(const Board& board, Player to_move, const Limits& limits) {
  if (board.topology != Topology::RECTANGLE) throw std::invalid_argument("the component search takes rectangles only");
  if (board.rows > shared_->rows || board.cols > shared_->cols)
    throw std::invalid_argument("the board is larger than this search was made for");
  const auto start = Clock::now();
  Walker walker(*shared_->tables, shared_->table, limits, start);
  SearchResult result;
  result.verdict = walker.run(board, to_move);
  result.stopped = walker.stopped();
  result.move = walker.best();
  result.nodes = walker.nodes();
  result.evaluations = walker.evaluations();
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace zermelo
