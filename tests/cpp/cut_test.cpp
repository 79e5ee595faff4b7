// Cuts, straight and bent: the bounds claim nothing that is not so, and their witness adds up.
#include "domineering/search/cut.hpp"

#include <algorithm>
#include <random>
#include <span>

#include "boards.hpp"
#include "check.hpp"
#include "domineering/search/component_position.hpp"
#include "oracle.hpp"

using namespace zermelo;

namespace {

constexpr std::size_t MEMORY = std::size_t{1} << 26;  // enough for 4x5 and 3x7, not for 4x6

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

// Whether the bound says that the player wins; then the pieces cover the board and add up.
bool has_witness(const Board& board, Player player, Player to_move, const StripTables& tables) {
  const auto found = strip_witness(board, player, to_move, tables);
  if (!found) return false;
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
  return true;
}

// `truth.wins(mask, player)` says who wins; a square is bit row * cols + col of a mask.
template <class Truth>
class Claims {
 public:
  Claims(int rows, int cols, int squares, Truth& truth)
      : rows_(rows), cols_(cols), tables_(StripTables::load({rows, cols, MEMORY, squares})), truth_(truth) {}

  // All that the cuts of a position say: of itself, and of what each move leaves.
  void compare(std::uint64_t mask) {
    ComponentPosition position;
    add_parts(position, lines_of(rows_, cols_, mask), rows_, stack_, *tables_);
    for (const Player player : {Player::V, Player::H}) {
      const MoveSum straight = position.sum_for(player);
      for (int k = 0; k < position.count; ++k) moves_in(position, k, player, mask);
      const MoveSum sum = position.sum_for(player);  // knows of the bent cuts now
      claim(sum.margin_first(), straight.margin_first(), mask, player, player);
      claim(sum.margin_second(), straight.margin_second(), mask, player, other(player));
      check_cut(position, player, sum);
      if (mask % 7) continue;
      const Board board = board_of(rows_, cols_, mask);
      for (const bool first : {false, true}) {
        const bool says = has_witness(board, player, first ? player : other(player), *tables_);
        CHECK(says == (first ? sum.still.margin_first() >= 0 : sum.margin_second() >= 0));
      }
    }
    stack_.shrink(0);
  }
  long claims = 0, wrong = 0, more = 0;  // more: what no straight cut says

 private:
  void claim(int margin, int straight, std::uint64_t mask, Player winner, Player to_move) {
    if (margin < 0) return;
    ++claims;
    more += straight < 0;
    wrong += truth_.wins(mask, static_cast<int>(to_move)) != (winner == to_move);
  }
  // The cut that is found has the margin of the bound, its strips have every square once, and no run is in two of them.
  void check_cut(const ComponentPosition& position, Player player, const MoveSum& sum) {
    CutFinder finder;
    const std::span<Part* const> parts(position.part.data(), static_cast<std::size_t>(position.count));
    const int number = position.number_for(player);
    CHECK(finder.find(parts, player, StripSum::needs().plus(number)) == sum.margin_second());
    CHECK(finder.find(parts, player, MoveSum::needs().plus(number)) == sum.margin_first());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (finder.of(k).empty()) continue;
      const Lines lines = parts[k]->cornered(player);
      Lines seen{};
      for (const CutStrip& strip : finder.of(k))
        for (int i = strip.start; i < strip.end(); ++i) {
          const unsigned here = strip.line(i), beside = here << 1 | here >> 1;
          CHECK(!(here & seen[i]) && !(beside & lines[i] & ~here));
          seen[i] |= static_cast<Line>(here);
        }
      CHECK(seen == lines);
    }
  }
  void moves_in(const ComponentPosition& position, int k, Player player, std::uint64_t mask) {
    Part& part = *position.part[k];
    const StripProfile& profile = part.profile(player);
    const BentProfile* cut = part.bent(player);
    if (!cut) return;
    const int number = position.number_for(player);
    const MoveSum rest = position.sum_for(player, k).plus(-number);
    const MoveSum* others = position.count > 1 ? &rest : nullptr;
    StripProfile::Behind behind = profile.behind();
    if (others)
      for (int i = 0; i <= profile.count(); ++i) behind.best[i][0] = behind.best[i][0].plus(rest);
    BentProfile::Behind bent;
    cut->find_behind(others ? MoveSum::needs().plus(rest) : MoveSum::needs(), bent);
    for (const Player mover : {Player::V, Player::H}) {
      const std::size_t m = index_of(mover);
      each_domino(part.lines[m], [&](int line, int bit) {
        const std::uint64_t domino = mover == Player::V
                                         ? (std::uint64_t{1} | std::uint64_t{1} << cols_) << (line * cols_ + bit)
                                         : std::uint64_t{3} << (bit * cols_ + line);
        const int a = line - part.first[m], b = bit - part.first[1 - m];
        if (mover == player)
          claim(cut->across(a, b, bent, -number) + number, profile.across(a, b, behind) + number, mask & ~domino,
                player, other(player));
        else
          claim(cut->along(b, a, bent, -number) + number, profile.along(b, a, behind) + number, mask & ~domino, player,
                player);
      });
    }
  }

  int rows_, cols_;
  std::shared_ptr<const StripTables> tables_;
  PartStack stack_;
  Truth& truth_;
};

void check_all_subsets(int rows, int cols, int squares, std::uint64_t step) {
  const oracle::AllSubsets truth(rows, cols);
  Claims claims(rows, cols, squares, truth);
  for (std::uint64_t mask = 0; mask < truth.size(); mask += step) claims.compare(mask);
  CHECK(claims.wrong == 0 && claims.more > 0);
}

}  // namespace

// With small tables, so that there is something to cut.
TEST(flexible_cuts_are_sound_on_subsets_of_small_boards) {
  for (const auto& [rows, cols] : {std::pair{4, 5}, {5, 4}})
    for (const int squares : {6, 9}) check_all_subsets(rows, cols, squares, EXHAUSTIVE ? 1 : QUICK ? 211 : 11);
  if (!EXHAUSTIVE) return;
  for (const int squares : {6, 10, 15}) check_all_subsets(5, 5, squares, 7);
}

TEST(flexible_cuts_are_sound_on_random_positions) {
  std::mt19937_64 random(17);
  for (const auto& [rows, cols] : {std::pair{5, 6}, {6, 6}}) {
    oracle::Position truth(rows, cols);
    Claims claims(rows, cols, 12, truth);
    for (int i = 0; i < (EXHAUSTIVE ? 20'000 : QUICK || rows == cols ? 3 : 40); ++i) {
      // Three squares of four, as in the middle of a game.
      claims.compare((random() | random()) & ((std::uint64_t{1} << (rows * cols)) - 1));
      if (truth.size() > 20'000'000) truth.forget();
    }
    CHECK(claims.wrong == 0);
  }
}

TEST(strip_witness_covers_the_board_and_adds_up) {
  std::mt19937_64 random(5);
  const auto tables = StripTables::load({7, 8, MEMORY});
  for (int i = 0; i < 300; ++i) {
    const Board board = board_of(7, 8, random() | random());
    for (const Player player : {Player::V, Player::H})
      for (const Player to_move : {Player::V, Player::H}) has_witness(board, player, to_move, *tables);
  }
  for (const char* spec : {"7x8", "8x9", "6x9", "2x5", "4x12", "1x20", "20x1", "2x40", "40x2", "5x30"}) {
    const Board board = board_of(spec);
    const auto own = StripTables::load({board.rows, board.cols, MEMORY});
    for (const Player player : {Player::V, Player::H})
      for (const Player to_move : {Player::V, Player::H}) has_witness(board, player, to_move, *own);
  }
}

TEST(strip_bound_decides_the_boards_that_need_no_search) {
  const auto wins = [](const char* spec, Player player, Player to_move) {
    const Board board = board_of(spec);
    return has_witness(board, player, to_move, *StripTables::load({board.rows, board.cols, MEMORY}));
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
