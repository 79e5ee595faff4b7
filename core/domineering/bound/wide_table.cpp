#include "domineering/bound/wide_table.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <thread>

#include "base/threads.hpp"
#include "domineering/bound/strip_numbering.hpp"

namespace zermelo {

constinit const WideDigits WIDE_DIGITS;

namespace {

// Nothing is known from above: as far up as an entry can say.
constexpr int NO_CEILING = 4095;

// The largest multiple of `step` that is not above the value.
int rounded_down(int value, int step) { return value & -step; }

// The values that the recursion reads of a pattern with these floors.
StripLanes work_of(const StripPair& pair) {
  StripLanes work = {};
  work[LEFT_FIRST] = static_cast<std::int16_t>(std::max(pair.moved.floor(), pair.whole.floor() - 1));
  for (int i = 0; i < SWITCHES; ++i)
    work[REPLY + i] =
        static_cast<std::int16_t>(std::max(pair.whole.floor() + SWITCH_TEMPERATURES[i], pair.moved.switch_floor(i)));
  return work;
}

// The largest n with S >= n, and m with S >= m +- t: a switch is its own negative, so S +- t >= m.
StripEntry floors_of(const StripSum& sum) {
  const auto floor = [](StripLanes lanes) { return std::max(StripSum{lanes}.margin_second(), StripPair::NO_MOVE); };
  const int whole = floor(sum.lane);
  return StripEntry::make(whole, whole,
                          {floor(StripSum::flipped<4>(sum.lane)), floor(StripSum::flipped<2>(sum.lane)),
                           floor(StripSum::flipped<1>(sum.lane))});
}

// Two patterns side by side.
Description sum_of(const StripPair& a, const StripPair& b) {
  const MoveSum sum = MoveSum::zero().plus(a).plus(b);
  const StripPair pair = {floors_of(sum.still), floors_of(sum.moved)};
  Description result{std::bit_cast<StripLanes>(pair), work_of(pair)};
  result.work[LEFT_FIRST] = static_cast<std::int16_t>(sum.margin_first());
  return result;
}

// Half of the columns of a pattern: every way to fill them, and the image of each when the pattern is turned.
struct Half {
  std::size_t patterns;
  std::vector<std::uint32_t> squares;
  std::vector<std::uint32_t> rows_turned, columns_turned;  // numbers
  std::vector<std::uint32_t> by_count;                     // numbers, in order of how many squares there are
  std::vector<std::uint32_t> first;                        // in that order, of each count

  Half(int height, int columns)
      : patterns(wide_patterns(height, columns)),
        squares(patterns),
        rows_turned(patterns),
        columns_turned(patterns),
        by_count(patterns),
        first(height * columns + 2) {
    const unsigned base = (1u << height) - 1;
    for (std::size_t number = 0; number < patterns; ++number) {
      std::size_t rest = number;
      std::uint64_t upside_down = 0, backwards = 0;
      for (int column = 0; column < columns; ++column, rest /= base) {
        const auto digit = static_cast<unsigned>(rest % base + 1);
        squares[number] |= digit << (height * column);
        backwards |= std::uint64_t{digit} << (height * (columns - 1 - column));
        for (int row = 0; row < height; ++row)
          upside_down |= std::uint64_t{digit >> row & 1} << (height * column + height - 1 - row);
      }
      rows_turned[number] = static_cast<std::uint32_t>(wide_number(upside_down, height));
      columns_turned[number] = static_cast<std::uint32_t>(wide_number(backwards, height));
      by_count[number] = static_cast<std::uint32_t>(number);
    }
    const auto count = [&](std::uint32_t number) { return std::popcount(squares[number]); };
    std::stable_sort(by_count.begin(), by_count.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return count(a) < count(b); });
    for (std::size_t squares_in = 0; squares_in < first.size(); ++squares_in)
      first[squares_in] = static_cast<std::uint32_t>(
          std::partition_point(by_count.begin(), by_count.end(),
                               [&](std::uint32_t n) { return count(n) < static_cast<int>(squares_in); }) -
          by_count.begin());
  }
  // The patterns with so many squares.
  std::span<const std::uint32_t> with(int count) const {
    if (count < 0 || count + std::size_t{1} >= first.size()) return {};
    return std::span(by_count).subspan(first[count], first[count + 1] - first[count]);
  }
};

class WideBuilder {
 public:
  WideBuilder(int height, int exact, const std::uint16_t* narrow, std::uint32_t* numbers, Descriptions& known)
      : height_(height), exact_(exact), narrow_(narrow), known_(known) {
    for (int column = 0; column < 64 / height; ++column) first_row_ |= std::uint64_t{1} << (height * column);
    above_something_ = first_row_ * ((std::uint64_t{1} << (height - 1)) - 1);
    for (int width = exact + 1; width <= MAX_TABLE_WIDTH; ++width)
      of_width_[width] = numbers + wide_offset(height, exact, width);
  }

  // All patterns of a width; narrower ones are done. A move leaves two squares fewer, so those with equally many
  // squares do not need each other: all threads work on them at once. Mirror images are filled in together. False if it
  // was stopped.
  bool build(int width, const StopCheck& stop) {
    const Half low(height_, width / 2), high(height_, width - width / 2);
    std::uint32_t* const numbers = of_width_[width];
    constexpr std::size_t WORTH_THREADS = std::size_t{1} << 20;
    const int threads = low.patterns * high.patterns < WORTH_THREADS
                            ? 1
                            : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    std::atomic<bool> stopped = false;
    for (int count = width; count <= height_ * width; ++count) {
      std::atomic<std::size_t> next = 0;
      run_threads(
          threads,
          [&](int thread) {
            for (std::size_t h; (h = next++) < high.patterns && !stopped;) {
              if (thread == 0 && h % 64 == 0 && stop && stop()) stopped = true;
              for (const std::uint32_t l : low.with(count - std::popcount(high.squares[h]))) {
                const auto upright = [&](std::size_t top, std::size_t bottom) { return top * low.patterns + bottom; };
                const auto turned = [&](std::size_t top, std::size_t bottom) { return top * high.patterns + bottom; };
                const std::size_t number = upright(h, l), a = upright(high.rows_turned[h], low.rows_turned[l]),
                                  b = turned(low.columns_turned[l], high.columns_turned[h]),
                                  c = turned(low.columns_turned[low.rows_turned[l]],
                                             high.columns_turned[high.rows_turned[h]]);
                if (number > std::min({a, b, c})) continue;
                const std::uint64_t pattern = low.squares[l] | std::uint64_t{high.squares[h]}
                                                                   << (height_ * (width / 2));
                numbers[number] = numbers[a] = numbers[b] = numbers[c] = build_pattern(pattern);
              }
            }
          },
          [&] { stopped = true; });
    }
    return !stopped;
  }

 private:
  // The recursion of docs/theory-strips.md, section 3, from the known bounds of the parts that a move leaves.
  std::uint32_t build_pattern(std::uint64_t pattern) {
    // Left's moves: max N(X^L), max F_t(X^L).
    StripLanes left_best = StripSum::all(-NO_VALUE);
    const std::uint64_t left_moves = pattern & (pattern >> 1) & above_something_;
    for (std::uint64_t moves = left_moves; moves; moves &= moves - 1)
      left_best =
          StripSum::maximum(left_best, described(pattern & ~(std::uint64_t{3} << std::countr_zero(moves))).entry);
    // Right's moves: min M(X^R), min reply.
    StripLanes right_work = StripSum::all(NO_VALUE);
    const std::uint64_t horizontal = std::uint64_t{1} | std::uint64_t{1} << height_;
    for (std::uint64_t moves = pattern & (pattern >> height_); moves; moves &= moves - 1)
      right_work = minimum(right_work, described(pattern & ~(horizontal << std::countr_zero(moves))).work);

    // X >= n if Left, moving first, wins every X^R - n, and also X - n' where n' is the move of n: an X^L >= n' is
    // enough. n' is the next multiple of n's last binary digit below n; integers up to 0 have none.
    const int best = left_moves ? left_best[0] >> 4 : -NO_VALUE, most = right_work[LEFT_FIRST];
    int floor = rounded_down(std::min(most, 0), STRIP_UNIT);
    if (left_moves)
      for (int digit = STRIP_UNIT; digit; digit /= 2)
        floor = std::max(floor, rounded_down(std::min(most, best + digit), digit));
    const int left_first = std::max(best, floor - 1);
    std::array<int, SWITCHES> switches;
    for (int i = 0; i < SWITCHES; ++i)
      switches[i] = std::min(left_first - SWITCH_TEMPERATURES[i], int{right_work[REPLY + i]});
    const auto moved = [&](int lane) { return left_moves ? left_best[lane] >> 4 : StripPair::NO_MOVE; };
    const StripPair pair = {StripEntry::make(floor, floor + NO_CEILING, switches),
                            StripEntry::make(moved(0), moved(0), {moved(1), moved(2), moved(3)})};
    return known_.number_of(pair, work_of(pair));
  }

  // The bounds of a pattern that has two squares fewer than one without empty columns: two runs of columns at most.
  Description described(std::uint64_t pattern) const {
    if (!pattern) return known_[narrow_[0]];
    const std::uint64_t first = run_of(pattern);
    if (!pattern) return known_[run(first)];
    const std::uint64_t second = run_of(pattern);
    return sum_of(known_[run(first)].pair(), known_[run(second)].pair());
  }
  // Takes the first run of columns off the pattern.
  std::uint64_t run_of(std::uint64_t& pattern) const {
    pattern >>= std::countr_zero(pattern) / height_ * height_;
    std::uint64_t columns = pattern;
    for (int row = 1; row < height_; ++row) columns |= pattern >> row;
    const int squares = std::countr_zero(~columns & first_row_);
    const std::uint64_t run = pattern & ((std::uint64_t{1} << squares) - 1);
    pattern >>= squares;
    return run;
  }
  std::uint32_t run(std::uint64_t run) const {
    const int width = (std::bit_width(run) + height_ - 1) / height_;
    return width <= exact_ ? narrow_[run] : of_width_[width][wide_number(run, height_)];
  }

  const int height_, exact_;
  const std::uint16_t* const narrow_;
  std::array<std::uint32_t*, MAX_TABLE_WIDTH + 1> of_width_{};
  Descriptions& known_;
  std::uint64_t first_row_ = 0;        // of each column its first square
  std::uint64_t above_something_ = 0;  // squares that are not in the last row
};

}  // namespace

std::vector<StripPair> build_wide_table(int height, int exact, int width, const std::uint16_t* narrow,
                                        std::span<const StripPair> entries, std::uint32_t* numbers,
                                        const StopCheck& stop) {
  const std::size_t count = wide_offset(height, exact, width + 1);
  Descriptions known(count + entries.size());
  for (const StripPair& pair : entries) known.number_of(pair, work_of(pair));
  WideBuilder builder(height, exact, narrow, numbers, known);
  for (int each = exact + 1; each <= width; ++each)
    if (!builder.build(each, stop)) return {};
  return number_anew(known, numbers, count, MAX_STRIP_ENTRIES, entries.size());
}

}  // namespace zermelo
