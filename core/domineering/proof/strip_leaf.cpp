#include "domineering/proof/strip_leaf.hpp"

#include <array>
#include <bit>

namespace zermelo::proof {

// Finds the components that are no numbers, and returns the sum of the others.
int StripLeaves::take(const std::vector<Component>& components, Worth& last) {
  components_ = components.data();
  cuts_.assign(components.size(), 0);
  open_count_ = 0;
  heats_ = 0;
  int number = 0;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const Worth worth = worth_of(components_[i], tables_);
    if (worth.is_number) {
      number += worth.number;
      continue;
    }
    if (open_count_ == open_.size()) open_.emplace_back();
    Open& open = open_[open_count_++];
    open.component = i;
    open.whole_floor = worth.floor;
    last = worth;
  }
  return number;
}

// The best sum over all cuts.
StripSum StripLeaves::best_cut(int number) {
  best_.clear();
  best_.push_back(only_number(number));
  for (std::size_t k = 0; k < open_count_; ++k) add_component(open_[k]);
  return best_.back();
}

bool StripLeaves::find(const std::vector<Component>& components, bool winner_to_move, std::string& leaf) {
  Worth last;
  const int number = take(components, last);

  // Nothing but numbers, or besides them a single component that is known exactly: the winner moves first there unless
  // it is <= 0.
  bool wins = false;
  if (open_count_ == 0) {
    wins = winner_to_move ? number > 0 : number >= 0;
    if (!wins) return false;
  } else if (winner_to_move && open_count_ == 1 && last.is_exact) {
    wins = last.ceiling + number > 0;
  }
  if (!wins) {
    const StripSum best = best_cut(number);
    if (best.margin(winner_to_move) < 0) return false;
    std::size_t lane = 0;  // the first that decides has the fewest switches
    while (!best.lane_decides(lane, winner_to_move)) ++lane;
    trace(lane);
  }
  write(leaf);
  return true;
}

const std::vector<std::uint32_t>& StripLeaves::nearest_cuts(const std::vector<Component>& components) {
  Worth last;
  const int number = take(components, last);
  trace(best_cut(number).best_lane(true));
  return cuts_;
}

// The best sums up to each line of one more component.
void StripLeaves::add_component(Open& open) {
  const Component& c = components_[open.component];
  const std::uint16_t* lines = c.rows.data() + c.top;
  const int count = c.height();
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  StripPatterns patterns;
  patterns.build(lines, count);
  open.entries.clear();
  patterns.find_all(open.entries, open.strip, tables_);

  open.base = best_.size() - 1;
  for (int end = 1; end <= count; ++end) {
    StripSum best = with_line(best_.back(), lines[end - 1]);
    for (int height = 2; height <= MAX_STRIP_HEIGHT && height <= end; ++height)
      if (const auto range = open.strip[at(height)][at(end - height)]; !is_missing(range))
        best = best.or_better(open.entries.added(best_[open.base + at(end - height)], range));
    if (end == count && open.whole_floor != Worth::NONE) best = best.or_better(best_[open.base].plus(open.whole_floor));
    best_.push_back(best);
  }
}

// Walks back along one lane, cut by cut and piece by piece.
void StripLeaves::trace(std::size_t lane) {
  for (std::size_t k = open_count_; k-- > 0;) {
    const Open& open = open_[k];
    const Component& c = components_[open.component];
    const std::uint16_t* lines = c.rows.data() + c.top;
    for (int end = c.height(); end > 0;) {
      const int reached = best_[open.base + static_cast<std::size_t>(end)].lane[lane];
      if (end == c.height() && open.whole_floor != Worth::NONE &&
          best_[open.base].lane[lane] + open.whole_floor == reached)
        break;
      int height = 1;
      for (; height <= MAX_STRIP_HEIGHT && height <= end; ++height) {
        const StripSum& before = best_[open.base + static_cast<std::size_t>(end - height)];
        if (height == 1) {
          if (with_line(before, lines[end - 1]).lane[lane] == reached) break;
          continue;
        }
        const auto range = open.strip[static_cast<std::size_t>(height)][static_cast<std::size_t>(end - height)];
        if (!is_missing(range) && open.entries.added(before, range).lane[lane] == reached) break;
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
    entries[count] = tables_.table(height, width)[strip_pattern(c.rows.data() + line, height, first, width)];
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

void StripLeaves::write(std::string& leaf) const {
  leaf += static_cast<char>(3 + std::popcount(heats_));
  for (int k = 0; k < SWITCHES; ++k)
    if (heats_ >> k & 1) leaf += static_cast<char>(SWITCH_TEMPERATURES[static_cast<std::size_t>(k)]);
  for (std::size_t i = 0; i < cuts_.size(); ++i)
    for (int gap = 0; gap < components_[i].height() - 1; gap += 8) leaf += static_cast<char>(cuts_[i] >> gap & 255);
}

}  // namespace zermelo::proof
