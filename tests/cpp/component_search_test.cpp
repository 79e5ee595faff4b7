// The component search agrees with trying everything.
#include "domineering/search/component_search.hpp"

#include <chrono>
#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "domineering/search/component_position.hpp"
#include "domineering/search/component_table.hpp"
#include "domineering/search/cut.hpp"
#include "oracle.hpp"

using namespace zermelo;

namespace {

ComponentOptions small_options() {
  ComponentOptions options;
  options.memory = std::size_t{1} << 26;
  return options;
}

}  // namespace

TEST(bounds_of_positions_are_sound_on_every_subset_of_small_boards) {
  for (const auto& [rows, cols] : {std::pair{4, 5}, {5, 4}, {3, 6}, {2, 9}}) {
    const oracle::AllSubsets truth(rows, cols);
    // Tables of all sizes, such small ones that most patterns have to be cut, and the same with wide ones beside them.
    for (const auto& [squares, wide] : {std::pair{20, 0}, {8, 0}, {8, 1 << 20}}) {
      const auto tables = StripTables::load(
          {rows, cols, std::size_t{1} << 26, squares, MAX_STRIP_HEIGHT, static_cast<std::size_t>(wide)});
      PartStack stack;
      long claims = 0, undecided = 0, wrong = 0;
      for (std::uint64_t mask = 0; mask < truth.size(); mask += QUICK ? 61 : 1) {
        ComponentPosition position;
        add_parts(position, lines_of(rows, cols, mask), rows, stack, *tables);
        for (const Player player : {Player::V, Player::H}) {
          const bool first = truth.wins(mask, static_cast<int>(player));
          const bool second = !truth.wins(mask, static_cast<int>(other(player)));
          const MoveSum sum = position.sum_for(player);
          const bool says_first = sum.margin_first() >= 0, says_second = sum.margin_second() >= 0;
          wrong += (says_first && !first) + (says_second && !second);
          claims += says_first + says_second;
          undecided += (first && !says_first) + (second && !says_second);
        }
        stack.shrink(0);
      }
      CHECK(wrong == 0);
      CHECK(claims > (squares == 20 ? 30 : wide ? 20 : 4) * undecided);
    }
  }
}

// Runs longer than 16 squares, beside and across each other: lines of 32 bits, strips whose pattern does not fit, and
// keys of long parts.
TEST(search_agrees_with_the_oracle_on_boards_with_sides_over_16) {
  std::mt19937_64 random(17);
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  for (const auto& [rows, cols] : {std::pair{2, 17}, {2, 32}, {3, 18}, {3, 21}, {17, 3}, {32, 2}}) {
    ComponentOptions options = small_options();
    options.tall = random() % 2;
    options.always_flexible = random() % 2;
    ComponentSearch search(rows, cols, options);
    const bool is_wide = cols > rows;
    const int length = is_wide ? cols : rows, width = is_wide ? rows : cols;
    oracle::Position truth(rows, cols);
    for (int round = 0; round < (QUICK ? 2 : 15); ++round) {
      std::uint64_t free = 0;
      const int full = below(width), begin = below(3);
      for (int at = 0; at < length; ++at)
        for (int line = 0; line < width; ++line)
          if (line == full ? at >= begin && at < begin + 19 && below(20) : !below(9))
            free |= std::uint64_t{1} << (is_wide ? line * cols + at : at * cols + line);
      const Board board = board_of(rows, cols, free);
      for (const Player first : {Player::V, Player::H}) {
        const SearchResult result = search.solve(board, first);
        CHECK(result.verdict == (truth.wins(free, static_cast<int>(first)) ? Verdict::WIN : Verdict::LOSS));
        if (result.verdict != Verdict::WIN) continue;
        const auto move = result.move ? result.move : search.winning_move(board, first);
        CHECK(move && is_legal(board, *move));
        CHECK(!truth.wins(free ^ domino(board, *move).word[0], static_cast<int>(other(first))));
      }
      truth.forget();
    }
  }
}

TEST(moves_that_the_table_names_win) {
  constexpr int ROWS = 4, COLS = 5;
  const oracle::AllSubsets truth(ROWS, COLS);
  // Without strip tables nearly everything is searched.
  ComponentOptions options;
  options.memory = std::size_t{1} << 24;
  options.table_squares = 4;
  ComponentSearch search(ROWS, COLS, options);
  std::mt19937_64 random(13);
  for (int i = 0; i < (QUICK ? 50 : 2000); ++i)
    for (const Player player : {Player::V, Player::H})
      search.solve(board_of(ROWS, COLS, (random() | random()) & ((1u << (ROWS * COLS)) - 1)), player);
  PartStack stack;
  long named = 0, wrong = 0;
  for (std::uint64_t mask = 0; mask < truth.size(); ++mask) {
    stack.shrink(0);
    ComponentPosition position;
    add_parts(position, lines_of(ROWS, COLS, mask), ROWS, stack, search.tables());
    for (const Player player : {Player::V, Player::H}) {
      const ComponentTable::Known known = search.table().find(key_of(position, player));
      const auto move = numbered_move(position, player, known.move);
      if (!move) continue;
      ++named;
      std::uint64_t after = mask;
      for (int i = 0; i < 2; ++i)
        after ^= player == Player::V ? std::uint64_t{1} << ((move->line + i) * COLS + move->bit)
                                     : std::uint64_t{1} << (move->bit * COLS + move->line + i);
      wrong += known.verdict != Verdict::WIN || (after & ~mask) || truth.wins(after, static_cast<int>(other(player)));
    }
  }
  CHECK(named > 1000 && wrong == 0);
}

TEST(component_search_agrees_with_the_oracle_on_subsets_of_4x5) {
  const oracle::AllSubsets truth(4, 5);
  struct Setting {
    int squares, wide = 0, threads = 1;
    bool bends = false;  // as searches of 9x9 do, which take smaller boards too
  };
  // Most without the tables that know these boards at once, so that there is something to search.
  for (const Setting& setting :
       {Setting{6}, {6, 1 << 20}, {12}, {24}, {6, 0, 3}, {6, 0, 1, true}, {12, 0, 1, true}, {6, 1 << 20, 1, true}}) {
    ComponentOptions options = small_options();
    options.table_squares = setting.squares;
    options.wide_patterns = setting.wide;
    options.threads = setting.threads;
    options.tall = !setting.bends;
    ComponentSearch search = setting.bends ? ComponentSearch(9, 9, options) : ComponentSearch(4, 5, options);
    long wrong = 0;
    const std::uint64_t step = setting.threads > 1 ? (EXHAUSTIVE ? 101 : 4001) : EXHAUSTIVE ? 1 : QUICK ? 1009 : 41;
    for (std::uint64_t mask = 0; mask < truth.size(); mask += step)
      for (const Player first : {Player::V, Player::H}) {
        const Verdict verdict = search.solve(board_of(4, 5, mask), first).verdict;
        wrong += (verdict == Verdict::WIN) != truth.wins(mask, static_cast<int>(first));
      }
    CHECK(wrong == 0);
  }
}

// What the table knows is answered at once, also with a move to show. (Once naming a move asked each reply for a move
// of its own, and so on: 60 seconds for what takes less than one.)
TEST(component_search_names_moves_of_known_positions_at_once) {
  const Board board = board_of(QUICK ? "6x8" : "7x9");
  ComponentSearch search(board.rows, board.cols, small_options());
  Limits limits;
  limits.seconds = 10;
  for (const Move& first : legal_moves(board, Player::V)) {
    Board child = board;
    play(child, first);
    if (search.solve(child, Player::H).verdict != Verdict::WIN) continue;
    const auto start = std::chrono::steady_clock::now();
    const SearchResult again = search.solve(child, Player::H, limits);
    limits.seconds -= std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CHECK(again.verdict == Verdict::WIN);
    CHECK(again.move || strip_witness(child, Player::H, Player::H, search.tables()));
    if (QUICK || limits.seconds < 0) break;
  }
  CHECK(limits.seconds > 0);
}

TEST(component_search_with_threads_or_a_tiny_table_gives_the_same_answers) {
  ComponentOptions options;
  for (const int threads : {1, 2})
    for (const int megabytes : {1, 64})
      for (const char* spec : {"6x8", QUICK ? "5x8" : "7x9"}) {
        options.threads = threads;
        options.memory = std::size_t(megabytes) << 20;
        const Board board = board_of(spec);
        CHECK(ComponentSearch(board.rows, board.cols, options).solve(board, Player::V).verdict == Verdict::LOSS);
      }
}
