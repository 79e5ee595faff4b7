#include "domineering/bound/strip_profile.hpp"

#include <bit>

namespace zermelo {

LineDominoes::LineDominoes() : of_{} {
  for (std::size_t line = 3; line < of_.size(); ++line) {
    // The lowest square of a run either starts a domino or is wasted, whichever; taking it is never worse.
    const std::size_t lowest = line & (~line + 1);
    const bool pair = (line & lowest << 1) != 0;
    of_[line] = static_cast<std::uint8_t>(pair ? of_[line & ~(lowest * 3)] + 1 : of_[line & ~lowest]);
  }
}

int LineDominoes::of_long(Line line) const {
  // A run over the middle has one domino more than its two halves, if both are odd.
  const Line low = line & 0xffff, high = line >> 16;
  return of_[low] + of_[high] + (std::countl_one(low << 16) & std::countr_one(high) & 1);
}

const LineDominoes LINE_DOMINOES;

}  // namespace zermelo
