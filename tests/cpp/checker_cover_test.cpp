// Cover leaves of a certificate (checker/FORMAT.md 5.5) against brute force, on rectangles, cylinders and tori.

#include "check.hpp"
#include "tiny_prover.hpp"

namespace {

struct Tally {
  std::uint64_t covers = 0, accepted = 0, with_corners = 0;
};

void judge(const tiny::Board& board, const tiny::Bytes& leaf, tiny::Truth& truth, Tally& tally) {
  for (int starter = 0; starter < 2; ++starter) {
    ++tally.covers;
    const zcheck::Report report = tiny::check(tiny::container(tiny::domineering_claim(board, starter, 0) + leaf));
    CHECK(report.verdict == zcheck::VERIFIED || report.verdict == zcheck::REJECTED);
    if (report.verdict != zcheck::VERIFIED) continue;
    ++tally.accepted;
    tally.with_corners += leaf[1] != 0;
    CHECK(truth.mover_wins(board, starter) == (starter == 0));
  }
}

}  // namespace

// Every position of 3x3, every set of Vertical's moves as areas, overlapping or not.
TEST(every_cover_of_3x3_tells_the_truth) {
  Tally tally;
  for (int topology = 0; topology < 4; ++topology) {
    tiny::Truth truth;
    for (std::uint64_t free = 0; free < 512; free += QUICK ? 7 : 1) {
      const tiny::Board board{3, 3, topology, free};
      for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << board.moves(0).size(); ++chosen)
        judge(board, tiny::cover_leaf(board, {}, chosen), truth, tally);
    }
  }
  CHECK(tally.accepted > 100);
  std::printf("     %llu covers, %llu accepted\n", static_cast<unsigned long long>(tally.covers),
              static_cast<unsigned long long>(tally.accepted));
}

TEST(random_covers_tell_the_truth) {
  static constexpr int SIZES[][2] = {{3, 4}, {4, 3}, {4, 4}, {2, 6}, {6, 2}, {3, 5}, {5, 3}, {2, 7}, {4, 5}, {5, 4}};
  tiny::Random random(11);
  Tally tally;
  for (const auto& size : SIZES)
    for (int topology = 0; topology < 4; ++topology) {
      tiny::Truth truth;
      const std::uint64_t all = (std::uint64_t{1} << (size[0] * size[1])) - 1;
      for (int i = 0; i < (QUICK ? 100 : EXHAUSTIVE ? 100000 : 2500); ++i) {
        std::uint64_t free = random() & all;
        if (random() % 3 == 0 && size[0] * size[1] <= 16) free |= random() & all;
        const tiny::Board board{size[0], size[1], topology, free};
        for (int attempt = 0; attempt < 3; ++attempt) judge(board, tiny::random_cover(board, random), truth, tally);
      }
    }
  CHECK(tally.accepted > tally.covers / 20 && tally.with_corners > 10);
  std::printf("     %llu covers, %llu accepted, %llu of them with protective areas\n",
              static_cast<unsigned long long>(tally.covers), static_cast<unsigned long long>(tally.accepted),
              static_cast<unsigned long long>(tally.with_corners));
}
