// Bits against a plain set, and the rules of the board where a slip would be easy: seams, mirrors, wide boards.
#include "domineering/board/board.hpp"

#include <random>
#include <set>

#include "base/bits.hpp"
#include "boards.hpp"
#include "check.hpp"

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

}  // namespace

TEST(bits_agree_with_a_plain_set) {
  compare_with_set<1>(1);
  compare_with_set<2>(2);
  compare_with_set<4>(3);
}

TEST(moves_number_as_counted_by_hand) {
  CHECK(legal_moves(board_of("8x8"), Player::V).size() == 56);
  CHECK(legal_moves(board_of("2x60"), Player::H).size() == 118);
  CHECK(legal_moves(board_of("2x60"), Player::V).size() == 60);
  CHECK(legal_moves(board_of("1x256"), Player::H).size() == 255);
  CHECK(legal_moves(board_of("torus:4x6"), Player::V).size() == 24);
  CHECK(legal_moves(board_of("torus:4x6"), Player::H).size() == 24);
  CHECK(legal_moves(board_of("hcylinder:3x8"), Player::H).size() == 24);
  CHECK(legal_moves(board_of("hcylinder:3x8"), Player::V).size() == 16);
  // A ring of two has one domino, not two; a ring of one has none.
  CHECK(legal_moves(board_of("torus:2x2"), Player::H).size() == 2);
  CHECK(legal_moves(board_of("torus:1x5"), Player::V).empty());
}

TEST(a_domino_over_the_seam_takes_both_ends) {
  Board ring = board_of("hcylinder:1x4");
  play(ring, {Player::H, 0, 3});
  CHECK(ring.free == board_of("#..#").free);
}

TEST(mirrored_moves_belong_to_mirrored_boards) {
  std::mt19937_64 random(7);
  for (const char* spec : {"4x5", "torus:3x5", "hcylinder:2x4", "vcylinder:5x3", "2x40"}) {
    for (int round = 0; round < 50; ++round) {
      Board b = board_of(spec);
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
  CHECK(components(board_of("4x4")).size() == 1);
  CHECK(components(board_of(".#./###/.#.")).size() == 4);
  CHECK(components(board_of("torus:.#./###/.#.")).size() == 1);
  CHECK(components(board_of("hcylinder:.#./###/.#.")).size() == 2);
}
