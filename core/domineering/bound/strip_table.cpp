#include "domineering/bound/strip_table.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>

namespace zermelo {

namespace {

// What building needs of a pattern beyond its entry, in lanes: N'; M, the largest n such that Left moving first wins
// X - n; for each switch the best that Left gets by answering a move that led to X; and M', the smallest n such that
// Right moving first wins X - n.
enum WorkLane { CEILING, LEFT_FIRST, REPLY, RIGHT_FIRST = REPLY + SWITCHES };

struct Description {
  StripLanes
      entry;  // four lanes of the whole, four after a move; the nibbles below the values do not change their order
  StripLanes work;
};

std::array<std::uint64_t, 2> words_of(StripLanes lanes) {
  std::array<std::uint64_t, 2> words;
  __builtin_memcpy(words.data(), &lanes, sizeof words);
  return words;
}

// All different descriptions met so far, each with a number: an open hash table of numbers beside their list.
class Descriptions {
 public:
  Descriptions() : slots_(SLOTS, EMPTY) { list_.reserve(LIMIT); }

  std::uint16_t number_of(const StripPair& pair, StripLanes work) {
    StripLanes entry;
    __builtin_memcpy(&entry, &pair, sizeof entry);
    const auto e = words_of(entry), w = words_of(work);
    std::uint64_t hash = (e[0] ^ w[0] * 0x9e3779b97f4a7c15ULL ^ std::rotl(w[1], 29)) * 0xff51afd7ed558ccdULL;
    hash = (hash ^ hash >> 32 ^ e[1]) * 0xc4ceb9fe1a85ec53ULL;
    hash ^= hash >> 32;
    for (std::size_t at = hash % SLOTS;; at = (at + 1) % SLOTS) {
      if (slots_[at] == EMPTY) return add({entry, work}, at);
      const Description& known = list_[slots_[at]];
      if (words_of(known.entry) == e && words_of(known.work) == w) return static_cast<std::uint16_t>(slots_[at]);
    }
  }
  const Description& operator[](std::size_t number) const { return list_[number]; }
  std::size_t size() const { return list_.size(); }

 private:
  static constexpr std::size_t LIMIT = MAX_STRIP_ENTRIES, SLOTS = 4 * LIMIT;
  static constexpr std::uint32_t EMPTY = ~std::uint32_t{0};

  std::uint16_t add(const Description& description, std::size_t slot) {
    if (list_.size() == LIMIT) throw std::length_error("a strip table has too many different entries");
    slots_[slot] = static_cast<std::uint32_t>(list_.size());
    list_.push_back(description);
    return static_cast<std::uint16_t>(slots_[slot]);
  }

  std::vector<std::uint32_t> slots_;
  std::vector<Description> list_;
};

StripLanes minimum(StripLanes a, StripLanes b) {
#if defined(__SSE2__)
  return reinterpret_cast<StripLanes>(_mm_min_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  return a < b ? a : b;
#endif
}

constexpr int NO_MOVE = 30000;                    // beyond every value, within 16 bits
constexpr std::size_t PATTERNS_A_LOOK = 1 << 15;  // between two looks whether to stop: some milliseconds

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
std::vector<StripPair> build_strip_table(int height, int width, std::uint16_t* numbers, const StopCheck& stop) {
  const std::size_t count = strip_table_patterns(height, width);
  Descriptions known;
  std::uint32_t above_something = 0;  // squares that are not in the last row
  for (int column = 0; column < width; ++column)
    above_something |= ((std::uint32_t{1} << (height - 1)) - 1) << (column * height);
  const std::uint32_t horizontal = std::uint32_t{1} | std::uint32_t{1} << height;

  for (std::size_t index = 0; index < count; ++index) {
    if (index % PATTERNS_A_LOOK == 0 && stop && stop()) return {};
    const auto pattern = static_cast<std::uint32_t>(index);

    // Left's moves: max N(X^L), max F_t(X^L), max M'(X^L).
    StripLanes left_best = StripSum::all(-NO_MOVE);
    StripLanes left_work = left_best;
    const std::uint32_t left_moves = pattern & (pattern >> 1) & above_something;
    for (std::uint32_t moves = left_moves; moves; moves &= moves - 1) {
      const Description& child = known[numbers[pattern & ~(std::uint32_t{3} << std::countr_zero(moves))]];
      left_best = StripSum::maximum(left_best, child.entry);
      left_work = StripSum::maximum(left_work, child.work);
    }
    // Right's moves: min N'(X^R), min M(X^R), min reply.
    StripLanes right_work = StripSum::all(NO_MOVE);
    for (std::uint32_t moves = pattern & (pattern >> height); moves; moves &= moves - 1)
      right_work = minimum(right_work, known[numbers[pattern & ~(horizontal << std::countr_zero(moves))]].work);

    int floor = right_work[LEFT_FIRST], ceiling = left_work[RIGHT_FIRST];
    int left_first = left_moves ? left_best[0] >> 4 : -NO_MOVE, right_first = right_work[CEILING];
    if (left_first < right_first) {
      const int value = simplest_between(left_first, right_first, NO_MOVE);
      if (value == NO_MOVE) {  // strictly between two neighbours on the grid
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
      work[REPLY + i] = static_cast<std::int16_t>(std::max(floor + t, left_moves ? left_best[1 + i] >> 4 : -NO_MOVE));
    }
    const auto moved = [&](int lane) { return left_moves ? left_best[lane] >> 4 : StripPair::NO_MOVE; };
    numbers[index] = known.number_of({StripEntry::make(floor, ceiling, switches),
                                      StripEntry::make(moved(0), moved(0), {moved(1), moved(2), moved(3)})},
                                     work);
  }

  // The entries without their workings are fewer still: number them anew, by how often they occur.
  std::vector<std::uint64_t> uses(known.size());
  for (std::size_t index = 0; index < count; ++index) ++uses[numbers[index]];
  using Words = std::array<std::uint64_t, 2>;
  std::map<Words, std::uint64_t> uses_of_entry;
  for (std::size_t i = 0; i < known.size(); ++i) uses_of_entry[words_of(known[i].entry)] += uses[i];
  std::vector<Words> by_use;
  for (const auto& [words, times] : uses_of_entry) by_use.push_back(words);
  std::stable_sort(by_use.begin(), by_use.end(),
                   [&](const Words& a, const Words& b) { return uses_of_entry[a] > uses_of_entry[b]; });
  std::map<Words, std::uint16_t> rank;
  std::vector<StripPair> entries;
  for (const Words& words : by_use) {
    rank[words] = static_cast<std::uint16_t>(entries.size());
    entries.push_back({{words[0]}, {words[1]}});
  }
  std::vector<std::uint16_t> renumbered(known.size());
  for (std::size_t i = 0; i < known.size(); ++i) renumbered[i] = rank[words_of(known[i].entry)];
  for (std::size_t index = 0; index < count; ++index) numbers[index] = renumbered[numbers[index]];
  return entries;
}

}  // namespace zermelo
