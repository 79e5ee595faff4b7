#include "domineering/board/component.hpp"

#include <algorithm>
#include <bit>

namespace zermelo {

void Component::set(const Lines& squares, Player player, int line_count) {
  const std::size_t own = index_of(player), rival = 1 - own;
  int top = 0, bottom = line_count - 1;
  while (!squares[top]) ++top;
  while (!squares[bottom]) --bottom;
  lines[own] = squares;
  lines[rival] = {};
  unsigned all = 0;
  for (int i = top; i <= bottom; ++i) {
    const Line line = squares[i];
    all |= line;
    for (unsigned rest = line; rest; rest &= rest - 1) lines[rival][std::countr_zero(rest)] |= 1u << i;
  }
  const int left = std::countr_zero(all), width = std::bit_width(all) - left;
  first[own] = static_cast<std::uint8_t>(top);
  first[rival] = static_cast<std::uint8_t>(left);
  count[own] = static_cast<std::uint8_t>(bottom - top + 1);
  count[rival] = static_cast<std::uint8_t>(width);
}

bool Component::take_off(Player player, int line, int bit) {
  const std::size_t p = index_of(player);
  Lines& own = lines[p];
  if (!stays_connected(own, line, bit, true)) return false;
  const Line keep = ~(1u << bit);
  own[line] &= keep;
  own[line + 1] &= keep;
  lines[1 - p][bit] &= ~(3u << line);
  for (std::size_t q = 0; q < 2; ++q) {
    while (!lines[q][first[q]]) ++first[q], --count[q];
    while (!lines[q][first[q] + count[q] - 1]) --count[q];
  }
  return true;
}

Lines Component::cornered(Player player) const {
  const std::size_t p = index_of(player);
  Lines result{};
  for (int i = 0; i < count[p]; ++i) result[i] = lines[p][first[p] + i] >> first[1 - p];
  return result;
}

void split(Lines lines, Player player, int line_count, std::vector<Component>& components) {
  components.clear();
  const auto is_free = [](Line line) { return line != 0; };
  while (std::any_of(lines.begin(), lines.end(), is_free))
    components.emplace_back().set(take_part(lines, line_count), player, line_count);
}

}  // namespace zermelo
