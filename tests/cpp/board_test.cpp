// Bits against a plain set, and the rules of the board where a slip would be easy: seams, mirrors, wide boards.
#include "domineering/board/board.hpp"

#include <random>
#include <set>
#include <stdexcept>

#include "base/bits.hpp"
#include "check.hpp"
#include "domineering/board/spec.hpp"

using namespace zermelo;

namespace {

template <int WORDS>
void compare_with_set(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    Bits<WORDS> bits;
    std::set<int> plain;
    for (int i = 0; i < static_cast<int>(random() % (64 * WORDS)); ++i) {
      const int index = static_cast<int>(random() % (64 * WORDS));
      bits.set(index);
      plain.insert(index);
    }
    CHECK(bits.count() == static_cast<int>(plain.size()));
    CHECK(bits.any() == !plain.empty());
    const int by = static_cast<int>(random() % (64 * WORDS + 1));
    Bits<WORDS> up, down;
    for (int index : plain) {
      CHECK(bits.test(index));
      if (index + by < 64 * WORDS) up.set(index + by);
      if (index - by >= 0) down.set(index - by);
    }
    CHECK((bits << by) == up);
    CHECK((bits >> by) == down);
    if (!plain.empty()) CHECK(bits.lowest() == *plain.begin());
    CHECK(bits.highest() == (plain.empty() ? -1 : *plain.rbegin()));
    Bits<WORDS> left = bits;
    for (int index : plain) CHECK(left.pop_lowest() == index);
    CHECK(left.none());
    CHECK(Bits<WORDS>::first(by).count() == by);
  }
}

Board board(const char* spec) { return parse_spec(spec).board(); }

bool rejected(const char* spec) {
  return throws<std::invalid_argument>([&] { (void)board(spec); });
}

}  // namespace

TEST(bits_agree_with_a_plain_set) {
  compare_with_set<1>(1);
  compare_with_set<2>(2);
  compare_with_set<4>(3);
}

TEST(moves_number_as_counted_by_hand) {
  CHECK(legal_moves(board("8x8"), Player::V).size() == 56);
  CHECK(legal_moves(board("2x60"), Player::H).size() == 118);
  CHECK(legal_moves(board("2x60"), Player::V).size() == 60);
  CHECK(legal_moves(board("1x256"), Player::H).size() == 255);
  CHECK(legal_moves(board("torus:4x6"), Player::V).size() == 24);
  CHECK(legal_moves(board("torus:4x6"), Player::H).size() == 24);
  CHECK(legal_moves(board("hcylinder:3x8"), Player::H).size() == 24);
  CHECK(legal_moves(board("hcylinder:3x8"), Player::V).size() == 16);
  // A ring of two has one domino, not two; a ring of one has none.
  CHECK(legal_moves(board("torus:2x2"), Player::H).size() == 2);
  CHECK(legal_moves(board("torus:1x5"), Player::V).empty());
}

TEST(a_domino_over_the_seam_takes_both_ends) {
  Board ring = board("hcylinder:1x4");
  play(ring, {Player::H, 0, 3});
  CHECK(grid_text(ring) == "#..#");
}

TEST(mirrored_moves_belong_to_mirrored_boards) {
  std::mt19937_64 random(7);
  for (const char* spec : {"4x5", "torus:3x5", "hcylinder:2x4", "vcylinder:5x3", "2x40"}) {
    for (int round = 0; round < 50; ++round) {
      Board b = board(spec);
      for (int i = 0; i < b.rows * b.cols; ++i)
        if (random() % 4 == 0) b.free.reset(i);
      for (Player player : {Player::V, Player::H})
        for (const Move& move : legal_moves(b, player))
          for (int image = 0; image < IMAGES; ++image) {
            Board then = b, mirror = mirrored(b, image);
            play(then, move);
            play(mirror, mirrored(b, move, image));
            CHECK(mirrored(then, image) == mirror);
          }
    }
  }
}

TEST(components_are_connected_over_seams) {
  CHECK(components(board("4x4")).size() == 1);
  CHECK(components(board(".#./###/.#.")).size() == 4);
  CHECK(components(board("torus:.#./###/.#.")).size() == 1);
  CHECK(components(board("hcylinder:.#./###/.#.")).size() == 2);
}

TEST(bad_specs_are_rejected) {
  for (const char* spec : {"",         "8x",        "x8",         "0x5",
                           "5x0",      "300x300",   "8x8x8",      "-3x4",
                           "8x8:",     "8x8:V1,2;", "8x8:V8,1",   "8x8:V1,1;V1,1",
                           "8x8:X1,1", "8x8:V0,1",  "../.",       "./",
                           "..a/...",  "torus:",    "sphere:3x3", "99999999999999999999x2",
                           " 8x8",     "8x8 ",      "17x16"})
    CHECK(rejected(spec));
  CHECK(!rejected("16x16"));
  CHECK(!rejected("8x8:V1,2;H3,4"));
  for (const char* spec : {"8X8", "8 x 8", "8\u00d78", "8  X 8:V1,2"})
    CHECK(parse_spec(spec).rows == 8 && parse_spec(spec).cols == 8);
  CHECK(board("torus:4 \u00d7 6") == board("torus:4x6"));
  for (const char* spec : {"8 8", "8 x", "x 8", "8xx8", "8 x x 8"}) CHECK(rejected(spec));
}

TEST(grids_print_as_they_parse) {
  CHECK(grid_text(board("..#.|.##.|....")) == "..#./.##./....");
  CHECK(grid_text(board("2x2:V1,1")) == "#./#.");
}
