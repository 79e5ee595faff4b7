#include "domineering/search/component_walker.hpp"

#include <algorithm>
#include <bit>

namespace zermelo {

namespace {

// A bound that misses by no more than this (1/4) is asked again with the parts that the move really leaves.
constexpr int NEAR_MISS = 16;
// The bound of a position looks one move ahead, but only at cuts that the move does not cross. If it misses by no more
// than this, the likeliest moves are asked one by one (6x10: 4,800 nodes instead of 18,100; all moves of all positions
// save 10 % more of the nodes for half as many evaluations again).
constexpr int HOPEFUL_MARGIN = 16;
constexpr int SCANNED_MOVES = 20;
// With tall strips a bound misses less often: fewer moves are worth it, and a rival's near miss is not (4x15: 0.85 of
// the time).
constexpr int TALL_SCANNED_MOVES = 4;
// With flexible cuts: a bound that misses by no more than ENTRY_MISS (3/2) is asked again with cuts that bend, and
// after a move one by no more than FLEXIBLE_MISS (1). Their margins are good enough to order moves by: one unit of 1/64
// weighs MARGIN_WEIGHT, a domino of real + safe 65,536, so every position is worth a scan (docs/theory-strips.md has
// the figures).
constexpr int ENTRY_MISS = 96;
constexpr int FLEXIBLE_MISS = 64;
constexpr int MARGIN_WEIGHT = 1024;
// More table probes of children cost more than they save.
constexpr int CHILD_PROBES = 2;
// Nodes between two looks at the clock; fewer at the beginning, when a node may take milliseconds, because the memory
// of a large table is cleared page by page where it is first touched (10x10: 1.4 s for the first 1,024 nodes).
constexpr std::uint64_t LOOK_INTERVAL = 1024, FIRST_LOOKS = 16;

constexpr unsigned bit_mask(int bit) { return 1u << bit; }

Move on_board(Player player, const LineMove& move) {
  return player == Player::V ? Move{player, move.line, move.bit} : Move{player, move.bit, move.line};
}

}  // namespace

ComponentWalker::ComponentWalker(ComponentTask& task, int number)
    : task_(task), tables_(task.tables), table_(task.table), number_(number) {}

Verdict ComponentWalker::run(const Board& board, Player to_move) {
  board_.count = {board.rows, board.cols};
  board_.lines = {};
  for (auto& player : board_.played)
    for (auto& line : player) line.fill(OrderContext::NEVER);
  for_each(board.free, [&](int square) {
    const int row = square / board.cols, col = square % board.cols;
    board_.lines[0][static_cast<std::size_t>(row)] |= static_cast<std::uint16_t>(bit_mask(col));
    board_.lines[1][static_cast<std::size_t>(col)] |= static_cast<std::uint16_t>(bit_mask(row));
  });
  ComponentPosition position;
  add_parts(position, board_.lines[0], board.rows, stack_, tables_);
  const Answer answer = enter(position, to_move, 0, false);
  stack_.shrink(0);
  tell_nodes();
  return answer == Answer::WIN ? Verdict::WIN : answer == Answer::LOSS ? Verdict::LOSS : Verdict::UNKNOWN;
}

// Whether to go back at once. Looks at clocks and at other threads' results only now and then.
bool ComponentWalker::must_stop(int ply) {
  if (nodes_ >= next_look_) {
    if (limit_reached()) {
      abandon_to_ = -1;
    } else if (task_.threads > 1) {
      for (int i = 0; i < ply && abandon_to_ == MAX_SQUARES; ++i)
        if (table_.probe(path_[static_cast<std::size_t>(i)]) != Verdict::UNKNOWN) abandon_to_ = i;
    }
  }
  if (task_.threads > 1 && task_.watch.stopped()) abandon_to_ = -1;
  return abandon_to_ < ply;
}

std::uint64_t ComponentWalker::tell_nodes() {
  const std::uint64_t total = task_.watch.add(nodes_ - nodes_told_);
  nodes_told_ = nodes_;
  return total;
}

bool ComponentWalker::limit_reached() {
  const std::uint64_t limit = task_.watch.limits().nodes, total = tell_nodes();
  const std::uint64_t left = limit > total ? limit - total : 0;
  next_look_ = nodes_ + std::clamp<std::uint64_t>(left, 1, std::clamp(nodes_ / 4, FIRST_LOOKS, LOOK_INTERVAL));
  if (number_ == 0) task_.watch.report(root_moves_done_, root_moves_);
  return task_.watch.look();
}

void ComponentWalker::play(const Candidate& move, Player player, int ply) {
  const std::size_t p = index_of(player);
  board_.lines[p][move.line] ^= static_cast<std::uint16_t>(bit_mask(move.bit));
  board_.lines[p][move.line + 1u] ^= static_cast<std::uint16_t>(bit_mask(move.bit));
  board_.lines[1 - p][move.bit] ^= static_cast<std::uint16_t>(3u << move.line);
  board_.played[p][move.line][move.bit] = static_cast<std::uint8_t>(ply);
}

void ComponentWalker::found(Node& node, const Candidate& move, int ply) {
  const Player player = node.player;
  node.winner = move_number(node.position, player, {move.line, move.bit});
  if (ply == 0) best_ = on_board(player, {move.line, move.bit});
}

// Seen from `player`, who is to move.
ComponentWalker::Answer ComponentWalker::enter(const ComponentPosition& position, Player player, int ply,
                                               bool may_defer) {
  // 1. Count, and stop when told to.
  ++nodes_;
  if (must_stop(ply)) return Answer::UNKNOWN;

  // 2. Table. It decides three times as many positions as the bounds, and asking it is cheaper. (A root that a bound
  // decides shall say so.)
  const ComponentKey key = key_of(position, player);
  if (ply > 0)
    if (const Verdict known = table_.probe(key); known != Verdict::UNKNOWN)
      return known == Verdict::WIN ? Answer::WIN : Answer::LOSS;

  // 3. Bounds. A single part that a table knows is known exactly, and lost only if the rival's bound says so; but a
  // root without a move to show is searched.
  evaluations_ += 2;
  if (ply == 0) decided_by_bound_ = true;
  // The root shall have a move to show, or a bound of its own.
  if (const MoveSum sum = position.sum_for(player); (ply ? sum.margin_first() : sum.still.margin_first()) >= 0)
    return Answer::WIN;
  if (position.sum_for(other(player)).margin_second() >= 0) return Answer::LOSS;
  if (ply > 0 && position.count == 1 && position.part[0]->exact()) return Answer::WIN;
  if (ply == 0) decided_by_bound_ = false;

  if (ply == 0) {
    const ComponentTable::Known known = table_.find(key);
    if (const auto move = numbered_move(position, player, known.move)) best_ = on_board(player, *move);
    if (known.verdict != Verdict::UNKNOWN) return known.verdict == Verdict::WIN ? Answer::WIN : Answer::LOSS;
  }

  // 4. Cuts that bend.
  if (task_.flexible && ply > 0)
    if (const Answer bent = bend(position, player); bent != Answer::UNKNOWN) return bent;

  // 5. What another thread is working on can wait.
  if (task_.threads == 1) return expand(position, player, ply, key);
  if (may_defer && task_.busy->contains(key.hash)) {
    --nodes_;
    return Answer::DEFERRED;
  }
  task_.busy->enter(key.hash);
  path_[static_cast<std::size_t>(ply)] = key;
  Answer answer = expand(position, player, ply, key);
  task_.busy->leave(key.hash);
  if (answer == Answer::UNKNOWN && abandon_to_ == ply) {
    abandon_to_ = MAX_SQUARES;
    const Verdict known = table_.probe(key);
    if (known == Verdict::UNKNOWN) return expand(position, player, ply, key);  // forgotten again, so do it here
    answer = known == Verdict::WIN ? Answer::WIN : Answer::LOSS;
  }
  return answer;
}

// Asks the cuts that bend of the player who is nearer to a win (the other's decide one position in two hundred);
// UNKNOWN if they do not decide.
ComponentWalker::Answer ComponentWalker::bend(const ComponentPosition& position, Player player) {
  const Player rival = other(player);
  const int own = position.sum_for(player).margin_first(), rivals = position.sum_for(rival).margin_second();
  if (std::max(own, rivals) < -ENTRY_MISS) return Answer::UNKNOWN;
  const Player nearer = own >= rivals ? player : rival;
  bool any = false;
  for (int i = 0; i < position.count; ++i) any |= position.part[static_cast<std::size_t>(i)]->bent(nearer) != nullptr;
  if (!any) return Answer::UNKNOWN;
  ++evaluations_;
  const MoveSum sum = position.sum_for(nearer);
  if (nearer == player) return sum.margin_first() >= 0 ? Answer::WIN : Answer::UNKNOWN;
  return sum.margin_second() >= 0 ? Answer::LOSS : Answer::UNKNOWN;
}

// The margins join the order; moves of equal order stay as they are. A short list: insertion sort.
void ComponentWalker::order_by_margin(Candidate* first, Candidate* last) {
  for (Candidate* at = first; at < last; ++at) {
    Candidate move = *at;
    move.order += MARGIN_WEIGHT * move.margin;
    Candidate* to = at;
    for (; to > first && to[-1].order < move.order; --to) *to = to[-1];
    *to = move;
  }
}

ComponentWalker::Answer ComponentWalker::expand(const ComponentPosition& position, Player player, int ply,
                                                const ComponentKey& key) {
  const std::uint64_t nodes_before = nodes_;
  const Player rival = other(player);
  const MoveSum rival_sum = position.sum_for(rival);

  // 6. Moves. A safe move, on squares that the rival cannot use, gives up 1: the position it leaves plus 1 is no more
  // than this one. So it wins only if this position is at least 1, and mostly the rival's bound says that it is not.
  const bool with_safe = rival_sum.plus(STRIP_UNIT).margin_first() < 0;
  MoveList moves;
  list_moves(position, player, with_safe, moves);

  // 7. The bound of the player who is nearer to a win is asked about all moves, the other's only in time of need.
  Node node(position, player);
  const std::size_t others_mark = others_stack_.size(), behind_mark = behind_stack_.size();
  const int margin = position.sum_for(player).margin_first();
  const bool hopeful = margin >= rival_sum.margin_second();
  const auto better = [](const Candidate& a, const Candidate& b) { return a.order > b.order; };
  Answer answer = Answer::LOSS;
  if (hopeful) {
    std::sort(moves.begin(), moves.end(), better);
    if (ply == 0) {
      node.scanned = moves.count;
    } else if (task_.flexible || margin >= -HOPEFUL_MARGIN) {
      node.scanned = std::min(moves.count, tables_.has_tall() ? TALL_SCANNED_MOVES : SCANNED_MOVES);
    }
    for (int i = 0; i < node.scanned; ++i)
      if (Candidate& move = moves.move[static_cast<std::size_t>(i)]; wins_at_once(node, move)) {
        found(node, move, ply);
        answer = Answer::WIN;
        break;
      }
    if (task_.flexible && answer != Answer::WIN) order_by_margin(moves.begin(), moves.begin() + node.scanned);
  } else {
    for (const Candidate& move : moves) {
      Part& part = *position.part[move.part];
      part.profile(rival).prefetch_along(move.bit - part.first[index_of(rival)],
                                         move.line - part.first[index_of(player)], tables_);
    }
    const auto loses = [&](const Candidate& move) { return loses_at_once(node, move); };
    moves.count = static_cast<int>(std::remove_if(moves.begin(), moves.end(), loses) - moves.begin());
    std::sort(moves.begin(), moves.end(), better);
  }

  // 8. Search what is left.
  const std::size_t mark = stack_.size();
  if (answer == Answer::LOSS) answer = try_moves(node, moves, ply, key, hopeful);
  stack_.shrink(mark);
  others_stack_.shrink(others_mark);
  behind_stack_.shrink(behind_mark);
  if (answer == Answer::LOSS) answer = try_number(position, player, ply, rival_sum);

  // 9. Remember.
  if (answer != Answer::UNKNOWN)
    table_.store(key, {answer == Answer::WIN ? Verdict::WIN : Verdict::LOSS, node.winner}, nodes_ - nodes_before + 1);
  return answer;
}

ComponentWalker::Answer ComponentWalker::try_moves(Node& node, MoveList& moves, int ply, const ComponentKey& key,
                                                   bool hopeful) {
  const Player player = node.player;
  if (ply == 0) root_moves_ = moves.count;
  int probes = 0, probed_from = -1, deferred = 0;
  std::array<ComponentPosition, CHILD_PROBES> probed;
  bool searched = false;
  // Two rounds: moves that another thread is searching are put off to the second.
  for (const bool may_defer : {true, false}) {
    const int count = may_defer ? moves.count : deferred;
    deferred = 0;
    for (int i = 0; i < count; ++i) {
      Candidate move = moves.move[static_cast<std::size_t>(i)];
      if (may_defer) {
        if (hopeful && loses_at_once(node, move)) continue;
        if (i >= node.scanned && wins_at_once(node, move)) {
          found(node, move, ply);
          return Answer::WIN;
        }
        // The first moves left may be known already: look before the long way.
        if (probed_from < 0) probed_from = i;
        for (; probes < CHILD_PROBES && i + probes < count; ++probes) {
          const Candidate& likely = moves.move[static_cast<std::size_t>(i + probes)];
          ComponentPosition& child = probed[static_cast<std::size_t>(probes)];
          child_of(node, likely, child);
          if (table_.probe(key_of(child, other(player))) == Verdict::LOSS) {
            found(node, likely, ply);
            return Answer::WIN;
          }
        }
      }
      const std::size_t mark = stack_.size();
      ComponentPosition fresh;
      const bool is_probed = may_defer && i - probed_from < probes;
      if (!is_probed) child_of(node, move, fresh);
      play(move, player, ply);
      // Of a position that is probably won, the first move is everybody's: the others are probably not needed.
      const Answer reply = enter(is_probed ? probed[static_cast<std::size_t>(i - probed_from)] : fresh, other(player),
                                 ply + 1, may_defer && (searched || !hopeful));
      undo(move, player);
      stack_.shrink(mark);
      searched = true;
      if (reply == Answer::UNKNOWN) return Answer::UNKNOWN;
      if (reply == Answer::LOSS) {
        found(node, move, ply);
        return Answer::WIN;
      }
      if (reply == Answer::DEFERRED) {
        moves.move[static_cast<std::size_t>(deferred++)] = move;
        continue;
      }
      if (ply == 0) ++root_moves_done_;
      if (task_.threads > 1)
        if (const Verdict known = table_.probe(key); known != Verdict::UNKNOWN)
          return known == Verdict::WIN ? Answer::WIN : Answer::LOSS;
    }
  }
  return Answer::LOSS;
}

// The number stands for parts that have been taken off the board. In its canonical form a player has one move in it at
// most: from n to n - 1, or down by its last binary digit.
ComponentWalker::Answer ComponentWalker::try_number(const ComponentPosition& position, Player player, int ply,
                                                    const MoveSum& rival_sum) {
  const int own = player == Player::V ? position.number : -position.number;
  const int cost = own % STRIP_UNIT ? own & -own : STRIP_UNIT;
  if (own % STRIP_UNIT == 0 && own <= 0) return Answer::LOSS;
  if (rival_sum.plus(cost).margin_first() >= 0) return Answer::LOSS;  // this position is not even worth the cost
  ComponentPosition child = position;
  child.number += player == Player::V ? -cost : cost;
  const Answer reply = enter(child, other(player), ply + 1, false);
  if (reply == Answer::UNKNOWN) return reply;
  return reply == Answer::LOSS ? Answer::WIN : Answer::LOSS;
}

void ComponentWalker::list_moves(const ComponentPosition& position, Player player, bool with_safe,
                                 MoveList& moves) const {
  const std::size_t p = index_of(player);
  for (int k = 0; k < position.count; ++k) {
    const Part& part = *position.part[static_cast<std::size_t>(k)];
    const Lines& lines = part.lines[p];
    // Squares that the rival can use: her dominoes lie in the player's lines.
    const auto contested = [&lines](std::size_t i) { return lines[i] & (lines[i] << 1 | lines[i] >> 1); };
    const int last = part.first[p] + part.count[p] - 1;
    for (int i = part.first[p]; i < last; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto risky = static_cast<unsigned>(contested(at) | contested(at + 1));
      unsigned bits = lines[at] & lines[at + 1];
      if (!with_safe) bits &= risky;
      for (; bits; bits &= bits - 1) {
        const int bit = std::countr_zero(bits);
        const bool safe = !(risky >> bit & 1);
        constexpr std::int32_t LAST = -(1 << 28);
        moves.move[static_cast<std::size_t>(moves.count++)] = {
            move_order(board_, player, i, bit) + (safe ? LAST : 0), static_cast<std::uint8_t>(k),
            static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(bit)};
      }
    }
  }
}

void ComponentWalker::child_of(const Node& node, const Candidate& move, ComponentPosition& child) {
  const ComponentPosition& position = node.position;
  child.count = 0;
  child.number = position.number;
  for (int i = 0; i < position.count; ++i)
    if (i != move.part)
      child.part[static_cast<std::size_t>(child.count++)] = position.part[static_cast<std::size_t>(i)];
  add_rest_of(*position.part[move.part], node.player, move.line, move.bit, child, board_.count[0], stack_, tables_);
}

// What the margin after a move needs of all parts but its own; null if there are none.
const ComponentWalker::Others* ComponentWalker::others(Node& node, const Candidate& move, Player player) {
  if (node.position.count == 1) return nullptr;
  auto& kept = node.others[index_of(player)][move.part];
  if (!kept) {
    const StripProfile<MoveSum>& profile = node.position.part[move.part]->profile(player);
    Others& fresh = others_stack_.push();
    fresh.sum = node.position.sum_for(player, move.part).plus(-node.position.number_for(player));
    for (int i = 0; i <= profile.count(); ++i)
      fresh.behind[static_cast<std::size_t>(i)] = profile.behind()[static_cast<std::size_t>(i)].plus(fresh.sum);
    kept = &fresh;
  }
  return kept;
}

// What the cuts that bend need behind each state after a move; its part has such cuts.
const BentProfile::Behind& ComponentWalker::bent_behind(Node& node, const Candidate& move, Player player) {
  auto& kept = node.behind[index_of(player)][move.part];
  if (!kept) {
    BentProfile::Behind& fresh = behind_stack_.push();
    const Others* rest = others(node, move, player);
    const MoveSum needs = rest ? MoveSum::needs().plus(rest->sum) : MoveSum::needs();
    node.position.part[move.part]->bent(player)->find_behind(needs, fresh);
    kept = &fresh;
  }
  return *kept;
}

// The floors of the position after a move, split anew.
MoveSum ComponentWalker::sum_after(const Node& node, const Candidate& move, Player player) {
  ++evaluations_;
  const std::size_t mark = stack_.size();
  ComponentPosition child;
  child_of(node, move, child);
  const MoveSum sum = child.sum_for(player);
  stack_.shrink(mark);
  return sum;
}

// The player's own bound says that the move wins.
bool ComponentWalker::wins_at_once(Node& node, Candidate& move) {
  const std::size_t p = index_of(node.player);
  Part& part = *node.position.part[move.part];
  const int line = move.line - part.first[p], bit = move.bit - part.first[1 - p];
  const int number = node.position.number_for(node.player);
  const StripProfile<MoveSum>& profile = part.profile(node.player);
  const Others* rest = others(node, move, node.player);
  ++evaluations_;
  const int margin = profile.across(line, bit, tables_, rest ? rest->behind : profile.behind()) + number;
  move.margin = static_cast<std::int16_t>(margin);
  if (margin >= 0) return true;
  if (task_.flexible && margin >= -FLEXIBLE_MISS)
    if (const BentProfile* cut = part.bent(node.player)) {
      const int better = cut->across(line, bit, bent_behind(node, move, node.player), -number) + number;
      if (better >= 0) return true;
      move.margin = static_cast<std::int16_t>(std::max(margin, better));
    }
  return margin >= -NEAR_MISS && sum_after(node, move, node.player).margin_second() >= 0;
}

// The rival's bound says that the move loses.
bool ComponentWalker::loses_at_once(Node& node, const Candidate& move) {
  const Player rival = other(node.player);
  const std::size_t p = index_of(rival);
  Part& part = *node.position.part[move.part];
  const int line = move.bit - part.first[p], bit = move.line - part.first[1 - p];
  const int number = node.position.number_for(rival);
  const StripProfile<MoveSum>& profile = part.profile(rival);
  const Others* rest = others(node, move, rival);
  ++evaluations_;
  const int margin = profile.along(line, bit, tables_, rest ? rest->behind : profile.behind(), -number) + number;
  if (margin >= 0) return true;
  if (task_.flexible && margin >= -FLEXIBLE_MISS)
    if (const BentProfile* cut = part.bent(rival))
      if (cut->along(line, bit, bent_behind(node, move, rival), -number) + number >= 0) return true;
  return margin >= -NEAR_MISS && !tables_.has_tall() && sum_after(node, move, rival).margin_first() >= 0;
}

}  // namespace zermelo
