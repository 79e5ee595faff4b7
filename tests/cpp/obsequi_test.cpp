// The search of the papers against the oracle, its own switches, and its limits.
#include "domineering/obsequi/obsequi.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "oracle.hpp"

using namespace zermelo;

namespace {

ObsequiSettings small_table() {
  ObsequiSettings settings;
  settings.table_bytes = 1 << 14;
  return settings;
}

// The search agrees with the truth, and the move it names wins.
template <class Truth>
void check_position(Truth& truth, const Board& board, const ObsequiSettings& settings) {
  const std::uint64_t free = board.free.word[0];
  for (const Player first : {Player::V, Player::H}) {
    const int player = static_cast<int>(first);
    const SearchResult result = obsequi_search(board, first, settings, {});
    CHECK(result.verdict == (truth.wins(free, player) ? Verdict::WIN : Verdict::LOSS));
    CHECK(result.stopped == StopReason::FINISHED);
    CHECK(result.move.has_value() == (result.verdict == Verdict::WIN));
    if (result.move) {
      CHECK(is_legal(board, *result.move));
      CHECK(!truth.wins(free ^ domino(board, *result.move).word[0], 1 - player));
    }
  }
}

std::vector<ObsequiSettings> variants() {
  std::vector<ObsequiSettings> result;
  const auto add = [&](auto change) {
    ObsequiSettings settings = small_table();
    change(settings);
    result.push_back(settings);
  };
  add([](ObsequiSettings&) {});
  add([](ObsequiSettings& s) { s.cover = false; });
  add([](ObsequiSettings& s) { s.real = false; });
  add([](ObsequiSettings& s) { s.real = s.cover = false; });
  add([](ObsequiSettings& s) { s.skip_safe_moves = false; });
  add([](ObsequiSettings& s) { s.skip_safe_moves = s.real = false; });
  add([](ObsequiSettings& s) { s.order_symmetry = true; });
  add([](ObsequiSettings& s) { s.order_primary = s.order_positional = false; });
  add([](ObsequiSettings& s) { s.switches.real_cap = s.switches.four_packings = true; });
  add([](ObsequiSettings& s) { s.table_bytes = 0; });
  add([](ObsequiSettings& s) { s.threads = 3; });
  for (const Replacement scheme : {Replacement::NEW, Replacement::DEEP, Replacement::BIG, Replacement::TWO_DEEP,
                                   Replacement::TWO_BIG, Replacement::FIND_WORST})
    add([&](ObsequiSettings& s) { s.replacement = scheme, s.table_bytes = 1 << 10; });
  return result;
}

std::uint64_t random_squares(std::mt19937_64& random, int squares, int free) {
  std::uint64_t set = 0;
  while (free > 0) {
    const std::uint64_t square = std::uint64_t{1} << random() % static_cast<unsigned>(squares);
    if (!(set & square)) set |= square, --free;
  }
  return set;
}

}  // namespace

TEST(search_agrees_with_the_oracle_on_subsets_of_small_boards) {
  for (const auto& [rows, cols, step] : {std::array{4, 4, 3}, {3, 5, 3}, {4, 5, 61}, {2, 9, 17}}) {
    const oracle::AllSubsets truth(rows, cols);
    const int every = EXHAUSTIVE ? 1 : QUICK ? 64 * step : step;
    for (std::uint64_t free = 0; free < truth.size(); free += static_cast<std::uint64_t>(every))
      check_position(truth, board_of(rows, cols, free), small_table());
  }
}

// A few runs of free squares, some of them over a seam. There each player soon has only moves that the other cannot
// prevent, and on a ring one of those may waste two squares.
TEST(search_names_winning_moves_on_sparse_rings_and_rectangles) {
  std::mt19937_64 random(6);
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  for (int round = 0; round < (QUICK ? 2'000 : 100'000); ++round) {
    const int rows = 1 + below(7), cols = 1 + below(7);
    const auto topology = static_cast<Topology>(below(4));
    Board board = Board::empty(rows, cols, topology);
    board.free = {};
    while (board.free.count() < std::min(rows * cols / 2, 12)) {
      int row = below(rows), col = below(cols);
      const bool down = below(2);
      for (int left = 1 + below(6); left > 0 && board.free.count() < 14; --left) {
        board.free.set(board.square(row, col));
        (down ? row : col) += 1;
        row %= rows, col %= cols;
      }
      if (!below(3)) break;
    }
    oracle::Position truth(rows, cols, board.wraps_cols(), board.wraps_rows());
    check_position(truth, board, small_table());
  }
}

TEST(search_agrees_with_the_oracle_on_dense_positions) {
  std::mt19937_64 random(6);
  for (const auto topology : {Topology::RECTANGLE, Topology::HCYLINDER, Topology::VCYLINDER, Topology::TORUS})
    for (const auto& [rows, cols] : {std::pair{2, 5}, {3, 3}, {3, 5}, {4, 4}, {5, 5}, {5, 6}, {2, 15}, {3, 11}}) {
      const Board empty = Board::empty(rows, cols, topology);
      oracle::Position truth(rows, cols, empty.wraps_cols(), empty.wraps_rows());
      if (rows * cols <= 16) check_position(truth, empty, small_table());
      for (int round = 0; round < (QUICK ? 5 : 60); ++round)
        check_position(truth,
                       board_of(rows, cols, random_squares(random, rows * cols, std::min(rows * cols, 18)), topology),
                       small_table());
    }
}

TEST(search_gives_the_same_answers_with_every_setting) {
  std::mt19937_64 random(7);
  oracle::Position truth(5, 5);
  for (const ObsequiSettings& settings : variants())
    for (int round = 0; round < (QUICK ? 3 : 40); ++round)
      check_position(truth, board_of(5, 5, random_squares(random, 25, 20)), settings);
}

// The same position in a corner of boards that need 128 and 256 bits.
TEST(search_agrees_for_every_word) {
  std::mt19937_64 random(8);
  for (int round = 0; round < (QUICK ? 5 : 60); ++round) {
    const Board small = board_of(4, 6, random_squares(random, 24, 20));
    for (const auto& [rows, cols] : {std::pair{9, 12}, {13, 14}, {16, 16}}) {
      Board large = Board::empty(rows, cols);
      large.free = {};
      for_each(small.free, [&](int square) { large.free.set(large.square(square / 6, square % 6)); });
      for (const Player first : {Player::V, Player::H})
        CHECK(obsequi_search(large, first, small_table(), {}).verdict ==
              obsequi_search(small, first, small_table(), {}).verdict);
    }
  }
}
