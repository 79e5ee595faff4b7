// The cover bound is never wrong: every subset of small boards, both players, on turn or not, against the oracle.
#include "domineering/bound/cover.hpp"

#include <array>
#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "domineering/bound/cover_pack.hpp"
#include "oracle.hpp"

using namespace zermelo;

namespace {

constexpr bool CoverSwitches::* SWITCHES[] = {
    &CoverSwitches::vulnerable, &CoverSwitches::protective,        &CoverSwitches::type1,
    &CoverSwitches::options,    &CoverSwitches::protected_squares, &CoverSwitches::unavailable,
    &CoverSwitches::parity,     &CoverSwitches::odd_protective,    &CoverSwitches::free_move,
    &CoverSwitches::real_cap,   &CoverSwitches::four_packings};
constexpr int COUNT = static_cast<int>(sizeof(SWITCHES) / sizeof(SWITCHES[0]));

CoverSwitches combination(unsigned bits) {
  CoverSwitches switches;
  for (int i = 0; i < COUNT; ++i) switches.*SWITCHES[i] = bits >> i & 1;
  return switches;
}

// The papers' settings, everything on, every single one off (from either), and every pair off.
std::vector<CoverSwitches> combinations() {
  constexpr unsigned ALL = (1u << COUNT) - 1, PAPER = (1u << (COUNT - 2)) - 1;
  std::vector<CoverSwitches> result{combination(PAPER), combination(ALL)};
  if (EXHAUSTIVE) {
    for (unsigned bits = 0; bits <= ALL; ++bits) result.push_back(combination(bits));
    return result;
  }
  for (int i = 0; i < COUNT; ++i) result.push_back(combination(ALL & ~(1u << i)));
  for (int i = 0; i < COUNT - 2; ++i) result.push_back(combination(PAPER & ~(1u << i)));
  return result;
}

// Wrong verdicts among all subsets of a board.
template <bool RINGS>
std::uint64_t wrong_verdicts(int rows, int cols, Topology topology, const std::vector<CoverSwitches>& all) {
  const Board empty = Board::empty(rows, cols, topology);
  const oracle::AllSubsets truth(rows, cols, empty.wraps_cols(), empty.wraps_rows());
  const Frame<Word64, RINGS> frame[2] = {frame_of<Word64, RINGS>(empty, Player::V),
                                         frame_of<Word64, RINGS>(empty, Player::H)};
  std::uint64_t wrong = 0, won = 0;
  for (std::uint64_t free = 0; free < truth.size(); ++free) {
    const Board board = board_of(rows, cols, free, topology);
    for (int alpha = 0; alpha < 2; ++alpha) {
      std::array<Word64, IMAGES> images{};
      for (int i = 0; i < IMAGES; ++i) images[i] = squares_of<Word64>(mirrored(board, i), static_cast<Player>(alpha));
      const Player beta = static_cast<Player>(1 - alpha);
      const int opponent_real = frame[1 - alpha].dominoes(squares_of<Word64>(board, beta));
      for (const bool on_turn : {false, true}) {
        const bool wins = on_turn ? truth.wins(free, alpha) : !truth.wins(free, 1 - alpha);
        for (const CoverSwitches& switches : all) {
          const bool claimed = cover_wins(frame[alpha], images, on_turn, opponent_real, switches);
          won += claimed;
          if (claimed && !wins && ++wrong <= 3) {
            std::fprintf(stderr, "%dx%d free %llx alpha %d on_turn %d:", rows, cols,
                         static_cast<unsigned long long>(free), alpha, on_turn);
            for (int i = 0; i < COUNT; ++i) std::fprintf(stderr, " %d", switches.*SWITCHES[i]);
            std::fprintf(stderr, "\n");
          }
        }
      }
    }
  }
  CHECK(won > truth.size());  // the bound says something
  return wrong;
}

}  // namespace

TEST(cover_is_never_wrong_on_rectangles) {
  CHECK(wrong_verdicts<false>(4, 4, Topology::RECTANGLE, combinations()) == 0);
  CHECK(wrong_verdicts<false>(3, 5, Topology::RECTANGLE, combinations()) == 0);
  if (QUICK) return;
  std::vector<CoverSwitches> switches = combinations();
  if (!EXHAUSTIVE) switches.resize(2);
  CHECK(wrong_verdicts<false>(4, 5, Topology::RECTANGLE, switches) == 0);
  CHECK(wrong_verdicts<false>(2, 9, Topology::RECTANGLE, switches) == 0);
}
TEST(cover_is_never_wrong_on_rings) {
  for (const Topology topology : {Topology::HCYLINDER, Topology::VCYLINDER, Topology::TORUS}) {
    CHECK(wrong_verdicts<true>(3, 4, topology, combinations()) == 0);
    CHECK(wrong_verdicts<true>(3, 5, topology, combinations()) == 0);
    if (!QUICK) CHECK(wrong_verdicts<true>(4, 4, topology, combinations()) == 0);
  }
}

// Figures 3.3 and 3.7 of the thesis, by their counts: 10 moves against 10.
TEST(cover_formulas_give_the_thesis_example) {
  CoverCounts counts;
  counts.prot = 3;
  counts.vuln2 = 4;
  counts.vuln1 = 2;
  counts.vuln1_p = 1;
  counts.safe = 5;
  counts.op1 = 2;
  counts.op2 = 1;
  counts.squares = 22 + 2 * 10;
  const CoverBound bound = evaluate_cover(counts, false, 0, {});
  CHECK(bound.used.prot == 2 && bound.used.vuln2 == 6);
  CHECK(bound.moves == 10);
  CHECK(bound.unplayable == 1);
  CHECK(bound.opponent == 10);
  CHECK(bound.wins);
}

TEST(witness_areas_are_disjoint_and_free_and_counted) {
  std::mt19937_64 random(3);
  CoverSwitches all;
  all.real_cap = all.four_packings = true;
  for (int round = 0; round < 500; ++round) {
    Board board = Board::empty(6, 7, static_cast<Topology>(round % 4));
    board.free &= Bits<4>(random() | random());
    const CoverWitness witness = cover_witness(board, static_cast<Player>(round & 1), round & 2, all);
    Bits<4> used;
    std::array<int, 8> kinds{};
    for (const CoverArea& area : witness.areas) {
      ++kinds[static_cast<std::size_t>(area.kind)];
      for (const int square : area.squares) {
        CHECK(board.free.test(square) && !used.test(square));
        used.set(square);
      }
    }
    const CoverCounts& c = witness.counts;
    CHECK((kinds == std::array{c.prot, c.vuln2, c.vuln1, c.safe, c.op1, c.op2, c.op3, c.unavail}));
    CHECK(c.squares == board.free.count());
  }
}

TEST(real_and_safe_count_over_the_seam_of_a_ring) {
  const Board line = Board::empty(1, 5), ring = Board::empty(1, 5, Topology::HCYLINDER);
  Board cut = ring;
  cut.free.reset(1);
  cut.free.reset(3);  // free: 0, 2, 4; 4 and 0 meet over the seam
  CHECK(real_moves(line, Player::H) == 2 && safe_moves(line, Player::H) == 2);
  CHECK(real_moves(ring, Player::H) == 2);
  CHECK(real_moves(cut, Player::H) == 1 && safe_moves(cut, Player::H) == 1);
  cut.topology = Topology::RECTANGLE;
  CHECK(real_moves(cut, Player::H) == 0);
  CHECK(real_moves(Board::empty(2, 128), Player::H) == 128 && real_moves(Board::empty(2, 128), Player::V) == 128);
  CHECK(safe_moves(Board::empty(2, 128), Player::H) == 0);
}
