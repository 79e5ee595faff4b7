// One player's view of the board: "my dominoes lie along lines".
//
// H's lines are the rows, V's the columns, so one piece of code serves both. Square (line, offset) is bit
// line * length + offset; for H that is the numbering of Board, for V the numbering of the transposed board.
//
//   offset      0 1 2 ... length-1
//   line 0      o o o ... o            along:  offset -> offset + 1, a neighbour within the line (my domino)
//   line 1      o o o ... o            across: line -> line + 1, the same offset (the opponent's domino)
//
// There are no gap bits between lines: 8x8 fills 64 bits exactly. Steps along a line mask out its last (first) square.
#pragma once

#include "domineering/board/board.hpp"
#include "domineering/bound/board_words.hpp"

namespace zermelo {

// RINGS is true for cylinders and tori only, so that rectangles do not pay for them.
template <class W, bool RINGS>
struct Frame {
  int lines = 0;
  int length = 0;
  bool ring_along = false;   // lines close on themselves
  bool ring_across = false;  // the last line borders the first
  W all{};
  W first{}, last{};  // first and last square of every line
  W not_first{}, not_last{};
  W even{};        // squares of even offset
  int across = 0;  // shift to the next line; with one line there is none, and `neighbours` is empty
  W neighbours{};

  Frame() = default;
  Frame(int lines_, int length_, bool ring_along_, bool ring_across_)
      : lines(lines_), length(length_), ring_along(ring_along_), ring_across(ring_across_) {
    for (int line = 0; line < lines; ++line)
      for (int offset = 0; offset < length; ++offset) {
        const W square = bit<W>(line * length + offset);
        all |= square;
        if (offset == 0) first |= square;
        if (offset == length - 1) last |= square;
        if (offset % 2 == 0) even |= square;
      }
    not_first = all & ~first;
    not_last = all & ~last;
    if (lines > 1) {
      across = length;
      neighbours = all;
    }
  }

  // The set moved one square along its lines; squares that would cross the end of a line are dropped. On a ring the
  // covers do not use the seam either: fewer areas are a weaker bound, not a wrong one.
  W forward(const W& x) const { return (x & not_last) << 1; }
  W backward(const W& x) const { return (x & not_first) >> 1; }

  // The set moved to the next / previous line.
  W up(const W& x) const {
    W result = (x << across) & neighbours;
    if constexpr (RINGS)
      if (ring_across) result |= x >> ((lines - 1) * length);
    return result;
  }
  W down(const W& x) const {
    W result = (x >> across) & neighbours;
    if constexpr (RINGS)
      if (ring_across) result |= (x << ((lines - 1) * length)) & all;
    return result;
  }

  // Free squares that the opponent cannot use: both neighbours across the lines are taken (thesis 3.1).
  W protected_squares(const W& x) const { return x & ~(up(x) | down(x)); }

  // The lower squares of the dominoes that fill every run of x greedily from its lowest square.
  //
  // Adding the lowest square of a run to the run clears it and carries into the square above. Only runs that start at
  // an even offset are added, so this clears the runs whose dominoes start at even offsets. Last squares of
  // lines are left out, for they stop the carry; as upper halves they are still seen through x >> 1.
  W pairs(const W& x) const { return pairs(x, not_last); }
  // The same with dominoes whose lower square is in `starts_allowed` only, which holds no last square of a line.
  W pairs(const W& x, const W& starts_allowed) const {
    const W y = x & starts_allowed;
    const W starts = y & ~(y << 1);
    const W run_even = y & ~sum(y, starts & even);
    return ((run_even & even) | (y & ~run_even & ~even)) & (x >> 1);
  }

  // How many dominoes fit on x: real(player) for the free squares, safe(player) for the protected ones. A ring whose
  // two ends are the halves of one run may hold one more than the line does.
  int dominoes(const W& x) const {
    int total = count(pairs(x));
    if constexpr (RINGS)
      if (ring_along) total += dominoes_over_seams(x);
    return total;
  }

  // The lower squares of all my moves. On a ring the move over the seam is named by the last square of the line.
  W moves(const W& x) const {
    W result = x & backward(x);
    if constexpr (RINGS)
      if (ring_along) result |= x & last & (x & first) << (length - 1);
    return result;
  }
  // The same, for any property of the upper square: has(y) at a move's lower square tells of its upper one.
  W upper(const W& y) const {
    W result = backward(y);
    if constexpr (RINGS)
      if (ring_along) result |= (y & first) << (length - 1);
    return result;
  }

  // Every square one step further along its ring.
  W turned(const W& x) const { return forward(x) | (x & last) >> (length - 1); }

  // The least of all sets that turning the rings makes of x.
  W least_turn(W x) const {
    W best = x;
    for (int line = 0; line < (ring_across ? lines : 1); ++line, x = up(x))
      for (int step = 0; step < (ring_along ? length : 1); ++step) {
        if (ring_along) x = turned(x);
        if (x < best) best = x;
      }
    return best;
  }

  // Covers do not use the seam, so x is turned to where it parts the fewest pairs of neighbours.
  W opened(W x) const {
    if constexpr (RINGS) {
      W best = x;
      for (int step = 0, least = MAX_SQUARES; ring_along && step < length; ++step, x = turned(x)) {
        const int parted = count(x & first & (x & last) >> (length - 1));
        if (parted < least) best = x, least = parted;
      }
      return best;
    }
    return x;
  }

 private:
  int dominoes_over_seams(const W& x) const {
    int extra = 0;
    for (int line = 0; line < lines; ++line) {
      const auto taken = [&](int offset) { return !any(x & bit<W>(line * length + offset)); };
      int head = 0, tail = 0;
      while (head < length && !taken(head)) ++head;
      if (head == length) continue;  // a full ring holds length / 2, and so does the line
      while (!taken(length - 1 - tail)) ++tail;
      extra += head % 2 && tail % 2;
    }
    return extra;
  }
};

template <class W, bool RINGS>
Frame<W, RINGS> frame_of(const Board& board, Player player) {
  if (player == Player::H) return {board.rows, board.cols, board.wraps_rows(), board.wraps_cols()};
  return {board.cols, board.rows, board.wraps_cols(), board.wraps_rows()};
}

// The board's free squares in the player's numbering.
template <class W>
W squares_of(const Board& board, Player player) {
  return narrowed<W>(player == Player::H ? board.free : transposed(board).free);
}

// Calls work.template operator()<W, RINGS>() with the smallest word that holds the board.
template <class Work>
auto with_word(const Board& board, Work&& work) {
  const bool rings = board.wraps_rows() || board.wraps_cols();
  const int squares = board.rows * board.cols;
  if (squares <= 64)
    return rings ? work.template operator()<Word64, true>() : work.template operator()<Word64, false>();
  if (squares <= 128)
    return rings ? work.template operator()<Word128, true>() : work.template operator()<Word128, false>();
  return rings ? work.template operator()<Word256, true>() : work.template operator()<Word256, false>();
}

}  // namespace zermelo
