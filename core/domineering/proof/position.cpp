#include "domineering/proof/position.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::proof {

Lines without_domino(Lines rows, int row, int col, bool vertical) {
  rows[row] &= static_cast<Line>(~((vertical ? 1u : 3u) << col));
  if (vertical) rows[row + 1] &= static_cast<Line>(~(1u << col));
  return rows;
}

Part& Position::fresh() {
  if (used_ == own_.size()) own_.emplace_back();
  return own_[used_++];
}

void Position::start(const Lines& rows) {
  rows_ = rows;
  used_ = 0;
  terms_.clear();
  std::vector<Component> split_rows;
  split(rows, winner_, row_count_, split_rows);
  for (const Component& component : split_rows) {
    static_cast<Component&>(fresh()) = component;
    terms_.push_back({&own_[used_ - 1]});
  }
  add_up();
}

void Position::follow(const Position& before, int row, int col, bool vertical) {
  rows_ = without_domino(before.rows_, row, col, vertical);
  const std::size_t changed = before.term_at(row, col), p = index_of(winner_);
  // 1. The rest of the component, by smallest square.
  used_ = 0;
  const Part& whole = *before.terms_[changed].part;
  Part& rest = fresh();
  static_cast<Component&>(rest) = whole;
  if (!(vertical ? rest.take_off(winner_, row, col) : rest.take_off(other(winner_), col, row))) {
    used_ = 0;
    std::vector<Component> split_rows;
    split(without_domino(whole.lines[p], row, col, vertical), winner_, row_count_, split_rows);
    for (const Component& component : split_rows) static_cast<Component&>(fresh()) = component;
  }
  // 2. Both lists are in order, and so is the merged list.
  const auto smallest = [p](const Part& part) {
    return part.first[p] * MAX_LINES + std::countr_zero(part.lines[p][part.first[p]]);
  };
  terms_.clear();
  std::size_t next = 0;
  for (std::size_t i = 0; i < before.terms_.size(); ++i) {
    if (i == changed) continue;
    const Term& same = before.terms_[i];
    while (next < used_ && smallest(own_[next]) < smallest(*same.part)) terms_.push_back({&own_[next++]});
    terms_.push_back(same);
  }
  while (next < used_) terms_.push_back({&own_[next++]});
  add_up();
}

// Looks the new parts up, and adds everything up.
void Position::add_up() {
  for (std::size_t i = 0; i < used_; ++i) {
    const auto number = own_[i].number(tables_);
    const auto at = std::find_if(terms_.begin(), terms_.end(), [&](const Term& term) { return term.part == &own_[i]; });
    at->open = -1;
    at->number = number;
  }
  sum_.count = sum_.number = 0;
  for (Term& term : terms_) {
    if (term.number) {
      sum_.number += *term.number;
      continue;
    }
    term.open = sum_.count;
    sum_.part[sum_.count++] = term.part;
  }
  has_behind_.assign(sum_.count, false);
}

std::size_t Position::term_at(int row, int col) const {
  std::size_t i = 0;
  while (!terms_[i].part->has(winner_, row, col)) ++i;
  return i;
}

Normal Position::normal_form() const {
  Normal result;
  for (const Term& term : terms_) result.add(*term.part, winner_);
  return result;
}

int Position::margin_after(int open, int row, int col, Player mover) {
  Part& part = *sum_.part[open];
  const StripProfile& profile = part.profile(winner_);
  if (!has_behind_[open]) {
    if (behind_.size() <= std::size_t(open)) behind_.resize(open + 1);
    const MoveSum rest = sum_.sum_for(winner_, open);
    for (int i = 0; i <= profile.count(); ++i) behind_[open].best[i][0] = profile.behind().best[i][0].plus(rest);
    has_behind_[open] = true;
  }
  const LineMove move = mover == winner_ ? LineMove{row, col} : LineMove{col, row};
  return part.margin_after(profile, winner_, mover, move, behind_[open], 0);
}

}  // namespace zermelo::proof
