// Values of positions against plain play: who wins the board together with an integer, tried move by move.
#include <map>
#include <random>

#include "boards.hpp"
#include "cgt/notation.hpp"
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

TEST(rectangles_agree_with_play) {
  check_all_subsets(3, 4, Topology::RECTANGLE, QUICK ? 17 : 1);
  check_all_subsets(4, 3, Topology::RECTANGLE, QUICK ? 17 : 3);
  check_all_subsets(2, 7, Topology::RECTANGLE, QUICK ? 67 : 5);
}

TEST(rings_agree_with_play) {
  for (Topology topology : {Topology::HCYLINDER, Topology::VCYLINDER, Topology::TORUS}) {
    check_all_subsets(3, 3, topology, QUICK ? 3 : 1);
    check_all_subsets(3, 4, topology, QUICK ? 37 : 3);
    check_all_subsets(2, 5, topology, QUICK ? 7 : 1);
  }
}

// The moves and options that are left out early change no value: all of them together make the same game. By induction
// from the empty board on, this is all that can go wrong.
TEST(what_is_left_out_is_dominated) {
  for (const auto& [rows, cols] : {std::pair{4, 4}, {3, 5}, {7, 2}}) {
    Arena arena;
    DomineeringValues values(arena);
    for (unsigned set = 0; set < 1U << (rows * cols); set += QUICK ? 97 : rows == 4 ? 3 : 1) {
      const Board board = board_of(rows, cols, set);
      std::vector<GameId> options[2];
      for (const Player player : {Player::V, Player::H})
        for (const Move& move : legal_moves(board, player)) {
          Board next = board;
          play(next, move);
          options[player == Player::H].push_back(values.value(next));
        }
      CHECK(values.value(board) == arena.make(options[0], options[1]));
    }
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

TEST(shapes_are_canonical) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 2000; ++i) {
    std::uint64_t cells = random() & random() & 0x00003f3f3f3f3f3fULL;
    if (!cells) continue;
    const std::uint64_t part = Frame<8>::component(cells, cells);
    const Shape shape = canonical_shape<8>(part);
    for (std::uint64_t image : {part, Frame<8>::flip_rows(part), reverse_bits(part)}) {
      const Shape same = canonical_shape<8>(image), turned = canonical_shape<8>(transpose8(image));
      CHECK(same.cells == shape.cells && turned.cells == shape.cells);
      CHECK(same.negated == shape.negated);
      const auto least = [](std::uint64_t set) {
        return Frame<8>::least_image(Frame<8>::to_corner(set), Frame<8>::height(set), Frame<8>::width(set));
      };
      if (least(part) != least(transpose8(part))) CHECK(turned.negated != shape.negated);
    }
    CHECK(std::popcount(shape.cells) == std::popcount(part));
    // The same squares in a wider frame find the same shape.
    std::uint64_t wide = 0;
    if (Frame<8>::height(part) <= 4) {
      const std::uint64_t corner = Frame<8>::to_corner(part);
      for (int row = 0; row < 4; ++row) wide |= (corner >> (8 * row) & 0xff) << (16 * row + 5);
      CHECK(canonical_shape<16>(wide).cells == shape.cells && canonical_shape<16>(wide).stride == 8);
    }
  }
}

TEST(limit_is_thrown_and_values_stay_right) {
  Arena arena;
  DomineeringValues values(arena);
  Limits limits;
  limits.seconds = 0.05;
  arena.set_limits(limits);
  CHECK(throws<LimitReached>([&] { values.value(Board::empty(9, 9)); }));
  arena.set_limits(Limits{});
  CHECK(game_text(arena, values.value(Board::empty(2, 4))) == "miny(2)");
  CHECK(game_text(arena, values.value(Board::empty(4, 5))) == "1");
}
