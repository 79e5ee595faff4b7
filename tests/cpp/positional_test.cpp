// The Maker-Breaker searches against brute force: winners, zones, carriers and pairings, under random
// combinations of all switches. ZERMELO_EXHAUSTIVE=1 runs ten times as many.
#include <algorithm>
#include <set>

#include "check.hpp"
#include "positional/pairing/line_pairing.hpp"
#include "positional/pairing/movable_pairing.hpp"
#include "positional/search/hsu.hpp"
#include "positional/search/maker_breaker_search.hpp"
#include "positional_oracle.hpp"

using namespace zermelo;
using namespace zermelo::positional;
using oracle::Mask;
using oracle::Random;

namespace {

int times(int usual) { return QUICK ? usual / 4 : EXHAUSTIVE ? usual * 10 : usual; }

// A position with at most 14 free vertices, and the same as masks over these (vertex i of the masks = vertex[i]).
template <int W>
struct Sample {
  Position<W> at;
  std::vector<int> vertex;
  std::vector<Mask> edges;

  Mask mask(const Bits<4>& set) const {
    Mask result = 0;
    for (std::size_t i = 0; i < vertex.size(); ++i)
      if (set.test(vertex[i])) result |= Mask{1} << i;
    return result;
  }
};

template <int W>
Sample<W> sample(const Game<W>& game, const Position<W>& at) {
  Sample<W> result;
  result.at = at;
  result.vertex = members(at.free);
  for (int e = 0; e < game.edge_count; ++e)
    if (at.live.test(e)) result.edges.push_back(result.mask(game.edge[e].template resize<4>()));
  return result;
}

bool brute(int n, const std::vector<Mask>& edges, Side side) {
  return oracle::Markings(n, edges, false).wins(0, 0, side == Side::MAKER);
}

// The zone's meaning, by brute force: Breaker wins on the traces; or Maker wins inside the carrier.
template <int W>
bool zone_holds(const Sample<W>& s, Winner winner, const VertexSet& zone, Side side) {
  const Mask inside = s.mask(zone);
  std::vector<Mask> edges;
  for (Mask edge : s.edges) {
    if (winner == Winner::BREAKER) edges.push_back(edge & inside);
    if (winner == Winner::MAKER && (edge & ~inside) == 0) edges.push_back(edge);
  }
  return brute(int(s.vertex.size()), edges, side) == (winner == Winner::MAKER);
}

MakerBreakerOptions random_options(Random& random) {
  MakerBreakerOptions o;
  if (random.below(3) == 0) return o;  // often as shipped
  for (const auto& [name, on] : MAKER_BREAKER_SWITCHES) o.*on = random.below(2) == 0;
  return o;
}

HsuOptions random_paper_options(Random& random) {
  HsuOptions o;
  o.partial_pairing = random.below(2) == 0;
  o.domination = random.below(2) == 0;
  o.zones = random.below(2) == 0;
  o.branching = int(random.below(5)) - 1;
  return o;
}

// Does the pairing hold, seen with masks only?
bool pairing_holds(const std::vector<Mask>& edges, const std::vector<std::pair<int, int>>& pairs,
                   const std::vector<int>& vertex) {
  const auto bit = [&](int v) -> Mask {
    const auto found = std::find(vertex.begin(), vertex.end(), v);
    return found == vertex.end() ? 0 : Mask{1} << (found - vertex.begin());
  };
  Mask seen = 0;
  for (const auto& [u, v] : pairs) {
    const Mask both = bit(u) | bit(v);
    if (std::popcount(both) != 2 || (seen & both)) return false;
    seen |= both;
  }
  return std::all_of(edges.begin(), edges.end(), [&](Mask edge) {
    return std::any_of(pairs.begin(), pairs.end(),
                       [&](const auto& p) { return ((bit(p.first) | bit(p.second)) & ~edge) == 0; });
  });
}

struct Tally {
  int maker = 0, breaker = 0;
};

template <int W>
void compare(const Game<W>& game, const Position<W>& at, Random& random, Tally& tally) {
  const Sample<W> s = sample(game, at);
  const Side side = random.below(2) ? Side::MAKER : Side::BREAKER;
  const Winner truth = brute(int(s.vertex.size()), s.edges, side) ? Winner::MAKER : Winner::BREAKER;
  ++(truth == Winner::MAKER ? tally.maker : tally.breaker);

  const MakerBreakerOptions options = random_options(random);
  MakerBreakerSearch<W> search(game, options, 1 << 14);
  const MakerBreakerResult full = search.solve(at, side, {});
  CHECK(full.winner == truth);
  CHECK(zone_holds(s, truth, full.zone, side));
  if (full.by_pairing) CHECK(pairing_holds(s.edges, full.pairs, s.vertex));
  if (side == Side::BREAKER && truth == Winner::BREAKER && full.reply.vertex >= 0) {
    const Mask mark = s.mask(VertexSet::single(full.reply.vertex));
    CHECK(mark != 0);
    std::vector<Mask> left;
    for (Mask edge : s.edges)
      if (!(edge & mark)) left.push_back(edge);
    CHECK(!brute(int(s.vertex.size()), left, Side::MAKER));
    if (full.reply.by_pairing) CHECK(pairing_holds(left, full.reply.pairs, s.vertex));
  }

  const HsuOptions paper_options = random_paper_options(random);
  const HsuResult paper = hsu_search(game, at, side, paper_options, {.bytes = 1 << 14});
  CHECK(paper.winner == truth);
  if (truth == Winner::BREAKER && paper_options.zones) CHECK(zone_holds(s, truth, paper.zone, side));
}

Hypergraph random_hypergraph(Random& random, int vertices) {
  return make_hypergraph(vertices, oracle::random_edges(random, vertices));
}

// Random positions of m,n,k boards.
template <int W>
void compare_on_boards(std::initializer_list<std::array<int, 3>> boards, int positions, Random& random, Tally& tally) {
  for (const auto& [m, n, k] : boards) {
    const auto game = std::make_unique<Game<W>>(make_mnk(m, n, k));
    for (int i = 0; i < positions; ++i) {
      const int left = i % 100 == 0 ? 12 + int(random.below(3)) : 4 + int(random.below(7));
      // Maker owns about half of the marks or more, or nothing would be left to win.
      const std::uint32_t maker_share = 45 + random.below(25);
      Position<W> at = game->start();
      while (at.free.count() > left) {
        const int v = int(random.below(std::uint32_t(game->vertex_count)));
        if (!at.free.test(v)) continue;
        at = random.below(100) < maker_share ? game->after_maker(at, v) : game->after_breaker(at, v);
      }
      bool over = at.live.none();
      for_each(at.live, [&](int e) { over = over || game->residual(at, e).none(); });
      if (!over) compare(*game, at, random, tally);
    }
  }
}

}  // namespace

TEST(full_and_paper_search_agree_with_brute_force_on_random_hypergraphs) {
  Random random(1);
  Tally tally;
  for (int i = 0; i < times(60000); ++i) {
    const int vertices = i % 400 == 0 ? 12 + int(random.below(3)) : 3 + int(random.below(i % 8 == 0 ? 8 : 6));
    const Game<1> game(random_hypergraph(random, vertices));
    compare(game, game.start(), random, tally);
  }
  CHECK(tally.maker > 2000);
  CHECK(tally.breaker > 2000);
}

TEST(full_and_paper_search_agree_with_brute_force_on_random_mnk_positions) {
  Random random(2);
  Tally tally;
  compare_on_boards<1>(
      {{4, 4, 3}, {5, 5, 4}, {4, 6, 4}, {3, 6, 3}, {3, 7, 4}, {4, 7, 4}, {6, 6, 5}, {7, 7, 5}, {1, 9, 2}, {8, 8, 5}},
      times(6000), random, tally);
  CHECK(tally.maker > 1000);
  CHECK(tally.breaker > 1000);
}

// A position whose few free vertices lie anywhere among many: the words of a wide set beyond the first are used.
template <int W>
void compare_spread_out(Random& random, Tally& tally) {
  const int vertices = W == 2 ? 65 + int(random.below(64)) : 129 + int(random.below(128));
  std::set<int> chosen;
  const std::size_t free = 4 + random.below(5);
  while (chosen.size() < free) chosen.insert(int(random.below(std::uint32_t(vertices))));
  const std::vector<int> few(chosen.begin(), chosen.end());
  std::vector<std::vector<int>> edges;
  const int count = 3 + int(random.below(20));
  for (int e = 0; e < count; ++e) {
    std::set<int> edge;
    for (std::uint32_t i = 2 + random.below(3); i > 0; --i) edge.insert(few[random.below(std::uint32_t(few.size()))]);
    for (std::uint32_t i = random.below(3); i > 0; --i) edge.insert(int(random.below(std::uint32_t(vertices))));
    edges.emplace_back(edge.begin(), edge.end());
  }
  const auto game = std::make_unique<Game<W>>(make_hypergraph(vertices, edges));
  Position<W> at = game->start();
  for (int v = 0; v < vertices; ++v)
    if (!chosen.count(v)) at = random.below(100) < 85 ? game->after_maker(at, v) : game->after_breaker(at, v);
  compare(*game, at, random, tally);
}

TEST(wide_sets_agree_with_brute_force_on_spread_out_hypergraphs) {
  Random random(4);
  Tally tally;
  for (int i = 0; i < times(1500); ++i) compare_spread_out<2>(random, tally);
  for (int i = 0; i < times(150); ++i) compare_spread_out<4>(random, tally);
  for (int i = 0; i < times(60); ++i) compare_spread_out<MANY_EDGES>(random, tally);
  CHECK(tally.maker > 100);
  CHECK(tally.breaker > 100);
}

TEST(wide_boards_agree_with_brute_force) {
  Random random(5);
  Tally tally;
  compare_on_boards<2>({{9, 8, 5}, {9, 9, 5}, {10, 11, 6}, {12, 10, 6}}, times(2000), random, tally);
  compare_on_boards<4>({{12, 12, 6}, {16, 16, 7}}, times(400), random, tally);
  CHECK(tally.maker > times(200));
  CHECK(tally.breaker > times(200));
}

TEST(moving_a_pairing_keeps_it_a_pairing) {
  Random random(6);
  int moved = 0, stuck = 0;
  const Game<1> game(make_mnk(7, 7, 5));
  LinePairing<1> finder(game);
  for (int i = 0; i < times(2000); ++i) {
    Position<1> at = game.start();
    for (int marks = 0; marks < 8 + int(random.below(8)); ++marks) {
      const int v = int(random.below(49));
      if (at.free.test(v)) at = marks % 2 ? game.after_breaker(at, v) : game.after_maker(at, v);
    }
    const int reply = at.free.lowest();
    PairList<1> pairs;
    Edges<1> conflict;
    if (finder.find(game.after_breaker(at, reply), pairs, conflict) != Found::YES) continue;
    MovablePairing<1> movable(game, at, reply, pairs);
    for_each(at.free, [&](int x) {
      const PairList<1> before = movable.pairs();
      if (movable.avoid(x)) {
        CHECK(x != reply);
        CHECK(is_pairing(game, game.after_breaker(game.after_maker(at, x), reply), movable.pairs()));
        moved += before.vertices().test(x);
      } else {
        ++stuck;
        CHECK(movable.pairs().vertices() == before.vertices());
      }
    });
  }
  CHECK(moved > 100);
  CHECK(stuck > 100);
}

TEST(progress_moves_forward_and_ends_at_one) {
  const Game<1> game(make_mnk(7, 7, 5));
  for (int threads : {1, 2}) {
    MakerBreakerOptions options;
    options.threads = threads;
    MakerBreakerSearch<1> search(game, options, 1 << 24);
    double last = 0;
    for (std::uint64_t nodes : {100, 300, 600, 1000}) {  // the table is warm: each call goes on
      TreeProgress progress;
      CHECK(search.solve(game.start(), Side::MAKER, {.nodes = nodes}, &progress).winner == Winner::UNKNOWN);
      CHECK(progress.fraction() < 1);
      last = std::max(last, progress.fraction());
    }
    CHECK(last > 0);
    TreeProgress progress;
    const MakerBreakerResult result = search.solve(game.start(), Side::MAKER, {}, &progress);
    CHECK(result.winner == Winner::BREAKER);
    CHECK(progress.fraction() == 1);
    CHECK(progress.nodes == result.nodes);
  }
}
