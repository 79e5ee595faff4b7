// A cut of one connected part that steps between runs of squares: the best straight cut, improved run by run.
//
// Every run of squares within a line lies in one strip, but a run beside a boundary may lie above or below it
// (bent_profile.hpp says why, and finds what the best of all such cuts is worth). This is one good cut, strip by strip,
// for whoever has to write it down: runs change sides one at a time while that helps.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cstdint>
#include <span>

#include "domineering/bound/strip_profile.hpp"

namespace zermelo {

// Up to four lines from `start` on, 16 bits each, none of the outer ones empty.
struct PackedStrip {
  static constexpr int LINE_BITS = 16;
  std::uint64_t lines;
  std::int8_t start, height;

  static PackedStrip of(const Lines& all, int first, int count) {
    PackedStrip strip{0, static_cast<std::int8_t>(first), static_cast<std::int8_t>(count)};
    for (int i = 0; i < count; ++i)
      strip.lines |= std::uint64_t{all[static_cast<std::size_t>(first + i)]} << (LINE_BITS * i);
    return strip;
  }
  unsigned line(int index) const { return static_cast<std::uint16_t>(lines >> (LINE_BITS * (index - start))); }
  bool has(int index, unsigned squares) const {
    return index >= start && index < start + height && (line(index) & squares);
  }
  int last() const { return start + height - 1; }

  // False if nothing is left.
  bool take(int index, unsigned squares) {
    lines &= ~(std::uint64_t{squares} << (LINE_BITS * (index - start)));
    if (!lines) return false;
    const int empty = std::countr_zero(lines) / LINE_BITS;
    lines >>= LINE_BITS * empty;
    start = static_cast<std::int8_t>(start + empty);
    height = static_cast<std::int8_t>((static_cast<int>(std::bit_width(lines)) + LINE_BITS - 1) / LINE_BITS);
    return true;
  }
  // False if there is no room.
  bool put(int index, unsigned squares) {
    if (index < start) {
      const int more = start - index;
      if (height + more > MAX_STRIP_HEIGHT) return false;
      lines <<= LINE_BITS * more;
      start = static_cast<std::int8_t>(index);
      height = static_cast<std::int8_t>(height + more);
    } else if (index > last()) {
      if (index - start >= MAX_STRIP_HEIGHT) return false;
      height = static_cast<std::int8_t>(index - start + 1);
    }
    lines |= std::uint64_t{squares} << (LINE_BITS * (index - start));
    return true;
  }
};

// Sum is MoveSum, or StripSum for those who do not look a move ahead.
template <class Sum>
class FlexibleCut {
 public:
  using Strip = PackedStrip;

  // From the profile's best straight cut, improved until the margin is `enough`; build_behind() has been called there,
  // with the same needs.
  void build(const StripProfile<Sum>& profile, const StripTables& tables, const Sum& needs = Sum::needs(),
             int enough = INT_MAX) {
    tables_ = &tables;
    count_ = 0;
    for (int start = 0; start < profile.count(); start += profile.cut_height(start))
      strip_[at(count_++)] = Strip::of(profile.lines(), start, profile.cut_height(start));
    before_[0] = Sum::zero();
    behind_[at(count_)] = needs;
    margin_ = climb(strip_.data(), count_, before_.data(), behind_.data(), enough);
  }
  const Sum& whole() const { return before_[at(count_)]; }
  int margin() const { return margin_; }
  // A sum and one more strip; false, and no change, if the strip has a piece without a table.
  static bool add(Sum& sum, const Strip& strip, const StripTables& tables) {
    StripEntries entries;
    const Found found = find(strip, entries, tables);
    if (is_missing(found.range)) return false;
    sum = added(sum, found, entries);
    return true;
  }
  std::span<const Strip> strips() const { return {strip_.data(), at(count_)}; }

 private:
  static constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }
  static constexpr int NOTHING = -20000;
  static constexpr int MAX_CHANGES = 6;  // more hardly ever help

  // The strips, found first and added later: a single line has no entries, and is in `line`.
  struct Found {
    StripEntries::Range range;
    std::uint16_t line;
  };
  Found find(const Strip& strip, StripEntries& entries) const { return find(strip, entries, *tables_); }
  static Found find(const Strip& strip, StripEntries& entries, const StripTables& tables) {
    if (strip.height == 1) return {{0, 0}, static_cast<std::uint16_t>(strip.lines)};
    std::uint64_t pattern = 0;
    unsigned columns = 0;
    for (int i = 0; i < strip.height; ++i) {
      const auto line = static_cast<std::uint16_t>(strip.lines >> (Strip::LINE_BITS * i));
      pattern |= spread_line(line, strip.height) << i;
      columns |= line;
    }
    return {entries.find(pattern, columns, strip.height, tables), 0};
  }
  static Sum added(const Sum& sum, const Found& found, const StripEntries& entries) {
    return found.line ? with_line(sum, found.line) : entries.added(sum, found.range);
  }
  Sum added(const Sum& sum, const Strip& strip) const {
    StripEntries entries;
    const Found found = find(strip, entries);
    return added(sum, found, entries);
  }

  // The margin of `size` strips, between before[0] and behind[size], after changes that improve it one at a time. All
  // other sums are found here.
  int climb(Strip* strip, int size, Sum* before, Sum* behind, int enough) const {
    for (int j = 0; j < size; ++j) {
      StripEntries entries;
      const Found found = find(strip[j], entries);
      if (is_missing(found.range)) return NOTHING;
      before[j + 1] = added(before[j], found, entries);
    }
    int best = before[size].margin_with(behind[size]);
    for (int j = size - 1; j >= 0; --j) behind[j] = added(behind[j + 1], strip[j]);

    for (int change = 0; change < MAX_CHANGES && best < enough; ++change) {
      // 1. All ways for one run to change sides. One that touches nothing there need not.
      struct Way {
        Strip up, down;
        Found found_up, found_down;
        int boundary;
      };
      constexpr int MOST = 24;
      std::array<Way, MOST> ways;
      int count = 0;
      StripEntries entries;
      for (int j = 0; j + 1 < size; ++j) {
        const auto consider = [&](int line, bool down) {
          const Strip &from = down ? strip[j] : strip[j + 1], &to = down ? strip[j + 1] : strip[j];
          const int beside = down ? line + 1 : line - 1;
          const unsigned others = beside >= to.start && beside <= to.last() ? to.line(beside) : 0u;
          for (unsigned left = from.line(line); left && count < MOST;) {
            const unsigned run = left & ~(left + (left & (~left + 1)));
            left &= ~run;
            if (!(run & others)) continue;
            Way& way = ways[at(count)];
            way.up = strip[j], way.down = strip[j + 1], way.boundary = j;
            if (!(down ? way.up : way.down).take(line, run) || !(down ? way.down : way.up).put(line, run)) continue;
            way.found_up = find(way.up, entries);
            if (is_missing(way.found_up.range)) continue;
            way.found_down = find(way.down, entries);
            if (!is_missing(way.found_down.range)) ++count;
          }
        };
        consider(strip[j].last(), true);
        consider(strip[j + 1].start, false);
      }
      // 2. The best of them.
      int chosen = -1;
      for (int i = 0; i < count && best < enough; ++i) {
        const Way& way = ways[at(i)];
        const Sum sum = added(added(before[way.boundary], way.found_up, entries), way.found_down, entries);
        const int margin = sum.margin_with(behind[way.boundary + 2]);
        if (margin > best) best = margin, chosen = i;
      }
      if (chosen < 0) break;
      const Way& way = ways[at(chosen)];
      const int j = way.boundary;
      strip[j] = way.up, strip[j + 1] = way.down;
      for (int k = j; k < size; ++k) before[k + 1] = added(before[k], strip[k]);
      for (int k = j + 1; k >= 0; --k) behind[k] = added(behind[k + 1], strip[k]);
    }
    return best;
  }

  const StripTables* tables_ = nullptr;
  int count_ = 0, margin_ = 0;
  std::array<Strip, MAX_LINES> strip_;
  std::array<Sum, MAX_LINES + 1> before_, behind_;
};

}  // namespace zermelo
