// Laws of the spec parser: any bytes give a board or std::invalid_argument with one printable line; a board's own grid
// parses back to the same squares.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "domineering/board/spec.hpp"
#include "driver.hpp"

namespace {

void demand(bool condition, const char* law) {
  if (condition) return;
  std::fprintf(stderr, "broken law: %s\n", law);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const zermelo::Spec spec = zermelo::parse_spec(text);
    demand(spec.rows >= 1 && spec.cols >= 1, "a parsed spec has squares");
    if (spec.rows > zermelo::MAX_SQUARES / spec.cols) return 0;
    const zermelo::Board board = spec.board();
    demand(zermelo::parse_spec(zermelo::grid_text(board)).board().free == board.free, "grids round-trip");
    demand(zermelo::mirrored(zermelo::mirrored(board, 3), 3) == board, "mirroring twice is nothing");
    demand(zermelo::transposed(zermelo::transposed(board)) == board, "transposing twice is nothing");
  } catch (const std::invalid_argument& error) {
    for (const char c : std::string_view(error.what()))
      demand(c >= ' ' && c <= '~', "error messages are one printable line");
  }
  return 0;
}

std::vector<std::string> seeds() {
  return {"8x8",       "1x1",          "16x16",         "256x1",    "torus:4x6", "hcylinder:3x8",
          "..#./....", "..#.|.##.|..", "8x8:V1,2;H3,4", "0x5",      "300x300",   "torus:..#/###/...:H1,1",
          "8x",        "x8",           "99999999999x1", "8x8:V9,9", "8x8:V1,2;", "vcylinder:3x3:V3,1;V1,1",
          "./#/.",     "2x60",         "8x8:V1,2;V1,2"};
}
