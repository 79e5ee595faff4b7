// Positions for the tests: by text, or by their free squares, where square row * cols + col is a bit of a mask.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

#include "domineering/board/board.hpp"
#include "domineering/board/lines.hpp"

inline zermelo::Board board_of(int rows, int cols, std::uint64_t free,
                               zermelo::Topology topology = zermelo::Topology::RECTANGLE) {
  zermelo::Board board = zermelo::Board::empty(rows, cols, topology);
  board.free &= zermelo::Bits<4>(free);
  return board;
}

// The board of "4x5", "torus:4x6" or "hcylinder:..#/...".
inline zermelo::Board board_of(std::string text) {
  auto topology = zermelo::Topology::RECTANGLE;
  if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    topology = text[0] == 't'   ? zermelo::Topology::TORUS
               : text[0] == 'h' ? zermelo::Topology::HCYLINDER
                                : zermelo::Topology::VCYLINDER;
    text.erase(0, colon + 1);
  }
  int rows = 0, cols = 0;
  if (std::sscanf(text.c_str(), "%dx%d", &rows, &cols) == 2) return zermelo::Board::empty(rows, cols, topology);
  cols = static_cast<int>(std::min(text.find('/'), text.size()));
  std::erase(text, '/');
  zermelo::Board board = zermelo::Board::empty(static_cast<int>(text.size()) / cols, cols, topology);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '#') board.free.reset(static_cast<int>(i));
  return board;
}

// Calls visit(line, bit) for the dominoes of the player whose lines these are: on bit `bit` of `line` and `line` + 1.
template <class Visit>
void each_domino(const zermelo::Lines& lines, Visit&& visit) {
  for (int line = 0; line + 1 < zermelo::MAX_LINES; ++line)
    for (int bit = 0; bit < zermelo::MAX_LINES; ++bit)
      if (lines[line] & lines[line + 1] & 1u << bit) visit(line, bit);
}

inline zermelo::Lines lines_of(int rows, int cols, std::uint64_t free) {
  zermelo::Lines lines{};
  for (int r = 0; r < rows; ++r)
    lines[r] = static_cast<zermelo::Line>(free >> (r * cols) & ((std::uint64_t{1} << cols) - 1));
  return lines;
}
