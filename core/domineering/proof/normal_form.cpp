#include "domineering/proof/normal_form.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/bits.hpp"

namespace zermelo::proof {

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 31);
}

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// A box of at most 8x8 squares as one word: row i is byte i.
std::uint64_t packed(const Lines& rows, int top, int height, int left) {
  std::uint64_t box = 0;
  for (int i = 0; i < height; ++i) box |= std::uint64_t{rows[at(top + i)]} >> left << (8 * i);
  return box;
}

// The same for a box of at most 8x8 squares, which is one word: row i is byte i.
NormalKey small_box_key(const Lines& rows, int top, int height, int left, int width) {
  const std::uint64_t upright = packed(rows, top, height, left);
  const auto turned_over = [&](std::uint64_t box) { return __builtin_bswap64(box) >> (8 * (8 - height)); };
  std::uint64_t mirror = (upright >> 1 & 0x5555555555555555ULL) | (upright & 0x5555555555555555ULL) << 1;
  mirror = (mirror >> 2 & 0x3333333333333333ULL) | (mirror & 0x3333333333333333ULL) << 2;
  mirror = (mirror >> 4 & 0x0f0f0f0f0f0f0f0fULL) | (mirror & 0x0f0f0f0f0f0f0f0fULL) << 4;
  mirror >>= 8 - width;
  const std::uint64_t least = std::min({upright, mirror, turned_over(upright), turned_over(mirror)});
  const auto size = static_cast<std::uint64_t>(height * 32 + width);
  return {mix(mix(0x9e3779b97f4a7c15ULL, least), size), mix(mix(0xc2b2ae3d27d4eb4fULL, size), least)};
}

// The hash of the least of the four mirror images of a box of squares.
NormalKey box_key(const Lines& rows, int top, int height, int left, int width) {
  if (height <= 8 && width <= 8) return small_box_key(rows, top, height, left, width);
  std::array<std::array<std::uint16_t, MAX_LINES>, 4> image;
  for (int i = 0; i < height; ++i) {
    const unsigned line = unsigned{rows[at(top + i)]} >> left;
    const auto mirror = static_cast<std::uint16_t>(reversed(line, width));
    image[0][at(i)] = image[1][at(height - 1 - i)] = static_cast<std::uint16_t>(line);
    image[2][at(i)] = image[3][at(height - 1 - i)] = mirror;
  }
  const auto least = std::min_element(image.begin(), image.end(), [&](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.begin(), a.begin() + height, b.begin(), b.begin() + height);
  });
  const auto size = static_cast<std::uint64_t>(height * 32 + width);
  NormalKey key = {mix(0x9e3779b97f4a7c15ULL, size), mix(0xc2b2ae3d27d4eb4fULL, size)};
  for (int i = 0; i < height; ++i) {
    key.one = mix(key.one, (*least)[at(i)]);
    key.two = mix(key.two + 0x632be59bd9b4e019ULL, (*least)[at(i)]);
  }
  return key;
}

// Splits a box of at most 8x8 squares as one word, row i in byte i, whose corner is (top, left).
void split_small(std::uint64_t box, int top, int left, std::vector<Component>& components) {
  constexpr std::uint64_t FIRST_COLUMN = 0x0101010101010101ULL, LAST_COLUMN = FIRST_COLUMN << 7;
  components.clear();
  while (box) {
    std::uint64_t part = 0, grown = box & (~box + 1);
    do {  // each step starts from what the one before has reached: fewer rounds
      part = grown;
      grown |= grown << 8 & box;
      grown |= (grown & ~LAST_COLUMN) << 1 & box;
      grown |= (grown & ~FIRST_COLUMN) >> 1 & box;
      grown |= grown >> 8 & box;
    } while (grown != part);
    box &= ~part;
    Component& c = components.emplace_back();
    const int first = std::countr_zero(part) / 8, last = 7 - std::countl_zero(part) / 8;
    std::uint64_t columns = part | part >> 32;
    columns |= columns >> 16;
    columns = (columns | columns >> 8) & 255;
    c.top = top + first;
    c.bottom = top + last;
    c.left = left + std::countr_zero(columns);
    c.right = left + static_cast<int>(std::bit_width(columns)) - 1;
    for (int i = first; i <= last; ++i)
      c.rows[at(top + i)] = static_cast<std::uint16_t>((part >> (8 * i) & 255) << left);
  }
}

}  // namespace

// Line by line: the runs of each line are joined with those of the line above that they touch.
void split(const Lines& rows, int row_count, std::vector<Component>& components) {
  constexpr std::size_t MAX_RUNS = MAX_LINES * MAX_LINES / 2;
  std::array<std::uint16_t, MAX_RUNS> run;
  std::array<std::uint8_t, MAX_RUNS> row_of, leader;  // the leader is the first run that is known to be connected
  const auto leader_of = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  std::size_t count = 0, above = 0;
  for (int row = 0; row < row_count; ++row) {
    const std::size_t begin = count;
    for (unsigned rest = rows[at(row)]; rest; ++count) {
      const unsigned lowest = rest & (~rest + 1), end = (rest + lowest) & ~rest;
      const unsigned squares = end - lowest;
      rest &= ~squares;
      run[count] = static_cast<std::uint16_t>(squares);
      row_of[count] = static_cast<std::uint8_t>(row);
      leader[count] = static_cast<std::uint8_t>(count);
      while (above < begin && run[above] < lowest) ++above;
      for (std::size_t i = above; i < begin && (run[i] & (~unsigned{run[i]} + 1)) < end; ++i) {
        if (!(run[i] & squares)) continue;
        const std::size_t a = leader_of(i), b = leader_of(count);
        leader[std::max(a, b)] = static_cast<std::uint8_t>(std::min(a, b));
      }
    }
    above = begin;
  }

  components.clear();
  std::array<std::uint8_t, MAX_RUNS> component_of;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = leader_of(i);
    const int row = row_of[i];
    if (first == i) {
      component_of[i] = static_cast<std::uint8_t>(components.size());
      components.emplace_back();
      components.back().top = row;
      components.back().left = MAX_LINES;
    }
    Component& c = components[component_of[first]];
    c.rows[at(row)] |= run[i];
    c.bottom = row;
    c.left = std::min(c.left, std::countr_zero(run[i]));
    c.right = std::max(c.right, static_cast<int>(std::bit_width(run[i])) - 1);
  }
}

bool stays_connected(const Component& c, int row, int col, bool vertical) {
  // The ten squares around the domino, clockwise. Neighbours in this ring touch; if those that touch the domino are all
  // in one run, what was connected through it still is.
  const auto line = [&](int r) {  // from the column to the left on
    return r < 0 || r >= MAX_LINES ? 0u : unsigned{c.rows[at(r)]} << 1 >> col;
  };
  const unsigned above = line(row - 1), upper = line(row), lower = line(row + 1);
  unsigned ring, corners;
  if (vertical) {
    const unsigned below = line(row + 2);
    ring = (above & 7u) | (upper >> 2 & 1u) << 3 | (lower >> 2 & 1u) << 4 | (below >> 2 & 1u) << 5 |
           (below >> 1 & 1u) << 6 | (below & 1u) << 7 | (lower & 1u) << 8 | (upper & 1u) << 9;
    corners = 1u | 1u << 2 | 1u << 5 | 1u << 7;
  } else {
    ring = (above & 15u) | (upper >> 3 & 1u) << 4 | (lower >> 3 & 1u) << 5 | (lower >> 2 & 1u) << 6 |
           (lower >> 1 & 1u) << 7 | (lower & 1u) << 8 | (upper & 1u) << 9;
    corners = 1u | 1u << 3 | 1u << 5 | 1u << 8;
  }
  constexpr unsigned RING = (1u << 10) - 1;
  // Corners that continue no run say nothing; the others close the gap between their neighbours.
  const unsigned before = (ring << 1 | ring >> 9) & RING, after = (ring >> 1 | ring << 9) & RING;
  const unsigned run = ring & ~(corners & ~(before & after));
  const unsigned starts = run & ~((run << 1 | run >> 9) & RING);
  return run == RING || (starts != 0 && (starts & (starts - 1)) == 0);
}

void split_after(const Component& c, int row, int col, bool vertical, int row_count,
                 std::vector<Component>& components) {
  Lines rows = c.rows;
  rows[at(row)] &= static_cast<std::uint16_t>(~((vertical ? 1u : 3u) << col));
  if (vertical) rows[at(row + 1)] &= static_cast<std::uint16_t>(~(1u << col));
  if (!stays_connected(c, row, col, vertical)) {
    if (c.height() > 8 || c.width() > 8) return split(rows, row_count, components);
    return split_small(packed(rows, c.top, c.height(), c.left), c.top, c.left, components);
  }
  components.resize(1);
  Component& rest = components[0];
  rest = c;
  rest.rows = rows;
  while (!rows[at(rest.top)]) ++rest.top;
  while (!rows[at(rest.bottom)]) --rest.bottom;
  unsigned columns = 0;
  for (int i = rest.top; i <= rest.bottom; ++i) columns |= rows[at(i)];
  rest.left = std::countr_zero(columns);
  rest.right = static_cast<int>(std::bit_width(columns)) - 1;
}

void Position::follow(const Position& before, int row, int col, bool vertical, int row_count,
                      std::vector<Component>& scratch) {
  rows = before.rows;
  rows[at(row)] &= static_cast<std::uint16_t>(~((vertical ? 1u : 3u) << col));
  if (vertical) rows[at(row + 1)] &= static_cast<std::uint16_t>(~(1u << col));
  const std::size_t changed = before.component_at(row, col);
  split_after(before.components[changed], row, col, vertical, row_count, scratch);
  // Both lists are in order, and so is what they are merged to.
  const auto smallest = [](const Component& c) { return c.top * MAX_LINES + std::countr_zero(c.rows[at(c.top)]); };
  components.clear();
  std::size_t next = 0;
  for (std::size_t i = 0; i < before.components.size(); ++i) {
    if (i == changed) continue;
    const Component& other = before.components[i];
    while (next < scratch.size() && smallest(scratch[next]) < smallest(other)) components.push_back(scratch[next++]);
    components.push_back(other);
  }
  while (next < scratch.size()) components.push_back(scratch[next++]);
}

void Normal::add(const Component& c) {
  if (c.width() == 1) {
    number += c.height() / 2;
  } else if (c.height() == 1) {
    number -= c.width() / 2;
  } else {
    const NormalKey shape = box_key(c.rows, c.top, c.height(), c.left, c.width());
    key.one += mix(shape.one, shape.two);  // a sum, so that the order of the components does not matter
    key.two += mix(shape.two, shape.one);
  }
}

Normal normal_form(const std::vector<Component>& components) {
  Normal result;
  for (const Component& c : components) result.add(c);
  return result;
}

Normal normal_form(const Lines& rows, int row_count, std::vector<Component>& components) {
  split(rows, row_count, components);
  return normal_form(components);
}

Normal ring_normal_form(const Lines& rows, int row_count, int col_count, bool rings_across, bool rings_down) {
  const unsigned all = (1u << col_count) - 1;
  Normal least{box_key(rows, 0, row_count, 0, col_count), 0};
  for (int down = 0; down < (rings_down ? row_count : 1); ++down)
    for (int along = 0; along < (rings_across ? col_count : 1); ++along) {
      Lines turned{};
      for (int row = 0; row < row_count; ++row) {
        const unsigned line = rows[static_cast<std::size_t>((row + down) % row_count)];
        turned[static_cast<std::size_t>(row)] =
            static_cast<std::uint16_t>((line << along | line >> (col_count - along)) & all);
      }
      least.key = std::min(least.key, box_key(turned, 0, row_count, 0, col_count));
    }
  return least;
}

}  // namespace zermelo::proof
