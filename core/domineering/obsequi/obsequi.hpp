// The search of the papers: DOMI (Breuker et al. 2000) and OBSEQUI (Bullock 2002), every technique behind a switch.
#pragma once

#include "domineering/bound/cover.hpp"
#include "domineering/obsequi/table.hpp"
#include "domineering/search/result.hpp"

namespace zermelo {

// The defaults are OBSEQUI's settings as published; `cover = false` makes the search DOMI's.
struct ObsequiSettings {
  bool real = true;   // cut-offs by real and safe moves (DOMI)
  bool cover = true;  // cut-offs by the cover bound (OBSEQUI)
  CoverSwitches switches;
  Replacement replacement = Replacement::FIND_FIRST;
  bool order_primary = true;     // change of real and safe moves (thesis 4.2)
  bool order_symmetry = false;   // moves whose mirror image was played early in the line (thesis 4.2.1)
  bool order_positional = true;  // a value per square, equal for mirror images: OBSEQUI's form of 4.2.1
  bool skip_safe_moves = true;   // never play a move that the opponent cannot prevent (theorem 4.3.1)
  std::size_t table_bytes = std::size_t{256} << 20;
  int threads = 1;
};

// Does `first` win when she starts? With one thread the node count is deterministic. Every win comes with a move.
SearchResult obsequi_search(const Board& board, Player first, const ObsequiSettings& settings, const Limits& limits);

}  // namespace zermelo
