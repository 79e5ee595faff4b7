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

// Positions of a board with some cuts: a strip leaf that the checker accepts, for either starter, is a win, and so is
// what each move leaves that a cut answers, with V to move.
void every_cut(int rows, int cols, std::uint64_t step) {
  tiny::Truth truth;
  tiny::Random random(7);
  std::uint64_t leaves = 0, moves = 0, accepted = 0;
  for (std::uint64_t free = 0; free < std::uint64_t{1} << (rows * cols); free += step) {
    const tiny::Board board{rows, cols, 0, free};
    const std::vector<std::uint64_t> across = board.moves(1);
    for (const tiny::Cut cut : some_cuts(random)) {
      for (int starter = 0; starter < 2; ++starter) {
        const tiny::Bytes claim = tiny::domineering_claim(board, starter, 0);
        const zcheck::Report report = tiny::check(tiny::container(claim + tiny::strip_leaf(board, cut, starter == 0)));
        CHECK(report.verdict == zcheck::VERIFIED || report.verdict == zcheck::REJECTED);
        if (report.verdict != zcheck::VERIFIED) continue;
        ++leaves;
        CHECK(truth.mover_wins(board, starter) == (starter == 0));
      }
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
  CHECK(leaves > 0 && accepted > 0 && accepted < moves);
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

// Boards whose positions are taken one by one, or every so many.
TEST(strip_leaves_and_answered_moves_are_wins) {
  struct Sampled {
    int rows, cols;
    std::uint64_t quick, usual;
  };
  for (const auto& [rows, cols, quick, usual] :
       {Sampled{3, 3, 1, 1}, {4, 3, 61, 11}, {3, 4, 61, 11}, {4, 4, 4001, 349}, {2, 6, 61, 11}, {6, 2, 61, 67}})
    every_cut(rows, cols, QUICK ? quick : EXHAUSTIVE ? 1 : usual);
}

// Positions in which the piece where Vertical moves is often worth a switch afterwards.
TEST(strip_leaves_of_larger_boards_are_wins) {
  constexpr int SIZES[][2] = {{4, 5}, {5, 4}, {3, 7}, {7, 3}, {5, 5}};
  for (const auto& [rows, cols] : SIZES) {
    if (!EXHAUSTIVE && (rows * cols > (QUICK ? 20 : 21) || (QUICK && rows > cols))) continue;
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
  }
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
}

TEST(random_covers_tell_the_truth) {
  static constexpr int SIZES[][2] = {{3, 4}, {4, 3}, {4, 4}, {2, 6}, {6, 2}, {3, 5}, {5, 3}, {2, 7}, {4, 5}, {5, 4}};
  tiny::Random random(11);
  Tally tally;
  for (const auto& size : SIZES)
    for (int topology = 0; topology < 4; ++topology) {
      tiny::Truth truth;
      const std::uint64_t all = (std::uint64_t{1} << (size[0] * size[1])) - 1;
      for (int i = 0; i < (QUICK ? 100 : EXHAUSTIVE ? 100000 : 1200); ++i) {
        std::uint64_t free = random() & all;
        if (random() % 3 == 0 && size[0] * size[1] <= 16) free |= random() & all;
        const tiny::Board board{size[0], size[1], topology, free};
        for (int attempt = 0; attempt < 3; ++attempt) judge(board, tiny::random_cover(board, random), truth, tally);
      }
    }
  CHECK(tally.accepted > tally.covers / 20 && tally.with_corners > 10);
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
    for (int i = 0; i < (QUICK ? 8 : EXHAUSTIVE ? 20000 : 60); ++i) {
      const tiny::Bytes mutant = tiny::container(mutant_of(payload, payload, random));
      const zcheck::Report changed = tiny::check(mutant, 10, 4);
      if (changed.verdict != zcheck::UNFINISHED) same_with_threads(mutant, changed);
    }
  }
}
