// Writes proofs of Maker-Breaker games (checker/FORMAT.md 6.2): of Breaker wins from the strategy that the full search
// records on disk while it runs, of Maker wins by a walk afterwards. Plans a proof in units, and joins their proofs.
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

// Which board the claim names: m, n, k, or the hypergraph itself when columns is 0.
struct PositionalBoard {
  int columns = 0, rows = 0, k = 0;
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
  static std::unique_ptr<PositionalProver> make(const positional::Hypergraph& graph, const PositionalBoard& board,
                                                const positional::MakerBreakerOptions& options, std::uint64_t memory,
                                                const std::string& path);
  virtual ~PositionalProver() = default;

  // Takes what Solver::save() has written as hints: which replies win.
  virtual void load(std::span<const std::uint64_t> words) = 0;
  // Solves with recording: to prove the same then takes no second search.
  virtual positional::MakerBreakerResult solve(const positional::Marks& marks, positional::Side side,
                                               const Limits& limits, positional::TreeProgress* progress) = 0;
  // Solves with recording and writes the proof. `alone`: on this thread only.
  virtual PositionalProofResult prove(positional::Marks marks, positional::Side starter, const Limits& limits,
                                      std::FILE* proof, bool alone) = 0;
  // Writes the records that prove Breaker's win in every position, Maker to move in each, and the end mark.
  virtual BlockingBase prove_all(const std::vector<positional::Marks>& positions, const Limits& limits,
                                 std::FILE* proof) = 0;
};

// A position with Maker to move that is searched on its own.
struct ProofUnit {
  positional::Marks marks;
  positional::Winner winner = positional::Winner::UNKNOWN;
  std::vector<int> zone;  // Breaker's, if she wins; empty if it is not known
  std::string proof;      // of its certificate, without the claim, if there is one
  int ply = 0;            // below the root
};

struct ProofPlan {
  positional::Winner winner = positional::Winner::UNKNOWN;  // if the known units decide it
  std::uint64_t nodes = 0;
  std::vector<ProofUnit> units = {};  // those the proof rests on, known and unknown, best first
};

// Searches a position down to units: what lies `cut` plies below the root or deeper, but for those in `split`. Unknown
// units are taken to be Breaker's wins. If all are known and Breaker wins, the proof of the whole (without
// its claim) is written to `joined`, if there is one: then they must have their proofs.
ProofPlan plan_proof(const positional::Hypergraph& graph, const PositionalBoard& board, const positional::Marks& marks,
                     positional::Side starter, int cut, const std::vector<positional::Marks>& split,
                     const std::vector<ProofUnit>& known, const Limits& limits, const std::string& joined);

// The zone of a Breaker win, from the proof in its certificate. Throws std::invalid_argument.
std::vector<int> zone_of_proof(const positional::Hypergraph& graph, const PositionalBoard& board,
                               const std::string& proof);

}  // namespace zermelo::proof
