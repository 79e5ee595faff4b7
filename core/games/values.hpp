// Canonical values of positions of a game by local rules. Equal parts, also their images, are valued once.
#pragma once

#include <cstdint>
#include <vector>

#include "cgt/arena.hpp"
#include "cgt/flat_map.hpp"
#include "games/rules.hpp"

namespace zermelo::games {

class LocalValues {
 public:
  LocalValues(const LocalRules& rules, cgt::Arena& arena) : rules_(rules), arena_(arena) {}

  // Throws LimitReached as the arena does.
  cgt::GameId value(const Cells& cells);
  // The value of a part in its least image.
  cgt::GameId canonical_value(const Cells& cells);
  // Distinct parts valued so far, and their bytes.
  std::size_t parts() const { return known_.size(); }
  std::size_t bytes() const { return known_.bytes(); }

 private:
  // A position after a move: values parts_[first, end), and the numbers between which their sum lies (Arena::low()).
  struct Option {
    std::uint32_t first, end;
    std::int64_t low = 0, high = 0;
  };
  std::vector<cgt::GameId> options(Side side, const Cells& cells);

  const LocalRules& rules_;
  cgt::Arena& arena_;
  cgt::PairMap known_;
};

}  // namespace zermelo::games
