// Writes the records of a race's certificate (checker/FORMAT.md 10), each as soon as those below it are written.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/bytes.hpp"

namespace zermelo::positional {

inline constexpr int PASS = -1;

// The claim of a record: the hero, holding `held`, with no mark of the opponent on `held` or `open`, succeeds. A win
// takes so many moves; a defence holds out for so many.
template <int W>
struct RaceClaim {
  Bits<W> held, open;
  int moves = 0;
  bool by_goal = false;  // rests on a goal that the hero completes
  std::uint64_t record = 0;
};

// The hero's next moves, a vertex or PASS each, and the claim that holds after them.
template <int W>
struct RaceReply {
  std::vector<int> moves;
  RaceClaim<W> after;

  // The vertices on which the opponent must have no mark.
  Bits<W> open() const {
    Bits<W> result = after.open | after.held;
    for (int v : moves)
      if (v != PASS) result.set(v);
    return result;
  }
};

template <int W>
class RaceRecords {
 public:
  using Claim = RaceClaim<W>;
  using Reply = RaceReply<W>;

  // `names`: the cell of each vertex in the certificate. `wins`: the hero wins; else he holds out.
  RaceRecords(std::vector<int> names, bool wins) : names_(std::move(names)), wins_(wins) {}

  bool wins() const { return wins_; }
  const std::string& bytes() const { return out_; }
  std::uint64_t count() const { return records_; }

  // The hero holds a goal, which has these cells.
  Claim goal(const Bits<W>& cells) {
    Claim& claim = goals_[cells];
    if (!claim.record) {
      put_varint(out_, GOAL);
      put(cells);
      claim = {cells, {}, wins_ ? 0 : NEVER_ENDS, true, ++records_};
    }
    return claim;
  }
  // The opponent cannot complete a goal in so many moves.
  Claim hold(int phase, int moves, const Bits<W>& held, const Bits<W>& open) {
    put_varint(out_, HOLD);
    number(phase), number(moves), put(held), put(open);
    return {held, open, moves, false, ++records_};
  }
  // The claim of a step, before its extra cells.
  Claim above(const std::vector<Reply>& replies) const {
    Claim claim{{}, {}, wins_ ? 0 : NEVER_ENDS, false, 0};
    for (const Reply& reply : replies) {
      Bits<W> marks;
      for (int v : reply.moves)
        if (v != PASS) marks.set(v);
      claim.held |= reply.after.held & ~marks;
      claim.open |= reply.after.open | marks;
      const int moves = 1 + static_cast<int>(reply.moves.size()) + reply.after.moves;
      claim.moves = wins_ ? std::max(claim.moves, moves) : std::min(claim.moves, moves);
      claim.by_goal = claim.by_goal || reply.after.by_goal;
    }
    claim.moves = std::min(claim.moves, NEVER_ENDS);
    claim.open &= ~claim.held;
    return claim;
  }
  // A move of the opponent and the replies to it.
  Claim step(int phase, const std::vector<Reply>& replies, const Bits<W>& held, const Bits<W>& open) {
    Claim claim = above(replies);
    const bool extra = (held | open).any();
    put_varint(out_, extra ? GUARDED_STEP : STEP);
    number(phase);
    put(replies);
    if (extra) put(held), put(open);
    claim.held |= held;
    claim.open = (claim.open | open) & ~claim.held;
    claim.record = ++records_;
    return claim;
  }
  void end(const Reply& reply) {
    put_varint(out_, END);
    put(reply);
  }
  // The end where the opponent's first move is one of a few.
  void end(const std::vector<Reply>& replies) {
    put_varint(out_, FIRST);
    put(replies);
  }

  static constexpr int NEVER_ENDS = 1 << 20;

 private:
  enum Tag { END, GOAL, HOLD, STEP, GUARDED_STEP, FIRST };

  void number(int value) { put_varint(out_, static_cast<std::uint64_t>(value)); }
  void put(const Bits<W>& cells) {
    number(cells.count());
    for_each(cells, [&](int v) { number(names_[static_cast<std::size_t>(v)]); });
  }
  void put(const Reply& reply) {
    put_varint(out_, records_ + 1 - reply.after.record);
    number(static_cast<int>(reply.moves.size()));
    for (int v : reply.moves) number(v == PASS ? 0 : names_[static_cast<std::size_t>(v)] + 1);
  }
  void put(const std::vector<Reply>& replies) {
    number(static_cast<int>(replies.size()));
    for (const Reply& reply : replies) put(reply);
  }

  const std::vector<int> names_;
  const bool wins_;
  std::string out_;
  std::uint64_t records_ = 0;
  std::map<Bits<W>, Claim> goals_;
};

}  // namespace zermelo::positional
