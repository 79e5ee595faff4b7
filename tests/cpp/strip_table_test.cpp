// Strip tables: known values, exact floors, incremental sums, and files that nobody has to trust; tables of wide strips
// are sound where they have to guess, and exact where a table of all subsets is.
#include "domineering/bound/strip_table.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "check.hpp"
#include "domineering/bound/strip_profile.hpp"
#include "domineering/bound/strip_store.hpp"
#include "domineering/bound/wide_table.hpp"
#include "folder.hpp"
#include "oracle.hpp"

using namespace zermelo;

namespace {

std::vector<StripPair> pair_table(int height, int width, std::size_t most = MAX_STRIP_ENTRIES) {
  std::vector<std::uint32_t> working(strip_table_patterns(height, width));
  const std::vector<StripPair> different = build_strip_table(height, width, working.data(), {}, most);
  CHECK(different.size() <= most);
  std::vector<std::uint16_t> numbers(working.size());
  std::memcpy(numbers.data(), working.data(), numbers.size() * sizeof numbers[0]);
  std::vector<StripPair> pairs;
  for (const std::uint16_t number : numbers) pairs.push_back(different[number]);
  return pairs;
}

std::vector<StripEntry> table(int height, int width) {
  std::vector<StripEntry> entries;
  for (const StripPair& pair : pair_table(height, width)) entries.push_back(pair.whole);
  return entries;
}

int floor_div(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

constexpr std::size_t MEMORY = std::size_t{1} << 28;

// All subsets of the width `exact`, and wider ones up to `width` that continue them.
std::shared_ptr<const StripTables> tables_of(int height, int exact, int width, bool continued = true) {
  StripPlan plan;
  plan.exact[height] = exact;
  plan.widest[height] = continued ? width : exact;
  return StripTables::load(plan, {}, {});
}

// Calls visit(pattern) for all patterns without an empty column.
template <class Visit>
void each_wide_pattern(int height, int width, const Visit& visit) {
  const std::uint64_t column = (std::uint64_t{1} << height) - 1;
  for (std::uint64_t pattern = 0; pattern < std::uint64_t{1} << (height * width); ++pattern) {
    bool full = true;
    for (int i = 0; i < width; ++i) full &= (pattern >> (height * i) & column) != 0;
    if (full) visit(pattern);
  }
}

struct Floors {
  std::array<int, 1 + SWITCHES> value;
  explicit Floors(const StripEntry& entry) {
    value[0] = entry.floor();
    for (int i = 0; i < SWITCHES; ++i) value[static_cast<std::size_t>(i) + 1] = entry.switch_floor(i);
  }
};

}  // namespace

TEST(entries_that_share_a_number_claim_less_and_never_more) {
  constexpr int HEIGHT = 3, WIDTH = 5;
  const std::vector<StripPair> exact = pair_table(HEIGHT, WIDTH);
  std::set<std::uint64_t> wholes;
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const StripPair& pair : exact) {
    wholes.insert(pair.whole.bits);
    pairs.insert({pair.whole.bits, pair.moved.bits});
  }
  const std::size_t most = (2 * wholes.size() + pairs.size()) / 3;  // room for some of the pairs only
  CHECK(wholes.size() < most && most < pairs.size());
  const std::vector<StripPair> rounded = pair_table(HEIGHT, WIDTH, most);
  int lower = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    CHECK(rounded[i].whole.bits == exact[i].whole.bits);
    CHECK(rounded[i].moved.floor() <= exact[i].moved.floor());
    for (int t = 0; t < SWITCHES; ++t) CHECK(rounded[i].moved.switch_floor(t) <= exact[i].moved.switch_floor(t));
    lower += rounded[i].moved.bits != exact[i].moved.bits;
  }
  CHECK(lower > 0);
  CHECK(throws<std::length_error>([&] { pair_table(HEIGHT, WIDTH, wholes.size() / 2); }));
}

TEST(strip_tables_know_the_values_of_rectangles) {
  const auto full = [](int height, int width) { return table(height, width).back(); };
  CHECK(full(2, 1).is_number() && full(2, 1).floor() == 64);
  CHECK(full(2, 5).is_number() && full(2, 5).floor() == 32);
  CHECK(full(4, 5).is_number() && full(4, 5).floor() == 64);
  CHECK(!full(2, 2).is_number() && full(2, 2).switch_floor(1) == 0);   // +-1
  CHECK(!full(3, 3).is_number() && full(3, 3).switch_floor(1) == 0);   // +-1
  CHECK(!full(2, 3).is_number() && full(2, 3).switch_floor(0) == 48);  // {2 | -1/2} = 3/4 +- 5/4
  CHECK(full(2, 3).floor() == -33 && full(2, 3).ceiling() == 129);
  CHECK(full(2, 4).floor() == -1 && full(2, 4).ceiling() == 0);  // miny(2): below 0 by less than any number
}

TEST(simplest_between_finds_the_simplest_number) {
  constexpr int NONE = 12345;
  CHECK(simplest_between(-5, 7, NONE) == 0);
  CHECK(simplest_between(0, 300, NONE) == 64);
  CHECK(simplest_between(64, 128, NONE) == 96);
  CHECK(simplest_between(-128, -64, NONE) == -96);
  CHECK(simplest_between(-300, -100, NONE) == -128);
  CHECK(simplest_between(96, 128, NONE) == 112);
  CHECK(simplest_between(0, 1, NONE) == NONE);
  CHECK(simplest_between(-1, 0, NONE) == NONE);
}

TEST(strip_table_floors_are_exact_at_integers) {
  for (const auto& [height, width] : {std::pair{2, 5}, {3, 4}, {4, 3}}) {
    const auto entries = table(height, width);
    // Square (row, column) is bit column * height + row of a pattern: to the oracle, rows are columns.
    oracle::Position truth(width, height);
    const auto left_wins = [&](unsigned mask, int spare) { return truth.wins(mask, 1, -spare); };
    const auto right_wins = [&](unsigned mask, int spare) { return truth.wins(mask, 0, -spare); };
    for (unsigned mask = 0; mask < entries.size(); ++mask) {
      const int low = floor_div(entries[mask].floor(), STRIP_UNIT);
      CHECK(!right_wins(mask, -low));     // X - low: Right moving first loses
      CHECK(right_wins(mask, -low - 1));  // X - low - 1: she wins
      const int high = -floor_div(-entries[mask].ceiling(), STRIP_UNIT);
      CHECK(!left_wins(mask, -high));
      CHECK(left_wins(mask, -high + 1));
    }
  }
}

TEST(strip_profile_after_a_change_equals_a_fresh_one) {
  std::mt19937 random(7);
  const auto tables = StripTables::load({9, 8, std::size_t{1} << 26, 16}, {}, {});
  for (int round = 0; round < 3000; ++round) {
    const int count = 2 + static_cast<int>(random() % 8);
    Lines lines{};
    for (int i = 0; i < count; ++i) lines[i] = static_cast<Line>((random() | random()) & 0xff);
    StripProfile before, fresh, rest;
    rest.build(lines.data(), 1 + static_cast<int>(random() % static_cast<unsigned>(count)), *tables);
    before.build(lines.data(), count, *tables);
    before.build_behind();
    for (const bool across : {false, true}) {
      const int line = static_cast<int>(random() % static_cast<unsigned>(count - across));
      const int bit = static_cast<int>(random() % (across ? 8 : 7));
      Lines after = lines;
      for (int i = line; i <= line + across; ++i) after[i] &= ~((across ? 1u : 3u) << bit);
      fresh.build(after.data(), count, *tables);
      const auto margin_after = [&](const auto& behind) {
        return across ? before.across(line, bit, behind) : before.along(line, bit, behind);
      };
      const auto margin_of = [&](const MoveSum& sum) { return across ? sum.margin_second() : sum.margin_first(); };
      CHECK(margin_after(before.behind()) == margin_of(fresh.whole()));
      // And with something else on the board.
      auto behind = before.behind();
      for (int i = 0; i <= count; ++i) behind[i] = behind[i].plus(rest.whole());
      CHECK(margin_after(behind) == margin_of(fresh.whole().plus(rest.whole())));
    }
  }
}

TEST(strip_tables_know_the_best_of_one_move) {
  for (const auto& [height, width] : {std::pair{2, 5}, {3, 4}, {4, 3}}) {
    const auto pairs = pair_table(height, width);
    for (unsigned mask = 0; mask < pairs.size(); ++mask) {
      int floor = StripPair::NO_MOVE;
      std::array<int, SWITCHES> switches = {floor, floor, floor};
      for (int square = 0; square + 1 < height * width; ++square) {
        if ((square + 1) % height == 0 || (mask >> square & 3) != 3) continue;  // Left's dominoes lie in a column
        const StripEntry child = pairs[mask & ~(3u << square)].whole;
        floor = std::max(floor, child.floor());
        for (int i = 0; i < SWITCHES; ++i) switches[i] = std::max(switches[i], child.switch_floor(i));
      }
      CHECK(pairs[mask].moved.floor() == floor);
      for (int i = 0; i < SWITCHES; ++i) CHECK(pairs[mask].moved.switch_floor(i) == switches[i]);
    }
  }
}

TEST(tables_begin_with_the_narrower_ones) {
  const auto wide = table(3, 5), narrow = table(3, 3);
  for (std::size_t i = 0; i < narrow.size(); ++i) CHECK(wide[i].bits == narrow[i].bits);
}

// A table of all subsets, and one that continues it.
TEST(broken_table_files_are_built_again) {
  const auto narrow = StripTable::open({2, 8}, {});
  for (const auto& [shape, before] :
       {std::pair<StripShape, const StripTable*>{{2, 8}, nullptr}, {{2, 10, 8}, narrow.get()}}) {
    const TemporaryFolder folder;
    const auto built = StripTable::open(shape, {}, {}, before);
    const auto same = [&] {
      const auto opened = StripTable::open(shape, folder.path, {}, before);
      bool all = opened->entries().size() == built->entries().size();
      for (std::size_t i = 0; all && i < shape.patterns(); ++i)
        all = opened->entries()[opened->numbers()[i]].whole.bits == built->entries()[built->numbers()[i]].whole.bits;
      return all;
    };
    CHECK(same());
    std::filesystem::path file;
    for (const auto& found : std::filesystem::directory_iterator(folder.path))
      if (found.path().extension() != ".lock") file = found.path();
    const std::string good = content(file);
    const auto spoil = [&](const std::function<void(std::string&)>& how) {
      std::string bad = good;
      how(bad);
      std::filesystem::remove(file);  // a new file: the old one may be mapped
      std::ofstream(file, std::ios::binary) << bad;
      CHECK(same());
      CHECK(content(file) == good);
    };
    // The magic word, version, height, width, temperature, narrower width; numbers; entries.
    for (const std::size_t at : {std::size_t{0}, std::size_t{8}, std::size_t{12}, std::size_t{16}, std::size_t{20},
                                 std::size_t{56}, std::size_t{5000}, good.size() - 1})
      spoil([&](std::string& bad) { bad[at] = static_cast<char>(bad[at] ^ 64); });
    spoil([&](std::string& bad) { std::swap(bad[8192], bad[8200]), std::swap(bad[9000], bad[9008]), bad[4096] ^= 16; });
    spoil([&](std::string& bad) { bad.resize(good.size() / 2); });
    spoil([&](std::string& bad) { bad.clear(); });
    spoil([&](std::string& bad) { bad.append(8, '\0'); });
  }
}

TEST(stopped_building_keeps_nothing) {
  const TemporaryFolder folder;
  const auto narrow = StripTable::open({2, 8}, {});
  for (int looks = 0; looks < 4; ++looks) {
    int left = looks;
    CHECK(StripTable::open({2, 9}, folder.path, [&] { return left-- == 0; }) == nullptr);
    for (const auto& found : std::filesystem::directory_iterator(folder.path))
      CHECK(found.path().extension() == ".lock");
    left = looks;
    CHECK(StripTables::load({2, 9, std::size_t{1} << 30}, [&] { return left-- == 0; }, folder.path) == nullptr);
    left = std::min(looks, 2);
    CHECK(StripTable::open({2, 11, 8}, folder.path, [&] { return left-- == 0; }, narrow.get()) == nullptr);
  }
  const auto built = table(2, 9);
  const auto tables = StripTables::load({2, 9, std::size_t{1} << 30}, [] { return false; }, folder.path);
  for (std::size_t i = 0; i < built.size(); ++i) CHECK(built[i].bits == tables->of(2).pair(i, 9).whole.bits);
}

TEST(waiting_for_another_process_that_builds_can_be_stopped) {
  const TemporaryFolder folder;
  const int other = ::open((folder.path / "strips.lock").c_str(), O_RDWR | O_CREAT, 0600);
  CHECK(flock(other, LOCK_EX) == 0);
  int looks = 0;
  CHECK(StripTable::open({2, 8}, folder.path, [&] { return ++looks > 3; }) == nullptr);
  CHECK(looks >= 4);
  close(other);
  CHECK(StripTable::open({2, 8}, folder.path, [] { return false; }) != nullptr);
}

TEST(tables_live_in_memory_where_no_file_can_be_written) {
  const auto opened = StripTable::open({2, 8}, "/proc/no-such-folder");
  CHECK(opened->entries()[opened->numbers()[strip_table_patterns(2, 8) - 1]].whole.bits == table(2, 8).back().bits);
}

TEST(wide_patterns_have_numbers_of_their_own) {
  for (const auto& [height, width] : {std::pair{2, 8}, {3, 5}, {4, 4}}) {
    std::set<std::size_t> numbers;
    each_wide_pattern(height, width, [&](std::uint64_t pattern) { numbers.insert(wide_number(pattern, height)); });
    CHECK(numbers.size() == wide_patterns(height, width));
    CHECK(*numbers.begin() == 0 && *numbers.rbegin() == wide_patterns(height, width) - 1);
  }
  // The widest of each height.
  CHECK(wide_number(~std::uint64_t{0} >> 32, 2) == wide_patterns(2, 16) - 1);
  CHECK(wide_number(~std::uint64_t{0} >> 31, 3) == wide_patterns(3, 11) - 1);
  CHECK(wide_number(~std::uint64_t{0} >> 32, 4) == wide_patterns(4, 8) - 1);
  CHECK(wide_offset(2, 12, 13) == 0 && wide_offset(2, 12, 15) == 1594323 + 4782969);
}

TEST(wide_floors_are_never_above_the_exact_ones_and_mostly_equal) {
  struct Case {
    int height, exact, width;
  };
  for (const auto& [height, exact, width] : {Case{2, 1, 6}, {2, 4, 9}, {2, 8, 10}, {3, 1, 4}, {3, 3, 6}, {4, 2, 4}}) {
    if (QUICK && height * width > 18) continue;
    const auto wide = tables_of(height, exact, width), full = tables_of(height, width, width);
    for (int each = 1; each <= width; ++each) {
      long patterns = 0, equal = 0, above = 0, numbers = 0;
      each_wide_pattern(height, each, [&](std::uint64_t pattern) {
        const StripPair &guess = wide->of(height).pair(pattern, each), &truth = full->of(height).pair(pattern, each);
        for (const auto& [low, high] : {std::pair{guess.whole, truth.whole}, {guess.moved, truth.moved}})
          for (std::size_t i = 0; i <= SWITCHES; ++i) above += Floors(low).value[i] > Floors(high).value[i];
        equal += Floors(guess.whole).value == Floors(truth.whole).value;
        numbers += each > exact && guess.whole.is_number();
        ++patterns;
      });
      CHECK(above == 0);
      CHECK(numbers == 0);  // nothing is known from above
      CHECK(100 * equal >= (exact > 1 ? 97 : 90) * patterns);
      if (each <= exact) CHECK(equal == patterns);
    }
  }
}

// Against trying everything: what a floor says of the pattern as it stands, whoever starts.
TEST(wide_floors_are_sound_beside_brute_force) {
  for (const auto& [height, exact, width] : {std::array{2, 2, 9}, {3, 2, 6}, {4, 2, 4}}) {
    const auto tables = tables_of(height, exact, width);
    const oracle::AllSubsets truth(width, height);  // its rows are the columns of patterns
    long claims = 0, wrong = 0;
    each_wide_pattern(height, width, [&](std::uint64_t pattern) {
      const MoveSum sum = MoveSum::zero().plus(tables->of(height).pair(pattern, width));
      const bool first = truth.wins(pattern, 1), second = !truth.wins(pattern, 0);
      wrong += (sum.margin_first() >= 0 && !first) + (sum.margin_second() >= 0 && !second);
      claims += (sum.margin_first() >= 0) + (sum.margin_second() >= 0);
    });
    CHECK(claims > 100);
    CHECK(wrong == 0);
  }
}

TEST(plans_widen_strips_as_far_as_they_may) {
  const auto widest = [](int rows, int cols, std::size_t patterns, std::size_t memory = MEMORY) {
    const StripPlan plan(rows, cols, memory, 24, MAX_STRIP_HEIGHT, patterns);
    CHECK(plan.bytes <= memory);
    return std::array{plan.exact[2], plan.widest[2], plan.exact[3], plan.widest[3], plan.exact[4], plan.widest[4]};
  };
  CHECK((widest(4, 15, 0) == std::array{12, 12, 8, 8, 6, 6}));
  CHECK((widest(4, 15, 15'000'000) == std::array{12, 15, 8, 8, 6, 6}));
  CHECK((widest(4, 16, 15'000'000) == std::array{12, 15, 8, 8, 6, 6}));
  CHECK((widest(9, 9, 50'000'000) == std::array{9, 9, 8, 9, 6, 6}));
  CHECK((widest(8, 8, 50'000'000) == std::array{8, 8, 8, 8, 6, 6}));
  for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 12, std::size_t{1} << 20})
    widest(8, 8, 1 << 16, memory);
  CHECK((widest(4, 15, 50'000'000, 100 << 20) == std::array{12, 13, 8, 8, 6, 6}));  // no room for the rest
}
