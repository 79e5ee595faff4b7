#include "proof/strip_leaf.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::proof {

namespace {

// Adds one strip of the cut; false if there is no table for it.
bool add_strip(StripSum& sum, const std::uint16_t* lines, int height, const StripTables& tables) {
  if (height == 1) {
    sum = with_line(sum, *lines);
    return true;
  }
  StripEntries entries;
  const StripEntries::Range range = entries.find(lines, height, tables);
  if (is_missing(range)) return false;
  sum = entries.added(sum, range);
  return true;
}

// Lane 0 is a number; the others start far below anything that decides.
StripSum only_number(int number) {
  constexpr std::int16_t NEVER = -12000;
  StripSum sum{StripLanes{0, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER}};
  return sum.plus(number);
}

// The squares of a box as an index of its table, row by row or, turned, column by column.
std::size_t table_index(const Component& c, bool turned) {
  std::size_t index = 0;
  if (!turned) {
    for (int row = c.bottom; row >= c.top; --row)
      index =
          index << c.width() | (c.rows[static_cast<std::size_t>(row)] >> c.left & ((std::size_t{1} << c.width()) - 1));
  } else {
    for (int col = c.right; col >= c.left; --col)
      for (int row = c.bottom; row >= c.top; --row)
        index = index << 1 | (c.rows[static_cast<std::size_t>(row)] >> col & 1u);
  }
  return index;
}

}  // namespace

bool StripLeaves::find(const Lines& rows, int row_count, bool winner_to_move, std::string& leaf) {
  split(rows, row_count, components_);
  cuts_.assign(components_.size(), 0);
  open_.clear();
  number_ = 0;
  heats_ = 0;

  // 1. Components that are numbers, by their shape or by a table.
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const Component& c = components_[i];
    if (c.width() == 1) {
      number_ += STRIP_UNIT * (c.height() / 2);
    } else if (c.height() == 1) {
      number_ -= STRIP_UNIT * (c.width() / 2);
    } else {
      exact_ = false;
      Open open{i, 0, NONE};
      if (c.height() <= MAX_STRIP_HEIGHT && tables_.table(c.height(), c.width())) {
        const StripEntry entry = tables_.table(c.height(), c.width())[table_index(c, false)];
        if (entry.is_number()) {
          number_ += entry.floor();
          continue;
        }
        exact_ = true;
        ceiling_ = entry.ceiling();
      } else if (c.width() <= MAX_STRIP_HEIGHT && tables_.table(c.width(), c.height())) {
        const StripEntry entry = tables_.table(c.width(), c.height())[table_index(c, true)];
        if (entry.is_number()) {
          number_ -= entry.floor();
          continue;
        }
        exact_ = true;
        ceiling_ = -entry.floor();
        open.whole_floor = -entry.ceiling();
      }
      open_.push_back(open);
    }
  }

  // 2. Nothing else, or a single component that is known exactly: the winner moves first there unless it is <= 0.
  bool wins = false;
  if (open_.empty()) {
    wins = winner_to_move ? number_ > 0 : number_ >= 0;
  } else if (winner_to_move && open_.size() == 1 && exact_) {
    wins = ceiling_ + number_ > 0;
  }

  // 3. The best sum over all cuts.
  if (!wins && !open_.empty()) {
    best_.clear();
    best_.push_back(only_number(number_));
    for (Open& open : open_) {
      open.base = best_.size() - 1;
      const Component& c = components_[open.component];
      const std::uint16_t* lines = c.rows.data() + c.top;
      for (int end = 1; end <= c.height(); ++end) {
        StripSum best = best_.back();
        add_strip(best, lines + end - 1, 1, tables_);
        for (int height = 2; height <= MAX_STRIP_HEIGHT && height <= end; ++height) {
          StripSum sum = best_[open.base + static_cast<std::size_t>(end - height)];
          if (add_strip(sum, lines + end - height, height, tables_)) best = best.or_better(sum);
        }
        if (end == c.height() && open.whole_floor != NONE)
          best = best.or_better(best_[open.base].plus(open.whole_floor));
        best_.push_back(best);
      }
    }
    if (best_.back().margin(winner_to_move) < 0) return false;
    trace(winner_to_move);
    wins = true;
  }
  if (wins) write(leaf);
  return wins;
}

// Walks back along one lane that decides, cut by cut and piece by piece.
void StripLeaves::trace(bool winner_to_move) {
  std::size_t lane = 0;
  while (!best_.back().lane_decides(lane, winner_to_move)) ++lane;
  for (std::size_t k = open_.size(); k-- > 0;) {
    const Open& open = open_[k];
    const Component& c = components_[open.component];
    const std::uint16_t* lines = c.rows.data() + c.top;
    for (int end = c.height(); end > 0;) {
      const int reached = best_[open.base + static_cast<std::size_t>(end)].lane[lane];
      if (end == c.height() && open.whole_floor != NONE && best_[open.base].lane[lane] + open.whole_floor == reached)
        break;
      int height = 1;
      for (; height <= MAX_STRIP_HEIGHT && height <= end; ++height) {
        StripSum sum = best_[open.base + static_cast<std::size_t>(end - height)];
        if (add_strip(sum, lines + end - height, height, tables_) && sum.lane[lane] == reached) break;
      }
      end -= height;
      trace_pieces(c, c.top + end, height, open.base + static_cast<std::size_t>(end), lane);
      if (end > 0) cuts_[open.component] |= 1u << (end - 1);
    }
  }
}

// Which pieces of one strip are used as switches; `lane` becomes the one before the strip.
void StripLeaves::trace_pieces(const Component& c, int line, int height, std::size_t base, std::size_t& lane) {
  if (height == 1) return;
  std::array<StripSum, MAX_LINES + 1> sums;
  std::array<StripEntry, MAX_LINES> entries;
  std::size_t count = 0;
  sums[0] = best_[base];
  unsigned columns = 0;
  for (int i = 0; i < height; ++i) columns |= c.rows[static_cast<std::size_t>(line + i)];
  while (columns) {
    const int first = std::countr_zero(columns), width = std::countr_one(columns >> first);
    const unsigned mask = (1u << width) - 1;
    std::size_t index = 0;
    for (int i = height - 1; i >= 0; --i)
      index = index << width | (c.rows[static_cast<std::size_t>(line + i)] >> first & mask);
    entries[count] = tables_.table(height, width)[index];
    sums[count + 1] = sums[count].plus(entries[count]);
    ++count;
    columns &= ~(mask << first);
  }
  for (std::size_t i = count; i-- > 0;) {
    const int reached = sums[i + 1].lane[lane];
    if (sums[i].lane[lane] + entries[i].floor() == reached) continue;
    for (int k = 0; k < SWITCHES; ++k) {
      const std::size_t flipped = lane ^ (4u >> k);
      if (sums[i].lane[flipped] + entries[i].switch_floor(k) != reached) continue;
      lane = flipped;
      heats_ |= 1u << k;
      break;
    }
  }
}

const std::vector<StripLeaves::Ranked>& StripLeaves::ranked_moves() {
  constexpr int LAST = -30000;
  ranked_.clear();
  std::vector<bool> is_open(components_.size());
  std::vector<StripSum> sums;
  for (const Open& open : open_) {
    const Component& c = components_[open.component];
    profile_.build(c.rows.data() + c.top, c.height(), StripSum::zero(), tables_, false);
    sums.push_back(profile_.whole());
    is_open[open.component] = true;
  }
  const auto each_move = [](const Component& c, auto visit) {
    for (int row = c.top; row < c.bottom; ++row)
      for (unsigned moves = c.rows[static_cast<std::size_t>(row)] & c.rows[static_cast<std::size_t>(row) + 1]; moves;
           moves &= moves - 1)
        visit(row, std::countr_zero(moves));
  };
  for (std::size_t k = 0; k < open_.size(); ++k) {
    const Component& c = components_[open_[k].component];
    StripSum rest = StripSum::zero().plus(number_);
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (i != k) rest = rest.plus(sums[i]);
    profile_.build(c.rows.data() + c.top, c.height(), rest, tables_, true);
    Lines lines = c.rows;
    each_move(c, [&](int row, int col) {
      const auto flip = [&] {
        lines[static_cast<std::size_t>(row)] ^= static_cast<std::uint16_t>(1u << col);
        lines[static_cast<std::size_t>(row) + 1] ^= static_cast<std::uint16_t>(1u << col);
      };
      flip();
      const int at = row - c.top;
      const int margin = profile_.changed(lines.data() + c.top, at, at + 2, tables_).margin_second();
      flip();
      ranked_.push_back({margin, static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(col)});
    });
  }
  for (std::size_t i = 0; i < components_.size(); ++i)
    if (!is_open[i])
      each_move(components_[i], [&](int row, int col) {
        ranked_.push_back({LAST, static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(col)});
      });
  std::stable_sort(ranked_.begin(), ranked_.end(),
                   [](const Ranked& a, const Ranked& b) { return a.margin > b.margin; });
  return ranked_;
}

void StripLeaves::write(std::string& leaf) const {
  leaf += static_cast<char>(3 + std::popcount(heats_));
  for (int k = 0; k < SWITCHES; ++k)
    if (heats_ >> k & 1) leaf += static_cast<char>(SWITCH_TEMPERATURES[static_cast<std::size_t>(k)]);
  for (std::size_t i = 0; i < components_.size(); ++i)
    for (int gap = 0; gap < components_[i].height() - 1; gap += 8) leaf += static_cast<char>(cuts_[i] >> gap & 255);
}

}  // namespace zermelo::proof
