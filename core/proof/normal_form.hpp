// Positions of a strategy up to what a certificate shares (checker/FORMAT.md 4.3): place, mirror images, integers.
#pragma once

#include <cstdint>
#include <vector>

#include "bound/strip_profile.hpp"

namespace zermelo::proof {

// A connected component of a position that is turned so that the winner plays vertically: line i is row i.
struct Component {
  Lines rows{};
  int top = 0, bottom = 0, left = 0, right = 0;
  int height() const { return bottom - top + 1; }
  int width() const { return right - left + 1; }
};

// The components by smallest square, as the checker takes them. The vector is reused.
void split(const Lines& rows, int row_count, std::vector<Component>& components);

// The multiset of shapes, hashed to 128 bits, and the integer. Two positions with one hash would make a certificate
// that the checker rejects; they could not make it verify anything false.
struct NormalForm {
  std::uint64_t one = 0, two = 0;
  int number = 0;

  void add(const Component& component);
};
NormalForm normal_form(const std::vector<Component>& components);

}  // namespace zermelo::proof
