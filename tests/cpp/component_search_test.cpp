// The component search agrees with trying everything.
#include "domineering/search/component_search.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <random>
#include <set>
#include <stdexcept>

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

char winner(const SearchResult& result, Player first) {
  if (result.verdict == Verdict::UNKNOWN) return '?';
  return letter(result.verdict == Verdict::WIN ? first : other(first));
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
      std::printf("     %dx%d, tables of %d squares%s: %ld claims, %ld undecided, %ld wrong\n", rows, cols, squares,
                  wide ? " and wide ones" : "", claims, undecided, wrong);
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

TEST(strips_with_more_columns_than_a_pattern_are_missing) {
  const auto tables = StripTables::load({5, 24, std::size_t{1} << 26, 12});
  for (int height = 2; height <= MAX_STRIP_HEIGHT; ++height)
    for (const int last : {pattern_columns(height) - 1, pattern_columns(height)}) {
      if (last >= MAX_LINES) continue;
      Lines lines{};
      std::fill_n(lines.begin(), height, Line{3} | Line{1} << last);
      StripPatterns patterns;
      patterns.build(lines.data(), height);
      StripEntries entries;
      StripPatterns::Ranges strip;
      patterns.find_all(entries, strip, *tables);
      const bool is_wide = last == pattern_columns(height);
      CHECK(is_missing(strip[height][0]) == is_wide);
      CHECK(is_missing(patterns.find_without<2>(1, 0, height, 0, *tables, entries)) == is_wide);
      CHECK(is_missing(entries.find(lines.data(), height, *tables)) == is_wide);
    }
}

TEST(what_a_move_leaves_equals_the_position_split_anew) {
  std::mt19937_64 random(11);
  constexpr int ROWS = 6, COLS = 7;
  const auto tables = StripTables::load({ROWS, COLS, std::size_t{1} << 26, 12});
  PartStack stack;
  int moves = 0, wrong = 0;
  for (int round = 0; round < (QUICK ? 20 : 300); ++round) {
    Lines rows{};
    for (std::size_t r = 0; r < ROWS; ++r) rows[r] = static_cast<Line>((random() | random()) & ((1u << COLS) - 1));
    stack.shrink(0);
    ComponentPosition whole;
    add_parts(whole, rows, ROWS, stack, *tables);
    const std::size_t mark = stack.size();
    for (int k = 0; k < whole.count; ++k)
      for (const Player player : {Player::V, Player::H}) {
        const Part& part = *whole.part[k];
        each_domino(part.lines[index_of(player)], [&](int line, int bit) {
          ComponentPosition left, fresh;
          add_rest_of(part, player, line, bit, left, ROWS, stack, *tables);
          add_parts(fresh, toggled(part.lines[0], player, line, bit), ROWS, stack, *tables);
          wrong += left.number != fresh.number || left.count != fresh.count ||
                   key_of(left, player).bytes != key_of(fresh, player).bytes;
          for (const Player who : {Player::V, Player::H})
            wrong += left.sum_for(who).margin_first() != fresh.sum_for(who).margin_first() ||
                     left.sum_for(who).margin_second() != fresh.sum_for(who).margin_second();
          ++moves;
          stack.shrink(mark);
        });
      }
  }
  CHECK(moves > (QUICK ? 200 : 3000));
  CHECK(wrong == 0);
}

TEST(moves_have_the_same_number_in_every_image) {
  std::mt19937_64 random(12);
  constexpr int ROWS = 6, COLS = 7;
  const auto tables = StripTables::load({ROWS, COLS, std::size_t{1} << 26, 12});
  PartStack stack;
  // The key of what a move leaves; it does not say which of several equal moves it was.
  const auto key_after = [&](const Lines& rows, Player player, const LineMove& move) {
    const Lines after = toggled(rows, player, move.line, move.bit);
    for (std::size_t r = 0; r < ROWS; ++r) CHECK((after[r] & ~rows[r]) == 0);
    const std::size_t mark = stack.size();
    ComponentPosition left;
    add_parts(left, after, ROWS, stack, *tables);
    const ComponentKey key = key_of(left, player);
    stack.shrink(mark);
    return key.bytes;
  };
  int moves = 0;
  for (int round = 0; round < (QUICK ? 20 : 300); ++round) {
    std::array<Lines, 4> image{};
    for (std::size_t r = 0; r < ROWS; ++r) {
      const auto row = static_cast<Line>((random() | random()) & ((1u << COLS) - 1));
      Line back = 0;
      for (int c = 0; c < COLS; ++c) back |= (row >> c & 1u) << (COLS - 1 - c);
      image[0][r] = image[1][ROWS - 1 - r] = row;
      image[2][r] = image[3][ROWS - 1 - r] = back;
    }
    stack.shrink(0);
    std::array<ComponentPosition, 4> position;
    for (std::size_t k = 0; k < 4; ++k) add_parts(position[k], image[k], ROWS, stack, *tables);
    for (const Player player : {Player::V, Player::H}) {
      std::set<int> numbers;
      int count = 0;
      for (int k = 0; k < position[0].count; ++k)
        each_domino(position[0].part[k]->lines[index_of(player)], [&](int line, int bit) {
          ++count;
          const int number = move_number(position[0], player, {line, bit});
          numbers.insert(number);
          for (std::size_t other = 0; other < 4; ++other) {
            const auto move = numbered_move(position[other], player, number);
            CHECK(move && key_after(image[other], player, *move) == key_after(image[0], player, {line, bit}));
          }
        });
      moves += count;
      CHECK(static_cast<int>(numbers.size()) == count && !numbers.count(0));
      CHECK(!numbered_move(position[0], player, 0) && !numbered_move(position[0], player, count + 1));
    }
  }
  CHECK(moves > 100);
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
  std::printf("     %ld moves named by the table, %ld wrong\n", named, wrong);
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
    std::uint64_t nodes = 0;
    const std::uint64_t step = setting.threads > 1 ? (EXHAUSTIVE ? 101 : 4001) : EXHAUSTIVE ? 1 : QUICK ? 1009 : 41;
    for (std::uint64_t mask = 0; mask < truth.size(); mask += step)
      for (const Player first : {Player::V, Player::H}) {
        const SearchResult result = search.solve(board_of(4, 5, mask), first);
        nodes += result.nodes;
        wrong += (result.verdict == Verdict::WIN) != truth.wins(mask, static_cast<int>(first));
      }
    std::printf("     tables of %d squares: %lu nodes, %ld wrong\n", setting.squares, static_cast<unsigned long>(nodes),
                wrong);
    CHECK(wrong == 0);
  }
}

TEST(component_search_solves_the_published_boards) {
  struct Known {
    const char* spec;
    char v_first, h_first;
  };
  // Bullock, "Domineering: solving large combinatorial search spaces".
  for (const Known& known : {Known{"6x6", 'V', 'H'},
                             {"6x7", 'V', 'V'},
                             {"6x8", 'H', 'H'},
                             {"7x7", 'V', 'H'},
                             {"7x8", 'H', 'H'},
                             {"7x9", 'H', 'H'},
                             {"8x8", 'V', 'H'},
                             {"5x9", 'H', 'H'}}) {
    const Board board = board_of(known.spec);
    if (QUICK && board.rows * board.cols > 56) continue;
    ComponentSearch search(board.rows, board.cols, small_options());
    CHECK(winner(search.solve(board, Player::V), Player::V) == known.v_first);
    CHECK(winner(search.solve(board, Player::H), Player::H) == known.h_first);
  }
}

TEST(component_search_names_a_move_that_wins) {
  const oracle::AllSubsets truth(4, 4);
  ComponentOptions options = small_options();
  options.table_squares = 6;
  ComponentSearch search(4, 4, options);
  int moves = 0;
  for (std::uint64_t mask = 0; mask < truth.size(); mask += QUICK ? 97 : 3)
    for (const Player first : {Player::V, Player::H}) {
      const Board board = board_of(4, 4, mask);
      const SearchResult result = search.solve(board, first);
      if (result.verdict != Verdict::WIN) continue;
      std::optional<Move> move = result.move;
      if (!move) {  // a bound decided, and must be able to say why
        CHECK(strip_witness(board, first, first, search.tables()));
        move = search.winning_move(board, first);
      }
      CHECK(move.has_value());
      if (!move) continue;
      CHECK(is_legal(board, *move));
      Board child = board;
      play(child, *move);
      CHECK(!truth.wins(child.free.word[0], static_cast<int>(other(first))));
      ++moves;
    }
  CHECK(moves > (QUICK ? 100 : 1000));
}

// What the table knows is answered at once, also with a move to show. (Once naming a move asked each reply for a move
// of its own, and so on: 60 seconds for what takes less than one.)
TEST(component_search_names_moves_of_known_positions_at_once) {
  const Board board = board_of("7x9");
  ComponentSearch search(7, 9, small_options());
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

TEST(component_search_counts_the_same_nodes_again_after_clear) {
  const Board board = board_of("6x8");
  ComponentSearch search(6, 8, small_options());
  const SearchResult once = search.solve(board, Player::V);
  search.clear();
  const SearchResult again = search.solve(board, Player::V);
  CHECK(once.nodes > 100);
  CHECK(once.nodes == again.nodes && once.evaluations == again.evaluations);
  CHECK(search.solve(board, Player::V).nodes == 1);  // the table remembers
}

TEST(component_search_with_threads_or_a_tiny_table_gives_the_same_answers) {
  ComponentOptions options;
  for (const int threads : {1, 2})
    for (const int megabytes : {1, 64})
      for (const char* spec : {"6x8", "7x9"}) {
        options.threads = threads;
        options.memory = std::size_t(megabytes) << 20;
        const Board board = board_of(spec);
        CHECK(winner(ComponentSearch(board.rows, board.cols, options).solve(board, Player::V), Player::V) == 'H');
      }
}

TEST(component_search_says_unknown_when_a_limit_is_reached) {
  const Board board = board_of("10x10");
  for (const int threads : {1, 2}) {
    ComponentOptions options = small_options();
    options.threads = threads;
    ComponentSearch search(10, 10, options);
    Limits limits;
    limits.nodes = 500;
    SearchResult result = search.solve(board, Player::V, limits);
    CHECK(result.verdict == Verdict::UNKNOWN && result.stopped == StopReason::NODES);
    CHECK(result.nodes >= 500 && result.nodes < 4000);
    limits = {};
    limits.seconds = 0.05;
    int reports = 0;
    limits.on_progress = [&](const Progress& progress) { reports += progress.nodes > 0; };
    result = search.solve(board, Player::V, limits);
    CHECK(result.verdict == Verdict::UNKNOWN && result.stopped == StopReason::TIME);
    limits = {};
    const std::atomic<bool> cancel = true;
    limits.cancel = &cancel;
    result = search.solve(board, Player::V, limits);
    CHECK(result.verdict == Verdict::UNKNOWN && result.stopped == StopReason::CANCELLED);
  }
}

// No table of this size is there yet, and none is kept on disk.
TEST(limits_hold_while_strip_tables_are_built) {
  setenv("ZERMELO_CACHE", "/proc/no-such-folder", 1);
  const Board board = board_of("3x8");
  ComponentSearch search(3, 8);
  const std::atomic<bool> cancel = true;
  Limits limits;
  limits.cancel = &cancel;
  SearchResult result = search.solve(board, Player::V, limits);
  CHECK(result.verdict == Verdict::UNKNOWN && result.stopped == StopReason::CANCELLED && result.nodes == 0);
  limits = {};
  limits.seconds = 0.01;
  result = search.solve_alone(board, Player::V, limits);
  CHECK(result.verdict == Verdict::UNKNOWN && result.stopped == StopReason::TIME && result.nodes == 0);
}

TEST(component_search_refuses_what_it_cannot_do) {
  const auto refused = [](auto&& call) { return throws<std::invalid_argument>(call); };
  CHECK(refused([] { ComponentSearch(33, 2); }));
  CHECK(refused([] { ComponentSearch(2, 33); }));
  ComponentOptions none = small_options();
  none.threads = 0;
  CHECK(refused([&] { ComponentSearch(4, 4, none); }));
  ComponentSearch search(4, 4, small_options());
  CHECK(refused([&] { search.solve(Board::empty(4, 5), Player::V); }));
  CHECK(refused([&] { search.solve(Board::empty(4, 4, Topology::TORUS), Player::V); }));
}
