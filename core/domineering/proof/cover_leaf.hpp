// Cover leaves of a certificate (checker/FORMAT.md 5.5): areas of the winner, who plays vertically, and their bound.
//
// The areas come from the packing of bound/cover_pack.hpp. The bound is the format's, which leaves out options and
// parities: a weaker one, but with a proof of one page.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "domineering/board/board.hpp"
#include "domineering/bound/cover_pack.hpp"

namespace zermelo::proof {

// Areas by their upper left squares, row * cols + col.
struct Areas {
  std::vector<int> corners;   // protective areas, rising
  std::vector<int> dominoes;  // rising
};

// Do the areas decide, with the winner to move (`first`) or not?
bool cover_decides(const Board& board, const Areas& areas, bool first);
// The leaf as the format writes it.
std::string cover_text(const Board& board, const Areas& areas);

// The packing of one mirror image, in squares of the board itself.
template <class W, bool RINGS>
Areas packed_areas(const Frame<W, RINGS>& frame, const W& x, int image) {
  const int rows = frame.length, cols = frame.lines;
  const Packing<W> packing = pack_cover(frame, x, CoverSwitches{});
  Areas areas;
  const auto collect = [&](W lows, int width, std::vector<int>& into) {
    for (; any(lows); lows ^= bit<W>(lowest(lows))) {
      int col = lowest(lows) / rows, row = lowest(lows) % rows;
      if (image & 2) row = rows - 2 - row;
      if (image & 1) col = (cols - width - col + cols) % cols;
      into.push_back(row * cols + col);
    }
    std::sort(into.begin(), into.end());
  };
  collect(packing.protective, 2, areas.corners);
  collect(packing.safe | packing.vulnerable, 1, areas.dominoes);
  return areas;
}

}  // namespace zermelo::proof
