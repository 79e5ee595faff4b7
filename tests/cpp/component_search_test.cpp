// The component search agrees with trying everything.
#include "search/component_search.hpp"

#include <cstdlib>
#include <random>

#include "board/spec.hpp"
#include "check.hpp"
#include "strip_oracle.hpp"

using namespace zermelo;

namespace {

const bool EXHAUSTIVE = std::getenv("ZERMELO_EXHAUSTIVE") != nullptr;

ComponentOptions small_options() {
  ComponentOptions options;
  options.memory = std::size_t{1} << 26;
  return options;
}

Board board_of(int rows, int cols, std::uint64_t mask) {
  Board board = Board::empty(rows, cols);
  board.free = Bits<4>(mask);
  return board;
}

char winner(const SearchResult& result, Player first) {
  if (result.verdict == Verdict::UNKNOWN) return '?';
  return letter(result.verdict == Verdict::WIN ? first : other(first));
}

}  // namespace

TEST(component_search_agrees_with_the_oracle_on_subsets_of_4x5) {
  const auto truth = oracle::all_subsets(4, 5);
  // Without the tables that know these boards at once, so that there is something to search.
  ComponentOptions options = small_options();
  for (const int squares : {6, 12, 24}) {
    options.table_squares = squares;
    ComponentSearch search(4, 5, options);
    long wrong = 0;
    std::uint64_t nodes = 0;
    for (std::uint64_t mask = 0; mask < truth.size(); mask += EXHAUSTIVE ? 1 : 41) {
      const Board board = board_of(4, 5, mask);
      for (const Player first : {Player::V, Player::H}) {
        const SearchResult result = search.solve(board, first);
        nodes += result.nodes;
        wrong += (result.verdict == Verdict::WIN) != bool(truth[mask] & (first == Player::V ? 1 : 2));
      }
    }
    std::printf("     tables of %d squares: %lu nodes, %ld wrong\n", squares, static_cast<unsigned long>(nodes), wrong);
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
    const Board board = parse_spec(known.spec).board();
    ComponentSearch search(board.rows, board.cols, small_options());
    CHECK(winner(search.solve(board, Player::V), Player::V) == known.v_first);
    CHECK(winner(search.solve(board, Player::H), Player::H) == known.h_first);
  }
}
