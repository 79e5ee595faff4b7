// The checker verifies the certificates of Domineering and of Maker-Breaker games; recorded strategies are read back.
#include "base/files.hpp"
#include "boards.hpp"
#include "check.hpp"
#include "domineering/proof/cover_proof.hpp"
#include "domineering/proof/known_positions.hpp"
#include "folder.hpp"
#include "leaves.hpp"
#include "positional/proof/positional_proof.hpp"
#include "positional/search/strategy.hpp"
#include "positional_oracle.hpp"

namespace {

using zermelo::File;
using namespace zermelo::positional;

std::string content(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  return text;
}

zermelo::Player player(int number) { return number ? zermelo::Player::H : zermelo::Player::V; }

// With strips if there is a search for it, else with covers.
zcheck::Report report_on(const tiny::Board& small, int starter, int winner, std::size_t memory,
                         zermelo::ComponentSearch* search = nullptr, int threads = 1,
                         std::uint64_t* references = nullptr) {
  static const TemporaryFolder folder;
  const std::string path = folder.path / "proof";
  const zermelo::Board board =
      board_of(small.rows, small.cols, small.free, static_cast<zermelo::Topology>(small.topology));
  const File file(std::fopen(path.c_str(), "w+b"));
  const auto stats =
      search ? zermelo::proof::write_domineering_proof(*search, board, player(starter), player(winner), path,
                                                       {memory, threads}, {})
             : zermelo::proof::write_cover_proof(board, player(starter), player(winner), memory, {}, file.get());
  const std::string proof = content(search ? File(std::fopen(path.c_str(), "rb")).get() : file.get());
  CHECK(stats.bytes == proof.size());
  if (references) *references += stats.references;
  return tiny::check(tiny::container(tiny::domineering_claim(small, starter, winner) + proof), 60);
}

}  // namespace

TEST(certificates_with_covers_are_verified) {
  static constexpr int SIZES[][2] = {{1, 5}, {2, 2}, {2, 5}, {3, 3}, {3, 4}, {4, 3}, {4, 4}, {5, 3}};
  tiny::Random random(21);
  for (const auto& size : SIZES)
    for (int topology = 0; topology < 4; ++topology)
      for (int round = 0; round < (QUICK ? 3 : 25); ++round) {
        const std::uint64_t all = (std::uint64_t{1} << (size[0] * size[1])) - 1;
        const tiny::Board small{size[0], size[1], topology, round ? random() & all : all};
        for (int starter = 0; starter < 2; ++starter) {
          tiny::Truth truth;
          const int winner = truth.mover_wins(small, starter) ? starter : 1 - starter;
          // Once with room for everything, once with next to none: forgotten positions are proved again.
          for (std::size_t memory : {std::size_t{1} << 20, std::size_t{1000}})
            CHECK(report_on(small, starter, winner, memory).verdict == zcheck::VERIFIED);
        }
      }
}

// With such small tables that there is much to cut.
TEST(certificates_with_strips_are_verified) {
  tiny::Random random(24);
  std::uint64_t references = 0;
  for (const auto& [rows, cols] : {std::pair{4, 4}, {4, 5}, {5, 4}, {3, 7}, {5, 5}, {6, 6}}) {
    zermelo::ComponentOptions options;
    options.memory = std::size_t{1} << 24;
    options.table_squares = 6;
    zermelo::ComponentSearch search(rows, cols, options);
    tiny::Truth truth;
    for (int round = 0; round < (QUICK ? 20 : 150); ++round) {
      const std::uint64_t all = (std::uint64_t{1} << (rows * cols)) - 1;
      const std::uint64_t more = rows * cols > 25 || round % 2 ? 0 : random();  // parts that are single lines, or few
      const tiny::Board small{rows, cols, 0, (random() | more) & all};
      for (int starter = 0; starter < 2; ++starter) {
        const int winner = truth.mover_wins(small, starter) ? starter : 1 - starter;
        for (const auto& [memory, threads] : {std::pair{1 << 20, 1}, {1000, 1}, {1 << 20, 3}})
          CHECK(report_on(small, starter, winner, static_cast<std::size_t>(memory), &search, threads,
                          memory > 1000 && threads == 1 ? &references : nullptr)
                    .verdict == zcheck::VERIFIED);
      }
    }
  }
  CHECK(QUICK || references > 140);  // 171; two thirds of that if a mirror image were another position
}

TEST(a_false_claim_about_a_ring_is_refused) {
  CHECK(throws<std::logic_error>([&] { report_on({4, 4, 3, 0xffff}, 0, 1, 1 << 20); }));
}

TEST(only_what_is_earlier_and_worth_no_more_can_be_referred_to) {
  using zermelo::proof::Normal;
  zermelo::proof::KnownPositions known(1 << 20);
  const Normal position = {{1, 2}, 5};
  CHECK(known.begin(position, 7, {0, 100}));  // in segment 3, unfinished
  CHECK(!known.refer(position, 6) && known.refer(position, 8));
  known.complete(position, 6, {0, 100});
  CHECK(known.refer(position, 6) && !known.refer(position, 4));
  CHECK(known.refer({{1, 2}, 6}, 6) && !known.refer({{1, 2}, 4}, 6) && !known.refer({{1, 3}, 5}, 6));
}

// Random games with random switches of the search: the certificate is verified and names the true winner.
TEST(certificates_of_maker_breaker_games_are_verified) {
  static constexpr int GAMES[][3] = {{3, 3, 3}, {2, 3, 2}, {3, 2, 3}, {4, 2, 3}, {3, 3, 2}, {4, 3, 3}, {3, 3, 1}};
  oracle::Random random(22);
  int wins[2] = {};
  for (int round = 0; round < (QUICK ? 100 : 5000); ++round) {
    const bool lines = random.below(2);
    const auto& [m, n, k] = GAMES[random.below(7)];
    const int few = 2 + static_cast<int>(random.below(7));
    const Hypergraph graph = lines ? make_mnk(m, n, k) : make_hypergraph(few, oracle::random_edges(random, few));
    tiny::Bytes claim = lines ? tiny::byte(2) + tiny::byte(m) + tiny::byte(n) + tiny::byte(k)
                              : tiny::byte(3) + tiny::byte(few) + tiny::varint(graph.edges.size());
    std::vector<oracle::Mask> edges;
    for (const VertexSet& edge : graph.edges) {
      edges.push_back(static_cast<oracle::Mask>(edge.word[0]));
      if (lines) continue;
      claim += tiny::byte(edge.count());
      zermelo::for_each(edge, [&](int cell) { claim += tiny::byte(cell); });
    }
    std::vector<int> marks[2];
    oracle::Mask marked[2] = {};
    for (int cell = 0; cell < graph.vertices; ++cell) {
      const std::uint32_t player = random.below(10);
      if (player > 1) continue;
      marks[player].push_back(cell);
      marked[player] |= oracle::Mask{1} << cell;
    }
    if (marks[0].size() + marks[1].size() == static_cast<std::size_t>(graph.vertices)) continue;  // nothing to play
    for (const std::vector<int>& cells : marks) {
      claim += tiny::varint(cells.size());
      for (int cell : cells) claim += tiny::byte(cell);
    }
    const int starter = static_cast<int>(random.below(2));
    const int winner = !oracle::Markings(graph.vertices, edges, false).wins(marked[0], marked[1], starter == 0);
    MakerBreakerOptions options;
    if (random.below(3))  // a strategy needs zones; every other switch is free
      for (const auto& [name, on] : MAKER_BREAKER_SWITCHES)
        options.*on = random.below(2) || on == &MakerBreakerOptions::zones;
    const File proof(std::tmpfile());
    const auto prover = zermelo::proof::PositionalProver::make(graph, options, 1 << 20, "/tmp/strategy");
    const auto found = prover->prove({marks[0], marks[1]}, starter ? Side::BREAKER : Side::MAKER, {}, proof.get());
    CHECK(found.winner == (winner ? Winner::BREAKER : Winner::MAKER));
    claim += tiny::byte(starter) + tiny::byte(winner);
    CHECK(tiny::check(tiny::container(claim + content(proof.get()))).verdict == zcheck::VERIFIED);
    ++wins[winner];
  }
  CHECK(wins[0] > 10 && wins[1] > 10);
}

// Thousands of nodes, so that they span several blocks of the file. Reading gives back the nodes that were written, and
// visits the same nodes as a plain walk.
TEST(recorded_strategies_are_read_back) {
  const File file(std::tmpfile());
  StrategyFile recorded(file.get());
  tiny::Random random(23);
  std::vector<StrategyNode> nodes(1);
  for (std::uint32_t id = 1; id <= (QUICK ? 3000u : 20000u); ++id) {
    StrategyNode node;
    const auto earlier = [&] {
      const auto near = static_cast<std::uint32_t>(std::min<std::uint64_t>(id, 1 + random() % 3000));
      return StrategyRef{id - near, static_cast<std::uint8_t>(random() % 8)};
    };
    for (std::uint64_t count = random() % 4; count; --count) {
      node.branches.push_back({static_cast<int>(random() % 64), earlier(), {}});
      for (int i = static_cast<int>(random() % 3); i > 0; --i) node.branches.back().pairs.emplace_back(i, i + 7);
    }
    if (random() % 5 == 0) node.parts = {earlier(), earlier()};
    if (random() % 5 == 0) node.swaps = {{1, 2, 0}};
    CHECK(recorded.add(node) == id);
    nodes.push_back(node);
  }
  const auto root = static_cast<std::uint32_t>(nodes.size() - 1);
  std::vector<bool> expected(nodes.size());
  std::vector<std::uint32_t> stack = {root};
  while (!stack.empty()) {
    const std::uint32_t id = stack.back();
    stack.pop_back();
    if (!id || expected[id]) continue;
    expected[id] = true;
    for (const auto& branch : nodes[id].branches) stack.push_back(branch.after.node);
    for (const auto& part : nodes[id].parts) stack.push_back(part.node);
  }
  StrategyFile::Below below(recorded, {{root, 0}});
  CHECK(expected[below.first()] && below.end() == expected.size());
  std::uint32_t last = 0;
  std::size_t visited = 0;
  below.each([&](std::uint32_t id, const StrategyNode& node) {
    CHECK(id > last && expected[id] && node == nodes[id]);
    last = id;
    ++visited;
  });
  CHECK(visited == static_cast<std::size_t>(std::count(expected.begin(), expected.end(), true)));
}

TEST(a_full_disk_is_reported_when_the_strategy_is_read) {
  const File full(std::fopen("/dev/full", "w+b"));
  if (!full) return;  // not this system
  StrategyFile recorded(full.get());
  for (int i = 0; i < 10; ++i) recorded.add({});
  CHECK(throws<std::runtime_error>([&] { StrategyFile::Below(recorded, {{1, 0}}); }));
}
