// What references of a certificate compare (checker/FORMAT.md 4.3): positions that are equal up to mirror images, and
// on a rectangle up to the place of their components and integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "domineering/board/board.hpp"
#include "domineering/board/lines.hpp"

namespace zermelo::proof {

inline unsigned line(const Lines& rows, int row) { return rows[row]; }

// A connected component of a position that is turned so that the winner plays vertically: line i is row i.
struct Component {
  Lines rows{};
  int top = 0, bottom = 0, left = 0, right = 0;
  int height() const { return bottom - top + 1; }
  int width() const { return right - left + 1; }
};

// The components by smallest square, as the checker takes them. The vector is reused.
void split(const Lines& rows, int row_count, std::vector<Component>& components);

// The squares left by a domino on (row, col) and the square below or, if it is not vertical, to the right.
Lines without_domino(Lines rows, int row, int col, bool vertical);

// A position with its components. Moves change few of them, so that only those are split again.
struct Position {
  Lines rows{};
  std::vector<Component> components;

  void start(const Lines& squares, int row_count) {
    rows = squares;
    split(rows, row_count, components);
  }
  // Becomes `before` with one more domino. The scratch vector is reused.
  void follow(const Position& before, int row, int col, bool vertical, int row_count, std::vector<Component>& scratch);
};

// The component that has this square; there is one.
std::size_t component_at(const std::vector<Component>& components, int row, int col);

// The shapes, hashed to 128 bits. Two positions with one hash would make a certificate that the checker rejects; they
// could not make it verify anything false.
struct NormalKey {
  std::uint64_t one = 0, two = 0;
  friend auto operator<=>(const NormalKey&, const NormalKey&) = default;
};
struct Normal {
  NormalKey key;
  int number = 0;  // a reference holds if its integer is at least that of the position it means

  // One more component of a position on a rectangle.
  void add(const Component& component);
};

// On a rectangle.
Normal normal_form(const std::vector<Component>& components);
// The same; the vector is reused.
Normal normal_form(const Lines& rows, int row_count, std::vector<Component>& components);
// On a cylinder or torus: up to mirror images, and turns around those rings that close.
Normal ring_normal_form(const Board& board);

}  // namespace zermelo::proof
