#include "domineering/bound/strip_table.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <thread>

#include "base/threads.hpp"
#include "domineering/bound/strip_numbering.hpp"

namespace zermelo {

int simplest_between(int low, int high, int none) {
  if (low < 0 && high > 0) return 0;
  if (high <= 0) return low >= high - 1 ? none : -simplest_between(-high, -low, none);
  for (int step = STRIP_UNIT; step; step /= 2)
    if (const int candidate = (low / step + 1) * step; candidate < high) return candidate;
  return none;
}

namespace {

// The recursions of docs/theory-strips.md, section 3, for one pattern whose smaller ones are done.
class PatternBuilder {
 public:
  PatternBuilder(int height, int width, std::uint32_t* numbers, Descriptions& known)
      : height_(height), horizontal_(std::uint32_t{1} | std::uint32_t{1} << height), numbers_(numbers), known_(known) {
    for (int column = 0; column < width; ++column)
      above_something_ |= ((std::uint32_t{1} << (height - 1)) - 1) << (column * height);
  }
  void build(std::uint32_t pattern) const {
    // Left's moves: max N(X^L), max F_t(X^L), max M'(X^L).
    StripLanes left_best = StripSum::all(-NO_VALUE);
    StripLanes left_work = left_best;
    const std::uint32_t left_moves = pattern & (pattern >> 1) & above_something_;
    for (std::uint32_t moves = left_moves; moves; moves &= moves - 1) {
      const Description& child = known_[numbers_[pattern & ~(std::uint32_t{3} << std::countr_zero(moves))]];
      left_best = StripSum::maximum(left_best, child.entry);
      left_work = StripSum::maximum(left_work, child.work);
    }
    // Right's moves: min N'(X^R), min M(X^R), min reply.
    StripLanes right_work = StripSum::all(NO_VALUE);
    for (std::uint32_t moves = pattern & (pattern >> height_); moves; moves &= moves - 1)
      right_work = minimum(right_work, known_[numbers_[pattern & ~(horizontal_ << std::countr_zero(moves))]].work);

    int floor = right_work[LEFT_FIRST], ceiling = left_work[RIGHT_FIRST];
    int left_first = left_moves ? left_best[0] >> 4 : -NO_VALUE, right_first = right_work[CEILING];
    if (left_first < right_first) {
      const int value = simplest_between(left_first, right_first, NO_VALUE);
      if (value == NO_VALUE) {  // strictly between two neighbours on the grid
        floor = left_first;
        ceiling = right_first;
      } else {
        floor = ceiling = value;
        left_first = value - 1;
        right_first = value + 1;
      }
    }
    std::array<int, SWITCHES> switches;
    StripLanes work = {};
    work[CEILING] = static_cast<std::int16_t>(ceiling);
    work[LEFT_FIRST] = static_cast<std::int16_t>(left_first);
    work[RIGHT_FIRST] = static_cast<std::int16_t>(right_first);
    for (int i = 0; i < SWITCHES; ++i) {
      const int t = SWITCH_TEMPERATURES[i];
      switches[i] = std::min(left_first - t, int{right_work[REPLY + i]});
      work[REPLY + i] = static_cast<std::int16_t>(std::max(floor + t, left_moves ? left_best[1 + i] >> 4 : -NO_VALUE));
    }
    const auto moved = [&](int lane) { return left_moves ? left_best[lane] >> 4 : StripPair::NO_MOVE; };
    numbers_[pattern] = known_.number_of({StripEntry::make(floor, ceiling, switches),
                                          StripEntry::make(moved(0), moved(0), {moved(1), moved(2), moved(3)})},
                                         work);
  }

 private:
  const int height_;
  const std::uint32_t horizontal_;
  std::uint32_t above_something_ = 0;  // squares that are not in the last row
  std::uint32_t* const numbers_;
  Descriptions& known_;
};

// A child is a smaller bit set. So patterns with the same high bits are built in order, as one block; and blocks whose
// high bits are equally many do not need each other: all threads work on them at once. False if it was stopped.
bool build_patterns(const PatternBuilder& builder, std::size_t count, const StopCheck& stop) {
  constexpr std::size_t BLOCK = std::size_t{1} << 15;  // some milliseconds, between two looks whether to stop
  const std::size_t blocks = std::max<std::size_t>(1, count / BLOCK);
  constexpr std::size_t WORTH_THREADS = 64;
  const int threads = blocks < WORTH_THREADS ? 1 : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::atomic<bool> stopped = false;
  for (int level = 0; (std::size_t{1} << level) <= blocks; ++level) {
    std::atomic<std::size_t> next = 0;
    run_threads(
        threads,
        [&](int thread) {
          for (std::size_t block; (block = next++) < blocks && !stopped;) {
            if (std::popcount(block) != level) continue;
            if (thread == 0 && stop && stop()) stopped = true;
            const std::size_t end = std::min(count, (block + 1) * BLOCK);
            for (std::size_t pattern = block * BLOCK; pattern < end; ++pattern)
              builder.build(static_cast<std::uint32_t>(pattern));
          }
        },
        [&] { stopped = true; });
  }
  return !stopped;
}

}  // namespace

std::vector<StripPair> build_strip_table(int height, int width, std::uint32_t* numbers, const StopCheck& stop,
                                         std::size_t most) {
  const std::size_t count = strip_table_patterns(height, width);
  Descriptions known(count);
  if (!build_patterns(PatternBuilder(height, width, numbers, known), count, stop)) return {};
  return number_anew(known, numbers, count, most);
}

}  // namespace zermelo
