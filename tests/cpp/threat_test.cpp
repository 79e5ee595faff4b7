// Wins by threats against brute force: every claimed win is true, and so is every zone, with extra marks outside it.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "check.hpp"
#include "positional/threat/symmetries.hpp"
#include "positional/threat/threat_solver.hpp"
#include "positional_oracle.hpp"

using namespace zermelo;
using namespace zermelo::positional;
using oracle::Random;
using Cells = oracle::Mask;

namespace {

struct Tally {
  int positions = 0, wins = 0, found[3] = {}, zones = 0;
};

Cells cells_of(const VertexSet& set) { return set.word[0]; }
Cells bit(int cell) { return Cells{1} << cell; }

// Up to three marks more of the defender, each outside its zone: the attacker wins still.
void check_zones(oracle::Markings& oracle, const Zones& zones, Cells own, Cells other, const std::vector<int>& free,
                 bool to_move, Tally& tally) {
  const Cells z[3] = {cells_of(zones.at[0]), cells_of(zones.at[1]), cells_of(zones.at[2])};
  for (const int one : free) {
    if (z[0] >> one & 1) continue;
    CHECK(oracle.wins(own, other | bit(one), to_move));
    ++tally.zones;
    for (const int two : free) {
      if (z[1] >> two & 1 || two == one) continue;
      CHECK(oracle.wins(own, other | bit(one) | bit(two), to_move));
      ++tally.zones;
      for (const int three : free) {
        if (z[2] >> three & 1 || three == one || three == two) continue;
        CHECK(oracle.wins(own, other | bit(one) | bit(two) | bit(three), to_move));
        ++tally.zones;
      }
    }
  }
}

// Random positions of one game with at most `most_free` free cells.
void check_game(const Hypergraph& graph, Random& random, int count, int most_free, Tally& tally) {
  ThreatSolver solver(graph);
  std::vector<Cells> edges;
  for (const VertexSet& edge : graph.edges) edges.push_back(cells_of(edge));
  for (int i = 0; i < count; ++i) {
    const int cells = graph.vertices, least = std::max(0, cells - most_free);
    const int marks =
        least + static_cast<int>(random.below(static_cast<std::uint32_t>(std::max(1, cells - least - 2))));
    // Marks need not fit turns: a pass and extra marks lead to such positions too.
    std::vector<int> side[2], free;
    Cells held[2] = {};
    for (int placed = 0; placed < marks;) {
      const int cell = static_cast<int>(random.below(static_cast<std::uint32_t>(cells)));
      if ((held[0] | held[1]) & bit(cell)) continue;
      const int player = random.below(8) == 0 ? 0 : placed & 1;
      side[player].push_back(cell);
      held[player] |= bit(cell);
      ++placed;
    }
    bool over = false;
    for (const Cells edge : edges) over = over || !(edge & ~held[0]) || !(edge & ~held[1]);
    if (over) continue;
    for (int cell = 0; cell < cells; ++cell)
      if (!((held[0] | held[1]) & bit(cell))) free.push_back(cell);
    oracle::Markings oracle(cells, edges, true, ~(held[0] | held[1]));
    const bool to_move = random.below(3) > 0;
    const bool truth = oracle.wins(held[0], held[1], to_move);
    ++tally.positions;
    tally.wins += truth;
    for (const ThreatLevel level : {ThreatLevel::FOURS, ThreatLevel::THREATS, ThreatLevel::QUIET}) {
      const ThreatResult found = solver.solve({side[0], side[1]}, to_move ? Side::MAKER : Side::BREAKER, level,
                                              {.nodes = QUICK ? 20'000u : 200'000u});
      if (!found.won) continue;
      CHECK(truth);
      if (!truth) continue;
      ++tally.found[static_cast<int>(level)];
      if (to_move) CHECK(oracle.wins(held[0] | bit(found.move), held[1], false));
      check_zones(oracle, found.zones, held[0], held[1], free, to_move, tally);
    }
  }
}

Hypergraph cube(int x, int y, int z, int k) {
  std::vector<std::vector<int>> lines;
  const auto inside = [&](int a, int b, int c) { return a >= 0 && a < x && b >= 0 && b < y && c >= 0 && c < z; };
  for (int a = 0; a < x; ++a)
    for (int b = 0; b < y; ++b)
      for (int c = 0; c < z; ++c)
        for (int step = 14; step < 27; ++step) {
          const int da = step / 9 - 1, db = step / 3 % 3 - 1, dc = step % 3 - 1;
          if (!inside(a + (k - 1) * da, b + (k - 1) * db, c + (k - 1) * dc)) continue;
          std::vector<int>& line = lines.emplace_back();
          for (int i = 0; i < k; ++i) line.push_back(((c + i * dc) * y + b + i * db) * x + a + i * da);
        }
  return make_hypergraph(x * y * z, lines);
}

}  // namespace

// ZERMELO_POSITIONS=100000 for the big sample.
TEST(wins_by_threats_and_their_zones_agree_with_minimax) {
  const char* wanted = std::getenv("ZERMELO_POSITIONS");
  const int total = wanted ? std::atoi(wanted) : QUICK ? 400 : 2'000, part = std::max(1, total / 20);
  Random random(32);
  Tally tally;
  for (const auto& [m, n, k] :
       {std::array{4, 3, 3}, {4, 4, 3}, {5, 4, 3}, {4, 4, 4}, {5, 4, 4}, {5, 5, 3}, {5, 5, 4}, {5, 5, 4}, {5, 5, 5}})
    check_game(make_mnk(m, n, k), random, part, 10, tally);
  check_game(cube(3, 3, 3, 3), random, part, 10, tally);
  check_game(cube(4, 4, 2, 4), random, part, 10, tally);
  check_game(cube(4, 4, 3, 4), random, part, 10, tally);
  for (int i = 0; i < 8 * part; i += 4) {
    const int vertices = 4 + static_cast<int>(random.below(7));
    check_game(make_hypergraph(vertices, oracle::random_edges(random, vertices)), random, 4, 10, tally);
  }
  std::printf("%d positions, %d wins; found by fours %d, with threats %d, with quiet moves %d; %d zone tests\n",
              tally.positions, tally.wins, tally.found[0], tally.found[1], tally.found[2], tally.zones);
  CHECK(tally.found[2] > tally.wins / 2);
  CHECK(tally.zones > tally.positions);
}

// Needs quiet moves without a win after a pass, and all 192 symmetries.
TEST(qubic_is_won_after_two_exchanges) {
  const Marks after_222_221_111_211{{21, 0}, {5, 1}};
  ThreatSolver solver(cube(4, 4, 4, 4));
  CHECK(solver.solve(after_222_221_111_211, Side::MAKER, ThreatLevel::QUIET, {.nodes = 2'000'000}).won);
}

TEST(two_threads_find_the_same_wins) {
  const Hypergraph graph = make_mnk(7, 7, 4);
  const ThreatResult found = ThreatSolver(graph, 2).solve({}, Side::MAKER, ThreatLevel::QUIET, {.nodes = 100'000});
  CHECK(found.won);
  const ThreatResult none = ThreatSolver(make_mnk(4, 4, 4), 2)
                                .solve({}, Side::MAKER, ThreatLevel::QUIET, {.nodes = QUICK ? 20'000u : 200'000u});
  CHECK(!none.won);
}

// 7,7,4 is won by one trial of the opening search after d4 d3: with that trial loaded, nothing is searched.
TEST(trials_of_the_opening_search_are_saved_and_loaded) {
  struct Search {
    ThreatBoard board{make_mnk(7, 7, 4)};
    FourSearch fours{board};
    Permutations symmetries = find_symmetries(make_mnk(7, 7, 4)), identity{symmetries[0]};
    ProofGraph threats{{board, fours, nullptr}, identity}, quiet{{board, fours, &threats}, symmetries},
        opening{{board, fours, &quiet}, symmetries};
    std::vector<std::uint8_t> prove(Watch& watch) {
      static constexpr ThreatTrial TRIALS[] = {{{.searched_passes = 8, .width = 4, .hardest_first = false}, 1000}};
      const std::vector<Workplace> places{{board, fours, &quiet}};
      CHECK(opening.prove_together(VertexSet::single(24), VertexSet::single(17), true, {}, TRIALS, watch, places) ==
            ThreatState::PROVED);
      ProofText text;
      opening.write(text, true);
      return text.bytes();
    }
  };
  Search first, second, third;
  Watch one, two;
  const std::vector<std::uint8_t> proof = first.prove(one);
  SavedWords words;
  first.opening.save(words);
  std::span<const std::uint64_t> saved = words;
  CHECK(second.opening.load(saved) == 1 && saved.empty());
  CHECK(second.prove(two) == proof);
  CHECK(one.nodes() > 100 && two.nodes() == 0);
  for (std::size_t size = 1; size < words.size(); ++size) {
    std::span<const std::uint64_t> damaged(words.data(), size);
    bool refused = false;
    try {
      third.opening.load(damaged);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    CHECK(refused);
  }
  Random random(1);
  for (int i = 0; i < 2'000; ++i) {  // damaged words are taken or refused; nothing else happens
    SavedWords damaged = words;
    damaged[1 + random.below(static_cast<std::uint32_t>(words.size() - 1))] ^= std::uint64_t{1} << random.below(64);
    std::span<const std::uint64_t> rest = damaged;
    try {
      third.opening.load(rest);
    } catch (const std::invalid_argument&) {
    }
  }
}
