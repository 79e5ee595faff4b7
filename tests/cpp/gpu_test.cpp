// The code that a graphics card shares with the processor, on the processor: the same bounds, the same verdicts.
#include <cstring>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "domineering/bound/strip_profile.hpp"
#include "domineering/gpu/table_view.hpp"
#include "domineering/gpu/unit_search.hpp"
#include "oracle.hpp"

using namespace zermelo;

namespace {

// Tables that know so little that small boards have to be searched.
const StripTables& tiny_tables() {
  static const auto tables = StripTables::load(StripPlan(9, 9, std::size_t{1} << 30, 4));
  return *tables;
}
const StripTables& small_tables() {
  static const auto tables = StripTables::load(StripPlan(9, 9, std::size_t{1} << 30, 15));
  return *tables;
}

const gpu::SpreadTable& spread() {
  static const auto made = [] {
    struct Holder {
      gpu::SpreadTable table;
    };
    auto holder = std::make_unique<Holder>();
    gpu::fill(holder->table);
    return holder;
  }();
  return made->table;
}

template <bool MOVED>
bool same_sum(const gpu::CutSum<MOVED>& ours, const MoveSum& theirs) {
  bool same = std::memcmp(&ours.still, &theirs.still, sizeof ours.still) == 0;
  if constexpr (MOVED) same = same && std::memcmp(&ours.moved, &theirs.moved, sizeof ours.moved) == 0;
  return same;
}

// A group of one lane: the processor.
struct OneLane {
  static constexpr int WIDTH = 1;
  int lane() const { return 0; }
  void sync() const {}
  std::uint64_t clock() const { return 0; }
  std::uint32_t ballot(bool value) const { return value; }
  std::uint32_t below() const { return 0; }
  int from(int value, int) const { return value; }
  int before(int mine, int& total) const {
    total = mine;
    return 0;
  }
};

// Searches of boards up to 6x6 with one table.
class Searcher {
 public:
  explicit Searcher(int rows, int cols) : entries_(1 << 14), frames_(gpu::MAX_DEPTH) {
    setting.rows = rows;
    setting.cols = cols;
    setting.tables = gpu::view_of(tiny_tables());
    setting.table = {entries_.data(), entries_.size() / gpu::GROUP};
    setting.busy = {marks_.data(), static_cast<std::uint32_t>(marks_.size())};
    setting.stop = &stop;
  }
  gpu::Answer run(std::uint64_t squares, int player, const std::uint8_t* known = nullptr) {
    gpu::Unit unit{};
    std::ranges::copy(lines_of(setting.rows, setting.cols, squares), unit.rows);
    unit.player = static_cast<std::uint8_t>(player);
    gpu::UnitSearch<OneLane> search({}, setting, spread(), scratch_, frames_.data(), 1);
    return search.run(unit, known);
  }
  std::uint64_t nodes() const { return scratch_.count.nodes; }
  gpu::SearchSetting setting;
  int stop = 0;

 private:
  std::vector<gpu::Entry> entries_;
  std::vector<gpu::Frame> frames_;
  std::vector<std::uint32_t> marks_ = std::vector<std::uint32_t>(64);
  gpu::Scratch scratch_{};
};

}  // namespace

TEST(gpu_dominoes_of_a_line_are_those_of_the_table) {
  for (unsigned line = 0; line < 1u << 16; ++line) CHECK(gpu::dominoes_in(line) == LINE_DOMINOES[line]);
}

TEST(gpu_bound_is_the_processors_bit_for_bit) {
  std::mt19937_64 random(18);
  const gpu::Tables view = gpu::view_of(small_tables());
  StripProfile<MoveSum> profile;
  for (int i = 0; i < (QUICK ? 500 : 20000); ++i) {
    const int count = 1 + static_cast<int>(random() % 12), width = 1 + static_cast<int>(random() % 12);
    // Few blocked squares and many.
    const auto row = [&] {
      return static_cast<std::uint16_t>((random() | (i & 1 ? random() : 0)) & ((1u << width) - 1));
    };
    std::uint16_t lines[MAX_LINES] = {};
    for (int k = 0; k < count; ++k) lines[k] = row();
    const gpu::Change change{static_cast<int>(random() % static_cast<unsigned>(count)), 1 + (i >> 1 & 1),
                             3u << random() % 12};
    Lines changed{};
    for (int k = 0; k < count; ++k) changed[k] = static_cast<std::uint16_t>(change.applied(lines[k], k));
    profile.build(changed.data(), count, small_tables());
    const auto moved = gpu::best_cut<true>(lines, count, change, view, spread());
    const auto still = gpu::best_cut<false>(lines, count, change, view, spread());
    CHECK(same_sum(moved, profile.whole()) && same_sum(still, profile.whole()));
    CHECK(moved.margin_first() == profile.whole().margin_first());
    CHECK(moved.margin_second() == profile.whole().margin_second() && still.margin_second() == moved.margin_second());
  }
}

TEST(gpu_search_agrees_with_trying_everything) {
  std::mt19937_64 random(19);
  for (const auto& [rows, cols] : {std::pair{4, 5}, {5, 4}, {2, 9}, {3, 6}}) {
    const oracle::AllSubsets truth(rows, cols);
    Searcher searcher(rows, cols);
    for (int i = 0; i < (QUICK ? 20 : 400); ++i) {
      const std::uint64_t all = (std::uint64_t{1} << (rows * cols)) - 1;
      const std::uint64_t squares = (random() | (i & 1 ? random() : 0)) & all;
      searcher.setting.shared = i % 3 == 0;
      for (int player = 0; player < 2; ++player) {
        const auto expected = truth.wins(squares, player) ? gpu::Answer::WIN : gpu::Answer::LOSS;
        CHECK(searcher.run(squares, player) == expected);
      }
    }
    CHECK(QUICK || searcher.nodes() > 1000);
  }
}

TEST(gpu_search_stops_and_hands_back) {
  Searcher searcher(6, 6);
  const std::uint64_t all = (std::uint64_t{1} << 36) - 1;
  searcher.setting.max_nodes = 64;
  CHECK(searcher.run(all, 0) == gpu::Answer::UNKNOWN);
  CHECK(searcher.nodes() >= 32 && searcher.nodes() <= 96);
  searcher.setting.max_nodes = ~std::uint64_t{0};
  const std::uint8_t known = 1;
  CHECK(searcher.run(all, 0, &known) == gpu::Answer::UNKNOWN);
  searcher.stop = 1;
  CHECK(searcher.run(all, 0) == gpu::Answer::UNKNOWN);
}
