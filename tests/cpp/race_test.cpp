// Races (two goals, any order of turns, a bound on the moves) against plain minimax that shares no code with them.
#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "check.hpp"
#include "positional/race/race_search.hpp"
#include "positional_oracle.hpp"

using namespace zermelo;
using namespace zermelo::positional;
using oracle::Mask;
using oracle::Random;

namespace {

constexpr int NOT = 1000;

// Minimax by definition: the number of moves after which the attacker wins at best, NOT if he does not.
struct Rules {
  int n = 0;
  std::vector<Mask> sets, rival;  // of the attacker and of the defender
  std::vector<Mask> neighbours;   // or a graph
  Mask first_end = 0, last_end = 0;
  std::vector<int> turns;  // 0: the attacker
  std::unordered_map<std::uint64_t, int> memo;

  bool joined(Mask own) const {
    Mask seen = first_end & own;
    for (Mask before = 0; before != seen;) {
      before = seen;
      for (int v = 0; v < n; ++v)
        if (seen >> v & 1) seen |= neighbours[static_cast<std::size_t>(v)] & own;
    }
    return (seen & last_end) != 0;
  }
  bool wins(Mask own) const {
    if (!neighbours.empty()) return joined(own);
    return std::any_of(sets.begin(), sets.end(), [&](Mask set) { return (set & ~own) == 0; });
  }
  bool loses(Mask other) const {
    return std::any_of(rival.begin(), rival.end(), [&](Mask set) { return (set & ~other) == 0; });
  }
  int moves(Mask own, Mask other, std::size_t ply, Mask allowed = ~Mask{0}) {
    if (wins(own)) return 0;
    const Mask free = ((Mask{1} << n) - 1) & ~own & ~other;
    if (loses(other) || ply == turns.size() || !free) return NOT;
    const std::uint64_t key = std::uint64_t{own} << 32 | std::uint64_t{other} << 8 | ply;
    if (allowed == ~Mask{0})
      if (const auto found = memo.find(key); found != memo.end()) return found->second;
    int best = turns[ply] == 0 ? NOT : -1;
    for (int v = 0; v < n; ++v) {
      if (!((free & allowed) >> v & 1)) continue;
      const Mask mark = Mask{1} << v;
      const int value = turns[ply] == 0 ? moves(own | mark, other, ply + 1) : moves(own, other | mark, ply + 1);
      best = turns[ply] == 0 ? std::min(best, value) : std::max(best, value);
    }
    best = best == NOT ? NOT : std::min(NOT, best + 1);
    if (allowed == ~Mask{0}) memo[key] = best;
    return best;
  }
};

std::vector<int> list(Mask set) {
  std::vector<int> result;
  for (int v = 0; v < 32; ++v)
    if (set >> v & 1) result.push_back(v);
  return result;
}
int below(Random& random, int most) { return static_cast<int>(random.below(static_cast<std::uint32_t>(most))); }

Mask some(Random& random, int n, int most) {
  Mask set = 0;
  for (int i = below(random, most) + 1; i > 0; --i) set |= Mask{1} << below(random, n);
  return set;
}

// A winning set: mostly two to four vertices.
Mask winning(Random& random, int n) {
  Mask set = some(random, n, 5);
  if (random.below(8)) set |= some(random, n, 3);
  return set;
}

// One random game: outcome, least number of moves, a bound, the move, and the same after a move, with the same table.
void check_game(Random& random, int vertices, bool graph) {
  Rules rules;
  rules.n = 2 + below(random, vertices - 1);
  RaceGoal attacker, defender;
  if (graph) {
    rules.neighbours.assign(static_cast<std::size_t>(rules.n), 0);
    const int edges = rules.n + below(random, rules.n);
    for (int i = 0; i < edges; ++i) {
      const int u = below(random, rules.n), v = below(random, rules.n);
      if (u == v) continue;
      rules.neighbours[static_cast<std::size_t>(u)] |= Mask{1} << v;
      rules.neighbours[static_cast<std::size_t>(v)] |= Mask{1} << u;
    }
    rules.first_end = some(random, rules.n, 3);
    rules.last_end = some(random, rules.n, 3);
    for (Mask of : rules.neighbours) attacker.neighbours.push_back(list(of));
    attacker.first = list(rules.first_end);
    attacker.last = list(rules.last_end);
  } else {
    for (int i = below(random, 12) + 1; i > 0; --i) rules.sets.push_back(winning(random, rules.n));
    const int kind = below(random, 3);
    if (kind == 1) rules.rival = rules.sets;
    if (kind == 2)
      for (int i = below(random, 12) + 1; i > 0; --i) rules.rival.push_back(winning(random, rules.n));
    for (Mask set : rules.sets) attacker.sets.push_back(list(set));
    for (Mask set : rules.rival) defender.sets.push_back(list(set));
  }
  Mask own = 0, other = 0;
  for (int i = below(random, 4); i > 0; --i) {
    const Mask mark = Mask{1} << below(random, rules.n);
    if ((own | other) & mark) continue;
    (random.below(2) ? own : other) |= mark;
  }
  RaceTurns turns;
  const int order = below(random, 4);
  if (order == 0) {
    turns.cycle = {0, 1};
  } else if (order == 1) {
    turns.cycle = {1, 0};
  } else {
    if (order == 2) turns.cycle = {0, 1, 1};  // two of the attacker, two of the defender, with any beginning
    if (order == 2 && random.below(2)) turns.cycle = {0, 0, 1, 1};
    for (int i = below(random, 3); i > 0; --i) turns.prefix.push_back(static_cast<std::uint8_t>(random.below(2)));
    for (int i = order == 2 ? 0 : below(random, 4) + 1; i > 0; --i)
      turns.cycle.push_back(static_cast<std::uint8_t>(random.below(2)));
  }
  const Mask free = ((Mask{1} << rules.n) - 1) & ~own & ~other;
  const int free_count = std::popcount(free);
  const int within = random.below(2) ? rules.n : below(random, rules.n + 1);
  int phase = 0;
  for (int i = 0; i < std::min(within, free_count); ++i, phase = turns.next(phase))
    rules.turns.push_back(turns.at(phase));
  Mask allowed = ~Mask{0};
  if (random.below(4) == 0 && (free & 0xff)) {
    allowed = some(random, rules.n, 4);
    if (!(allowed & free)) allowed |= free & (0 - free);
  }

  const auto solver =
      RaceSolver::make(rules.n, attacker, defender, turns, 1 << 16, graph && random.below(2) ? 0 : MOST_RACE_PATHS);
  RaceQuestion question;
  question.attacker = list(own);
  question.defender = list(other);
  question.within = within;
  if (allowed != ~Mask{0}) question.first = list(allowed & free);
  const auto same = [&](Mask a, Mask b, std::size_t ply, Mask restricted) {
    const int truth = rules.wins(a) ? 0 : rules.moves(a, b, ply, restricted);
    const RaceResult result = solver->solve(question, {});
    CHECK(result.answer == (truth < NOT ? RaceAnswer::YES : RaceAnswer::NO));
    if (result.answer == RaceAnswer::YES) CHECK(result.within == truth);
    if (result.move < 0 || ply >= rules.turns.size()) return;
    const Mask mark = Mask{1} << result.move;
    CHECK((((a | b) & mark) == 0 && (restricted & mark)));
    const int after = rules.turns[ply] == 0 ? rules.moves(a | mark, b, ply + 1) : rules.moves(a, b | mark, ply + 1);
    if (result.answer == RaceAnswer::YES && rules.turns[ply] == 0) CHECK(after == truth - 1);
    if (result.answer == RaceAnswer::NO && rules.turns[ply] == 1) CHECK(after == NOT);
  };
  same(own, other, 0, allowed);
  // After each first move.
  question.first = {};
  question.phase = turns.next(0);
  question.within = within - 1;
  if (within == 0 || free_count == 0 || rules.wins(own) || rules.loses(other)) return;
  for (int v : list(free & allowed)) {
    const Mask mark = Mask{1} << v;
    const bool attacks = rules.turns[0] == 0;
    question.attacker = list(attacks ? own | mark : own);
    question.defender = list(attacks ? other : other | mark);
    same(attacks ? own | mark : own, attacks ? other : other | mark, 1, ~Mask{0});
  }
}

TEST(races_of_winning_sets_equal_brute_force) {
  Random random{31};
  for (int i = EXHAUSTIVE ? 20'000 : QUICK ? 100 : 1000; i > 0; --i) check_game(random, EXHAUSTIVE ? 11 : 9, false);
}

TEST(connection_games_equal_brute_force) {
  Random random{13};
  for (int i = EXHAUSTIVE ? 5000 : QUICK ? 50 : 500; i > 0; --i) check_game(random, EXHAUSTIVE ? 10 : 9, true);
}

}  // namespace
