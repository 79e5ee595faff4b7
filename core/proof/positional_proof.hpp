// Writes certificates of Breaker wins (checker/FORMAT.md 6) from the strategy that the full search records.
#pragma once

#include <cstdint>
#include <cstdio>

#include "positional/solver.hpp"

namespace zermelo::proof {

struct PositionalProofResult {
  positional::Winner winner = positional::Winner::UNKNOWN;  // the file is complete only if Breaker wins
  std::uint64_t nodes = 0;                                  // of the search
  std::uint64_t recorded = 0;                               // strategy nodes that the search wrote down
  std::uint64_t records = 0;                                // of them and their parts, those in the certificate
  std::uint64_t bytes = 0;                                  // of the payload
  double solving_seconds = 0, seconds = 0;                  // with recording; altogether
};

// How the board is named in the claim: m, n, k, or the hypergraph itself when columns is 0.
struct PositionalBoard {
  int columns = 0, rows = 0, k = 0;
};

// Solves with recording and writes the payload to the file.
PositionalProofResult write_positional_proof(const positional::Hypergraph& graph, const PositionalBoard& board,
                                             const positional::Marks& marks, positional::Side starter,
                                             const positional::FullOptions& options, std::uint64_t table_bytes,
                                             const positional::Limits& limits, std::FILE* file);

}  // namespace zermelo::proof
