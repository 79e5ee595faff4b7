#include "domineering/bound/strip_profile.hpp"

namespace zermelo {

LineDominoes::LineDominoes() : of{} {
  for (std::size_t line = 3; line < of.size(); ++line) {
    // The lowest square of a run either starts a domino or is wasted, whichever; taking it is never worse.
    const std::size_t lowest = line & (~line + 1);
    const bool pair = (line & lowest << 1) != 0;
    of[line] = static_cast<std::uint8_t>(pair ? of[line & ~(lowest * 3)] + 1 : of[line & ~lowest]);
  }
}

const LineDominoes LINE_DOMINOES;

}  // namespace zermelo
