// The strip bound never claims what is not so, and its witness adds up.
#include "bound/strip_bound.hpp"

#include <cstdlib>
#include <random>

#include "board/spec.hpp"
#include "bound/strip_profile.hpp"
#include "check.hpp"
#include "strip_oracle.hpp"

using namespace zermelo;

namespace {

constexpr std::size_t MEMORY = std::size_t{1} << 26;  // enough for 4x5 and 3x7, not for 4x6
const bool EXHAUSTIVE = std::getenv("ZERMELO_EXHAUSTIVE") != nullptr;

Board board_of(int rows, int cols, std::uint64_t mask) {
  Board board = Board::empty(rows, cols);
  board.free = Bits<4>(mask);
  return board;
}

struct Tally {
  long claims = 0, undecided = 0, wrong = 0;
};

// Both players' bounds for both starters against the truth.
void compare(const Board& board, bool v_first_wins, bool h_first_wins, const StripTables& tables, Tally& tally) {
  for (const Player to_move : {Player::V, Player::H}) {
    const Player winner = (to_move == Player::V ? v_first_wins : h_first_wins) ? to_move : other(to_move);
    const bool right = strip_bound(board, winner, to_move, tables);
    tally.claims += right;
    tally.undecided += !right;
    tally.wrong += strip_bound(board, other(winner), to_move, tables);
  }
}

void every_subset(int rows, int cols, std::uint64_t stride) {
  const auto truth = oracle::all_subsets(rows, cols);
  const auto tables = StripTables::load(rows, cols, MEMORY);
  Tally tally;
  for (std::uint64_t mask = 0; mask < truth.size(); mask += stride)
    compare(board_of(rows, cols, mask), truth[mask] & 1, truth[mask] & 2, *tables, tally);
  std::printf("     %dx%d: %ld claims, %ld undecided, %ld wrong\n", rows, cols, tally.claims, tally.undecided,
              tally.wrong);
  CHECK(tally.wrong == 0);
  CHECK(tally.claims > 30 * tally.undecided);
}

void random_subsets(int rows, int cols, int samples) {
  std::mt19937_64 random(static_cast<std::uint64_t>(1000 * rows + cols));
  const auto tables = StripTables::load(rows, cols, MEMORY);
  oracle::Memo memo(rows, cols);
  Tally tally;
  for (int i = 0; i < samples; ++i) {
    if (memo.size() > 4'000'000) memo.forget();
    const std::uint64_t all = (std::uint64_t{1} << (rows * cols)) - 1;
    const std::uint64_t sparse = random() | (random() & random()),
                        mask = all & (rows * cols > 30 ? sparse : sparse | random());
    compare(board_of(rows, cols, mask), memo.first_wins(mask, true), memo.first_wins(mask, false), *tables, tally);
  }
  std::printf("     %dx%d: %ld claims, %ld undecided, %ld wrong\n", rows, cols, tally.claims, tally.undecided,
              tally.wrong);
  CHECK(tally.wrong == 0);
  CHECK(tally.claims > tally.undecided);
}

}  // namespace

TEST(strip_bound_is_sound_on_every_subset_of_small_boards) {
  const std::uint64_t stride = EXHAUSTIVE ? 1 : 101;
  every_subset(4, 5, stride);
  every_subset(5, 4, stride);
  every_subset(3, 6, stride);
  every_subset(2, 9, stride);
}

TEST(strip_bound_is_sound_on_random_larger_boards) {
  random_subsets(5, 6, EXHAUSTIVE ? 20000 : 100);
  random_subsets(6, 6, EXHAUSTIVE ? 20000 : 100);
}
