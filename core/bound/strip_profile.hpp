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

// The table entries of some strips, found first and read later. Large tables lie outside the processor's caches, and
// waiting for one entry after the other took 72 % of the time of changed(); all are fetched at once instead.
class StripEntries {
 public:
  struct Range {
    std::uint16_t begin, end;
  };
  static constexpr Range MISSING = {1, 0};

  // lines[0 .. height) as one strip, height >= 2: each maximal run of columns that is not all blocked is a pattern of
  // its own. MISSING if there is no table for one of them, and then the strip has to be cut.
  Range find(const std::uint16_t* lines, int height, const StripTables& tables) {
    unsigned columns = 0;
    for (int i = 0; i < height; ++i) columns |= lines[i];
    const auto begin = size_;
    while (columns) {
      const int first = std::countr_zero(columns);
      const int width = std::countr_one(columns >> first);
      const StripEntry* table = tables.table(height, width);
      if (!table) {
        size_ = begin;
        return MISSING;
      }
      const unsigned mask = (1u << width) - 1;
      std::size_t index = 0;
      for (int i = height - 1; i >= 0; --i) index = index << width | (lines[i] >> first & mask);
      entry_[size_++] = table + index;
      __builtin_prefetch(table + index);
      columns &= ~(mask << first);
    }
    return {begin, size_};
  }
  StripSum added(StripSum sum, Range range) const {
    for (std::size_t i = range.begin; i < range.end; ++i) sum = sum.plus(*entry_[i]);
    return sum;
  }

 private:
  // All strips of heights 2 to 4 on 16 lines, at most 8 runs of columns each.
  static constexpr std::size_t CAPACITY = (MAX_STRIP_HEIGHT - 1) * MAX_LINES * MAX_LINES / 2;
  std::uint16_t size_ = 0;
  std::array<const StripEntry*, CAPACITY> entry_;
};

constexpr bool is_missing(StripEntries::Range range) { return range.begin > range.end; }

// A single line needs no table: only Right can move.
inline StripSum with_line(StripSum sum, std::uint16_t line) { return sum.plus(-STRIP_UNIT * LINE_DOMINOES[line]); }

// Best sums over all ways to cut the lines before and behind each line, so that a change of a few lines needs only the
// strips that touch them.
class StripProfile {
 public:
  // `rest` is what the other parts of the position are worth; count >= 1. Without `behind` changed() is not available.
  void build(const std::uint16_t* lines, int count, StripSum rest, const StripTables& tables, bool behind) {
    count_ = count;
    StripEntries entries;
    std::array<std::array<StripEntries::Range, MAX_LINES>, MAX_STRIP_HEIGHT + 1> strip;  // [height][first line]
    for (int start = 0; start < count; ++start)
      for (int height = 2; height <= MAX_STRIP_HEIGHT && start + height <= count; ++height)
        strip[at(height)][at(start)] = entries.find(lines + start, height, tables);

    before_[0] = rest;
    for (int end = 1; end <= count; ++end) {
      StripSum best = with_line(before_[at(end - 1)], lines[end - 1]);
      for (int height = 2; height <= MAX_STRIP_HEIGHT && height <= end; ++height)
        if (const auto range = strip[at(height)][at(end - height)]; !is_missing(range))
          best = best.or_better(entries.added(before_[at(end - height)], range));
      before_[at(end)] = best;
    }
    if (!behind) return;
    behind_[at(count)] = StripSum::zero();
    for (int start = count - 1; start >= 0; --start) {
      StripSum best = with_line(behind_[at(start + 1)], lines[start]);
      for (int height = 2; height <= MAX_STRIP_HEIGHT && start + height <= count; ++height)
        if (const auto range = strip[at(height)][at(start)]; !is_missing(range))
          best = best.or_better(entries.added(behind_[at(start + height)], range));
      behind_[at(start)] = best;
    }
  }
  StripSum whole() const { return before_[at(count_)]; }

  // The sum when lines [first, end) have become those of `lines` (all of them given); 1 <= end - first <= 2.
  StripSum changed(const std::uint16_t* lines, int first, int end, const StripTables& tables) const {
    // 1. Find the strips that touch the change, by where they stop.
    const int last_stop = end + MAX_STRIP_HEIGHT - 1 < count_ ? end + MAX_STRIP_HEIGHT - 1 : count_;
    const auto least_height = [end](int stop) { return stop <= end ? 2 : stop - end + 1; };
    StripEntries entries;
    std::array<std::array<StripEntries::Range, MAX_STRIP_HEIGHT + 1>, MAX_STRIP_HEIGHT + 1> strip;  // [stop][height]
    for (int stop = first + 1; stop <= last_stop; ++stop)
      for (int height = least_height(stop); height <= MAX_STRIP_HEIGHT && height <= stop; ++height)
        strip[at(stop - first - 1)][at(height)] = entries.find(lines + stop - height, height, tables);

    // 2. Best sums up to first, first + 1, first + 2.
    std::array<StripSum, 3> fresh;
    fresh[0] = before_[at(first)];
    const auto upto = [&](int start) { return start <= first ? before_[at(start)] : fresh[at(start - first)]; };
    for (int stop = first + 1; stop <= end; ++stop) {
      StripSum best = with_line(fresh[at(stop - first - 1)], lines[stop - 1]);
      for (int height = 2; height <= MAX_STRIP_HEIGHT && height <= stop; ++height)
        if (const auto range = strip[at(stop - first - 1)][at(height)]; !is_missing(range))
          best = best.or_better(entries.added(upto(stop - height), range));
      fresh[at(stop - first)] = best;
    }
    StripSum total = fresh[at(end - first)];
    if (end < count_) total = total.plus(behind_[at(end)]);

    // 3. Strips that hold the last changed line and stop behind it.
    for (int stop = end + 1; stop <= last_stop; ++stop) {
      StripSum best = StripSum::zero();
      bool any = false;
      for (int height = least_height(stop); height <= MAX_STRIP_HEIGHT && height <= stop; ++height) {
        const auto range = strip[at(stop - first - 1)][at(height)];
        if (is_missing(range)) continue;
        const StripSum sum = entries.added(upto(stop - height), range);
        best = any ? best.or_better(sum) : sum;
        any = true;
      }
      if (any) total = total.or_better(stop < count_ ? best.plus(behind_[at(stop)]) : best);
    }
    return total;
  }

 private:
  static constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

  int count_ = 0;
  std::array<StripSum, MAX_LINES + 1> before_;
  std::array<StripSum, MAX_LINES + 1> behind_;
};

}  // namespace zermelo
