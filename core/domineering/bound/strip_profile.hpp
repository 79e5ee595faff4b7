// The best cut of one connected part of a board into strips, whole or after a move, for the player who cuts between the
// lines.
//
// Lines are the rows for V, whose strips are groups of rows, and the columns for H. Line i holds the free squares of
// the part as bits. In the tables the player who cuts is Left and plays across the lines.
//
// A cut is sound for the player who plays across the lines as soon as every run of squares within a line lies in one
// strip, because no domino of the rival joins two runs (docs/theory-strips.md). So a cut may bend: a strip may end with
// some of the runs of a line, and the next begin with the others. A state (i, s): all lines before line i are cut into
// strips, and set s of the runs of line i belongs to the last of them. A step is one strip, from state to state.
// Straight cuts are those with one state a line, the empty set.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

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

// Calls visit(number) for the number that each run of columns of a strip has in the table of this height; `columns` are
// those that are not all blocked. False if one of them has no table: then the strip has to be cut.
template <class Visit>
[[gnu::always_inline]] inline bool each_number(std::uint64_t pattern, Line columns, int height,
                                               const StripTables& tables, const Visit& visit) {
  if (height > 2 && columns >> pattern_columns(height)) return false;  // the pattern does not hold them
  const StripLookup& lookup = tables.of(height);
  while (columns) {
    const int first = std::countr_zero(columns);
    const int width = std::countr_one(columns >> first);
    if (width > lookup.widest) return false;
    visit(lookup.number_of(pattern >> (height * first) & ((std::uint64_t{1} << (height * width)) - 1), width));
    columns &= columns + (columns & (~columns + 1));
  }
  return true;
}

// One strip of a cut: some squares of up to four neighbouring lines.
struct CutStrip {
  int start = 0, height = 0;
  std::array<Line, MAX_STRIP_HEIGHT> lines{};  // from `start` on

  int end() const { return start + height; }
  unsigned line(int index) const { return index >= start && index < end() ? unsigned{lines[index - start]} : 0u; }
  // Without some squares of a line, and without outer lines that have none then. Its height is 0 if nothing is left.
  CutStrip without(int index, unsigned squares) const {
    CutStrip rest{start, 0, {}};
    for (int i = start; i < end(); ++i) {
      const unsigned left = line(i) & ~(i == index ? squares : 0u);
      if (!left && !rest.height) ++rest.start;
      else rest.lines[rest.height++] = static_cast<Line>(left);
    }
    while (rest.height && !rest.lines[rest.height - 1]) --rest.height;
    return rest;
  }
};

// Adds a strip to a sum. False, and no change, if the strip has a piece without a table.
inline bool add_strip(MoveSum& sum, const CutStrip& strip, const StripTables& tables) {
  if (strip.height == 1) sum = sum.plus(-STRIP_UNIT * LINE_DOMINOES[strip.lines[0]]);
  if (strip.height < 2) return true;
  Line columns = 0;
  for (const Line line : strip.lines) columns |= line;
  MoveSum total = sum;
  const std::size_t pattern = strip_pattern(strip.lines.data(), strip.height, 0, MAX_LINES);
  const auto add = [&](const std::uint16_t* number) { total = total.plus(tables.of(strip.height).entry[*number]); };
  if (!each_number(pattern, columns, strip.height, tables, add)) return false;
  sum = total;
  return true;
}

// The best cuts of a part: straight, or cuts that bend.
template <bool BENDS>
class CutProfile {
  static constexpr std::size_t MOST_STATES = BENDS ? 5 : 1;  // of a line: none of its runs, and four sets of them
  static constexpr int MOST_HEIGHT = BENDS ? MAX_STRIP_HEIGHT : TALLEST_STRIP;
  static constexpr int ALL = 16000;  // no margin is enough

 public:
  // For each state the best sum of the strips behind it, with the rest of the position and the needs of a win.
  struct Behind {
    std::array<std::array<MoveSum, MOST_STATES>, MAX_LINES + 1> best;
    std::array<std::uint8_t, MAX_LINES + 1> useful;  // bit s: the best cut through state s is nearly the best of all
  };

  // count >= 1.
  void build(const Lines& lines, int count, const StripTables& tables) {
    tables_ = &tables;
    count_ = count;
    Line all = 0;
    for (int i = 0; i < count; ++i) all |= lines[i];
    if (!BENDS && tables.has_tall() && count > MAX_STRIP_HEIGHT && all >> MAX_STRIP_HEIGHT == 0) tallest_ = MOST_HEIGHT;
    else tallest_ = MAX_STRIP_HEIGHT;
    for (int i = 0; i < count; ++i)
      line_[i].set(lines[i], i ? lines[i - 1] : 0u, i + 1 < count ? lines[i + 1] : 0u, tallest_);
    if constexpr (BENDS) line_[count].set(0, 0, 0, tallest_);
    Steps steps;
    const auto all_states = [](int) { return ~0u; };
    list_steps(0, count, 0, [this](int i) -> const LineStates& { return line_[i]; }, all_states, all_states, steps);
    steps_ = steps.count;
    std::copy_n(steps.step.begin(), steps_, step_.begin());
    if constexpr (BENDS) reached_.fill(0);
    else
      for (int i = 1; i <= count; ++i) before_[i][0] = nothing();
    before_[0][0] = MoveSum::zero();
    reached_[0] = 1;
    for (std::size_t k = 0; k < steps_; ++k)
      if (const Step& step = step_[k]; is_reached(reached_[step.line], step.begin()))
        improve(before_[step.to_line][step.end()], reached_[step.to_line], step.end(),
                added(before_[step.line][step.begin()], step,
                      [&](std::size_t n) { return number_[n] = *steps.number[n]; }));
  }
  const MoveSum& whole() const { return before_[count_][0]; }
  int count() const { return count_; }

  // `needs`: those of the rest of the position, MoveSum::needs() alone if there is none.
  void find_behind(const MoveSum& needs, Behind& behind) const {
    std::array<std::uint8_t, MAX_LINES + 1> filled{};
    if constexpr (!BENDS)
      for (int i = 0; i <= count_; ++i) behind.best[i][0] = nothing();
    improve(behind.best[count_][0], filled[count_], 0, needs);
    for (std::size_t k = steps_; k-- > 0;)
      if (const Step& step = step_[k]; is_reached(reached_[step.line], step.begin()))
        improve(behind.best[step.line][step.begin()], filled[step.line], step.begin(),
                added(behind.best[step.to_line][step.end()], step));
    if constexpr (!BENDS) return;
    const int best = before_[0][0].margin_with(behind.best[0][0]);
    for (int i = 0; i <= count_; ++i) {
      behind.useful[i] = 0;
      for (std::size_t s = 0; s < line_[i].states; ++s)
        if (reached_[i] >> s & 1)
          if (before_[i][s].margin_with(behind.best[i][s]) >= best - USEFUL)
            behind.useful[i] = static_cast<std::uint8_t>(behind.useful[i] | 1u << s);
    }
  }

  // Prepares the margins of straight cuts after a move.
  void build_behind() {
    find_behind(MoveSum::needs(), behind_);
    follow_cut<MoveSum>(behind_, [this](const Step& step) {
      for (int i = step.line; i < step.line + step.height; ++i)
        held_[i] = {static_cast<std::int8_t>(step.line), static_cast<std::int8_t>(step.height)};
    });
  }
  const Behind& behind() const { return behind_; }
  // Prefetches the first table entries that along() reads, so that a loop over many moves does not wait for each.
  void prefetch_along(int line, int bit) const {
    if (held_[line].height > 1) each_held(line, bit, [](const std::uint16_t* number) { __builtin_prefetch(number); });
  }

  // One of the best cuts, from the first line on, and what it is worth: with the rest of the position that `behind` was
  // found for, its margin is the best of all cuts. Sum is MoveSum, or StripSum if a move of her own does not count.
  template <class Sum>
  Sum find_cut(const Behind& behind, std::vector<CutStrip>& strips) const {
    strips.clear();
    return follow_cut<Sum>(behind, [&](const Step& step) { strips.push_back(strip_of(step)); });
  }

  // The margin when a domino has been put across the lines `line` and `line` + 1 at `bit`, by the player who cuts, and
  // the other is to move. Cuts through states that are not useful are left out, except beside the move; the answer may
  // be any margin from `enough` on. Far below everything if no cut is left.
  int across(int line, int bit, const Behind& behind, int enough = ALL) const {
    return changed<StripSum, 2>(line, bit, behind, enough);
  }
  // The same when a domino has been put along `line` at `bit` and `bit` + 1, by the other player. Of straight cuts it
  // looks first only at the strip that holds this line in the best cut of the lines before the move. If that margin is
  // at least `enough`, it is returned: so for five moves of six. With tall strips it is also returned if it misses by
  // more than TALL_MISS, because other cuts hardly ever help then (4x15: 7 % more nodes, 0.92 of the time).
  int along(int line, int bit, const Behind& behind, int enough = ALL) const {
    if constexpr (!BENDS)
      if (held_[line].height > 1) {
        const int margin = margin_of_held(line, bit, behind);
        if (margin >= enough || (tallest_ > MAX_STRIP_HEIGHT && enough < ALL && margin < enough - TALL_MISS))
          return margin;
      }
    return changed<MoveSum, 1>(line, bit, behind, enough);
  }

 private:
  // 1/2. All states: 4 to 10 % fewer nodes, and twice as many look-ups.
  static constexpr int USEFUL = 32;
  static constexpr int TALL_MISS = 48;  // 3/4
  static constexpr int NOTHING = -20000;
  static constexpr std::size_t STEPS_OF_LINE = MOST_STATES * (1 + (MOST_HEIGHT - 1) * MOST_STATES);
  static constexpr std::size_t MOST_STEPS = MAX_LINES * STEPS_OF_LINE, MOST_NUMBERS = MOST_RUNS * STEPS_OF_LINE;

  struct LineStates {
    Line all;
    std::uint8_t states;
    std::array<Line, MOST_STATES> taken;  // by the strip above; the first is none
    // Spread for strips of each height from 2 on: the whole line, then the taken squares.
    std::array<std::array<std::uint64_t, MOST_STATES>, MOST_HEIGHT - 1> spread;

    // A run that touches nothing above never goes up, one that touches nothing below always. The others choose, the
    // first for itself, the rest together.
    void set(Line squares, Line above, Line below, int tallest) {
      all = squares;
      states = 1;
      taken[0] = 0;
#pragma GCC unroll 8  // shifts by a height are by a constant then: a tenth of all instructions of a search of 8x8
      for (int height = 2; height <= MOST_HEIGHT; ++height)
        if (height <= MAX_STRIP_HEIGHT || height <= tallest) spread[height - 2][0] = spread_line(squares, height);
      if constexpr (!BENDS) return;
      unsigned always = 0, first = 0, others = 0;
      for (unsigned left = above ? squares : 0u; left;) {
        const unsigned run = left & ~(left + (left & (~left + 1)));
        left &= ~run;
        if (run & above) (!(run & below) ? always : first ? others : first) |= run;
      }
      for (const unsigned some : {always, always | first, always | others, always | first | others})
        if (some && some != squares && std::find(&taken[0], &taken[states], some) == &taken[states])
          taken[states++] = some;
      for (int height = 2; height <= tallest; ++height)
        for (std::size_t s = 1; s < states; ++s) spread[height - 2][s] = spread_line(taken[s], height);
    }
    // For straight cuts: another line without the squares of a domino, two of them or one, from `bit` on.
    void set_without(const LineStates& line, int bit, bool two, int tallest) {
      all = line.all & ~((two ? 3u : 1u) << bit);
      states = 1;
      taken[0] = 0;
#pragma GCC unroll 8
      for (int height = 2; height <= MOST_HEIGHT; ++height)
        if (const int at = height * bit; height <= MAX_STRIP_HEIGHT || height <= tallest)
          spread[height - 2][0] =
              line.spread[height - 2][0] & ~(at < 64 ? (two ? 1u | std::uint64_t{1} << height : 1u) << at : 0u);
    }
    Line below(int state) const { return state ? all & ~taken[state] : all; }
    Line above(int state) const { return state ? taken[state] : all; }
    std::uint64_t above(int state, int height) const { return spread[height - 2][state]; }
    std::uint64_t below(int state, int height) const { return above(0, height) ^ (state ? above(state, height) : 0); }
  };
  struct Step {
    std::uint8_t line, state, to_line, to_state;
    std::uint8_t height, count;  // of its numbers
    std::uint16_t first;         // of its numbers; the dominoes in a single line

    // Its states; of straight cuts the compiler knows them.
    unsigned begin() const { return BENDS ? state : 0; }
    unsigned end() const { return BENDS ? to_state : 0; }
  };
  // Found first and read later: large tables lie outside the processor's caches, so all numbers are fetched at once
  // instead of waiting for one after the other.
  struct Steps {
    std::size_t count = 0, numbers = 0;
    std::array<Step, MOST_STEPS> step;
    std::array<const std::uint16_t*, MOST_NUMBERS> number;
  };

  // The steps from lines `from` .. `until` - 1 whose strips hold line `hold` or lie behind it. sources(i) and
  // targets(i): the states of line i that they may begin and end with, a bit each.
  template <class LineOf, class Sources, class Targets>
  void list_steps(int from, int until, int hold, const LineOf& line, const Sources& sources, const Targets& targets,
                  Steps& steps) const {
    for (int i = from; i < until; ++i) {
      const LineStates& top = line(i);
      const unsigned begin = sources(i) & states_of(top);
      if (!begin) continue;
      const auto add = [&](int s, int to_line, int to_state, int height, std::size_t numbers, std::size_t first) {
        steps.step[steps.count++] = {static_cast<std::uint8_t>(i),       static_cast<std::uint8_t>(s),
                                     static_cast<std::uint8_t>(to_line), static_cast<std::uint8_t>(to_state),
                                     static_cast<std::uint8_t>(height),  static_cast<std::uint8_t>(numbers),
                                     static_cast<std::uint16_t>(first)};
      };
      if (i >= hold && targets(i + 1) & 1)
        for (unsigned left = begin; left; left &= left - 1) {
          const int s = std::countr_zero(left);
          add(s, i + 1, 0, 1, 0, LINE_DOMINOES[top.below(s)]);
        }
#pragma GCC unroll 8
      for (int height = 2; height <= MOST_HEIGHT; ++height) {
        if (height > tallest_ || i + height > count_) break;
        if (i + height <= hold) continue;
        const int last = i + height - 1;
        const LineStates& bottom = line(last);
        const unsigned end = (targets(last) & states_of(bottom) & ~1u) | (targets(last + 1) & 1);
        if (!end) continue;
        std::uint64_t middle = 0;
        unsigned middle_columns = 0;
        for (int k = 1; k < height - 1; ++k) {
          middle |= line(i + k).above(0, height) << k;
          middle_columns |= line(i + k).all;
        }
        for (unsigned left = begin; left; left &= left - 1) {
          const int s = std::countr_zero(left);
          const std::uint64_t pattern = middle | top.below(s, height);
          const unsigned columns = middle_columns | top.below(s);
          for (unsigned ends = end; ends; ends &= ends - 1) {
            const int t = std::countr_zero(ends);
            const std::size_t first = steps.numbers;
            if (find(pattern | bottom.above(t, height) << (height - 1), columns | bottom.above(t), height, steps))
              add(s, t ? last : last + 1, t, height, steps.numbers - first, first);
          }
        }
      }
    }
  }
  static unsigned states_of(const LineStates& line) { return BENDS ? (1u << line.states) - 1 : 1u; }
  // False if a run of columns has no table.
  bool find(std::uint64_t pattern, Line columns, int height, Steps& steps) const {
    std::size_t numbers = steps.numbers;
    const auto add = [&](const std::uint16_t* number) {
      __builtin_prefetch(number);
      steps.number[numbers++] = number;
    };
    if (!each_number(pattern, columns, height, *tables_, add)) return false;
    steps.numbers = numbers;
    return true;
  }

  template <class Sum, class NumberOf>
  Sum added(Sum sum, const Step& step, const NumberOf& number) const {
    if (step.height == 1) return sum.plus(-STRIP_UNIT * step.first);
    const StripPair* entry = tables_->of(step.height).entry;
    for (std::size_t k = step.first; k < std::size_t{step.first} + step.count; ++k) sum = sum.plus(entry[number(k)]);
    return sum;
  }
  MoveSum added(const MoveSum& sum, const Step& step) const {
    return added(sum, step, [this](std::size_t k) { return number_[k]; });
  }
  // Calls visit(step) for the strips of one of the best cuts, from the first line on; returns their sum.
  template <class Sum, class Visit>
  Sum follow_cut(const Behind& behind, const Visit& visit) const {
    Sum sum = Sum::zero();
    std::size_t k = 0;
    for (std::size_t line = 0, state = 0; line < std::size_t(count_);) {
      const Step* chosen = nullptr;
      Sum best{};
      int most = 0;
      while (step_[k].line < line) ++k;
      for (; k < steps_ && step_[k].line == line; ++k) {
        const Step& step = step_[k];
        if (step.begin() != state) continue;
        const Sum next = added(sum, step, [this](std::size_t n) { return number_[n]; });
        const int margin = next.margin_with(part_of<Sum>(behind.best[step.to_line][step.end()]));
        // Of equally good strips the tallest that ends with a line: then certificates are smaller (6x11: by a tenth).
        if (chosen && (margin < most || (margin == most && (!BENDS || step.end())))) continue;
        chosen = &step, best = next, most = margin;
      }
      visit(*chosen);
      sum = best;
      line = chosen->to_line;
      state = chosen->to_state;
    }
    return sum;
  }
  CutStrip strip_of(const Step& step) const {
    CutStrip strip{step.line, step.height, {}};
    const LineStates& top = line_[step.line];
    strip.lines[0] = static_cast<Line>(top.below(step.begin()));
    for (int i = 1; i < step.height; ++i)
      strip.lines[i] = static_cast<Line>(line_[step.line + i].above(i + 1 < step.height ? 0 : step.end()));
    return strip;
  }
  // Straight cuts reach every line: their sums begin with nothing(), and need no marks.
  template <class Sum>
  static void improve(Sum& best, std::uint8_t& known, unsigned state, const Sum& sum) {
    best = is_reached(known, state) ? best.or_better(sum) : sum;
    if constexpr (BENDS) known = static_cast<std::uint8_t>(known | 1u << state);
  }
  static bool is_reached(std::uint8_t known, unsigned state) { return !BENDS || (known >> state & 1); }
  static MoveSum nothing() { return {{StripSum::all(INT16_MIN)}, {StripSum::all(INT16_MIN)}}; }

  // LINES = 2: one square of two lines is gone, and the other player is to move; LINES = 1: two squares of one, and the
  // player who cuts is to move. The cuts before and behind are the best of those that were there without the domino.
  template <class Sum, int LINES>
  int changed(int first, int bit, const Behind& behind, int enough) const {
    const int end = first + LINES;
    const unsigned gone = (LINES == 2 ? 1u : 3u) << bit;
    const auto is_changed = [&](int i) { return i >= first && i < end; };
    const auto squares = [&](int i) { return i < 0 || i >= count_ ? 0u : line_[i].all & ~(is_changed(i) ? gone : 0u); };
    std::array<LineStates, LINES> fresh;
    for (int i = first; i < end; ++i)
      if constexpr (BENDS) fresh[i - first].set(squares(i), squares(i - 1), squares(i + 1), tallest_);
      else fresh[i - first].set_without(line_[i], bit, LINES == 1, tallest_);
    Steps steps;
    list_steps(
        std::max(0, first - tallest_ + 1), end, first,
        [&](int i) -> const LineStates& { return is_changed(i) ? fresh[i - first] : line_[i]; },
        [&](int i) { return !BENDS || i >= first ? ~0u : behind.useful[i]; },
        [&](int i) { return !BENDS || i < end ? ~0u : behind.useful[i]; }, steps);

    std::array<std::array<Sum, MOST_STATES>, LINES> sum;
    std::array<std::uint8_t, LINES> reached{};
    if constexpr (!BENDS)
      for (auto& of : sum) of[0] = part_of<Sum>(nothing());
    improve(sum[0][0], reached[0], 0, part_of<Sum>(before_[first][0]));
    StripLanes margins = StripSum::all(NOTHING);
    for (std::size_t k = 0; k < steps.count; ++k) {
      const Step& step = steps.step[k];
      const int from = step.line - first, to = step.to_line - first;
      if (step.line >= first && !is_reached(reached[from], step.begin())) continue;
      const Sum total =
          added(step.line < first ? part_of<Sum>(before_[step.line][step.begin()]) : sum[from][step.begin()], step,
                [&](std::size_t n) { return *steps.number[n]; });
      if (step.to_line < end) {
        improve(sum[to][step.end()], reached[to], step.end(), total);
      } else {
        margins = StripSum::maximum(margins, total.margins_with(part_of<Sum>(behind.best[step.to_line][step.end()])));
        if (StripSum::any_above(margins, enough - 1)) break;
      }
    }
    return StripSum::best(margins);
  }

  // The margin with the strip that holds this line in the best cut of the lines before the move.
  int margin_of_held(int line, int bit, const Behind& behind) const {
    const Held& held = held_[line];
    MoveSum sum = before_[held.start][0];
    const StripPair* entry = tables_->of(held.height).entry;
    each_held(line, bit, [&](const std::uint16_t* number) { sum = sum.plus(entry[*number]); });
    return sum.margin_with(behind.best[held.start + held.height][0]);
  }
  // Calls visit(number) for the table entries of that strip after the move.
  template <class Visit>
  void each_held(int line, int bit, const Visit& visit) const {
    const auto [start, height] = held_[line];
    std::uint64_t pattern = 0;
    Line columns = 0;
    for (int i = start; i < start + height; ++i) {
      pattern |= line_[i].above(0, height) << (i - start);
      columns |= i == line ? line_[i].all & ~(3u << bit) : line_[i].all;
    }
    const std::uint64_t gone = std::uint64_t{1} << (height * bit + line - start);
    each_number(pattern & ~(gone | gone << height), columns, height, *tables_, visit);
  }

  const StripTables* tables_ = nullptr;
  int count_ = 0, tallest_ = MAX_STRIP_HEIGHT;
  std::size_t steps_ = 0;
  std::array<LineStates, MAX_LINES + 1> line_;
  std::array<std::array<MoveSum, MOST_STATES>, MAX_LINES + 1> before_;  // of each state the best that leads there
  std::array<std::uint8_t, MAX_LINES + 1> reached_;                     // bit s: something leads to state s
  std::array<Step, MOST_STEPS> step_;
  std::array<std::uint16_t, MOST_NUMBERS> number_;
  // Of straight cuts: their sums behind each line, and the strip of one best cut that holds each line.
  Behind behind_;
  struct Held {
    std::int8_t start, height;
  };
  std::array<Held, MAX_LINES> held_;
};
using StripProfile = CutProfile<false>;
using BentProfile = CutProfile<true>;

}  // namespace zermelo
