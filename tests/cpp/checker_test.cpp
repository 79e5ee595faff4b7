// The fast checker against brute force: a leaf that it verifies is a win, on every position of small boards. And with
// any number of threads it says the same, about certificates and mutants of them. tests/python/proof/test_mutants.py
// asks for the truth of mutants.
#include <filesystem>

#include "check.hpp"
#include "folder.hpp"
#include "leaves.hpp"
#include "mutants.hpp"

namespace {

// One thread or several, leaf by leaf or many at a time: the same verdict for the same reason at the same place.
void same_with_threads(const tiny::Bytes& file, const zcheck::Report& one) {
  for (const zcheck::Crew& crew : {zcheck::Crew{1, 1}, zcheck::Crew{2, 1}, zcheck::Crew{3, 2}}) {
    const zcheck::Report other = tiny::check(file, 10, 256, crew);
    CHECK(other.verdict == one.verdict && other.reason == one.reason);
    CHECK(other.nodes == one.nodes && other.bytes == one.bytes && other.claim == one.claim);
  }
}

// From no cut to one below every run, some of them by chance.
std::vector<tiny::Cut> some_cuts(tiny::Random& random) {
  std::vector<tiny::Cut> cuts = {0, ~tiny::Cut{0}};
  for (int i = 0; i < 18; ++i) cuts.push_back(random());
  return cuts;
}

// Every position of a board, both starters, some cuts: a strip leaf that the checker accepts is a win.
void every_strip_leaf(int rows, int cols, std::uint64_t step) {
  tiny::Truth truth;
  tiny::Random random(6);
  std::uint64_t accepted = 0;
  for (std::uint64_t free = 0; free < std::uint64_t{1} << (rows * cols); free += step) {
    const tiny::Board board{rows, cols, 0, free};
    for (int starter = 0; starter < 2; ++starter) {
      const bool v_wins = truth.mover_wins(board, starter) == (starter == 0);
      const tiny::Bytes claim = tiny::domineering_claim(board, starter, 0);
      for (const tiny::Cut cut : some_cuts(random)) {
        const zcheck::Report report = tiny::check(tiny::container(claim + tiny::strip_leaf(board, cut, starter == 0)));
        CHECK(report.verdict == zcheck::VERIFIED || report.verdict == zcheck::REJECTED);
        if (report.verdict != zcheck::VERIFIED) continue;
        ++accepted;
        CHECK(v_wins);
      }
    }
  }
  CHECK(accepted > 0);
  std::printf("     %dx%d: %llu strip leaves accepted\n", rows, cols, static_cast<unsigned long long>(accepted));
}

// The same for the moves that a cut answers: after each of them V wins moving next.
void every_answer(int rows, int cols, std::uint64_t step) {
  tiny::Truth truth;
  tiny::Random random(7);
  std::uint64_t moves = 0, accepted = 0;
  for (std::uint64_t free = 0; free < std::uint64_t{1} << (rows * cols); free += step) {
    const tiny::Board board{rows, cols, 0, free};
    const std::vector<std::uint64_t> across = board.moves(1);
    for (const tiny::Cut cut : some_cuts(random)) {
      const std::uint64_t answered = tiny::answered_by(board, cut);
      moves += across.size();
      for (std::size_t i = 0; i < across.size(); ++i) {
        if (!(answered >> i & 1)) continue;
        ++accepted;
        CHECK(truth.mover_wins(board.without(across[i]), 0));
      }
      // All at once are as good as each alone.
      if (across.empty() || answered != (std::uint64_t{1} << across.size()) - 1) continue;
      const tiny::Bytes text = tiny::domineering_claim(board, 1, 0) + tiny::answers(board, cut, answered);
      CHECK(tiny::check(tiny::container(text)).verdict == zcheck::VERIFIED);
    }
  }
  CHECK(accepted > 0 && accepted < moves);
  std::printf("     %dx%d: %llu of %llu moves answered by cuts\n", rows, cols,
              static_cast<unsigned long long>(accepted), static_cast<unsigned long long>(moves));
}

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

// Boards whose positions are taken one by one, or every so many: leaves are cheaper than answers.
struct Sampled {
  int rows, cols;
  std::uint64_t quick, leaves, answers;
  std::uint64_t step(std::uint64_t usual) const { return QUICK ? quick : EXHAUSTIVE ? 1 : usual; }
};
constexpr Sampled SAMPLED[] = {{3, 3, 1, 1, 1},        {4, 3, 61, 7, 13}, {3, 4, 61, 7, 13},
                               {4, 4, 4001, 211, 419}, {2, 6, 61, 7, 13}, {6, 2, 61, 41, 83}};

TEST(strip_leaves_are_wins) {
  for (const Sampled& board : SAMPLED) every_strip_leaf(board.rows, board.cols, board.step(board.leaves));
}

// Positions in which the piece where Vertical moves is often worth a switch afterwards.
TEST(strip_leaves_of_larger_boards_are_wins) {
  constexpr int SIZES[][2] = {{4, 5}, {5, 4}, {5, 5}};
  for (const auto& [rows, cols] : SIZES) {
    if (QUICK && rows * cols > 20) continue;
    const oracle::AllSubsets truth(rows, cols);
    tiny::Random random(8);
    zcheck::Budget budget(1e18, 4096);
    std::shared_ptr<zcheck::Memory> memory;  // pieces are valued once
    int accepted[2] = {0, 0}, wrong = 0;
    for (int i = 0; i < (QUICK ? 1000 : 4000); ++i) {
      const tiny::Board board{rows, cols, 0, (random() | random()) & ((std::uint64_t{1} << (rows * cols)) - 1)};
      for (int attempt = 0; attempt < 4; ++attempt) {
        const tiny::Cut cut = attempt ? random() & random() : 0;
        for (const int starter : {0, 1}) {
          const tiny::Bytes leaf = tiny::strip_leaf(board, cut, starter == 0);
          const tiny::Bytes file = tiny::container(tiny::domineering_claim(board, starter, 0) + leaf);
          zcheck::Source source(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
          if (zcheck::check(source, budget, {}, memory).verdict != zcheck::VERIFIED) continue;
          ++accepted[starter];
          wrong += truth.wins(board.free, starter) != (starter == 0);
        }
      }
    }
    CHECK(wrong == 0 && accepted[0] > 0 && accepted[1] > 0);
    std::printf("     %dx%d: %d and %d leaves accepted, %d wrong\n", rows, cols, accepted[0], accepted[1], wrong);
  }
}

TEST(answered_moves_are_wins) {
  for (const Sampled& board : SAMPLED) every_answer(board.rows, board.cols, board.step(board.answers));
}

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

TEST(any_number_of_threads_gives_the_same_verdict) {
  tiny::Random random(2);
  for (const auto& entry : std::filesystem::directory_iterator(ZERMELO_SAMPLES)) {
    if (entry.path().extension() != ".zc") continue;
    const tiny::Bytes file = content(entry.path());
    const zcheck::Report report = tiny::check(file);
    CHECK(report.verdict == zcheck::VERIFIED);
    same_with_threads(file, report);
    const tiny::Bytes payload = tiny::payload_of(file);
    for (int i = 0; i < (QUICK ? 20 : EXHAUSTIVE ? 20000 : 60); ++i) {
      const tiny::Bytes mutant = tiny::container(mutant_of(payload, payload, random));
      const zcheck::Report changed = tiny::check(mutant, 10, 4);
      if (changed.verdict != zcheck::UNFINISHED) same_with_threads(mutant, changed);
    }
  }
}
