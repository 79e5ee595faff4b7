// Writes proofs of Domineering (checker/FORMAT.md 4 and 5) by walking through a solved position. The caller writes the
// claim before the proof.
//
// Several threads write at once. The first walks through the beginning of the game and cuts the strategy into segments,
// the positions after a few moves, in the order in which the certificate has them; everybody takes segments in that
// order. Each thread writes to a file of its own, and in the end the pieces are put together. Memory holds one small
// entry a position that may be referred to, and one a segment. One thread alone makes the same certificate every time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "domineering/board/board.hpp"
#include "domineering/search/component_search.hpp"
#include "domineering/search/result.hpp"

namespace zermelo::proof {

struct DomineeringProofOptions {
  std::size_t memory = std::size_t{1} << 30;  // bytes for remembered positions; beyond it they are proved again
  int threads = 1;
};

struct DomineeringProofStats {
  StopReason stopped = StopReason::FINISHED;
  std::uint64_t positions = 0;  // with all answers written out
  std::uint64_t references = 0;
  std::uint64_t segments = 0;
  std::uint64_t bytes = 0;  // of the proof
};

// Writes the proof that `winner` wins when `starter` moves first, which must be true, to the file `path`. `search` must
// be made for boards of this size. There is no file unless the result says FINISHED. Progress counts positions.
// Throws std::invalid_argument for cylinders and tori or if no file can be made there, std::logic_error if the claim
// turns out false.
DomineeringProofStats write_domineering_proof(ComponentSearch& search, const Board& board, Player starter,
                                              Player winner, const std::string& path,
                                              const DomineeringProofOptions& options, const Limits& limits);

}  // namespace zermelo::proof
