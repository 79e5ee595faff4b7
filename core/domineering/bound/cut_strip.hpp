// One strip of a cut: some squares of up to four neighbouring lines.
#pragma once

#include <array>

#include "domineering/board/lines.hpp"
#include "domineering/bound/strip_table.hpp"

namespace zermelo {

struct CutStrip {
  int start = 0, height = 0;
  std::array<Lines::value_type, MAX_STRIP_HEIGHT> lines{};  // from `start` on

  int end() const { return start + height; }
  unsigned line(int index) const {
    return index >= start && index < end() ? unsigned{lines[static_cast<std::size_t>(index - start)]} : 0u;
  }
  bool is_empty() const {
    unsigned all = 0;
    for (int i = start; i < end(); ++i) all |= line(i);
    return !all;
  }
};

}  // namespace zermelo
