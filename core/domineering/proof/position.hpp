// A position of a proof, with the bounds of its parts.
//
// Its rows are the lines of the winner, who plays vertically in a certificate.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "domineering/proof/normal_form.hpp"
#include "domineering/search/component_position.hpp"

namespace zermelo::proof {

// The rest after a domino on (row, col) and the square below or, if it is not vertical, to the right.
Lines without_domino(Lines rows, int row, int col, bool vertical);

class Position {
 public:
  Position(Player winner, int row_count, const StripTables& tables)
      : winner_(winner), row_count_(row_count), tables_(tables) {}

  void start(const Lines& rows);
  // Becomes `before` with one more domino. Shares its other parts, so it is of use only as long as `before` stays.
  void follow(const Position& before, int row, int col, bool vertical);

  // A component.
  struct Term {
    Part* part;
    std::optional<int> number{};  // its worth to V, in units of 1/64, if it is known to be a number
    int open = -1;                // otherwise its index in sum()
  };
  const Lines& rows() const { return rows_; }
  // All components by smallest square, as the checker takes them.
  const std::vector<Term>& terms() const { return terms_; }
  // The index of the term with this square; there is one.
  std::size_t term_at(int row, int col) const;
  // The components that are no numbers, and the sum of the others: the position as the search takes it.
  const ComponentPosition& sum() const { return sum_; }
  Normal normal_form() const;

  // By how much the winner, by straight cuts, misses a win after a domino of one player in a component that is no
  // number, with the other to move; any number from 0 on if she does not.
  int margin_after(int open, int row, int col, Player mover);

 private:
  Part& fresh();
  void add_up();

  Player winner_;
  int row_count_;
  const StripTables& tables_;
  Lines rows_{};
  std::vector<Term> terms_;
  ComponentPosition sum_;
  std::deque<Part> own_;  // grows only: parts are large
  std::size_t used_ = 0;
  // Of each open component, once it is needed: the sums behind its lines, with the rest of the position.
  std::vector<StripProfile::Behind> behind_;
  std::vector<bool> has_behind_;
};

}  // namespace zermelo::proof
