// The symmetries of a board: permutations of its cells that map edges to edges. The identity comes first.
#pragma once

#include "positional/board/hypergraph.hpp"
#include "positional/threat/proof_text.hpp"

namespace zermelo::positional {

inline constexpr std::size_t MOST_SYMMETRIES = 255;

// Those that an m,n,k board has by its shape; for another hypergraph up to MOST_SYMMETRIES, found by a search of
// bounded length, perhaps not all.
Permutations find_symmetries(const Hypergraph& graph);

}  // namespace zermelo::positional
