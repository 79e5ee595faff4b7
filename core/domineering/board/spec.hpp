// The text form of a Domineering position: the one door in. Parse and validate, or one clear sentence.
//
//   spec     = [ topology ":" ] ( size | grid ) [ ":" moves ]
//   topology = "torus" | "hcylinder" | "vcylinder"
//   size     = rows "x" columns
//   grid     = row { ( "/" | "|" ) row },  row = { "." | "#" }
//   moves    = move { ";" move },  move = ( "V" | "H" ) row "," column      (upper or left square, from 1)
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domineering/board/board.hpp"

namespace zermelo {

// A parsed spec. An empty rectangle may be of any size here (2x1000 is a fine question for the rules); board() is
// where the searchable limit of 256 squares is enforced.
struct Spec {
  Topology topology = Topology::RECTANGLE;
  int rows = 0;
  int cols = 0;
  bool is_size = true;  // "8x8" rather than a drawn grid
  std::string grid;     // rows * cols characters of '.' and '#'; empty when is_size
  std::vector<Move> moves;

  Board board() const;
};

// Throws std::invalid_argument: the message says what was wrong and what would be right.
Spec parse_spec(std::string_view text);
// The squares as rows of '.' and '#', separated by `separator`, without the topology. Parses back.
std::string grid_text(const Board& board, char separator = '/');

}  // namespace zermelo
