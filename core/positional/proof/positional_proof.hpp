// Writes proofs of Maker-Breaker games (checker/FORMAT.md 6.2): of Breaker wins from the strategy that the full search
// records on disk while it runs, of Maker wins by a walk afterwards.
// The caller writes the claim before the proof.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "base/files.hpp"
#include "positional/search/solver.hpp"

namespace zermelo::proof {

struct PositionalProofResult {
  positional::Winner winner = positional::Winner::UNKNOWN;  // the proof is complete unless UNKNOWN
  std::uint64_t nodes = 0;                                  // of the search
  std::uint64_t records = 0;                                // in the certificate
};

// A record of the proof, counted from 1, seen through a symmetry as FORMAT.md 6.1 names it.
struct NamedRecord {
  std::uint64_t record;
  int symmetry;
};

// The records behind many Breaker wins at once: common parts are written once.
struct BlockingBase {
  bool complete = false;            // else a limit was reached, or Breaker does not win one of them
  std::vector<NamedRecord> claims;  // one for each position
  std::uint64_t nodes = 0;
};

// A search that records its results and writes the proof of any position. Threads may use it at once: they share the
// table and the recorded strategy.
class PositionalProver {
 public:
  // `memory` bounds the table; beside it a recorded node takes four bytes when a proof is written, and the positions
  // of a Maker win half as much as the table. The strategy is written to an unnamed file in the folder of `path`.
  static std::unique_ptr<PositionalProver> make(const positional::Hypergraph& graph,
                                                const positional::MakerBreakerOptions& options, std::uint64_t memory,
                                                const std::string& path);
  virtual ~PositionalProver() = default;

  // Loads results of Solver::save() as hints of winning replies.
  virtual void load(std::span<const std::uint64_t> words) = 0;
  // Solves with recording: to prove the same then takes no second search.
  virtual positional::MakerBreakerResult solve(const positional::Marks& marks, positional::Side side,
                                               const Limits& limits, positional::TreeProgress* progress) = 0;
  // Solves with recording and writes the proof.
  virtual PositionalProofResult prove(positional::Marks marks, positional::Side starter, const Limits& limits,
                                      std::FILE* proof) = 0;
  // Writes the records that prove Breaker's win in every position, Maker to move in each, and the end mark.
  virtual BlockingBase prove_all(const std::vector<positional::Marks>& positions, const Limits& limits,
                                 std::FILE* proof) = 0;
};

}  // namespace zermelo::proof
