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
#include <set>
#include <stdexcept>
#include <string>

#include "check.hpp"
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
