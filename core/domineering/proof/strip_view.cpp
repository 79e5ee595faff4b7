#include "domineering/proof/strip_view.hpp"

namespace zermelo::proof {

namespace {

// The squares of a box as an index of its table, row by row or, turned, column by column.
std::size_t table_index(const Component& c, bool turned) {
  if (!turned) return strip_pattern(c.rows.data() + c.top, c.height(), c.left, c.width());
  std::size_t index = 0;
  for (int row = c.bottom; row >= c.top; --row)
    for (int col = c.right; col >= c.left; --col) index = index << 1 | (c.rows[row] >> col & 1u);
  return index;
}

}  // namespace

Worth worth_of(const Component& c, const StripTables& tables) {
  Worth worth;
  if (c.width() == 1) {
    worth.is_number = true;
    worth.number = STRIP_UNIT * (c.height() / 2);
  } else if (c.height() == 1) {
    worth.is_number = true;
    worth.number = -STRIP_UNIT * (c.width() / 2);
  } else if (c.height() <= MAX_STRIP_HEIGHT && c.width() <= tables.of(c.height()).exact) {
    const StripEntry entry = tables.of(c.height()).pair(table_index(c, false), c.width()).whole;
    worth.is_exact = true;
    worth.is_number = entry.is_number();
    worth.number = entry.floor();
    worth.ceiling = entry.ceiling();
  } else if (c.width() <= MAX_STRIP_HEIGHT && c.height() <= tables.of(c.width()).exact) {
    const StripEntry entry = tables.of(c.width()).pair(table_index(c, true), c.height()).whole;
    worth.is_exact = true;
    worth.is_number = entry.is_number();
    worth.number = -entry.floor();
    worth.ceiling = -entry.floor();
    worth.floor = -entry.ceiling();
  }
  return worth;
}

void StripView::look(const std::vector<Component>& components) {
  components_ = &components;
  open_count_ = 0;
  int number = 0;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const Component& c = components[i];
    const Worth worth = worth_of(c, tables_);
    if (worth.is_number) {
      number += worth.number;
      continue;
    }
    if (open_count_ == static_cast<int>(open_.size())) open_.emplace_back();
    Open& open = open_[open_count_++];
    open.component = i;
    open.profile.build(c.rows.data() + c.top, c.height(), tables_);
    open.sum = open.profile.whole();
    if (worth.floor != Worth::NONE) open.sum = open.sum.or_better(StripSum::zero().plus(worth.floor));
  }
  for (int k = 0; k < open_count_; ++k) {
    StripSum needs = StripSum::needs().plus(number);
    for (int i = 0; i < open_count_; ++i)
      if (i != k) needs = needs.plus(open_[i].sum);
    open_[k].profile.build_behind(tables_, needs);
  }
}

int StripView::after_vertical(int index, int row, int col) const {
  const Open& open = open_[index];
  const Component& c = (*components_)[open.component];
  return open.profile.across(row - c.top, col, tables_, open.profile.behind());
}

}  // namespace zermelo::proof
