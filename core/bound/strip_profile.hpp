// The strip bound of one connected part of a board, whole or after a move, for the player who cuts between the lines.
//
// Lines are the rows for V, whose strips are groups of rows, and the columns for H. Line i holds the free squares of
// the part as bits. In the tables the player who cuts is Left and plays across the lines.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "bound/strip_store.hpp"
#include "bound/strip_sum.hpp"

namespace zermelo {

inline constexpr int MAX_LINES = 16;
using Lines = std::array<std::uint16_t, MAX_LINES>;

// Dominoes that fit into each line: the sum of length / 2 over the runs of ones.
struct LineDominoes {
  std::array<std::uint8_t, 1 << 16> of;
  LineDominoes();
  int operator[](unsigned line) const { return of[line]; }
};
extern const LineDominoes LINE_DOMINOES;

// Adds lines[0 .. height) as one strip: each maximal run of columns that is not all blocked is a pattern of its own.
// False if a table is missing, and then the strip has to be cut. A single line needs no table: only Right can move.
inline bool add_strip(StripSum& sum, const std::uint16_t* lines, int height, const StripTables& tables) {
  if (height == 1) {
    sum = sum.plus(-STRIP_UNIT * LINE_DOMINOES[lines[0]]);
    return true;
  }
  unsigned columns = 0;
  for (int i = 0; i < height; ++i) columns |= lines[i];
  StripSum total = sum;
  while (columns) {
    const int first = std::countr_zero(columns);
    const int width = std::countr_one(columns >> first);
    const StripEntry* table = tables.table(height, width);
    if (!table) return false;
    const unsigned mask = (1u << width) - 1;
    std::size_t index = 0;
    for (int i = height - 1; i >= 0; --i) index = index << width | (lines[i] >> first & mask);
    total = total.plus(table[index]);
    columns &= ~(mask << first);
  }
  sum = total;
  return true;
}

// Best sums over all ways to cut the lines before and behind each line, so that a change of a few lines needs only the
// strips that touch them.
class StripProfile {
 public:
  // `rest` is what the other parts of the position are worth; count >= 1.
  void build(const std::uint16_t* lines, int count, StripSum rest, const StripTables& tables) {
    count_ = count;
    before_[0] = rest;
    for (int end = 1; end <= count; ++end) {
      StripSum best = before_[end - 1];
      add_strip(best, lines + end - 1, 1, tables);
      for (int height = 2; height <= MAX_STRIP_HEIGHT && height <= end; ++height) {
        StripSum sum = before_[end - height];
        if (add_strip(sum, lines + end - height, height, tables)) best = best.or_better(sum);
      }
      before_[end] = best;
    }
  }
  // The same from the other side; only changed() needs it.
  void build_behind(const std::uint16_t* lines, const StripTables& tables) {
    behind_[count_] = StripSum::zero();
    for (int start = count_ - 1; start >= 0; --start) {
      StripSum best = behind_[start + 1];
      add_strip(best, lines + start, 1, tables);
      for (int height = 2; height <= MAX_STRIP_HEIGHT && start + height <= count_; ++height) {
        StripSum sum = behind_[start + height];
        if (add_strip(sum, lines + start, height, tables)) best = best.or_better(sum);
      }
      behind_[start] = best;
    }
  }
  StripSum whole() const { return before_[count_]; }

  // The sum when lines [first, end) have become those of `lines` (all of them given); 1 <= end - first <= 2.
  StripSum changed(const std::uint16_t* lines, int first, int end, const StripTables& tables) const {
    std::array<StripSum, 3> fresh;  // best sums up to first, first + 1, first + 2
    fresh[0] = before_[first];
    for (int stop = first + 1; stop <= end; ++stop) {
      StripSum best = fresh[static_cast<std::size_t>(stop - first - 1)];
      add_strip(best, lines + stop - 1, 1, tables);
      for (int height = 2; height <= MAX_STRIP_HEIGHT && height <= stop; ++height) {
        const int start = stop - height;
        StripSum sum = start <= first ? before_[start] : fresh[static_cast<std::size_t>(start - first)];
        if (add_strip(sum, lines + start, height, tables)) best = best.or_better(sum);
      }
      fresh[static_cast<std::size_t>(stop - first)] = best;
    }
    StripSum total = fresh[static_cast<std::size_t>(end - first)];
    if (end < count_) total = total.plus(behind_[end]);
    // Strips that begin at or before the last changed line and stop behind it.
    for (int stop = end + 1; stop < end + MAX_STRIP_HEIGHT && stop <= count_; ++stop) {
      StripSum best = StripSum::zero();
      bool any = false;
      for (int height = stop - end + 1; height <= MAX_STRIP_HEIGHT && height <= stop; ++height) {
        const int start = stop - height;
        StripSum sum = start <= first ? before_[start] : fresh[static_cast<std::size_t>(start - first)];
        if (!add_strip(sum, lines + start, height, tables)) break;
        best = any ? best.or_better(sum) : sum;
        any = true;
      }
      if (any) total = total.or_better(stop < count_ ? best.plus(behind_[stop]) : best);
    }
    return total;
  }

 private:
  int count_ = 0;
  std::array<StripSum, MAX_LINES + 1> before_;
  std::array<StripSum, MAX_LINES + 1> behind_;
};

}  // namespace zermelo
