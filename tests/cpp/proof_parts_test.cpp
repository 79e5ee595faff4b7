// The parts of the certificate writer: components after a move, and which positions may be referred to.
#include <algorithm>
#include <random>

#include "check.hpp"
#include "domineering/proof/cut_writer.hpp"
#include "domineering/proof/known_positions.hpp"
#include "domineering/proof/normal_form.hpp"
#include "domineering/proof/position.hpp"
#include "oracle.hpp"

using namespace zermelo;
using namespace zermelo::proof;

namespace {

constexpr int SIDE = 16;  // of the boards

Board board_with(const Lines& rows) { return with_rows(Board::empty(SIDE, SIDE), rows); }

// Compares with the components of a board. component(i) is the i-th of `count`; its rows are the lines of the player.
template <class ComponentAt>
bool is_true_split(const Lines& rows, Player player, std::size_t count, ComponentAt&& component) {
  const std::vector<Bits<4>> truth = components(board_with(rows));
  if (truth.size() != count) return false;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const Component& c = component(i);
    Board board = board_with(rows);
    board.free = truth[i];
    for (const Player who : {player, other(player)}) {
      const std::size_t p = index_of(who);
      const Lines lines = rows_of(who == player ? board : transposed(board));
      const auto is_free = [](Line line) { return line != 0; };
      const auto first = std::find_if(lines.begin(), lines.end(), is_free);
      const auto last = std::find_if(lines.rbegin(), lines.rend(), is_free);
      if (c.lines[p] != lines || c.first[p] != first - lines.begin() || c.count[p] != last.base() - first) return false;
    }
  }
  return true;
}

Lines random_lines(std::mt19937& random, int rows, int cols, std::uint_fast32_t density) {
  Lines lines{};
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col)
      if (random() % 8 < density) lines[row] |= 1u << col;
  return lines;
}

}  // namespace

TEST(components_are_those_of_the_definition) {
  std::mt19937 random(1);
  std::vector<Component> components;
  for (int i = 0; i < 4000; ++i) {
    const int rows = 1 + static_cast<int>(random() % 16), cols = 1 + static_cast<int>(random() % 16);
    const Lines lines = random_lines(random, rows, cols, 2 + random() % 6);
    for (const Player player : {Player::V, Player::H}) {
      split(lines, player, rows, components);
      CHECK(is_true_split(lines, player, components.size(), [&](std::size_t k) -> auto& { return components[k]; }));
    }
  }
}

TEST(components_after_a_move_are_those_of_the_rest) {
  std::mt19937 random(2);
  const auto tables = StripTables::load({16, 16, std::size_t{1} << 20, 9});
  for (int i = 0; i < 600; ++i) {
    const int rows = 1 + static_cast<int>(random() % 16), cols = 1 + static_cast<int>(random() % 16);
    const Player player = i % 2 ? Player::V : Player::H;
    Position position(player, rows, *tables), next(player, rows, *tables);
    position.start(random_lines(random, rows, cols, 4 + random() % 4));
    for (const bool vertical : {true, false})
      for (const Move& move : legal_moves(board_with(position.rows()), vertical ? Player::V : Player::H)) {
        Board rest = board_with(position.rows());
        play(rest, move);
        next.follow(position, move.row, move.col, vertical);
        CHECK(next.rows() == rows_of(rest));
        CHECK(is_true_split(next.rows(), player, next.terms().size(),
                            [&](std::size_t k) -> const Component& { return *next.terms()[k].part; }));
      }
  }
}

TEST(normal_forms_are_those_of_the_mirror_images_and_of_no_other_shape) {
  std::mt19937 random(3);
  std::vector<Component> components;
  for (int i = 0; i < 2000; ++i) {
    // Boxes that fit a word, and larger ones; room to move them by one.
    const int rows = 2 + static_cast<int>(random() % 14), cols = 2 + static_cast<int>(random() % 14);
    const Lines lines = random_lines(random, rows, cols, 4 + random() % 4);
    const Normal here = normal_form(lines, rows, components);
    for (int image = 0; image < 8; ++image) {
      Lines turned{};
      for_each(board_with(lines).free, [&](int square) {
        const int row = square / SIDE, col = square % SIDE, shift = image >> 2;
        turned[(image & 1 ? rows - 1 - row : row) + shift] |= 1u << ((image & 2 ? cols - 1 - col : col) + shift);
      });
      const Normal there = normal_form(turned, MAX_LINES, components);
      CHECK(there.key == here.key && there.number == here.number);
    }
    // A component with one square less is another.
    split(lines, Player::V, rows, components);
    for (const Component& c : std::vector<Component>(components)) {
      if (c.count[0] < 3 || c.count[1] < 3) continue;
      Lines less = c.lines[0];
      less[c.first[0]] &= less[c.first[0]] - 1;
      CHECK(normal_form(less, rows, components).key != normal_form(c.lines[0], rows, components).key);
    }
  }
}

TEST(what_a_cut_decides_is_a_win) {
  std::mt19937 random(4);
  const int ROWS = QUICK ? 4 : 5, COLS = 5;
  const oracle::AllSubsets truth(ROWS, COLS);
  for (const int squares : {20, 6}) {
    const auto tables = StripTables::load({ROWS, COLS, std::size_t{1} << 26, squares});
    CutWriter cut(Player::V, *tables);
    Position position(Player::V, ROWS, *tables), child(Player::V, ROWS, *tables);
    int answered = 0, alone = 0, won = 0, leaves = 0, wrong = 0, failed = 0;
    for (int i = 0; i < (QUICK ? 8000 : 20000); ++i) {
      const Lines rows = random_lines(random, ROWS, COLS, 4 + random() % 5);
      position.start(rows);
      const Board board = with_rows(Board::empty(ROWS, COLS), rows);
      const std::uint64_t free = board.free.word[0];
      for (const bool first : {false, true}) {
        if (!cut.find(position, first)) continue;
        ++leaves;
        wrong += first ? !truth.wins(free, 0) : truth.wins(free, 1);
      }
      for (const bool nearest : {true, false}) {
        if (nearest) cut.find_nearest(position);
        for (const auto& [loser, row, col] : legal_moves(board, Player::H)) {
          const bool wins = truth.wins(free ^ std::uint64_t{3} << (row * COLS + col), 0);
          const bool says = nearest ? cut.answers(row, col) : cut.find_answer(position, row, col);
          (nearest ? answered : alone) += says;
          won += nearest && wins;
          wrong += says && !wins;
          if (nearest || says) continue;
          child.follow(position, row, col, false);
          if (!cut.has_failed_on(child)) continue;
          ++failed;
          wrong += cut.find(child, true);  // it would have been a leaf
        }
      }
    }
    std::printf(
        "     tables of %d squares: %d leaves; of %d won moves %d answered by one cut, %d by one each; %d wrong\n",
        squares, leaves, won, answered, alone, wrong);
    CHECK(wrong == 0 && (squares == 20 || failed > 1000));
    CHECK(answered > (squares == 20 ? won / 2 : 1000) && alone > answered / 2 && leaves > 1000);
  }
}

TEST(only_what_is_earlier_can_be_referred_to) {
  KnownPositions known(1 << 20);
  const Normal position = {{1, 2}, 5};
  CHECK(known.begin(position, 7, {0, 100}));  // in segment 3, unfinished
  CHECK(!known.refer(position, 6));
  CHECK(known.refer(position, 8));
  known.complete(position, 6, {0, 100});
  CHECK(known.refer(position, 6));
  CHECK(!known.refer(position, 4));
  CHECK(known.refer({{1, 2}, 6}, 6));
  CHECK(!known.refer({{1, 2}, 4}, 6));
  CHECK(!known.refer({{1, 3}, 5}, 6));
}

TEST(marks_that_nobody_needs_are_found) {
  KnownPositions known(1 << 20);
  const Normal high = {{1, 2}, 5}, low = {{1, 2}, 3}, other = {{3, 4}, 0};
  CHECK(known.begin(high, 1, {0, 10}));
  known.complete(high, 0, {0, 10});
  CHECK(known.refer(high, 0));
  CHECK(known.begin(low, 1, {0, 20}));
  known.complete(low, 0, {0, 20});  // better than the first, which is referred to all the same
  CHECK(known.begin(other, 1, {1, 30}));
  const std::vector<Place> unused = {{0, 20}, {1, 30}};
  CHECK(known.unused() == unused);
  CHECK(known.refer(high, 0));  // now by the better one
  CHECK(known.unused() == std::vector<Place>({{1, 30}}));
}

TEST(memory_bounds_what_is_known) {
  KnownPositions known(96 * 2);
  CHECK(known.begin({{1, 1}, 0}, 1, {0, 1}));
  CHECK(known.begin({{2, 2}, 0}, 1, {0, 2}));
  CHECK(!known.begin({{3, 3}, 0}, 1, {0, 3}));
  CHECK(!known.refer({{3, 3}, 0}, 100));
}
