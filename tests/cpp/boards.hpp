// Positions for the tests by their free squares: square row * cols + col is a bit of a mask.
#pragma once

#include "domineering/board/board.hpp"
#include "domineering/board/lines.hpp"

inline zermelo::Board board_of(int rows, int cols, std::uint64_t free,
                               zermelo::Topology topology = zermelo::Topology::RECTANGLE) {
  zermelo::Board board = zermelo::Board::empty(rows, cols, topology);
  board.free &= zermelo::Bits<4>(free);
  return board;
}

inline zermelo::Lines lines_of(int rows, int cols, std::uint64_t free) {
  zermelo::Lines lines{};
  for (int r = 0; r < rows; ++r)
    lines[static_cast<std::size_t>(r)] = static_cast<std::uint16_t>(free >> (r * cols) & ((1u << cols) - 1));
  return lines;
}
