// Tables of wide strips: sound where they have to guess, exact where a table of all subsets is, and found by number.
#include "domineering/bound/wide_table.hpp"

#include <map>
#include <set>

#include "check.hpp"
#include "domineering/bound/strip_store.hpp"
#include "folder.hpp"
#include "oracle.hpp"

using namespace zermelo;

namespace {

constexpr std::size_t MEMORY = std::size_t{1} << 28;

// All subsets of the width `exact`, and wider ones up to `width` that continue them.
std::shared_ptr<const StripTables> tables_of(int height, int exact, int width, bool continued = true) {
  StripPlan plan;
  plan.exact[static_cast<std::size_t>(height)] = exact;
  plan.widest[static_cast<std::size_t>(height)] = continued ? width : exact;
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
  CHECK((widest(4, 15, 50'000'000, 100 << 20) == std::array{12, 13, 8, 8, 6, 6}));  // no room for the rest
}

TEST(wide_tables_are_kept_in_files_and_built_again_when_broken) {
  const TemporaryFolder folder;
  const auto narrow = StripTable::open({2, 8}, folder.path);
  const StripShape shape{2, 10, 8};
  const auto built = StripTable::open(shape, {}, {}, narrow.get());
  const auto same = [&] {
    const auto opened = StripTable::open(shape, folder.path, {}, narrow.get());
    if (opened->entries().size() != built->entries().size()) return false;
    for (std::size_t i = 0; i < shape.patterns(); ++i)
      if (opened->entries()[opened->numbers()[i]].whole.bits != built->entries()[built->numbers()[i]].whole.bits)
        return false;
    return true;
  };
  CHECK(same());
  const auto file = folder.path / "strips-2x9-10.zst2";
  const std::string good = content(file);
  for (const std::size_t at : {std::size_t{16}, std::size_t{56}, std::size_t{5000}, good.size() - 1}) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    std::filesystem::remove(file);
    std::ofstream(file, std::ios::binary) << bad;
    CHECK(same());
    CHECK(content(file) == good);
  }
  int left = 2;
  CHECK(StripTable::open({2, 11, 8}, folder.path, [&] { return left-- == 0; }, narrow.get()) == nullptr);
  CHECK(!std::filesystem::exists(folder.path / "strips-2x9-11.zst2"));
}
