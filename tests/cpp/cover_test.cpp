// The cover bound is never wrong: every subset of small boards, both players, on turn or not, against the oracle.
#include "bound/cover.hpp"

#include <cstdlib>
#include <random>

#include "bound/cover_pack.hpp"
#include "bound/real_safe.hpp"
#include "check.hpp"
#include "oracle.hpp"

using namespace zermelo;

namespace {

bool exhaustive() { return std::getenv("ZERMELO_EXHAUSTIVE") != nullptr; }

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
  if (exhaustive()) {
    for (unsigned bits = 0; bits <= ALL; ++bits) result.push_back(combination(bits));
    return result;
  }
  for (int i = 0; i < COUNT; ++i) result.push_back(combination(ALL & ~(1u << i)));
  for (int i = 0; i < COUNT - 2; ++i) result.push_back(combination(PAPER & ~(1u << i)));
  return result;
}

Board board_of(int rows, int cols, Topology topology, std::uint64_t free) {
  Board board = Board::empty(rows, cols, topology);
  board.free = Bits<4>(free);
  return board;
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
    const Board board = board_of(rows, cols, topology, free);
    for (int alpha = 0; alpha < 2; ++alpha) {
      std::array<Word64, IMAGES> images{};
      for (int i = 0; i < IMAGES; ++i)
        images[static_cast<std::size_t>(i)] = squares_of<Word64>(mirrored(board, i), static_cast<Player>(alpha));
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

TEST(cover_is_never_wrong_on_4x4) { CHECK(wrong_verdicts<false>(4, 4, Topology::RECTANGLE, combinations()) == 0); }
TEST(cover_is_never_wrong_on_3x5) { CHECK(wrong_verdicts<false>(3, 5, Topology::RECTANGLE, combinations()) == 0); }
TEST(cover_is_never_wrong_on_4x5) { CHECK(wrong_verdicts<false>(4, 5, Topology::RECTANGLE, combinations()) == 0); }
TEST(cover_is_never_wrong_on_2x9) { CHECK(wrong_verdicts<false>(2, 9, Topology::RECTANGLE, combinations()) == 0); }
