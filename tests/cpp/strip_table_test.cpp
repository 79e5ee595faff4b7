// Strip tables: known values, exact floors, incremental sums, and files that nobody has to trust.
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
    before.build_behind(*tables);
    for (const bool across : {false, true}) {
      const int line = static_cast<int>(random() % static_cast<unsigned>(count - across));
      const int bit = static_cast<int>(random() % (across ? 8 : 7));
      Lines after = lines;
      for (int i = line; i <= line + across; ++i) after[i] &= ~((across ? 1u : 3u) << bit);
      fresh.build(after.data(), count, *tables);
      const auto margin_after = [&](const auto& behind) {
        return across ? before.across(line, bit, *tables, behind) : before.along(line, bit, *tables, behind);
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

TEST(broken_table_files_are_built_again) {
  const TemporaryFolder folder;
  const auto built = table(2, 8);
  const auto same = [&] {
    const auto opened = StripTable::open({2, 8}, folder.path);
    bool all = true;
    for (std::size_t i = 0; i < built.size(); ++i)
      all &= built[i].bits == opened->entries()[opened->numbers()[i]].whole.bits;
    return all;
  };
  CHECK(same());
  std::filesystem::path file;
  for (const auto& found : std::filesystem::directory_iterator(folder.path))
    if (found.path().extension() != ".lock") file = found.path();
  CHECK(!file.empty());
  const auto size = std::filesystem::file_size(file);
  const std::string good = content(file);
  const auto spoil = [&](std::function<void(std::string&)> how) {
    std::string bad = good;
    how(bad);
    std::filesystem::remove(file);  // a new file: the old one may be mapped
    std::ofstream(file, std::ios::binary) << bad;
    CHECK(same());
    CHECK(content(file) == good);
  };
  spoil([&](std::string& bad) { bad[size - 1] = static_cast<char>(bad[size - 1] ^ 1); });
  spoil([&](std::string& bad) { bad[5000] = static_cast<char>(bad[5000] ^ 64); });
  spoil(
      [&](std::string& bad) { std::swap(bad[8192], bad[8192 + 8]), std::swap(bad[9000], bad[9008]), bad[4096] ^= 16; });
  spoil([&](std::string& bad) { bad[0] = 'x'; });          // not ours
  spoil([&](std::string& bad) { bad[8] = 9; });            // another version
  spoil([&](std::string& bad) { bad[16] = 7; });           // another shape
  spoil([&](std::string& bad) { bad[20] = 1; });           // other temperatures
  spoil([&](std::string& bad) { bad.resize(size / 2); });  // cut short
  spoil([&](std::string& bad) { bad.clear(); });
  spoil([&](std::string& bad) { bad.append(8, '\0'); });
}

TEST(stopped_building_keeps_nothing) {
  const TemporaryFolder folder;
  for (int looks = 0; looks < 4; ++looks) {
    int left = looks;
    CHECK(StripTable::open({2, 9}, folder.path, [&] { return left-- == 0; }) == nullptr);
    for (const auto& found : std::filesystem::directory_iterator(folder.path))
      CHECK(found.path().extension() == ".lock");
    left = looks;
    CHECK(StripTables::load({2, 9, std::size_t{1} << 30}, [&] { return left-- == 0; }, folder.path) == nullptr);
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

TEST(strip_tables_stay_within_their_memory) {
  for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 12, std::size_t{1} << 20}) {
    const auto tables = StripTables::load({8, 8, memory, 12, MAX_STRIP_HEIGHT, std::size_t{1} << 16}, {}, {});
    CHECK(tables->bytes() <= memory);
  }
}
