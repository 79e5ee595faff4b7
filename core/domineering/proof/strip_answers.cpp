#include "domineering/proof/strip_answers.hpp"

#include <cassert>

#include "domineering/proof/strip_view.hpp"

namespace zermelo::proof {

void StripAnswers::cut(const std::vector<Component>& components, const std::vector<std::uint32_t>& cuts) {
  // 1. The strips, by line within each component.
  strips_.clear();
  for (std::size_t i = 0; i < components.size(); ++i) {
    const Component& c = components[i];
    for (int line = c.top, end; line <= c.bottom; line = end) {
      for (end = line + 1; end <= c.bottom && !(cuts[i] >> (end - c.top - 1) & 1); ++end) continue;
      Strip& strip = strips_.emplace_back(Strip{&c, line, end - line, 0, 0, {}});
      if (strip.height == 1 || strip.height > MAX_STRIP_HEIGHT) continue;
      strip.pattern = strip_pattern(c.rows.data() + line, strip.height, 0, MAX_LINES);
      for (int row = line; row < end; ++row) strip.columns |= c.rows[static_cast<std::size_t>(row)];
    }
  }

  // 2. For each, the sum of those before it and of those behind it.
  StripSum sum = only_number(0);
  for (Strip& strip : strips_) {
    strip.rest = sum;
    sum = with(sum, strip);
  }
  sum = only_number(0);
  for (std::size_t i = strips_.size(); i-- > 0;) {
    strips_[i].rest = strips_[i].rest.or_better(NEVER).plus(sum.or_better(NEVER));
    sum = with(sum, strips_[i]);
  }
}

StripSum StripAnswers::with(const StripSum& sum, const Strip& strip) const {
  const Component& c = *strip.component;
  if (strip.height == 1) return with_line(sum, c.rows[static_cast<std::size_t>(strip.line)]);
  if (strip.height > MAX_STRIP_HEIGHT) {  // a whole component that the rival's table knows
    const Worth worth = worth_of(c, tables_);
    return sum.plus(worth.is_number ? worth.number : worth.floor);
  }
  StripEntries entries;
  const StripEntries::Range range = entries.find(strip.pattern, strip.columns, strip.height, tables_);
  assert(!is_missing(range) && "strips that have no table have to be cut");
  return entries.added(sum, range);
}

bool StripAnswers::answers(int row, int col) const {
  std::size_t i = 0;
  while (row < strips_[i].line || row >= strips_[i].line + strips_[i].height ||
         !(strips_[i].component->rows[static_cast<std::size_t>(row)] >> col & 1))
    ++i;
  const Strip& strip = strips_[i];
  if (strip.height > MAX_STRIP_HEIGHT) return false;
  if (strip.height == 1) {
    const unsigned line = strip.component->rows[static_cast<std::size_t>(row)] & ~(3u << col);
    return with_line(strip.rest, static_cast<std::uint16_t>(line)).margin_first() >= 0;
  }
  const std::uint64_t square = std::uint64_t{1} << (strip.height * col + row - strip.line);
  const std::uint64_t pattern = strip.pattern & ~(square | square << strip.height);
  const std::uint64_t column = (std::uint64_t{1} << strip.height) - 1;
  unsigned columns = strip.columns;
  for (const int at : {col, col + 1})
    columns &= ~(static_cast<unsigned>((pattern >> (strip.height * at) & column) == 0) << at);
  StripEntries entries;
  return entries.added(strip.rest, entries.find(pattern, columns, strip.height, tables_)).margin_first() >= 0;
}

}  // namespace zermelo::proof
