// Values of positions against plain play: who wins the board together with an integer, tried move by move.

#include "boards.hpp"
#include "check.hpp"
#include "domineering/values/values.hpp"
#include "oracle.hpp"

using namespace zermelo;
using namespace zermelo::cgt;

namespace {

void check_all_subsets(int rows, int cols, Topology topology, unsigned every) {
  Arena arena;
  DomineeringValues values(arena);
  const Board empty = Board::empty(rows, cols, topology);
  oracle::Position truth(rows, cols, empty.wraps_cols(), empty.wraps_rows());
  for (unsigned set = 0; set < 1U << (rows * cols); set += every) {
    const Board board = board_of(rows, cols, set, topology);
    const GameId value = values.value(board);
    for (int extra = -2; extra <= 2; ++extra) {
      CHECK(arena.at_least(value, -extra) == !truth.wins(set, 1, extra));
      CHECK(arena.at_most(value, -extra) == !truth.wins(set, 0, extra));
    }
  }
}

GameId value_of(Arena& arena, const char* spec) { return DomineeringValues(arena).value(board_of(spec)); }

}  // namespace

TEST(values_agree_with_play) {
  check_all_subsets(3, 4, Topology::RECTANGLE, QUICK ? 17 : 1);
  check_all_subsets(4, 3, Topology::RECTANGLE, QUICK ? 17 : 3);
  check_all_subsets(2, 7, Topology::RECTANGLE, QUICK ? 67 : 5);
  for (Topology topology : {Topology::HCYLINDER, Topology::VCYLINDER, Topology::TORUS}) {
    check_all_subsets(3, 3, topology, QUICK ? 3 : 1);
    check_all_subsets(3, 4, topology, QUICK ? 37 : 3);
    check_all_subsets(2, 5, topology, QUICK ? 7 : 1);
  }
}

// Positions that live in the wide frames and outside of all frames are worth the same as their small parts.
TEST(wide_and_tall_boards_agree_with_their_components) {
  Arena arena;
  CHECK(value_of(arena, "2x12") == arena.negative(value_of(arena, "12x2")));
  CHECK(value_of(arena, "1x40") == arena.number(-20));
  CHECK(value_of(arena, "100x1") == arena.number(50));
  CHECK(value_of(arena, "1x200") == arena.number(-100));
  CHECK(value_of(arena, "vcylinder:9x1") == arena.number(4));
  const GameId two_by_nine = value_of(arena, "2x9");
  std::string rows = std::string(9, '.') + "#" + std::string(9, '.');
  CHECK(value_of(arena, (rows + "/" + rows).c_str()) == arena.add(two_by_nine, two_by_nine));
  std::string blank(30, '#'), tall;
  for (int row = 0; row < 8; ++row) tall += blank + "/";
  CHECK(value_of(arena, (tall.substr(0, 31 * 6) + "..............................").c_str()) == arena.number(-15));
}
