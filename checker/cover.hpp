// Covers (FORMAT.md 5.5): areas in which Vertical is sure of so many moves that Horizontal runs out first.
#pragma once

#include "squares.hpp"
#include "stream.hpp"

namespace zcheck {

// The neighbourhoods of one board, turned so that the winner plays vertically.
template <int W>
class Cover {
 public:
  using Squares = Set<W>;

  Cover(int rows, int cols, bool ring_rows, bool ring_cols)
      : rows_(rows), cols_(cols), ring_rows_(ring_rows), ring_cols_(ring_cols) {}

  // Reads a cover and recomputes its bound; `moves` are Vertical's; with `first` she is to move.
  void check(Reader& reader, const Squares& free, const std::vector<Squares>& moves, bool first) const {
    std::vector<Squares> areas;
    int corner = -1;
    const auto squares = static_cast<std::uint64_t>(rows_ * cols_);
    for (int count = reader.number(squares / 4 + 1, "number of protective areas"); count; --count) {
      const int last = corner;
      corner = reader.number(squares, "square");
      if (corner <= last) malformed("protective areas must be in order");
      areas.push_back(protective(corner, free));
    }
    const std::size_t protectives = areas.size();
    int bits = 0;
    for (std::size_t i = 0; i < (moves.size() + 7) / 8 * 8; ++i) {
      if (i % 8 == 0) bits = reader.byte();
      if (!(bits >> (i % 8) & 1)) continue;
      if (i >= moves.size()) malformed("an area beyond the last move");
      areas.push_back(moves[i]);
    }
    Squares covered, open;
    const Squares quiet = free - beside(free);
    for (const Squares& area : areas) {
      if (covered.meets(area)) reject("the areas of a cover overlap");
      covered = covered | area;
      if (!quiet.contains(area)) open = open | area;
    }

    int total = SQUARE * odd_runs(free, covered);
    std::vector<int> alone, close;  // gains of Vertical for playing an area before Horizontal hits it
    for (std::size_t i = 0; i < areas.size(); ++i) {
      if (quiet.contains(areas[i])) {
        total += MOVE;
        continue;
      }
      const int left_over = SQUARE * (areas[i] & quiet).count();
      total += left_over;
      const bool touched = beside(areas[i]).meets(open - areas[i]);
      (touched ? close : alone).push_back((i < protectives ? 2 * MOVE : MOVE) - left_over);
    }
    int best = every(alone, 1, 2) + every(close, 2, 3);
    if (first)  // her free move is in one list or the other
      best = std::max(every(alone, 0, 2) + every(close, 2, 3), every(alone, 1, 2) + every(close, 0, 3));
    if (total + best < free.count() + (first ? 1 : -1)) reject("the cover does not give enough moves");
  }

 private:
  static constexpr int MOVE = 4, SQUARE = 1;  // weights of a move, and of a square that Horizontal cannot use

  // The sum of the terms at `from`, `from` + `step`, ... when the largest come first.
  static int every(std::vector<int>& terms, std::size_t from, std::size_t step) {
    std::sort(terms.begin(), terms.end(), std::greater<>());
    int sum = 0;
    for (std::size_t i = from; i < terms.size(); i += step) sum += terms[i];
    return sum;
  }

  // A set of one square, or of none beyond the edge.
  Squares square(int row, int col) const {
    if (ring_cols_) row = (row + rows_) % rows_;
    if (ring_rows_) col = (col + cols_) % cols_;
    if (row < 0 || row >= rows_ || col < 0 || col >= cols_) return {};
    return Squares::single(row * cols_ + col);
  }
  Squares beside(const Squares& set) const {
    Squares result;
    set.each(
        [&](int at) { result = result | square(at / cols_, at % cols_ - 1) | square(at / cols_, at % cols_ + 1); });
    return result;
  }
  // The 2x2 area below and right of a square, which must be free and shut off on one side.
  Squares protective(int corner, const Squares& free) const {
    const int row = corner / cols_, col = corner % cols_;
    Squares area, left, right;
    for (int r = row; r <= row + 1; ++r) {
      area = area | square(r, col) | square(r, col + 1);
      left = left | square(r, col - 1);
      right = right | square(r, col + 2);
    }
    if (area.count() != 4 || !free.contains(area)) reject("a protective area that is not free");
    if (left.meets(free) && right.meets(free)) reject("a protective area that is open on both sides");
    return area;
  }
  // How many maximal horizontal runs have odd length and meet no area.
  int odd_runs(Squares rest, const Squares& covered) const {
    int found = 0;
    while (!rest.empty()) {
      Squares run, grown = Squares::single(rest.lowest());
      while (grown != run) {
        run = grown;
        grown = run | (beside(run) & rest);
      }
      rest = rest - run;
      found += run.count() % 2 && !run.meets(covered);
    }
    return found;
  }

  int rows_, cols_;
  bool ring_rows_, ring_cols_;
};

}  // namespace zcheck
