// Writes certificates of Maker-Breaker games (checker/FORMAT.md 6): of Breaker wins from the strategy that the full
// search records on disk while it runs, of Maker wins by a walk afterwards.
#pragma once

#include <cstdint>
#include <cstdio>

#include "positional/solver.hpp"

namespace zermelo::proof {

struct PositionalProofResult {
  positional::Winner winner = positional::Winner::UNKNOWN;  // the payload is complete unless UNKNOWN
  std::uint64_t nodes = 0;                                  // of the search
  std::uint64_t recorded = 0;                               // strategy nodes that the search wrote down
  std::uint64_t recorded_bytes = 0;                         // of them, on disk
  std::uint64_t records = 0;                                // of them and their parts, those in the certificate
  std::uint64_t bytes = 0;                                  // of the payload
  double solving_seconds = 0, seconds = 0;                  // with recording; altogether
};

// How the board is named in the claim: m, n, k, or the hypergraph itself when columns is 0.
struct PositionalBoard {
  int columns = 0, rows = 0, k = 0;
};

// A record of the payload, counted from 1, seen through a symmetry as FORMAT.md 6.1 names it.
struct NamedRecord {
  std::uint64_t record;
  int symmetry;
};

// The records behind many Breaker wins at once: what they share is written once.
struct BlockingBase {
  bool complete = false;            // else a limit was reached, or Breaker does not win one of them
  std::vector<NamedRecord> claims;  // one for each position
  std::uint64_t nodes = 0;
};

// Both open for writing and reading; the strategy is of no use afterwards.
struct ProofFiles {
  std::FILE* payload;
  std::FILE* strategy;
};

// Solves with recording and writes the payload. `memory` bounds the search's table; beside it a recorded node takes
// four bytes when the payload is written, and the positions of a Maker win half as much as the table.
PositionalProofResult write_positional_proof(const positional::Hypergraph& graph, const PositionalBoard& board,
                                             const positional::Marks& marks, positional::Side starter,
                                             const positional::MakerBreakerOptions& options, std::uint64_t memory,
                                             const Limits& limits, const ProofFiles& files);

// Writes the records that prove Breaker's win in every position, Maker to move in each, and the end mark.
BlockingBase write_blocking_base(const positional::Hypergraph& graph, const PositionalBoard& board,
                                 const std::vector<positional::Marks>& positions,
                                 const positional::MakerBreakerOptions& options, std::uint64_t memory,
                                 const Limits& limits, const ProofFiles& files);

}  // namespace zermelo::proof
