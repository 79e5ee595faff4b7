// The strip bound never claims what is not so, and its witness adds up.
#include <algorithm>
#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "domineering/board/spec.hpp"
#include "domineering/bound/strip_profile.hpp"
#include "domineering/search/cut.hpp"
#include "oracle.hpp"

using namespace zermelo;

namespace {

constexpr std::size_t MEMORY = std::size_t{1} << 26;  // enough for 4x5 and 3x7, not for 4x6

struct Tally {
  long claims = 0, undecided = 0, wrong = 0;
  void report(int rows, int cols) const {
    std::printf("     %dx%d: %ld claims, %ld undecided, %ld wrong\n", rows, cols, claims, undecided, wrong);
    CHECK(wrong == 0);
  }
};

// Both players' bounds for both starters against the truth.
template <class Truth>
void compare(const Board& board, Truth& truth, const StripTables& tables, Tally& tally) {
  for (const Player to_move : {Player::V, Player::H}) {
    const Player winner = truth.wins(board.free.word[0], static_cast<int>(to_move)) ? to_move : other(to_move);
    const bool right = strip_witness(board, winner, to_move, tables).has_value();
    tally.claims += right;
    tally.undecided += !right;
    tally.wrong += strip_witness(board, other(winner), to_move, tables).has_value();
  }
}

void every_subset(int rows, int cols, std::uint64_t stride) {
  const oracle::AllSubsets truth(rows, cols);
  const auto tables = StripTables::load({rows, cols, MEMORY});
  Tally tally;
  for (std::uint64_t mask = 0; mask < truth.size(); mask += stride)
    compare(board_of(rows, cols, mask), truth, *tables, tally);
  tally.report(rows, cols);
  CHECK(tally.claims > 30 * tally.undecided);
}

void random_subsets(int rows, int cols, int samples) {
  std::mt19937_64 random(static_cast<std::uint64_t>(1000 * rows + cols));
  const auto tables = StripTables::load({rows, cols, MEMORY});
  oracle::Position truth(rows, cols);
  Tally tally;
  for (int i = 0; i < samples; ++i) {
    if (truth.size() > 4'000'000) truth.forget();
    const std::uint64_t all = (std::uint64_t{1} << (rows * cols)) - 1;
    const std::uint64_t sparse = random() | (random() & random()),
                        mask = all & (rows * cols > 30 ? sparse : sparse | random());
    compare(board_of(rows, cols, mask), truth, *tables, tally);
  }
  tally.report(rows, cols);
  CHECK(tally.claims > tally.undecided);
}

}  // namespace

TEST(strip_bound_is_sound_on_every_subset_of_small_boards) {
  const std::uint64_t stride = EXHAUSTIVE ? 1 : QUICK ? 1009 : 101;
  every_subset(4, 5, stride);
  every_subset(5, 4, stride);
  every_subset(3, 6, stride);
  every_subset(2, 9, stride);
}

TEST(strip_bound_is_sound_on_random_larger_boards) {
  random_subsets(5, 6, EXHAUSTIVE ? 20000 : QUICK ? 10 : 100);
  random_subsets(6, 6, EXHAUSTIVE ? 20000 : QUICK ? 10 : 100);
}

namespace {

// Who wins a number plus different switches, by playing it out: every option of every summand.
bool sum_wins(int number, std::vector<int> switches, bool player_first) {
  if (switches.empty()) return player_first ? number > 0 : number >= 0;
  // A number is played in only when nothing hotter is left, so a move is a switch taken.
  for (std::size_t i = 0; i < switches.size(); ++i) {
    std::vector<int> rest = switches;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    const bool wins = sum_wins(number + (player_first ? switches[i] : -switches[i]), rest, !player_first);
    if (wins == player_first) return wins;
  }
  return !player_first;
}

void check_witness(const Board& board, Player player, Player to_move, const StripTables& tables) {
  const auto found = strip_witness(board, player, to_move, tables);
  if (!found) return;
  const StripWitness& witness = *found;
  Bits<4> seen;
  std::vector<int> piece_of(static_cast<std::size_t>(board.rows * board.cols), -1);
  int sum = 0;
  std::vector<int> unpaired;
  for (std::size_t i = 0; i < witness.pieces.size(); ++i) {
    const StripPiece& piece = witness.pieces[i];
    CHECK(!seen.meets(piece.squares));
    seen |= piece.squares;
    for_each(piece.squares, [&](int square) { piece_of[square] = static_cast<int>(i); });
    sum += piece.value;
    if (piece.is_switch) {
      const auto same = std::find(unpaired.begin(), unpaired.end(), piece.temperature);
      if (same == unpaired.end()) unpaired.push_back(piece.temperature);
      else unpaired.erase(same);
    }
  }
  std::sort(unpaired.rbegin(), unpaired.rend());
  CHECK(board.free.contains(seen));
  for (const Player who : {Player::V, Player::H})
    for (const Move& move : legal_moves(board, who)) {
      Bits<4> squares = domino(board, move);
      const int a = squares.pop_lowest(), b = squares.pop_lowest();
      CHECK(seen.test(a) && seen.test(b));
      if (who != player) CHECK(piece_of[a] == piece_of[b]);
    }
  CHECK(sum == witness.sum);
  CHECK(unpaired == witness.unpaired);
  CHECK(sum_wins(sum, unpaired, player == to_move));
}

}  // namespace

TEST(strip_witness_covers_the_board_and_adds_up) {
  std::mt19937_64 random(5);
  const auto tables = StripTables::load({7, 8, MEMORY});
  for (int i = 0; i < 300; ++i) {
    const Board board = board_of(7, 8, random() | random());
    for (const Player player : {Player::V, Player::H})
      for (const Player to_move : {Player::V, Player::H}) check_witness(board, player, to_move, *tables);
  }
  for (const char* spec : {"7x8", "8x9", "6x9", "2x5", "4x12", "1x20", "20x1", "2x40", "40x2", "5x30"}) {
    const Board board = parse_spec(spec).board();
    const auto own = StripTables::load({board.rows, board.cols, MEMORY});
    for (const Player player : {Player::V, Player::H})
      for (const Player to_move : {Player::V, Player::H}) check_witness(board, player, to_move, *own);
  }
}

TEST(strip_bound_decides_the_boards_that_need_no_search) {
  const auto wins = [](const char* spec, Player player, Player to_move) {
    const Board board = parse_spec(spec).board();
    return strip_witness(board, player, to_move, *StripTables::load({board.rows, board.cols, MEMORY})).has_value();
  };
  CHECK(wins("7x8", Player::H, Player::V));
  CHECK(wins("8x9", Player::V, Player::H));
  CHECK(wins("6x9", Player::V, Player::H));
  CHECK(wins("7x10", Player::H, Player::V));
  CHECK(!wins("8x8", Player::V, Player::V));
}

TEST(strip_bound_is_sound_on_rings) {
  // Cylinders and tori, against perfect play by the rules of the board.
  std::mt19937_64 random(3);
  int claims = 0;
  for (const Topology topology : {Topology::HCYLINDER, Topology::VCYLINDER, Topology::TORUS}) {
    const Board empty = Board::empty(4, 4, topology);
    const oracle::AllSubsets truth(4, 4, empty.wraps_cols(), empty.wraps_rows());
    const auto tables = StripTables::load({4, 4, MEMORY});
    for (int i = 0; i < 300; ++i) {
      const Board board = board_of(4, 4, random() | random(), topology);
      for (const Player to_move : {Player::V, Player::H}) {
        const Player loser = truth.wins(board.free.word[0], static_cast<int>(to_move)) ? other(to_move) : to_move;
        CHECK(!strip_witness(board, loser, to_move, *tables));
        claims += strip_witness(board, other(loser), to_move, *tables).has_value();
      }
    }
  }
  CHECK(claims > 100);
}
