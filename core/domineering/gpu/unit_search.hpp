// A depth-first search of one unit, a position and the player to move, by a group of lanes that work side by side: a
// warp of the device, or one lane on the processor, where the tests run the same code.
//
// Each node: the table is asked about all children, then the bounds, 32 at a time; what is left is searched in order.
// Many groups may search the same unit: each takes children that no other is busy with while there are any, and goes
// back where another has found the answer.
#pragma once

#include <cstdint>

#include "domineering/gpu/answer_table.hpp"
#include "domineering/gpu/strip_margin.hpp"

namespace zermelo::gpu {

inline constexpr int MAX_MOVES = 128;  // of one player: 11x11 has 110
inline constexpr int MAX_DEPTH = 64;

struct Unit {
  std::uint16_t rows[MAX_LINES];  // free squares
  std::uint8_t player;            // to move: 0 is V, whose lines are the rows; 1 is H
};

struct MoveAhead {
  std::uint8_t line, bit;   // on bit `bit` of the player's lines `line` and `line` + 1
  bool safe;                // on squares that the rival cannot use
  std::int16_t own, rival;  // margins of the position after it: the rival's to move there, and the player's
  std::int32_t order;
};

// A node on the way from the root.
struct Frame {
  std::uint16_t lines[2][MAX_LINES];  // [0] rows, [1] columns
  Entry key;
  std::uint64_t nodes_before;
  std::uint32_t left[MAX_MOVES / 32];  // moves not yet answered
  std::uint8_t player, hopeful, searched, count, move;
  MoveAhead moves[MAX_MOVES];
};

// What a group spends its time on.
enum Phase { WALKING, ASKING_TABLE, OWN_BOUND, RIVAL_BOUND, ORDERING, CHOOSING, PHASES };

struct Counters {
  std::uint64_t nodes = 0, evaluations = 0, probes = 0;
  std::uint64_t places = 0;  // for evaluations, on all lanes of the rounds that they took
  std::uint64_t cycles[PHASES] = {};
};

// What a group keeps close by.
struct Scratch {
  std::uint16_t lines[2][MAX_LINES];
  MoveAhead move[MAX_MOVES];
  std::uint8_t path[MAX_DEPTH][2];  // line and bit of the move played at each depth
  Counters count;                   // of all its searches; lane 0 writes
  std::uint64_t clock;              // when the last phase ended
};

struct SearchSetting {
  int rows = 0, cols = 0;
  Tables tables;
  AnswerTable table;
  BusyTable busy;
  const volatile int* stop = nullptr;           // non-zero: everybody goes home
  std::uint64_t max_nodes = ~std::uint64_t{0};  // for one visit of a group to a unit
  bool shared = false;                          // several groups may be at the same unit
};

template <class Group>
class UnitSearch {
 public:
  ZERMELO_BOTH UnitSearch(const Group& group, const SearchSetting& setting, const SpreadTable& spread, Scratch& scratch,
                          Frame* frames, std::uint32_t number)
      : group_(group), set_(setting), spread_(spread), near_(scratch), frames_(frames), number_(number) {}

  // UNKNOWN: stopped, too many nodes, or (with `known`, where another group puts the unit's answer) no longer needed.
  ZERMELO_BOTH Answer run(const Unit& unit, const volatile std::uint8_t* known) {
    nodes_ = 0;
    if (group_.lane() == 0) near_.clock = group_.clock();
    const Answer answer = walk(unit, known);
    if (group_.lane() == 0) near_.count.nodes += nodes_;
    end_of(WALKING);
    return answer;
  }

 private:
  static constexpr std::uint64_t LOOK_INTERVAL = 32;
  static constexpr int FAR_BELOW = -30000;
  static constexpr std::uint8_t NO_MOVE = 255;

  ZERMELO_BOTH void end_of(Phase phase) {
    if (group_.lane() != 0) return;
    const std::uint64_t now = group_.clock();
    near_.count.cycles[phase] += now - near_.clock;
    near_.clock = now;
  }
  ZERMELO_BOTH void evaluates(int count) {
    if (group_.lane() != 0) return;
    near_.count.evaluations += static_cast<std::uint64_t>(count);
    near_.count.places += static_cast<std::uint64_t>((count + Group::WIDTH - 1) / Group::WIDTH * Group::WIDTH);
  }

  ZERMELO_BOTH int lines_of(int player) const { return player ? set_.cols : set_.rows; }
  ZERMELO_BOTH std::uint32_t line(int player, int index) const {
    return static_cast<unsigned>(index) < static_cast<unsigned>(MAX_LINES) ? near_.lines[player][index] : 0u;
  }

  // Squares of a line that the rival can use: her dominoes lie in the player's lines.
  ZERMELO_BOTH std::uint32_t contested(int player, int index) const {
    const std::uint32_t squares = line(player, index);
    return squares & (squares << 1 | squares >> 1);
  }

  ZERMELO_BOTH Answer walk(const Unit& unit, const volatile std::uint8_t* known) {
    // 1. The root.
    for (int i = group_.lane(); i < 2 * MAX_LINES; i += Group::WIDTH) near_.lines[i / MAX_LINES][i % MAX_LINES] = 0;
    group_.sync();
    if (group_.lane() == 0)
      for (int i = 0; i < set_.rows; ++i) near_.lines[0][i] = unit.rows[i];
    group_.sync();
    take_off_dead_squares();
    int depth = 0;
    const int root = unit.player;
    Answer answer = bound_of_root(root);
    if (answer != Answer::UNKNOWN) return answer;
    open(depth, root, root_hopeful_);
    answer = known_of(frames_[0].key);
    if (answer != Answer::UNKNOWN) return answer;
    bool fresh = true;  // the position at hand has no moves yet

    for (;;) {
      // 2. Go down while there is something to search.
      if (answer == Answer::UNKNOWN && fresh) answer = expand(depth);
      fresh = false;
      if (answer == Answer::UNKNOWN) {
        end_of(WALKING);
        const int at = next_move(depth, answer);
        end_of(CHOOSING);
        if (answer == Answer::UNKNOWN && at < 0) answer = Answer::LOSS;
        if (answer == Answer::UNKNOWN) {
          descend(depth, at);
          ++depth;
          if (nodes_ % LOOK_INTERVAL == 0) {
            // What others write may change between two lanes' looks: one looks for all.
            const int end = *set_.stop || nodes_ >= set_.max_nodes || (known && *known);
            if (group_.from(end, 0)) return gone(depth);
            if (set_.shared) answer = answered_above(depth);
          }
          fresh = true;
          continue;
        }
      }
      // 3. Remember, and go back.
      Frame& frame = frames_[depth];
      group_.sync();
      if (group_.lane() == 0) {
        set_.table.keep(frame.key, answer, nodes_ - frame.nodes_before + 1);
        if (set_.shared) set_.busy.leave(hash_of(frame.key));
      }
      if (depth == 0) return answer;
      --depth;
      back_to(depth);
      answer = answer == Answer::LOSS ? Answer::WIN : Answer::UNKNOWN;
      if (answer == Answer::UNKNOWN && set_.shared) answer = known_of(frames_[depth].key);
      if (answer == Answer::UNKNOWN && group_.lane() == 0) {
        Frame& above = frames_[depth];
        above.left[above.move / 32] &= ~(1u << above.move % 32);
        above.searched = 1;
      }
      group_.sync();
    }
  }

  ZERMELO_BOTH Answer known_of(const Entry& key) const {
    return static_cast<Answer>(group_.from(static_cast<int>(set_.table.find(key)), 0));
  }

  ZERMELO_BOTH Answer gone(int depth) {
    if (set_.shared)
      for (int i = group_.lane(); i <= depth; i += Group::WIDTH) set_.busy.leave(hash_of(frames_[i].key));
    group_.sync();
    return Answer::UNKNOWN;
  }

  // Whether another group has answered a position on the way here; if so goes back to it.
  ZERMELO_BOTH Answer answered_above(int& depth) {
    ZERMELO_ROLLED
    for (int base = 0; base < depth; base += Group::WIDTH) {
      const int i = base + group_.lane();
      const Answer answer = i < depth ? set_.table.find(frames_[i].key) : Answer::UNKNOWN;
      const std::uint32_t any = group_.ballot(answer != Answer::UNKNOWN);
      if (!any) continue;
      const int first = lowest(any);
      const auto found = static_cast<Answer>(group_.from(static_cast<int>(answer), first));
      for (int k = base + first + 1 + group_.lane(); k <= depth; k += Group::WIDTH)
        set_.busy.leave(hash_of(frames_[k].key));
      depth = base + first;
      back_to(depth);
      return found;
    }
    return Answer::UNKNOWN;
  }

  ZERMELO_BOTH void back_to(int depth) {
    group_.sync();
    for (int i = group_.lane(); i < 2 * MAX_LINES; i += Group::WIDTH)
      near_.lines[i / MAX_LINES][i % MAX_LINES] = frames_[depth].lines[i / MAX_LINES][i % MAX_LINES];
    group_.sync();
  }

  // Squares without a free neighbour change nothing but the width of strips. Rows first, then columns from them.
  ZERMELO_BOTH void take_off_dead_squares() {
    // All rows are read before the first is changed.
    if constexpr (Group::WIDTH == 1) {
      std::uint32_t alive[MAX_LINES];
      for (int i = 0; i < set_.rows; ++i) alive[i] = alive_row(i);
      for (int i = 0; i < set_.rows; ++i) near_.lines[0][i] = static_cast<std::uint16_t>(alive[i]);
    } else {
      const int i = group_.lane();
      const std::uint32_t alive = i < set_.rows ? alive_row(i) : 0;
      group_.sync();
      if (i < set_.rows) near_.lines[0][i] = static_cast<std::uint16_t>(alive);
    }
    group_.sync();
    ZERMELO_ROLLED
    for (int i = group_.lane(); i < set_.cols; i += Group::WIDTH) {
      std::uint32_t column = 0;
      ZERMELO_ROLLED
      for (int k = 0; k < set_.rows; ++k) column |= (near_.lines[0][k] >> i & 1u) << k;
      near_.lines[1][i] = static_cast<std::uint16_t>(column);
    }
    group_.sync();
  }
  ZERMELO_BOTH std::uint32_t alive_row(int i) const {
    const std::uint32_t row = line(0, i);
    return row & (row << 1 | row >> 1 | line(0, i - 1) | line(0, i + 1));
  }

  ZERMELO_BOTH Answer bound_of_root(int player) {
    int own = FAR_BELOW, rival = FAR_BELOW;
    for (int i = group_.lane(); i < 2; i += Group::WIDTH) {
      const int who = i ? 1 - player : player;
      if (i == 0) own = margin_after<true>(near_.lines[who], lines_of(who), {}, set_.tables, spread_);
      else rival = margin_after<false>(near_.lines[who], lines_of(who), {}, set_.tables, spread_);
    }
    own = group_.from(own, 0);
    rival = group_.from(rival, Group::WIDTH > 1 ? 1 : 0);
    evaluates(2);
    root_hopeful_ = own >= rival;
    return own >= 0 ? Answer::WIN : rival >= 0 ? Answer::LOSS : Answer::UNKNOWN;
  }

  // Makes a frame of the position at hand.
  ZERMELO_BOTH void open(int depth, int player, bool hopeful) {
    Frame& frame = frames_[depth];
    const Entry key = key_after(player, {});
    for (int i = group_.lane(); i < 2 * MAX_LINES; i += Group::WIDTH)
      frame.lines[i / MAX_LINES][i % MAX_LINES] = near_.lines[i / MAX_LINES][i % MAX_LINES];
    if (group_.lane() == 0) {
      frame.key = key;
      frame.nodes_before = nodes_;
      frame.player = static_cast<std::uint8_t>(player);
      frame.hopeful = hopeful;
      frame.searched = 0;
      frame.count = 0;
      if (set_.shared) set_.busy.enter(hash_of(key));
    }
    ++nodes_;
    group_.sync();
  }

  ZERMELO_BOTH void descend(int depth, int at) {
    Frame& frame = frames_[depth];
    const int player = frame.player;
    const MoveAhead move = frame.moves[at];
    group_.sync();
    if (group_.lane() == 0) {
      frame.move = static_cast<std::uint8_t>(at);
      near_.path[depth][0] = move.line, near_.path[depth][1] = move.bit;
      near_.lines[player][move.line] &= static_cast<std::uint16_t>(~(1u << move.bit));
      near_.lines[player][move.line + 1] &= static_cast<std::uint16_t>(~(1u << move.bit));
      near_.lines[1 - player][move.bit] &= static_cast<std::uint16_t>(~(3u << move.line));
    }
    group_.sync();
    take_off_dead_squares();
    open(depth + 1, 1 - player, move.rival >= move.own);
  }

  // The player's own lines and the rival's after a move of hers.
  static ZERMELO_BOTH Change across(const MoveAhead& move) { return {move.line, 2, 1u << move.bit}; }
  static ZERMELO_BOTH Change along(const MoveAhead& move) { return {move.bit, 1, 3u << move.line}; }

  // The key of the position with a change of its rows, `to_move` to move.
  ZERMELO_BOTH Entry key_after(int to_move, const Change& change) const {
    Entry key = least_image(near_.lines[0], set_.rows, set_.cols, change);
    if (to_move) key.high |= KEY_PLAYER;
    return key;
  }
  ZERMELO_BOTH Entry key_of_child(int player, const MoveAhead& move) const {
    return key_after(1 - player, player ? along(move) : across(move));
  }

  // Lists the moves, drops those that are known or bound to lose, and sorts the rest; WIN if one wins at once.
  ZERMELO_BOTH Answer expand(int depth) {
    Frame& frame = frames_[depth];
    const int player = frame.player, rival = 1 - player, lines = lines_of(player);
    const bool hopeful = frame.hopeful;
    end_of(WALKING);

    // 1. Moves, line by line.
    int count = 0;
    bool any_safe = false;
    ZERMELO_ROLLED
    for (int base = 0; base + 1 < lines; base += Group::WIDTH) {
      const int i = base + group_.lane();
      std::uint32_t bits = i + 1 < lines ? line(player, i) & line(player, i + 1) : 0u;
      const std::uint32_t risky = contested(player, i) | contested(player, i + 1);
      int mine = ones(bits), total = 0;
      int at = count + group_.before(mine, total);
      ZERMELO_ROLLED
      for (; bits; bits &= bits - 1) {
        MoveAhead& move = near_.move[at++];
        move.line = static_cast<std::uint8_t>(i);
        move.bit = static_cast<std::uint8_t>(lowest(bits));
        move.safe = !(risky >> move.bit & 1);
        any_safe |= move.safe;
      }
      count += total;
    }
    any_safe = group_.ballot(any_safe) != 0;
    group_.sync();

    // 2. What the table knows of them.
    bool wins = false;
    if (group_.lane() == 0) near_.count.probes += static_cast<std::uint64_t>(count);
    count = keep_moves(count, [&](MoveAhead& move) {
      const Answer answer = set_.table.find(key_of_child(player, move));
      wins |= answer == Answer::LOSS;
      return answer == Answer::UNKNOWN;
    });
    end_of(ASKING_TABLE);
    if (group_.ballot(wins)) return Answer::WIN;

    // 3. The bounds, first of the player who is nearer to a win. A safe move, on squares that the rival cannot use,
    // gives up 1: if the rival's bound says that the position is not worth that, none of them wins.
    const auto wins_at_once = [&](MoveAhead& move) {
      move.own = static_cast<std::int16_t>(
          margin_after<false>(near_.lines[player], lines, across(move), set_.tables, spread_));
      wins |= move.own >= 0;
      return move.own < 0;
    };
    bool safe_loses = false;
    const auto undecided = [&](MoveAhead& move) {
      const bool none = move.bit == NO_MOVE;
      move.rival = static_cast<std::int16_t>(
          margin_after<true>(near_.lines[rival], lines_of(rival), none ? Change{} : along(move), set_.tables, spread_));
      safe_loses |= none && move.rival + UNIT >= 0;
      return move.rival < 0 && !none;
    };
    ZERMELO_ROLLED
    for (int pass = 0; pass < 2; ++pass) {
      evaluates(count);
      if ((pass == 0) == hopeful) {
        count = keep_moves(count, wins_at_once);
        end_of(OWN_BOUND);
        if (group_.ballot(wins)) return Answer::WIN;
        continue;
      }
      // The position without a move is asked about on a lane that is free.
      const bool ask = any_safe && (Group::WIDTH == 1 || count % Group::WIDTH) && count < MAX_MOVES;
      if (ask && group_.lane() == 0) near_.move[count].bit = NO_MOVE, near_.move[count].safe = false;
      group_.sync();
      count = keep_moves(count + ask, undecided);
      if (group_.ballot(safe_loses)) count = keep_moves(count, [](const MoveAhead& move) { return !move.safe; });
      end_of(RIVAL_BOUND);
    }
    if (count == 0) return Answer::LOSS;

    // 4. Order.
    ZERMELO_ROLLED
    for (int i = group_.lane(); i < count; i += Group::WIDTH)
      near_.move[i].order = order_of(depth, player, near_.move[i]);
    group_.sync();
    ZERMELO_ROLLED
    for (int i = group_.lane(); i < count; i += Group::WIDTH) {
      int rank = 0;
      ZERMELO_ROLLED
      for (int k = 0; k < count; ++k)
        rank += near_.move[k].order > near_.move[i].order || (near_.move[k].order == near_.move[i].order && k < i);
      frame.moves[rank] = near_.move[i];
    }
    for (int i = group_.lane(); i < MAX_MOVES / 32; i += Group::WIDTH)
      frame.left[i] = count >= 32 * (i + 1) ? ~0u : count > 32 * i ? (1u << (count - 32 * i)) - 1 : 0u;
    if (group_.lane() == 0) frame.count = static_cast<std::uint8_t>(count);
    group_.sync();
    end_of(ORDERING);
    return Answer::UNKNOWN;
  }

  // Keeps those of the first `count` moves close by for which `keep` says so, in order.
  template <class Keep>
  ZERMELO_BOTH int keep_moves(int count, const Keep& keep) {
    int kept = 0;
    ZERMELO_ROLLED
    for (int base = 0; base < count; base += Group::WIDTH) {
      const int i = base + group_.lane();
      MoveAhead move{};
      bool stays = false;
      if (i < count) {
        move = near_.move[i];
        stays = keep(move);
      }
      const std::uint32_t all = group_.ballot(stays);
      group_.sync();  // all have read before one writes
      if (stays) near_.move[kept + ones(all & group_.below())] = move;
      kept += ones(all);
      group_.sync();
    }
    return kept;
  }

  // The next child to search, or -1; `answer` if the table decides meanwhile.
  ZERMELO_BOTH int next_move(int depth, Answer& answer) {
    const Frame& frame = frames_[depth];
    const int player = frame.player, count = frame.count;
    // Of a position that is probably won, the first move is everybody's: the others are probably not needed.
    const bool share = set_.shared && (frame.searched || !frame.hopeful);
    int first_left = -1;
    ZERMELO_ROLLED
    for (int base = 0; base < count; base += 32) {
      std::uint32_t left = frame.left[base / 32];
      if (!left) continue;
      if (!set_.shared) return base + lowest(left);
      std::uint32_t wins = 0, loses = 0, busy = 0;
      for (int sub = 0; sub < 32; sub += Group::WIDTH) {
        const int i = sub + group_.lane();
        Answer child = Answer::UNKNOWN;
        bool is_busy = false;
        if (left >> i & 1) {
          const Entry key = key_of_child(player, frame.moves[base + i]);
          child = set_.table.find(key);
          is_busy = share && set_.busy.contains(hash_of(key));
        }
        wins |= group_.ballot(child == Answer::LOSS) << sub;
        loses |= group_.ballot(child == Answer::WIN) << sub;
        busy |= group_.ballot(is_busy) << sub;
      }
      if (wins) {
        answer = Answer::WIN;
        return -1;
      }
      left &= ~loses;
      group_.sync();
      if (loses && group_.lane() == 0) frames_[depth].left[base / 32] = left;
      group_.sync();
      if (left & ~busy) return base + lowest(left & ~busy);
      if (left) {
        // Everything is somebody's: help, and not all at the same.
        for (std::uint32_t skip = (number_ * 0x9e3779b9u >> 16) % static_cast<std::uint32_t>(ones(left)); skip; --skip)
          left &= left - 1;
        if (first_left < 0) first_left = base + lowest(left);
      }
    }
    return first_left;
  }

  // How much more real + safe dominoes lie in some lines of a player after a change.
  ZERMELO_BOTH int worth_change(int player, int first, int last, const Change& change) const {
    const auto worth = [](std::uint32_t own, std::uint32_t beside) {
      return dominoes_in(own) + dominoes_in(own & ~beside);
    };
    int sum = 0;
    ZERMELO_ROLLED
    for (int i = first; i <= last; ++i) {
      const std::uint32_t a = line(player, i - 1), b = line(player, i), c = line(player, i + 1);
      sum += worth(change.applied(b, i), change.applied(a, i - 1) | change.applied(c, i + 1)) - worth(b, a | c);
    }
    return sum;
  }

  // As on the processor (search/component_order.hpp): the change of real + safe, then moves whose mirror image was
  // played early, then nearest the edge.
  ZERMELO_BOTH std::int32_t order_of(int depth, int player, const MoveAhead& move) const {
    const int rival = 1 - player, at = move.line, bit = move.bit;
    const int change =
        worth_change(rival, bit - 1, bit + 1, along(move)) - worth_change(player, at - 1, at + 2, across(move));
    const int lines = lines_of(player), bits = lines_of(rival);
    const int length = at < lines - 2 - at ? at : lines - 2 - at, width = bit < bits - 1 - bit ? bit : bits - 1 - bit;
    // The ply at which this player played a mirror image of the move.
    const int line_image = lines - 2 - at, bit_image = bits - 1 - bit;
    int mirror = 255;
    ZERMELO_ROLLED
    for (int ply = depth - 2; ply >= 0; ply -= 2) {
      const int played = near_.path[ply][0], there = near_.path[ply][1];
      const bool image =
          (played == line_image && (there == bit || there == bit_image)) || (played == at && there == bit_image);
      if (image) mirror = ply;
    }
    return ((change * 256 - mirror) * 16 - width) * 16 - length - (move.safe ? 1 << 28 : 0);
  }

  const Group group_;
  const SearchSetting& set_;
  const SpreadTable& spread_;
  Scratch& near_;
  Frame* const frames_;
  const std::uint32_t number_;
  std::uint64_t nodes_ = 0;  // of this search
  bool root_hopeful_ = false;
};

}  // namespace zermelo::gpu
