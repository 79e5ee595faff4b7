#include "domineering/search/component_walker.hpp"

#include <algorithm>
#include <cstdint>

namespace zermelo {

namespace {

// A bound that misses by no more than this (1/4) is computed again with the parts that the move really leaves.
constexpr int NEAR_MISS = 16;
// The bound of a position looks one move ahead, but only at cuts that the move does not cross. If it misses by no more
// than this, the bounds after the most promising moves are computed one by one (6x10: 4,800 nodes instead of 18,100;
// all moves of all positions save 10 % more of the nodes for half as many evaluations again).
constexpr int HOPEFUL_MARGIN = 16;
constexpr int SCANNED_MOVES = 20;
// With tall strips a bound misses less often: fewer moves are worth it, and a rival's near miss is not (4x15: 0.85 of
// the time).
constexpr int TALL_SCANNED_MOVES = 4;
// With flexible cuts: a bound that misses by no more than ENTRY_MISS (3/2) is computed again with cuts that bend, and
// after a move one by no more than FLEXIBLE_MISS (1). Their margins are good enough to order moves by: one unit of 1/64
// weighs MARGIN_WEIGHT, a domino of real + safe 65,536, so every position is worth a scan (docs/theory-strips.md has
// the figures).
constexpr int ENTRY_MISS = 96;
constexpr int FLEXIBLE_MISS = 64;
constexpr int MARGIN_WEIGHT = 1024;
// On large boards with odd sides (component_search.cpp) moves are also ordered by how far the rival is from a win after
// them, up to FAR (4). And while three quarters of the board are free, where a wrong move costs most of the
// search, the best REPLIED_MOVES by the player's margin after the worst reply. 9x9: 3.0 million nodes instead of 6.4.
// Where a side is even, moves near the edge do better (10x10: 59 to 121 million nodes instead of 49).
constexpr int REPLIED_MOVES = 8;
constexpr int FAR = 256;
// More table probes of children cost more than they save.
constexpr int CHILD_PROBES = 2, CHILD_PROBES_AHEAD = 4;
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
  board_.free = board.free.count();
  for (auto& player : board_.played)
    for (auto& line : player) line.fill(OrderContext::NEVER);
  for_each(board.free, [&](int square) {
    const int row = square / board.cols, col = square % board.cols;
    board_.lines[0][row] |= bit_mask(col);
    board_.lines[1][col] |= bit_mask(row);
  });
  ComponentPosition position;
  add_parts(position, board_.lines[0], board.rows, stack_, tables_);
  const Answer answer = enter(position, to_move, 0, false);
  stack_.shrink(0);
  report_nodes();
  return answer == Answer::WIN ? Verdict::WIN : answer == Answer::LOSS ? Verdict::LOSS : Verdict::UNKNOWN;
}

// Whether to go back at once. Looks at clocks and at other threads' results only now and then.
bool ComponentWalker::must_stop(int ply) {
  if (nodes_ >= next_look_) {
    if (limit_reached()) {
      abandon_to_ = -1;
    } else if (task_.threads > 1) {
      for (int i = 0; i < ply && abandon_to_ == MAX_SQUARES; ++i)
        if (table_.probe(path_[i]) != Verdict::UNKNOWN) abandon_to_ = i;
    }
  }
  if (task_.threads > 1 && task_.watch.stopped()) abandon_to_ = -1;
  return abandon_to_ < ply;
}

std::uint64_t ComponentWalker::report_nodes() {
  const std::uint64_t total = task_.watch.add(nodes_ - nodes_reported_);
  nodes_reported_ = nodes_;
  return total;
}

bool ComponentWalker::limit_reached() {
  const std::uint64_t limit = task_.watch.limits().nodes, total = report_nodes();
  const std::uint64_t left = limit > total ? limit - total : 0;
  next_look_ = nodes_ + std::clamp<std::uint64_t>(left, 1, std::clamp(nodes_ / 4, FIRST_LOOKS, LOOK_INTERVAL));
  if (number_ == 0) task_.watch.report(root_moves_done_, root_moves_);
  return task_.watch.look();
}

void ComponentWalker::play(const Candidate& move, Player player, int ply) {
  const std::size_t p = index_of(player);
  board_.free += ply == OrderContext::NEVER ? 2 : -2;
  board_.lines[p][move.line] ^= bit_mask(move.bit);
  board_.lines[p][move.line + 1u] ^= bit_mask(move.bit);
  board_.lines[1 - p][move.bit] ^= 3u << move.line;
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
  // 1. Count, and stop if a limit is reached.
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

  // 5. A position that another thread is searching can wait.
  if (task_.threads == 1) return expand(position, player, ply, key);
  if (may_defer && task_.busy->contains(key.hash)) {
    --nodes_;
    return Answer::DEFERRED;
  }
  task_.busy->enter(key.hash);
  path_[ply] = key;
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
  for (int i = 0; i < position.count; ++i) any |= position.part[i]->bent(nearer) != nullptr;
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

// How far the rival is from a win after each move.
void ComponentWalker::order_by_rival(Node& node, Candidate* first, Candidate* last) {
  for (Candidate* move = first; move < last; ++move)
    move->order -= MARGIN_WEIGHT * std::clamp(margin_after(node, *move, other(node.player), FAR), -FAR, FAR);
}

// The margins after the worst reply take the place of those after the move; moves of equal order stay as they are.
void ComponentWalker::order_by_replies(Node& node, Candidate* first, Candidate* last) {
  LineMove worst{-1, -1};
  std::int32_t best = INT32_MIN;
  for (Candidate* move = first; move < last; ++move) {
    move->order -= MARGIN_WEIGHT * move->margin;
    // A margin that does not make it the best move need not be exact.
    const int enough = best == INT32_MIN ? INT16_MIN : (best - move->order) / MARGIN_WEIGHT - 1;
    move->order += MARGIN_WEIGHT * after_worst_reply(node, *move, enough, worst);
    best = std::max(best, move->order);
  }
  std::stable_sort(first, last, [](const Candidate& a, const Candidate& b) { return a.order > b.order; });
}

// The player's margin, by straight cuts, after a move and the reply that is worst for her; any margin below `enough`
// ends the look. `worst` is tried first, and becomes the worst reply: it is often the same after another move.
int ComponentWalker::after_worst_reply(Node& node, const Candidate& move, int enough, LineMove& worst) {
  const Player player = node.player, rival = other(player);
  const std::size_t mark = stack_.size(), others_mark = others_stack_.size();
  ComponentPosition child;
  child_of(node, move, child);
  Node after(child, rival);
  int least = 2000;  // more than any margin: she wins if there is no reply
  const auto ask = [&](int part, int line, int bit) {
    const Candidate reply = {0, static_cast<std::uint8_t>(part), static_cast<std::uint8_t>(line),
                             static_cast<std::uint8_t>(bit), 0};
    const int margin = margin_after(after, reply, player, least);
    if (margin < least) least = margin, worst = {line, bit};
    return least >= enough;
  };
  const LineMove likely = worst;
  const auto is_likely = [&](int line, int bit) { return line == likely.line && bit == likely.bit; };
  bool go_on = true;
  each_move(child, rival, true, [&](int part, int line, int bit, bool) {
    if (is_likely(line, bit)) go_on = ask(part, line, bit);
    return !is_likely(line, bit);
  });
  if (go_on)
    each_move(child, rival, true,
              [&](int part, int line, int bit, bool) { return is_likely(line, bit) || ask(part, line, bit); });
  stack_.shrink(mark);
  others_stack_.shrink(others_mark);
  return least;
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
  const RealAndSafe sums(board_);
  each_move(position, player, with_safe, [&](int part, int line, int bit, bool safe) {
    constexpr std::int32_t LAST = -(1 << 28);
    moves.move[moves.count++] = {move_order(board_, sums, player, line, bit) + (safe ? LAST : 0),
                                 static_cast<std::uint8_t>(part), static_cast<std::uint8_t>(line),
                                 static_cast<std::uint8_t>(bit), 0};
    return true;
  });

  // 7. The bound of the player who is nearer to a win is computed after all moves, the other's only when it is needed.
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
      if (Candidate& move = moves.move[i]; decides(node, move, player)) {
        found(node, move, ply);
        answer = Answer::WIN;
        break;
      }
    if (task_.flexible && answer != Answer::WIN) {
      Candidate* const last = moves.begin() + node.scanned;
      if (task_.looks_ahead) order_by_rival(node, moves.begin(), last);
      order_by_margin(moves.begin(), last);
      if (task_.looks_ahead && 4 * board_.free >= 3 * board_.count[0] * board_.count[1])
        order_by_replies(node, moves.begin(), std::min(last, moves.begin() + REPLIED_MOVES));
    }
  } else {
    for (const Candidate& move : moves) {
      Part& part = *position.part[move.part];
      part.profile(rival).prefetch_along(move.bit - part.first[index_of(rival)],
                                         move.line - part.first[index_of(player)]);
    }
    int left = 0;
    for (Candidate& move : moves) {
      if (decides(node, move, other(player))) continue;
      if (task_.looks_ahead) move.order -= MARGIN_WEIGHT * std::clamp<int>(move.margin, -FAR, FAR);
      moves.move[left++] = move;
    }
    moves.count = left;
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
  const int most_probes = task_.looks_ahead ? CHILD_PROBES_AHEAD : CHILD_PROBES;
  std::array<ComponentPosition, CHILD_PROBES_AHEAD> probed;
  bool searched = false;
  // Two rounds: moves that another thread is searching are put off to the second.
  for (const bool may_defer : {true, false}) {
    const int count = may_defer ? moves.count : deferred;
    deferred = 0;
    for (int i = 0; i < count; ++i) {
      Candidate move = moves.move[i];
      if (may_defer) {
        if (hopeful && decides(node, move, other(player))) continue;
        if (i >= node.scanned && decides(node, move, player)) {
          found(node, move, ply);
          return Answer::WIN;
        }
        // The first moves left may be known already: look before the long way.
        if (probed_from < 0) probed_from = i;
        for (; probes < most_probes && i + probes < count; ++probes) {
          const Candidate& likely = moves.move[i + probes];
          ComponentPosition& child = probed[probes];
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
      const Answer reply = enter(is_probed ? probed[i - probed_from] : fresh, other(player), ply + 1,
                                 may_defer && (searched || !hopeful));
      undo(move, player);
      stack_.shrink(mark);
      searched = true;
      if (reply == Answer::UNKNOWN) return Answer::UNKNOWN;
      if (reply == Answer::LOSS) {
        found(node, move, ply);
        return Answer::WIN;
      }
      if (reply == Answer::DEFERRED) {
        moves.move[deferred++] = move;
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

void ComponentWalker::child_of(const Node& node, const Candidate& move, ComponentPosition& child) {
  const ComponentPosition& position = node.position;
  child.count = 0;
  child.number = position.number;
  for (int i = 0; i < position.count; ++i)
    if (i != move.part) child.part[child.count++] = position.part[i];
  add_rest_of(*position.part[move.part], node.player, move.line, move.bit, child, board_.count[0], stack_, tables_);
}

// The sum of all parts but that of the move, and its sums with the lines behind; null if there are no other parts.
const ComponentWalker::Others* ComponentWalker::others(Node& node, const Candidate& move, Player player) {
  if (node.position.count == 1) return nullptr;
  auto& cache = node.others[index_of(player)][move.part];
  if (!cache) {
    const StripProfile& profile = node.position.part[move.part]->profile(player);
    Others& fresh = others_stack_.push();
    fresh.sum = node.position.sum_for(player, move.part).plus(-node.position.number_for(player));
    for (int i = 0; i <= profile.count(); ++i) fresh.behind.best[i][0] = profile.behind().best[i][0].plus(fresh.sum);
    cache = &fresh;
  }
  return cache;
}

// The best sums behind each state of the part's cuts that bend; it must have such cuts.
const BentProfile::Behind& ComponentWalker::bent_behind(Node& node, const Candidate& move, Player player) {
  auto& cache = node.behind[index_of(player)][move.part];
  if (!cache) {
    BentProfile::Behind& fresh = behind_stack_.push();
    const Others* rest = others(node, move, player);
    const MoveSum needs = rest ? MoveSum::needs().plus(rest->sum) : MoveSum::needs();
    node.position.part[move.part]->bent(player)->find_behind(needs, fresh);
    cache = &fresh;
  }
  return *cache;
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

// The margin of the straight cuts of `cutter` after a move of the player who is to move in the node; it may return any
// margin from `enough` on instead.
int ComponentWalker::margin_after(Node& node, const Candidate& move, Player cutter, int enough) {
  Part& part = *node.position.part[move.part];
  const int number = node.position.number_for(cutter);
  const StripProfile& profile = part.profile(cutter);
  const Others* rest = others(node, move, cutter);
  ++evaluations_;
  return number + part.margin_after(profile, cutter, node.player, {move.line, move.bit},
                                    rest ? rest->behind : profile.behind(), enough - number);
}

// Whether the bound of `cutter` says that she wins after the move, her own or her rival's.
bool ComponentWalker::decides(Node& node, Candidate& move, Player cutter) {
  const int margin = margin_after(node, move, cutter, 0);
  move.margin = static_cast<std::int16_t>(margin);
  if (margin >= 0) return true;
  Part& part = *node.position.part[move.part];
  if (task_.flexible && margin >= -FLEXIBLE_MISS)
    if (const BentProfile* cut = part.bent(cutter)) {
      const int number = node.position.number_for(cutter);
      const int better = number + part.margin_after(*cut, cutter, node.player, {move.line, move.bit},
                                                    bent_behind(node, move, cutter), -number);
      if (better >= 0) return true;
      move.margin = static_cast<std::int16_t>(std::max(margin, better));
    }
  const bool own = cutter == node.player;
  if (margin < -NEAR_MISS || (!own && tables_.has_tall())) return false;
  const MoveSum sum = sum_after(node, move, cutter);
  return (own ? sum.margin_second() : sum.margin_first()) >= 0;
}

}  // namespace zermelo
