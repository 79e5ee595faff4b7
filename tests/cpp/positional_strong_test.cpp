// The strong-game search against plain minimax, on small boards, random positions and random hypergraphs.
#include "check.hpp"
#include "positional/search/strong.hpp"
#include "positional_oracle.hpp"

using namespace zermelo;
using namespace zermelo::positional;
using oracle::Mask;
using oracle::Random;

namespace {

std::vector<Mask> masks(const Hypergraph& graph) {
  std::vector<Mask> result;
  for (const VertexSet& edge : graph.edges) result.push_back(edge.word[0]);
  return result;
}

int check_positions(const Hypergraph& graph, Random& random, int count) {
  const Game<1> game(graph);
  oracle::Markings oracle(graph.vertices, masks(graph), true);
  const auto search = StrongSearch<1>::make(game, 1 << 16);  // one table for all positions and both attackers
  int yes = 0;
  for (int i = 0; i < count; ++i) {
    Bits<1> side[2];
    const int marks = static_cast<int>(random.below(static_cast<std::uint32_t>(graph.vertices)));
    for (int placed = 0; placed < marks;) {
      const int v = static_cast<int>(random.below(static_cast<std::uint32_t>(graph.vertices)));
      if (side[0].test(v) || side[1].test(v)) continue;
      side[placed & 1].set(v);
      ++placed;
    }
    bool over = false;
    for (Mask edge : masks(graph)) over = over || !(edge & ~side[0].word[0]) || !(edge & ~side[1].word[0]);
    if (over) continue;
    // The attacker is either player; `marks` even: the owner of side[0] moves.
    const int attacker = static_cast<int>(random.below(2));
    const bool to_move = (marks % 2 == 0) == (attacker == 0);
    const StrongResult found = search->solve(side[attacker], side[1 - attacker], to_move, {});
    const Mask own = side[attacker].word[0], other = side[1 - attacker].word[0];
    const bool truth = oracle.wins(own, other, to_move);
    CHECK(found.answer == (truth ? StrongAnswer::YES : StrongAnswer::NO));
    if (truth != to_move) CHECK(found.move < 0);
    if (found.move >= 0 && to_move) CHECK(oracle.wins(own | Mask{1} << found.move, other, false));
    if (found.move >= 0 && !to_move) CHECK(!oracle.wins(own, other | Mask{1} << found.move, true));
    yes += truth;
  }
  return yes;
}

StrongAnswer first_wins(int m, int n, int k) {
  const Game<1> game(make_mnk(m, n, k));
  return StrongSearch<1>::make(game, 1 << 26)->solve({}, {}, true, {}).answer;
}

}  // namespace

// Every board up to 4 x 4 with k up to 4; the 4 x 4 boards have 3^16 markings and run with ZERMELO_EXHAUSTIVE=1 only.
TEST(strong_search_agrees_with_minimax_on_every_small_board) {
  Random random(13);
  int yes = 0;
  const int most = EXHAUSTIVE ? 16 : 12;
  for (int m = 1; m <= 4; ++m)
    for (int n = 1; n <= m && m * n <= most; ++n)
      for (int k = 1; k <= 4; ++k) {
        const Hypergraph graph = make_mnk(m, n, k);
        const bool truth = oracle::Markings(graph.vertices, masks(graph), true).wins(0, 0, true);
        CHECK(first_wins(m, n, k) == (truth ? StrongAnswer::YES : StrongAnswer::NO));
        if (m * n <= 12) yes += check_positions(graph, random, 500);
      }
  CHECK(yes > 500);
}

TEST(strong_search_agrees_with_minimax_on_random_hypergraphs) {
  Random random(12);
  int yes = 0;
  for (int i = 0; i < 600; ++i) {
    const int vertices = 4 + static_cast<int>(random.below(6));
    const Hypergraph graph = make_hypergraph(vertices, oracle::random_edges(random, vertices));
    yes += check_positions(graph, random, 12);
  }
  CHECK(yes > 500);
}
