// What references of a certificate compare (checker/FORMAT.md 4.3): positions that are equal up to mirror images, and
// on a rectangle up to the place of their components and integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "domineering/board/component.hpp"

namespace zermelo::proof {

// The shapes, hashed to 128 bits. Two positions with one hash would make a certificate that the checker rejects; they
// could not make it verify anything false.
struct NormalKey {
  std::uint64_t one = 0, two = 0;
  friend auto operator<=>(const NormalKey&, const NormalKey&) = default;
};
struct Normal {
  NormalKey key;
  int number = 0;  // a reference holds if its integer is at least that of the position it means

  // One more component of a position on a rectangle, on which this player wins.
  void add(const Component& component, Player winner);
};

// Of the rows of a rectangle, on which Vertical wins. The vector is reused.
Normal normal_form(const Lines& rows, int row_count, std::vector<Component>& components);
// On a cylinder or torus: up to mirror images, and turns around those rings that close.
Normal ring_normal_form(const Board& board);

}  // namespace zermelo::proof
