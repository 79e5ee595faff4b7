#include "bound/strip_table.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace zermelo {

namespace {

// What building needs of a pattern beyond its entry, in lanes: N'; M, the largest n such that Left moving first wins
// X - n; for each switch the best that Left gets by answering a move that led to X; and M', the smallest n such that
// Right moving first wins X - n.
enum WorkLane { CEILING, LEFT_FIRST, REPLY, RIGHT_FIRST = REPLY + SWITCHES };

// Room for the workings. Children lie all over it, so large pages matter (4x6: a third of the time).
class Workings {
 public:
  explicit Workings(std::size_t count)
      : bytes_((count * sizeof(StripLanes) + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE),
        lanes_(static_cast<StripLanes*>(std::aligned_alloc(LARGE_PAGE, bytes_))) {
    if (!lanes_) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
    madvise(lanes_, bytes_, MADV_HUGEPAGE);
#endif
  }
  Workings(const Workings&) = delete;
  Workings& operator=(const Workings&) = delete;
  ~Workings() { std::free(lanes_); }
  StripLanes& operator[](std::size_t index) { return lanes_[index]; }

 private:
  static constexpr std::size_t LARGE_PAGE = std::size_t{1} << 21;
  std::size_t bytes_;
  StripLanes* lanes_;
};

StripLanes minimum(StripLanes a, StripLanes b) {
#if defined(__SSE2__)
  return reinterpret_cast<StripLanes>(_mm_min_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  return a < b ? a : b;
#endif
}

StripLanes widened(StripEntry entry) {
  StripLanes lanes = {};
  __builtin_memcpy(&lanes, &entry.bits, sizeof entry.bits);
  return lanes;
}

constexpr int NO_MOVE = 30000;  // beyond every value, within 16 bits

}  // namespace

int simplest_between(int low, int high, int none) {
  if (low < 0 && high > 0) return 0;
  if (high <= 0) return low >= high - 1 ? none : -simplest_between(-high, -low, none);
  for (int step = STRIP_UNIT; step; step /= 2)
    if (const int candidate = (low / step + 1) * step; candidate < high) return candidate;
  return none;
}

// The recursions of docs/theory-strips.md, section 3. A child is a smaller bit set, hence a smaller index, so counting
// upwards meets every child before its parents.
void build_strip_table(int height, int width, StripEntry* entries) {
  const std::size_t count = strip_table_entries(height, width);
  Workings workings(count);
  std::uint32_t left_of_something = 0;  // squares that are not in the last column
  for (int row = 0; row < height; ++row) left_of_something |= ((std::uint32_t{1} << (width - 1)) - 1) << (row * width);
  const std::uint32_t vertical = std::uint32_t{1} | std::uint32_t{1} << width;

  for (std::size_t index = 0; index < count; ++index) {
    const auto pattern = static_cast<std::uint32_t>(index);

    // Left's moves: max N(X^L), max F_t(X^L), max M'(X^L). The nibbles below the values do not change their order.
    StripLanes left_best = StripSum::all(-NO_MOVE);
    StripLanes left_work = left_best;
    const std::uint32_t left_moves = pattern & (pattern >> width);
    for (std::uint32_t moves = left_moves; moves; moves &= moves - 1) {
      const std::uint32_t child = pattern & ~(vertical << std::countr_zero(moves));
      left_best = StripSum::maximum(left_best, widened(entries[child]));
      left_work = StripSum::maximum(left_work, workings[child]);
    }
    // Right's moves: min N'(X^R), min M(X^R), min reply.
    StripLanes right_work = StripSum::all(NO_MOVE);
    for (std::uint32_t moves = pattern & (pattern >> 1) & left_of_something; moves; moves &= moves - 1)
      right_work = minimum(right_work, workings[pattern & ~(std::uint32_t{3} << std::countr_zero(moves))]);

    int floor = right_work[LEFT_FIRST], ceiling = left_work[RIGHT_FIRST];
    int left_first = left_moves ? left_best[0] >> 4 : -NO_MOVE, right_first = right_work[CEILING];
    if (left_first < right_first) {
      const int number = simplest_between(left_first, right_first, NO_MOVE);
      if (number == NO_MOVE) {  // strictly between two neighbours on the grid
        floor = left_first;
        ceiling = right_first;
      } else {
        floor = ceiling = number;
        left_first = number - 1;
        right_first = number + 1;
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
      work[REPLY + i] = static_cast<std::int16_t>(std::max(floor + t, left_moves ? left_best[1 + i] >> 4 : -NO_MOVE));
    }
    workings[index] = work;
    entries[index] = StripEntry::make(floor, ceiling, switches);
  }
}

}  // namespace zermelo
