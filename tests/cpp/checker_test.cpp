// The fast checker against brute force: what it verifies is true, what is valid it verifies, and no mutant of a valid
// certificate is verified unless the mutant's claim is true as well (its proof then is a proof: the checker's own
// rules are the ones tested here).
#include <cstdlib>

#include "check.hpp"
#include "mutants.hpp"
#include "oracle.hpp"
#include "tiny_prover.hpp"

namespace {

// So many mutants instead, from this seed: many processes make millions (docs/howto-proofs.md).
const char* const MUTANTS = std::getenv("ZERMELO_MUTANTS");
const char* const SEED = std::getenv("ZERMELO_SEED");

// One thread or several, leaf by leaf or many at a time: the same verdict for the same reason at the same place.
void same_with_threads(const tiny::Bytes& file, const zcheck::Report& one) {
  for (const zcheck::Crew& crew : {zcheck::Crew{1, 1}, zcheck::Crew{2, 1}, zcheck::Crew{3, 2}}) {
    const zcheck::Report other = tiny::check(file, 10, 256, crew);
    CHECK(other.verdict == one.verdict && other.reason == one.reason);
    CHECK(other.nodes == one.nodes && other.bytes == one.bytes && other.claim == one.claim);
  }
}

// From no cut to one below every run, some of them by chance.
std::vector<tiny::Cut> some_cuts(tiny::Random& random) {
  std::vector<tiny::Cut> cuts = {0, ~tiny::Cut{0}};
  for (int i = 0; i < 18; ++i) cuts.push_back(random());
  return cuts;
}

// Every position of a board, both starters, some cuts: a strip leaf that the checker accepts is a win.
void every_strip_leaf(int rows, int cols, std::uint64_t step) {
  tiny::Truth truth;
  tiny::Random random(6);
  std::uint64_t accepted = 0;
  for (std::uint64_t free = 0; free < std::uint64_t{1} << (rows * cols); free += step) {
    const tiny::Board board{rows, cols, 0, free};
    for (int starter = 0; starter < 2; ++starter) {
      const bool v_wins = truth.mover_wins(board, starter) == (starter == 0);
      const tiny::Bytes claim = tiny::domineering_claim(board, starter, 0);
      for (const tiny::Cut cut : some_cuts(random)) {
        const zcheck::Report report = tiny::check(tiny::container(claim + tiny::strip_leaf(board, cut, starter == 0)));
        CHECK(report.verdict == zcheck::VERIFIED || report.verdict == zcheck::REJECTED);
        if (report.verdict != zcheck::VERIFIED) continue;
        ++accepted;
        CHECK(v_wins);
      }
    }
  }
  CHECK(accepted > 0);
  std::printf("     %dx%d: %llu strip leaves accepted\n", rows, cols, static_cast<unsigned long long>(accepted));
}

// The same for the moves that a cut answers: after each of them V wins moving next.
void every_answer(int rows, int cols, std::uint64_t step) {
  tiny::Truth truth;
  tiny::Random random(7);
  std::uint64_t moves = 0, accepted = 0;
  for (std::uint64_t free = 0; free < std::uint64_t{1} << (rows * cols); free += step) {
    const tiny::Board board{rows, cols, 0, free};
    const std::vector<std::uint64_t> across = board.moves(1);
    for (const tiny::Cut cut : some_cuts(random)) {
      const std::uint64_t answered = tiny::answered_by(board, cut);
      moves += across.size();
      for (std::size_t i = 0; i < across.size(); ++i) {
        if (!(answered >> i & 1)) continue;
        ++accepted;
        CHECK(truth.mover_wins(board.without(across[i]), 0));
      }
      // All at once are as good as each alone.
      if (across.empty() || answered != (std::uint64_t{1} << across.size()) - 1) continue;
      const tiny::Bytes text = tiny::domineering_claim(board, 1, 0) + tiny::answers(board, cut, answered, false);
      CHECK(tiny::check(tiny::container(text)).verdict == zcheck::VERIFIED);
    }
  }
  CHECK(accepted > 0 && accepted < moves);
  std::printf("     %dx%d: %llu of %llu moves answered by cuts\n", rows, cols,
              static_cast<unsigned long long>(accepted), static_cast<unsigned long long>(moves));
}

}  // namespace

// Boards whose positions are taken one by one, or every so many: leaves are cheaper than answers.
struct Sampled {
  int rows, cols;
  std::uint64_t quick, leaves, answers;
  std::uint64_t step(std::uint64_t usual) const { return QUICK ? quick : EXHAUSTIVE ? 1 : usual; }
};
constexpr Sampled SAMPLED[] = {{3, 3, 1, 1, 1},        {4, 3, 61, 7, 13}, {3, 4, 61, 7, 13},
                               {4, 4, 4001, 211, 419}, {2, 6, 61, 7, 13}, {6, 2, 61, 41, 83}};

TEST(strip_leaves_are_wins) {
  for (const Sampled& board : SAMPLED) every_strip_leaf(board.rows, board.cols, board.step(board.leaves));
}

// Positions in which the piece where Vertical moves is often worth a switch afterwards.
TEST(strip_leaves_of_larger_boards_are_wins) {
  constexpr int SIZES[][2] = {{4, 5}, {5, 4}, {5, 5}};
  for (const auto& [rows, cols] : SIZES) {
    if (QUICK && rows * cols > 20) continue;
    const oracle::AllSubsets truth(rows, cols);
    tiny::Random random(8);
    zcheck::Budget budget(1e18, 4096);
    std::shared_ptr<zcheck::Memory> memory;  // pieces are valued once
    int accepted[2] = {0, 0}, wrong = 0;
    for (int i = 0; i < (QUICK ? 1000 : 4000); ++i) {
      const tiny::Board board{rows, cols, 0, (random() | random()) & ((std::uint64_t{1} << (rows * cols)) - 1)};
      for (int attempt = 0; attempt < 4; ++attempt) {
        const tiny::Cut cut = attempt ? random() & random() : 0;
        for (const int starter : {0, 1}) {
          const tiny::Bytes leaf = tiny::strip_leaf(board, cut, starter == 0);
          const tiny::Bytes file = tiny::container(tiny::domineering_claim(board, starter, 0) + leaf);
          zcheck::Source source(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
          if (zcheck::check(source, budget, {}, memory).verdict != zcheck::VERIFIED) continue;
          ++accepted[starter];
          wrong += truth.wins(board.free, starter) != (starter == 0);
        }
      }
    }
    CHECK(wrong == 0 && accepted[0] > 0 && accepted[1] > 0);
    std::printf("     %dx%d: %d and %d leaves accepted, %d wrong\n", rows, cols, accepted[0], accepted[1], wrong);
  }
}

TEST(answered_moves_are_wins) {
  for (const Sampled& board : SAMPLED) every_answer(board.rows, board.cols, board.step(board.answers));
}

TEST(valid_certificates_are_verified) {
  tiny::Random random(1);
  for (int i = 0; i < (QUICK ? 100 : 2000); ++i) {
    const tiny::Bytes file = tiny::random_certificate(random);
    const zcheck::Report report = tiny::check(file);
    CHECK(report.verdict == zcheck::VERIFIED);
    CHECK(tiny::claim_is_true(file).value_or(false));
    same_with_threads(file, report);
  }
}

TEST(mutants_are_not_verified_unless_true) {
  tiny::Random random(SEED ? std::strtoull(SEED, nullptr, 10) : 2);
  const int wanted = MUTANTS ? std::atoi(MUTANTS) : QUICK ? 3000 : EXHAUSTIVE ? 2000000 : 120000;
  int mutants = 0, verified = 0, rejected = 0, broken = 0, too_large = 0;
  tiny::Bytes donor = tiny::random_certificate(random);
  while (mutants < wanted) {
    const tiny::Bytes file = tiny::random_certificate(random);
    for (int i = 0; i < 100; ++i) {
      const tiny::Bytes mutant = mutant_of(file, donor, random);
      if (mutant == file) continue;
      std::optional<bool> truth;
      try {
        truth = tiny::claim_is_true(mutant);
      } catch (const zcheck::Stop&) {
        truth = false;  // no claim can be read: it must not be verified
      }
      if (!truth) {  // the board has grown beyond brute force: no crash and no hang, and not counted
        ++too_large;
        tiny::check(mutant, 0.05, 16);
        continue;
      }
      ++mutants;
      const zcheck::Report report = tiny::check(mutant);
      verified += report.verdict == zcheck::VERIFIED;
      rejected += report.verdict == zcheck::REJECTED;
      broken += report.verdict == zcheck::MALFORMED;
      CHECK(report.verdict != zcheck::UNFINISHED);
      if (report.verdict == zcheck::VERIFIED) CHECK(*truth);
      if (EXHAUSTIVE || mutants % 10 == 0) same_with_threads(mutant, report);
    }
    donor = file;
  }
  CHECK(rejected > mutants / 40 && broken > 0);
  std::printf("     %d mutants: %d rejected, %d malformed, %d verified with a true claim; %d more too large to judge\n",
              mutants, rejected, broken, verified, too_large);
}

// Derivations from the rules themselves, at random, so that swaps, sums and symmetries occur: the position that the
// last claim speaks of is really won.
TEST(random_positional_derivations_are_true) {
  tiny::Random random(3);
  int verified = 0;
  for (int round = 0; round < (QUICK ? 2000 : 40000); ++round) {
    const bool lines = random() % 2;
    const tiny::Hypergraph graph =
        lines ? tiny::mnk(3, 3, 2 + static_cast<int>(random() % 2)) : tiny::random_hypergraph(random);
    const auto cells = static_cast<std::uint64_t>(graph.cells);
    const int winner = random() % 3 ? 1 : 0;
    tiny::Bytes records;
    std::uint64_t count = 0;
    const auto reference = [&] {
      return tiny::varint(1 + random() % std::min<std::uint64_t>(count, 4)) +
             tiny::byte(lines ? static_cast<int>(random() % 8) : 0);
    };
    const std::uint64_t wanted = 1 + random() % 9;
    int attempts = 0;
    while (count < wanted && ++attempts < 60) {
      tiny::Bytes record;
      const auto dice = random() % 8;
      if (winner == 0 && (!count || dice < 2)) {
        if (graph.edges.empty()) break;
        record = tiny::byte(2) + tiny::varint(random() % graph.edges.size());
      } else if (!count || dice < 2) {
        const std::uint64_t pairs = random() % (cells / 2 + 1);
        record = tiny::byte(1) + tiny::varint(pairs);
        std::vector<std::uint64_t> order(cells);
        for (std::uint64_t i = 0; i < cells; ++i) order[i] = i;
        std::shuffle(order.begin(), order.end(), random);
        for (std::uint64_t i = 0; i < 2 * pairs; ++i) record += tiny::varint(order[i]);
      } else if (dice < 6 || winner == 0) {
        const std::uint64_t replies = 1 + random() % 3;
        record = tiny::byte(3) + tiny::varint(replies);
        for (std::uint64_t i = 0; i < replies; ++i) record += tiny::varint(random() % cells) + reference();
      } else if (dice == 6) {
        record = tiny::byte(4) + tiny::varint(2) + reference() + reference();
      } else {
        record = tiny::byte(5) + reference() + tiny::varint(random() % cells) + tiny::varint(random() % cells);
      }
      // A record is kept when it derives something: the final demands on the position may still fail, others not.
      const tiny::Bytes trial =
          tiny::container(tiny::positional_claim(graph, {}, 1 - winner, winner) + records + record + tiny::byte(0));
      const zcheck::Report report = tiny::check(trial);
      if (report.verdict == zcheck::MALFORMED) CHECK(false);
      if (report.verdict == zcheck::REJECTED && report.reason.find("last claim") == std::string::npos) continue;
      records += record;
      ++count;
    }
    if (!count) continue;
    for (int attempt = 0; attempt < 6; ++attempt) {
      tiny::Marks marks;
      for (int cell = 0; cell < graph.cells; ++cell) {
        const auto dice = random() % 6;
        if (dice < 2) (dice ? marks.breaker : marks.maker) |= std::uint64_t{1} << cell;
      }
      const tiny::Bytes file =
          tiny::container(tiny::positional_claim(graph, marks, 1 - winner, winner) + records + tiny::byte(0));
      if (tiny::check(file).verdict != zcheck::VERIFIED) continue;
      ++verified;
      CHECK(tiny::claim_is_true(file).value_or(false));
    }
  }
  CHECK(verified > 100);
  std::printf("     %d random derivations verified, all true\n", verified);
}

// A reference before anything was proved, at once or after a move: never believed, be the claim true or false.
TEST(references_need_a_proof_before_them) {
  for (std::uint64_t free = 0; free < 4096; free += QUICK ? 31 : 1) {
    const tiny::Board board{3, 4, 0, free};
    CHECK(tiny::check(tiny::container(tiny::domineering_claim(board, 1, 0) + tiny::byte(2))).verdict ==
          zcheck::REJECTED);
    for (std::size_t move = 0; move < board.moves(0).size(); ++move) {
      const tiny::Bytes proof = tiny::varint(8 + move) + tiny::byte(2);
      CHECK(tiny::check(tiny::container(tiny::domineering_claim(board, 0, 0) + proof)).verdict == zcheck::REJECTED);
    }
  }
}

// ..#./#.##/#.#./##.., H starts and V wins, which is true. The proof refers to a position with the right shapes and an
// integer that is too large, and nothing else is wrong with it.
TEST(references_compare_integers) {
  const tiny::Bytes payload("\x01\x00\x04\x04\x2b\xca\x01\x00\x01\x09\x01\x08\x02", 13);
  CHECK(tiny::claim_is_true(tiny::container(payload)).value_or(false));
  const zcheck::Report report = tiny::check(tiny::container(payload));
  CHECK(report.verdict == zcheck::REJECTED);
  CHECK(report.reason == "a reference to a position that was not proved");
  CHECK(report.bytes == payload.size());  // all of it was read
}

TEST(random_bytes_are_malformed_or_rejected) {
  tiny::Random random(4);
  for (int i = 0; i < (QUICK ? 1000 : 20000); ++i) {
    tiny::Bytes payload;
    for (std::uint64_t size = random() % 64; size; --size)
      payload += static_cast<char>(random() % (random() % 2 ? 256 : 8));
    const tiny::Bytes file = tiny::container(payload);
    if (tiny::check(file).verdict == zcheck::VERIFIED) CHECK(tiny::claim_is_true(file).value_or(false));
    CHECK(tiny::check(payload).verdict == zcheck::MALFORMED);
  }
}

TEST(limits_end_in_unfinished) {
  // A board whose single piece has many positions, under a tiny memory limit.
  const tiny::Board board{6, 6, 0, (std::uint64_t{1} << 36) - 1};
  const tiny::Bytes file = tiny::container(tiny::domineering_claim(board, 0, 0) + tiny::strip_leaf(board, 0, true));
  CHECK(tiny::check(file, 1e9, 1).verdict == zcheck::UNFINISHED);
  CHECK(tiny::check(file, 0.05, 4096).verdict == zcheck::UNFINISHED);
  CHECK(tiny::check(file, 1e9, 1, {2, 1}).verdict == zcheck::UNFINISHED);
  CHECK(tiny::check(file, 0.05, 4096, {2, 1}).verdict == zcheck::UNFINISHED);
}
