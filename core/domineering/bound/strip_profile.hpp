// The strip bound of one connected part of a board, whole or after a move, for the player who cuts between the lines.
//
// Lines are the rows for V, whose strips are groups of rows, and the columns for H. Line i holds the free squares of
// the part as bits. In the tables the player who cuts is Left and plays across the lines.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cstdint>

#include "domineering/board/lines.hpp"
#include "domineering/bound/strip_store.hpp"
#include "domineering/bound/strip_sum.hpp"

namespace zermelo {

// Dominoes that fit into each line: the sum of length / 2 over the runs of ones.
class LineDominoes {
 public:
  LineDominoes();
  int operator[](Line line) const { return line >> 16 ? of_long(line) : of_[line]; }
  // Of a line and of some of its squares together.
  int of_both(Line line, Line some) const { return line >> 16 ? of_long(line) + of_long(some) : of_[line] + of_[some]; }

 private:
  int of_long(Line line) const;
  std::array<std::uint8_t, 1 << 16> of_;
};
extern const LineDominoes LINE_DOMINOES;

// Lines of a board times the runs of columns in a strip, (columns + 1) / 2 at most.
inline constexpr std::size_t MOST_RUNS = [] {
  int most = 0;
  for (int lines = 1; lines <= MAX_LINES; ++lines)
    most = std::max(most, lines * ((std::min(MAX_LINES, MAX_SQUARES / lines) + 1) / 2));
  return static_cast<std::size_t>(most);
}();

// Whether no column of a strip lies beyond those that a pattern holds.
inline bool fits_pattern(Line columns, int height) { return height == 2 || !(columns >> pattern_columns(height)); }
// Stands for the columns of a strip that does not fit: no table has so wide a run.
inline constexpr Line TOO_WIDE = ~Line{0};
constexpr Line without_lowest_run(Line line) { return line & (line + (line & (~line + 1))); }

// The table entries of some strips, found first and read later. Large tables lie outside the processor's caches, so all
// numbers are fetched at once instead of waiting for one after the other.
class StripEntries {
 public:
  struct Range {
    std::uint16_t begin, end;
  };
  static constexpr Range MISSING = {1, 0};

  void clear() { size_ = 0; }

  // A strip of this height (2 or more) as a pattern, and those of its columns that are not all blocked: each run of
  // them is a pattern of its own. MISSING if one of them has no table, and then the strip has to be cut; so TOO_WIDE
  // is.
  Range find(std::uint64_t pattern, Line columns, int height, const StripTables& tables) {
    const StripLookup& lookup = tables.of(height);
    const auto begin = size_;
    while (columns) {
      const int first = std::countr_zero(columns);
      const int width = std::countr_one(columns >> first);
      if (width > lookup.widest) {
        size_ = begin;
        return MISSING;
      }
      const std::uint64_t run = pattern >> (height * first) & ((std::uint64_t{1} << (height * width)) - 1);
      number_[size_] = lookup.number_of(run, width);
      __builtin_prefetch(number_[size_]);
      entry_[size_++] = lookup.entry;
      columns = without_lowest_run(columns);
    }
    return {begin, size_};
  }
  Range find(const Line* lines, int height, const StripTables& tables) {
    Line columns = 0;
    for (int i = 0; i < height; ++i) columns |= lines[i];
    if (!fits_pattern(columns, height)) return MISSING;
    return find(strip_pattern(lines, height, 0, MAX_LINES), columns, height, tables);
  }
  template <class Sum>
  Sum added(Sum sum, Range range) const {
    for (std::size_t i = range.begin; i < range.end; ++i) sum = sum.plus(entry_[i][*number_[i]]);
    return sum;
  }

 private:
  // A strip of each height from 2 on begins in each line. Strips taller than MAX_STRIP_HEIGHT have at most 2 runs each.
  static constexpr std::size_t CAPACITY = (MAX_STRIP_HEIGHT - 1) * MOST_RUNS;
  static_assert(CAPACITY >= (TALLEST_STRIP - 1) * MAX_LINES * 2);
  std::uint16_t size_ = 0;
  std::array<const std::uint16_t*, CAPACITY> number_;
  std::array<const StripPair*, CAPACITY> entry_;
};

constexpr bool is_missing(StripEntries::Range range) { return range.begin > range.end; }

// A single line needs no table: only Right can move.
template <class Sum>
Sum with_line(const Sum& sum, Line line) {
  return sum.plus(-STRIP_UNIT * LINE_DOMINOES[line]);
}

// All strips of some lines.
class StripPatterns {
 public:
  // [height][first line]
  using Ranges = std::array<std::array<StripEntries::Range, MAX_LINES>, TALLEST_STRIP + 1>;

  // Strips of heights up to TALLEST. With more than MAX_STRIP_HEIGHT the lines must be short.
  template <int TALLEST = MAX_STRIP_HEIGHT>
  void build(const Line* lines, int count) {
    count_ = count;
    for (int height = 2; height <= TALLEST; ++height) {
      auto& pattern = pattern_[height - 2];
      auto& columns = columns_[height - 2];
      std::array<std::uint64_t, MAX_LINES> spread;
      for (int i = 0; i < count; ++i) spread[i] = spread_line(lines[i], height);
      for (int start = 0; start + height <= count; ++start) {
        pattern[start] = spread[start];
        columns[start] = lines[start];
        for (int i = 1; i < height; ++i) {
          pattern[start] |= spread[start + i] << i;
          columns[start] |= lines[start + i];
        }
        if (!fits_pattern(columns[start], height)) columns[start] = TOO_WIDE;
      }
    }
  }
  // As StripEntries takes them: a pattern, and its columns that are not all blocked.
  std::uint64_t pattern(int height, int start) const { return pattern_[height - 2][start]; }
  Line columns(int height, int start) const { return columns_[height - 2][start]; }

  // The entries of a strip without the squares in `rows` (bits from its first line on) of COLUMNS columns from `bit`
  // on.
  template <int COLUMNS>
  StripEntries::Range find_without(unsigned rows, int bit, int height, int start, const StripTables& tables,
                                   StripEntries& entries) const {
    Line left = columns(height, start);
    if (left == TOO_WIDE) return StripEntries::MISSING;
    std::uint64_t gone = std::uint64_t{rows} << (height * bit);
    if constexpr (COLUMNS == 2) gone |= gone << height;
    const std::uint64_t squares = pattern(height, start) & ~gone;
    const std::uint64_t column = (std::uint64_t{1} << height) - 1;
    for (int i = bit; i < bit + COLUMNS; ++i)
      left &= ~(static_cast<Line>((squares >> (height * i) & column) == 0) << i);
    return entries.find(squares, left, height, tables);
  }

  template <int TALLEST = MAX_STRIP_HEIGHT>
  void find_all(StripEntries& entries, Ranges& strip, const StripTables& tables) const {
    for (int height = 2; height <= TALLEST; ++height)
      for (int start = 0; start + height <= count_; ++start)
        strip[height][start] = entries.find(pattern(height, start), columns(height, start), height, tables);
  }

 private:
  int count_ = 0;
  std::array<std::array<std::uint64_t, MAX_LINES>, TALLEST_STRIP - 1> pattern_;  // [height - 2][first line]
  std::array<Lines, TALLEST_STRIP - 1> columns_;
};

// Best sums over all ways to cut the lines before and behind each line, so that a domino needs only the strips that
// touch it.
class StripProfile {
 public:
  // count >= 1.
  void build(const Line* lines, int count, const StripTables& tables) {
    count_ = count;
    tables_ = &tables;
    Line all = 0;
    for (int i = 0; i < count; ++i) all |= lines_[i] = lines[i];
    tall_ = tables.has_tall() && count > MAX_STRIP_HEIGHT && all >> MAX_STRIP_HEIGHT == 0;
    tall_ ? build<TALLEST_STRIP>() : build<MAX_STRIP_HEIGHT>();
  }
  const MoveSum& whole() const { return before_[count_]; }

  // Prepares the margins after a move: finds for each line the best over all ways to cut from it on.
  void build_behind() { tall_ ? build_behind<TALLEST_STRIP>() : build_behind<MAX_STRIP_HEIGHT>(); }

  using Behind = std::array<MoveSum, MAX_LINES + 1>;
  const Behind& behind() const { return behind_; }
  int count() const { return count_; }
  const Lines& lines() const { return lines_; }

  // The margin when a domino has been put across the lines `line` and `line` + 1 at `bit`, by the player who cuts, and
  // the other is to move. `behind` is behind(), or that with more of the position added to each of its sums.
  int across(int line, int bit, const Behind& behind) const { return changed<StripSum, 2>(line, bit, behind); }
  // Prefetches the first table entry that along() reads, so that a loop over many moves does not wait for each.
  void prefetch_along(int line, int bit) const {
    StripEntries entries;
    if (cut_[line].height > 1) find_along(line, bit, entries);
  }
  // The margin when a domino has been put along `line` at `bit` and `bit` + 1, by the other player. First it
  // looks only at the strip that holds this line in the best cut of the lines before the move. If that margin is at
  // least `enough`, it is returned: so for five moves of six. With tall strips it is also returned if it misses by more
  // than TALL_MISS, because other cuts hardly ever help then (4x15: 7 % more nodes, 0.92 of the time).
  int along(int line, int bit, const Behind& behind, int enough = INT_MAX) const {
    const auto [start, height] = cut_[line];
    if (height > 1) {
      StripEntries entries;
      const auto range = find_along(line, bit, entries);
      const int margin = entries.added(before_[start], range).margin_with(behind[start + height]);
      if (margin >= enough || (tall_ && enough < INT_MAX && margin < enough - TALL_MISS)) return margin;
    }
    return changed<MoveSum, 1>(line, bit, behind);
  }

 private:
  static constexpr int TALL_MISS = 48;  // 3/4

  template <int TALLEST>
  void build() {
    patterns_.build<TALLEST>(lines_.data(), count_);
    StripEntries entries;
    StripPatterns::Ranges strip;
    patterns_.find_all<TALLEST>(entries, strip, *tables_);
    before_[0] = MoveSum::zero();
    for (int end = 1; end <= count_; ++end) {
      MoveSum best = with_line(before_[end - 1], lines_[end - 1]);
      for (int height = 2; height <= TALLEST && height <= end; ++height)
        if (const auto range = strip[height][end - height]; !is_missing(range))
          best = best.or_better(entries.added(before_[end - height], range));
      before_[end] = best;
    }
  }
  template <int TALLEST>
  void build_behind() {
    StripEntries entries;
    StripPatterns::Ranges strip;
    patterns_.find_all<TALLEST>(entries, strip, *tables_);
    behind_[count_] = MoveSum::needs();
    for (int start = count_ - 1; start >= 0; --start) {
      MoveSum best = with_line(behind_[start + 1], lines_[start]);
      for (int height = 2; height <= TALLEST && start + height <= count_; ++height)
        if (const auto range = strip[height][start]; !is_missing(range))
          best = best.or_better(entries.added(behind_[start + height], range));
      behind_[start] = best;
    }
    find_cut<TALLEST>(entries, strip);
  }

  // The strip that along() looks up first.
  StripEntries::Range find_along(int line, int bit, StripEntries& entries) const {
    const auto [start, height] = cut_[line];
    return patterns_.find_without<2>(1u << (line - start), bit, height, start, *tables_, entries);
  }

  // One of the best cuts, from the first line on.
  template <int TALLEST>
  void find_cut(const StripEntries& entries, const StripPatterns::Ranges& strip) {
    MoveSum sum = before_[0];
    for (int start = 0; start < count_;) {
      MoveSum best_sum = with_line(sum, lines_[start]);
      int best = best_sum.margin_with(behind_[start + 1]), best_height = 1;
      for (int height = 2; height <= TALLEST && start + height <= count_; ++height)
        if (const auto range = strip[height][start]; !is_missing(range)) {
          const MoveSum next = entries.added(sum, range);
          const int margin = next.margin_with(behind_[start + height]);
          if (margin <= best) continue;
          best = margin, best_height = height, best_sum = next;
        }
      for (int i = start; i < start + best_height; ++i)
        cut_[i] = {static_cast<std::int8_t>(start), static_cast<std::int8_t>(best_height)};
      sum = best_sum;
      start += best_height;
    }
  }

  template <class Sum, int LINES>
  int changed(int first, int bit, const Behind& behind) const {
    return tall_ ? changed<Sum, LINES, TALLEST_STRIP>(first, bit, behind)
                 : changed<Sum, LINES, MAX_STRIP_HEIGHT>(first, bit, behind);
  }

  // LINES = 2: one square of two lines is gone, and the other player is to move; LINES = 1: two squares of one, and the
  // player who cuts is to move, so that her next move counts too.
  template <class Sum, int LINES, int TALLEST>
  int changed(int first, int bit, const Behind& behind) const {
    constexpr int BITS = 3 - LINES;
    const int end = first + LINES;

    // 1. Find the strips that touch the change, by where they stop.
    const int last_stop = end + TALLEST - 1 < count_ ? end + TALLEST - 1 : count_;
    const auto least_height = [end](int stop) { return stop <= end ? 2 : stop - end + 1; };
    StripEntries entries;
    std::array<std::array<StripEntries::Range, TALLEST + 1>, TALLEST + 1> strip;  // [stop][height]
    for (int stop = first + 1; stop <= last_stop; ++stop)
      for (int height = least_height(stop); height <= TALLEST && height <= stop; ++height) {
        const int start = stop - height;
        // The rows of the strip that change.
        unsigned rows = 1;
        if constexpr (LINES == 2) rows = start > first ? 1 : (stop < end ? 1 : 3) << (first - start);
        else rows <<= first - start;
        strip[stop - first - 1][height] = patterns_.find_without<BITS>(rows, bit, height, start, *tables_, entries);
      }

    // 2. Best sums up to first, first + 1, first + 2.
    const auto line = [&](int i) { return lines_[i] & ~(((1u << BITS) - 1) << bit); };
    std::array<Sum, LINES + 1> fresh;
    fresh[0] = part_of<Sum>(before_[first]);
    const auto upto = [&](int start) { return start <= first ? part_of<Sum>(before_[start]) : fresh[start - first]; };
    for (int stop = first + 1; stop <= end; ++stop) {
      Sum best = with_line(fresh[stop - first - 1], line(stop - 1));
      for (int height = 2; height <= TALLEST && height <= stop; ++height)
        if (const auto range = strip[stop - first - 1][height]; !is_missing(range))
          best = best.or_better(entries.added(upto(stop - height), range));
      fresh[stop - first] = best;
    }
    int margin = fresh[LINES].margin_with(part_of<Sum>(behind[end]));

    // 3. Strips that hold the last changed line and stop behind it.
    for (int stop = end + 1; stop <= last_stop; ++stop) {
      Sum best = Sum::zero();
      bool any = false;
      for (int height = least_height(stop); height <= TALLEST && height <= stop; ++height) {
        const auto range = strip[stop - first - 1][height];
        if (is_missing(range)) continue;
        const Sum sum = entries.added(upto(stop - height), range);
        best = any ? best.or_better(sum) : sum;
        any = true;
      }
      if (any) margin = std::max(margin, best.margin_with(part_of<Sum>(behind[stop])));
    }
    return margin;
  }

  const StripTables* tables_ = nullptr;
  int count_ = 0;
  bool tall_ = false;  // whether strips may be taller than MAX_STRIP_HEIGHT
  Lines lines_;
  StripPatterns patterns_;
  Behind before_, behind_;
  struct CutStrip {
    std::int8_t start, height;
  };
  std::array<CutStrip, MAX_LINES> cut_;  // by line, the strip of one best cut that holds it
};

}  // namespace zermelo
