// Games by local rules: symmetries are found, values are those of the options, searches agree with values.
#include <cstdint>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "games/rules.hpp"
#include "games/search.hpp"
#include "games/values.hpp"

using namespace zermelo;
using namespace zermelo::games;

namespace {

constexpr int SIDE = 8;

std::vector<std::uint64_t> grid_neighbours() {
  std::vector<std::uint64_t> near;
  for (int cell = 0; cell < SIDE * SIDE; ++cell) {
    std::uint64_t set = 0;
    if (cell % SIDE > 0) set |= std::uint64_t{1} << (cell - 1);
    if (cell % SIDE < SIDE - 1) set |= std::uint64_t{1} << (cell + 1);
    if (cell >= SIDE) set |= std::uint64_t{1} << (cell - SIDE);
    if (cell < SIDE * (SIDE - 1)) set |= std::uint64_t{1} << (cell + SIDE);
    near.push_back(set);
  }
  return near;
}

// A stone with the one bit takes a neighbour with the other.
std::vector<LocalMove> clobber(bool right) {
  std::vector<LocalMove> moves;
  const std::vector<std::uint64_t> near = grid_neighbours();
  for (int cell = 0; cell < SIDE * SIDE; ++cell)
    for (std::uint64_t rest = near[cell]; rest; rest &= rest - 1) {
      const std::uint64_t own = std::uint64_t{1} << cell, taken = rest & -rest;
      if (right) moves.push_back({{own | taken, own | taken}, {taken, own}, {taken, own}, {0, taken}});
      else moves.push_back({{own | taken, own | taken}, {own, taken}, {own, taken}, {taken, 0}});
    }
  return moves;
}

// Two free neighbours are taken.
std::vector<LocalMove> dominoes(bool standing, bool lying) {
  std::vector<LocalMove> moves;
  for (int cell = 0; cell < SIDE * SIDE; ++cell)
    for (const auto& [fits, step] :
         {std::pair{lying && cell % SIDE < SIDE - 1, 1}, std::pair{standing && cell < SIDE * (SIDE - 1), SIDE}})
      if (fits) {
        const std::uint64_t both = std::uint64_t{1} << cell | std::uint64_t{1} << (cell + step);
        moves.push_back({{both, both}, {both, both}, {both, both}, {0, 0}});
      }
  return moves;
}

Cells random_cells(std::mt19937& random, int rows, int cols, bool stones) {
  Cells cells;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) {
      const std::uint64_t bit = std::uint64_t{1} << (row * SIDE + col);
      const unsigned what = random() % 5;
      if (what < 2) cells.a |= bit, cells.b |= stones ? 0 : bit;
      else if (what < 4) cells.b |= bit, cells.a |= stones ? 0 : bit;
    }
  return cells;
}

// The value by the definition: no parts, no images, no table.
cgt::GameId by_options(const LocalRules& rules, cgt::Arena& arena, const Cells& cells) {
  std::vector<cgt::GameId> options[2];
  for (const Side side : {Side::LEFT, Side::RIGHT})
    rules.for_each_move(side, cells, [&](const Cells& after) {
      options[side == Side::RIGHT].push_back(by_options(rules, arena, after));
    });
  return arena.make(options[0], options[1]);
}

void check_values_and_searches(const LocalRules& rules, bool stones) {
  std::mt19937 random(1);
  cgt::Arena arena;
  LocalValues values(rules, arena);
  LocalSearch search(rules, values, arena);
  for (int i = 0; i < 200; ++i) {
    const Cells cells = random_cells(random, 2, 4, stones);
    const cgt::GameId value = values.value(cells);
    CHECK(value == by_options(rules, arena, cells));
    CHECK(search.wins(cells, Side::LEFT, {}).result == !arena.at_most(value, 0));
    CHECK(search.wins(cells, Side::RIGHT, {}).result == !arena.at_least(value, 0));
    if (rules.is_impartial()) CHECK(arena.nimber(*search.nimber(cells, {}).result) == value);
  }
  // Parts that are too large for their values are searched.
  for (int i = 0; i < 20; ++i) {
    const Cells cells = random_cells(random, 3, 5, stones);
    const cgt::GameId value = values.value(cells);
    CHECK(search.wins(cells, Side::LEFT, {}).result == !arena.at_most(value, 0));
    CHECK(search.wins(cells, Side::RIGHT, {}).result == !arena.at_least(value, 0));
  }
  Limits few;
  few.nodes = 3;
  LocalSearch fresh(rules, values, arena);
  const std::uint64_t square = 0x1f1f1f1f1f;
  const LocalSearch::Found found = fresh.wins({square, stones ? square << 8 & ~square : square}, Side::LEFT, few);
  CHECK(stones || (!found.result && found.stopped == StopReason::NODES && found.nodes == 3));
}

bool refused(const LocalMove& move) {
  return throws<std::invalid_argument>([&] { LocalRules({SIDE, SIDE, true, false, grid_neighbours()}, {move}, {}); });
}

}  // namespace

TEST(values_and_searches_of_stones_are_those_of_the_options) {
  const LocalRules rules({SIDE, SIDE, true, false, grid_neighbours()}, clobber(false), clobber(true));
  CHECK(rules.symmetries() == 16 && !rules.is_impartial());
  check_values_and_searches(rules, true);
}

TEST(values_and_searches_of_dominoes_are_those_of_the_options) {
  const LocalRules rules({SIDE, SIDE, true, false, grid_neighbours()}, dominoes(true, false), dominoes(false, true));
  CHECK(rules.symmetries() == 8 && !rules.is_impartial());
  check_values_and_searches(rules, false);
}

TEST(nimbers_are_those_of_the_options) {
  const LocalRules rules({SIDE, SIDE, true, false, grid_neighbours()}, dominoes(true, true), dominoes(true, true));
  CHECK(rules.symmetries() == 8 && rules.is_impartial());
  check_values_and_searches(rules, false);
}

TEST(bad_rules_are_refused) {
  CHECK(refused({{1, 0}, {0, 0}, {0, 0}, {1, 0}}));  // revives a dead cell
  CHECK(refused({{5, 0}, {5, 0}, {1, 0}, {0, 0}}));  // cells that are not neighbours
  CHECK(refused({{1, 0}, {3, 0}, {1, 0}, {0, 0}}));  // wants a bit that it does not look at
  CHECK(!refused({{3, 0}, {3, 0}, {1, 0}, {0, 0}}));
}
