// Writes proofs whose leaves are covers (checker/FORMAT.md 4 and 5.5): of cylinders and tori, which have no strips, and
// of rectangles longer than the strip tables. The caller writes the claim before the proof.
//
// A plain search with cover bounds and a table answers which moves win; the walk writes one move at the winner's turn,
// all answers at the loser's, and a cover where one decides. Meant for boards of up to about fifty squares.
#pragma once

#include <cstdio>

#include "domineering/proof/domineering_proof.hpp"

namespace zermelo::proof {

// Writes the proof that `winner` wins when `starter` moves first. `memory` bounds the table and the remembered
// positions; beyond it, positions are searched and proved again. Throws std::logic_error if the claim is false.
DomineeringProofStats write_cover_proof(const Board& board, Player starter, Player winner, std::size_t memory,
                                        const Limits& limits, std::FILE* file);

}  // namespace zermelo::proof
