#include "domineering/bound/strip_table.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/threads.hpp"

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

// All different descriptions met so far, each with a number: an open hash table of numbers beside their list. Threads
// read without locks what others have published; a new one, which is rare, takes the lock.
class Descriptions {
 public:
  explicit Descriptions(std::size_t patterns)
      : slots_(std::bit_ceil(std::min(4 * patterns, 4 * LIMIT))), list_(new Description[LIMIT]) {
    for (auto& slot : slots_) slot.store(EMPTY, std::memory_order_relaxed);
  }

  std::uint32_t number_of(const StripPair& pair, StripLanes work) {
    StripLanes entry;
    __builtin_memcpy(&entry, &pair, sizeof entry);
    const auto e = words_of(entry), w = words_of(work);
    std::uint64_t hash = (e[0] ^ w[0] * 0x9e3779b97f4a7c15ULL ^ std::rotl(w[1], 29)) * 0xff51afd7ed558ccdULL;
    hash = (hash ^ hash >> 32 ^ e[1]) * 0xc4ceb9fe1a85ec53ULL;
    hash ^= hash >> 32;
    const auto find = [&](std::size_t& at) {
      for (at = hash % slots_.size();; at = (at + 1) % slots_.size()) {
        const std::uint32_t number = slots_[at].load(std::memory_order_acquire);
        if (number == EMPTY) return EMPTY;
        const Description& known = list_[number];
        if (words_of(known.entry) == e && words_of(known.work) == w) return number;
      }
    };
    std::size_t at;
    if (const std::uint32_t number = find(at); number != EMPTY) return number;
    const std::lock_guard lock(mutex_);
    if (const std::uint32_t number = find(at); number != EMPTY) return number;  // somebody else was quicker
    if (size_ == LIMIT) throw std::length_error("a strip table has too many different entries");
    list_[size_] = {entry, work};
    slots_[at].store(size_, std::memory_order_release);
    return size_++;
  }
  const Description& operator[](std::size_t number) const { return list_[number]; }
  std::size_t size() const { return size_; }  // when nobody adds

 private:
  static constexpr std::size_t LIMIT = std::size_t{1} << 20;
  static constexpr std::uint32_t EMPTY = ~std::uint32_t{0};

  std::vector<std::atomic<std::uint32_t>> slots_;
  std::unique_ptr<Description[]> list_;  // never moves; pages that are not used cost nothing
  std::uint32_t size_ = 0;
  std::mutex mutex_;
};

StripLanes minimum(StripLanes a, StripLanes b) {
#if defined(__SSE2__)
  return reinterpret_cast<StripLanes>(_mm_min_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  return a < b ? a : b;
#endif
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
    StripLanes left_best = StripSum::all(-NO_MOVE);
    StripLanes left_work = left_best;
    const std::uint32_t left_moves = pattern & (pattern >> 1) & above_something_;
    for (std::uint32_t moves = left_moves; moves; moves &= moves - 1) {
      const Description& child = known_[numbers_[pattern & ~(std::uint32_t{3} << std::countr_zero(moves))]];
      left_best = StripSum::maximum(left_best, child.entry);
      left_work = StripSum::maximum(left_work, child.work);
    }
    // Right's moves: min N'(X^R), min M(X^R), min reply.
    StripLanes right_work = StripSum::all(NO_MOVE);
    for (std::uint32_t moves = pattern & (pattern >> height_); moves; moves &= moves - 1)
      right_work = minimum(right_work, known_[numbers_[pattern & ~(horizontal_ << std::countr_zero(moves))]].work);

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

using Words = std::array<std::uint64_t, 2>;  // of an entry, whole and moved

// The different entries without their workings, and which of them each description has. The most frequent ones come
// first. A number has 16 bits: if there are more, the rarest share one for each `whole`, with the least of what their
// moves make: a floor that is lower than it need be claims less, never more (4x7: 118,757 different entries, of which
// 21,555 differ in the whole).
std::vector<StripPair> number_anew(const Descriptions& known, const std::vector<std::uint64_t>& uses, std::size_t most,
                                   std::vector<std::uint16_t>& renumbered) {
  std::map<Words, std::uint64_t> uses_of_entry;
  for (std::size_t i = 0; i < known.size(); ++i) uses_of_entry[words_of(known[i].entry)] += uses[i];
  std::vector<Words> by_use;
  std::set<std::uint64_t> wholes;
  for (const auto& [words, times] : uses_of_entry) {
    by_use.push_back(words);
    wholes.insert(words[0]);
  }
  std::stable_sort(by_use.begin(), by_use.end(),
                   [&](const Words& a, const Words& b) { return uses_of_entry[a] > uses_of_entry[b]; });
  const std::size_t own = by_use.size() <= most ? by_use.size() : most - std::min(most, wholes.size());

  std::map<Words, std::uint16_t> rank;
  std::map<std::uint64_t, std::uint16_t> shared;  // by whole
  std::vector<StripPair> entries;
  for (std::size_t i = 0; i < by_use.size(); ++i) {
    const Words& words = by_use[i];
    const auto fresh = static_cast<std::uint16_t>(entries.size());
    const auto [at, is_new] = i < own ? std::pair{shared.end(), true} : shared.try_emplace(words[0], fresh);
    if (is_new && entries.size() == most) throw std::length_error("a strip table has too many different entries");
    if (is_new) {
      entries.push_back({{words[0]}, {words[1]}});
      rank[words] = fresh;
      continue;
    }
    rank[words] = at->second;
    StripLanes least, other;
    __builtin_memcpy(&least, &entries[at->second], sizeof least);
    __builtin_memcpy(&other, words.data(), sizeof other);
    least = minimum(least, other);
    __builtin_memcpy(&entries[at->second], &least, sizeof least);
  }
  renumbered.resize(known.size());
  for (std::size_t i = 0; i < known.size(); ++i) renumbered[i] = rank[words_of(known[i].entry)];
  return entries;
}

}  // namespace

std::vector<StripPair> build_strip_table(int height, int width, std::uint32_t* numbers, const StopCheck& stop,
                                         std::size_t most) {
  const std::size_t count = strip_table_patterns(height, width);
  Descriptions known(count);
  if (!build_patterns(PatternBuilder(height, width, numbers, known), count, stop)) return {};
  std::vector<std::uint64_t> uses(known.size());
  for (std::size_t index = 0; index < count; ++index) ++uses[numbers[index]];
  std::vector<std::uint16_t> renumbered;
  std::vector<StripPair> entries = number_anew(known, uses, most, renumbered);
  // In place, from the front, a piece at a time.
  std::array<std::uint16_t, 1024> piece;
  for (std::size_t begin = 0; begin < count; begin += piece.size()) {
    const std::size_t size = std::min(piece.size(), count - begin);
    for (std::size_t i = 0; i < size; ++i) piece[i] = renumbered[numbers[begin + i]];
    std::memcpy(reinterpret_cast<char*>(numbers) + begin * sizeof piece[0], piece.data(), size * sizeof piece[0]);
  }
  return entries;
}

}  // namespace zermelo
