#include "domineering/proof/bent_cut.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <type_traits>

#include "base/bytes.hpp"

namespace zermelo::proof {

namespace {

constexpr int MISS = STRIP_UNIT;  // a straight cut that misses by more is not bent: that hardly ever helps

// Calls visit(first square, run) for the runs of a line, from the left.
template <class Visit>
void each_run(unsigned line, Visit&& visit) {
  while (line) {
    const unsigned run = line & ~(line + (line & (~line + 1)));
    visit(run);
    line &= ~run;
  }
}

}  // namespace

bool BentCut::find(const std::vector<Component>& components, bool winner_to_move) {
  if (!(winner_to_move ? improve(first_, components, nullptr, 0) : improve(second_, components, nullptr, 0)))
    return false;
  collect(components);
  return true;
}

void BentCut::find_nearest(const std::vector<Component>& components) {
  improve(first_, components, nullptr, INT_MAX);
  collect(components);
  add_up();
}

bool BentCut::find_answer(const std::vector<Component>& components, int row, int col) {
  place_ = component_at(components, row, col);
  changed_ = components[place_];
  changed_.rows = without_domino(changed_.rows, row, col, false);
  straightened_ = false;
  const bool found = improve(first_, components, &changed_, 0);
  failed_ = !found && !straightened_;
  if (!found) return false;
  collect(components);
  return add_up() && answers(row, col);
}

// It has, if what is left is connected, cut as it was there, and no table knows more of it.
bool BentCut::has_failed_on(const std::vector<Component>& components) const {
  if (!failed_ || components.size() != parts_.size()) return false;
  const Component& c = components[place_];
  if (c.rows != changed_.rows || c.top != changed_.top || c.bottom != changed_.bottom) return false;
  const Worth worth = worth_of(c, tables_);
  return !worth.is_number && !worth.is_exact;
}

// Cuts every component, one after the other. With `enough` = INT_MAX the best is looked for, and found; else a margin
// of so much. `changed` takes the place of the component at place_.
template <class Sum>
bool BentCut::improve(std::deque<Work<Sum>>& works, const std::vector<Component>& components, const Component* changed,
                      int enough) {
  // 1. What each component is worth, cut straight.
  Sum needs = Sum::needs();
  int open = 0, number = 0;
  Worth last;
  parts_.resize(components.size());
  while (works.size() < parts_.size()) works.emplace_back();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& part = parts_[i];
    const bool is_changed = changed && i == place_;
    part.component = is_changed ? changed : &components[i];
    const Component& c = *part.component;
    // What is known of a component as a whole holds for one piece; with squares missing it may be several.
    const Worth worth = is_changed ? Worth{} : worth_of(c, tables_);
    part.open = !worth.is_number;
    part.whole = worth.is_number;
    part.number = worth.is_number ? worth.number : worth.floor;
    if (worth.is_number) {
      number += worth.number;
      continue;
    }
    ++open;
    last = worth;
    Work<Sum>& work = works[i];
    work.profile.build(c.rows.data() + c.top, c.height(), tables_);
    work.sum = work.profile.whole();
    if (worth.floor != Worth::NONE) work.sum = work.sum.or_better(Sum::zero().plus(worth.floor));
  }
  needs = needs.plus(number);
  const bool needed = enough != INT_MAX;
  if (!open) return !needed || Sum::zero().margin_with(needs) >= 0;
  if constexpr (std::is_same_v<Sum, MoveSum>)
    if (needed && open == 1 && last.is_exact && last.ceiling + number > 0) {
      std::find_if(parts_.begin(), parts_.end(), [](const Part& part) { return part.open; })->whole = true;
      return true;
    }

  // 2. One after the other is cut for good, as all together need it.
  int margin = 0, left = open;
  bool is_first = true;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& part = parts_[i];
    if (!part.open) continue;
    Sum here = needs;
    for (std::size_t k = 0; k < parts_.size(); ++k)
      if (k != i && parts_[k].open) here = here.plus(works[k].sum);
    auto& [sum, profile, cut] = works[i];
    if (is_first && needed && sum.margin_with(here) < enough - MISS) return false;
    is_first = false;
    profile.build_behind(tables_, here);
    cut.build(profile, tables_, here, enough);
    part.strips = cut.strips();
    const bool hopeless = --left == 0 && needed && cut.margin() < enough;
    if (!hopeless && !encode(part, components[i])) {
      cut.build(profile, tables_, here, INT_MIN);
      part.strips = cut.strips();
      straightened_ = true;
    }
    sum = cut.whole();
    margin = cut.margin();
    if (part.number != Worth::NONE) {
      const Sum uncut = Sum::zero().plus(part.number);
      const int other = uncut.margin_with(here);
      if (other >= margin) margin = other, part.whole = true, sum = uncut;
    }
  }
  return margin >= enough;
}

// The strips of a part with all squares of the component, and a bit for each run from the second line on: whether it
// goes to the next strip. False if bits cannot say it: the first line goes to two strips, or another one to three; or
// the squares of one run go to two, where a domino is missing in between.
bool BentCut::encode(const Part& part, const Component& component) {
  const std::span<const Strip> from = part.strips;
  strips_.assign(from.size(), Strip{0, 0, 0});
  code_.clear();
  std::size_t current = 0;
  bool good = true;
  for (int i = 0; i < component.height() && good; ++i) {
    std::size_t next = current;
    each_run(component.rows[component.top + i], [&](unsigned run) {
      std::size_t at = current;
      while (at < from.size() && !from[at].has(i, run)) ++at;
      if (at == from.size()) at = current + (i > from[current].last() && current + 1 < from.size());  // nothing is left
      const unsigned whole = part.component->rows[component.top + i] & run;
      if (from[at].has(i, run) ? (from[at].line(i) & run) != whole : whole != 0) good = false;
      if (at > current + 1 || (i == 0 && at > 0)) good = false;
      if (!good) return;
      if (i > 0) code_ += static_cast<char>(at - current);
      if (!strips_[at].lines) strips_[at].start = static_cast<std::int8_t>(i);
      good = strips_[at].put(i, run);
      next = std::max(next, at);
    });
    current = next;
  }
  return good && current + 1 == from.size();
}

// The strips of all components, with bits for all runs.
void BentCut::collect(const std::vector<Component>& components) {
  pieces_.clear();
  bits_.clear();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    const Component& c = components[i];
    if (part.open && !part.whole) {
      encode(part, c);
      bits_ += code_;
      for (const Strip& strip : strips_) pieces_.push_back({&c, strip, false, 0});
      continue;
    }
    for (int row = c.top + 1; row <= c.bottom; ++row) each_run(c.rows[row], [&](unsigned) { bits_ += '\0'; });
    const bool fixed = c.height() > MAX_STRIP_HEIGHT || (c.height() > 1 && c.width() > tables_.of(c.height()).exact);
    pieces_.push_back({&c, fixed ? Strip{} : Strip::of(c.rows, c.top, c.height()), fixed, part.number});
    pieces_.back().strip.start = 0;
  }
}

void BentCut::write(std::string& out) const {
  put_bits(out, static_cast<int>(bits_.size()), [&](int i) { return bits_[i] != 0; });
}

bool BentCut::add(MoveSum& sum, const Piece& piece) const {
  if (!piece.fixed) return FlexibleCut<MoveSum>::add(sum, piece.strip, tables_);
  sum = sum.plus(piece.number);
  return true;
}

// For each piece, the sum of those before it and of those behind it. False if one has no table.
bool BentCut::add_up() {
  MoveSum sum = MoveSum::zero();
  for (Piece& piece : pieces_) {
    piece.before = sum;
    if (!add(sum, piece)) return false;
  }
  sum = MoveSum::needs();
  for (std::size_t i = pieces_.size(); i-- > 0;) {
    pieces_[i].behind = sum;
    add(sum, pieces_[i]);
  }
  return true;
}

bool BentCut::answers(int row, int col) const {
  std::size_t i = 0;
  const auto has = [&](const Piece& piece) {
    if (!(piece.component->rows[row] >> col & 1)) return false;
    return piece.fixed || piece.strip.has(row - piece.component->top, 1u << col);
  };
  while (!has(pieces_[i])) ++i;
  const Piece& piece = pieces_[i];
  if (piece.fixed) return false;
  Strip strip = piece.strip;
  MoveSum sum = piece.before;
  if (strip.take(row - piece.component->top, 3u << col)) FlexibleCut<MoveSum>::add(sum, strip, tables_);
  return sum.margin_with(piece.behind) >= 0;
}

}  // namespace zermelo::proof
