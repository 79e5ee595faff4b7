// Bits against a plain set, and mirror images of boards and moves.
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
