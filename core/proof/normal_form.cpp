#include "proof/normal_form.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace zermelo::proof {

namespace {

// All of the runs of `mask` that meet `seed`, which lies within mask.
unsigned filled_runs(unsigned seed, unsigned mask) {
  unsigned up = mask, down = mask, left = seed, right = seed;
  for (int step = 1; step < MAX_LINES; step *= 2) {
    left |= up & left << step;
    right |= down & right >> step;
    up &= up << step;
    down &= down >> step;
  }
  return left | right;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 31);
}

unsigned reversed(unsigned line, int width) {
  line = (line & 0x5555) << 1 | (line >> 1 & 0x5555);
  line = (line & 0x3333) << 2 | (line >> 2 & 0x3333);
  line = (line & 0x0f0f) << 4 | (line >> 4 & 0x0f0f);
  line = (line & 0x00ff) << 8 | (line >> 8 & 0x00ff);
  return line >> (16 - width);
}

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// The hash of the least of the four mirror images of a box of squares.
NormalKey box_key(const Lines& rows, int top, int height, int left, int width) {
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

}  // namespace

void split(const Lines& rows, int row_count, std::vector<Component>& components) {
  components.clear();
  Lines rest = rows;
  for (int start = 0; start < row_count; ++start) {
    while (const unsigned line = rest[at(start)]) {
      Component& c = components.emplace_back();
      c.rows[at(start)] = static_cast<std::uint16_t>(filled_runs(line & (~line + 1u), line));
      // Sweeps down and up until nothing is added; each sweep follows the component as long as it runs one way.
      int bottom = start;
      const auto grow = [&](int row, int from) {
        const unsigned seeds = rest[at(row)] & (c.rows[at(row)] | c.rows[at(from)]);
        if (seeds == c.rows[at(row)]) return false;
        c.rows[at(row)] = static_cast<std::uint16_t>(filled_runs(seeds, rest[at(row)]));
        return true;
      };
      for (bool grown = true; grown;) {
        grown = false;
        for (int row = start + 1; row < row_count && c.rows[at(row - 1)]; ++row) {
          grown |= grow(row, row - 1);
          if (c.rows[at(row)] && row > bottom) bottom = row;
        }
        if (!grown) break;
        grown = false;
        for (int row = bottom - 1; row >= start; --row) grown |= grow(row, row + 1);
      }
      unsigned columns = 0;
      for (int row = start; row <= bottom; ++row) {
        const unsigned mine = c.rows[at(row)];
        columns |= mine;
        rest[at(row)] &= static_cast<std::uint16_t>(~mine);
      }
      c.top = start;
      c.bottom = bottom;
      c.left = std::countr_zero(columns);
      c.right = static_cast<int>(std::bit_width(columns)) - 1;
    }
  }
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

Normal normal_form(const Lines& rows, int row_count, std::vector<Component>& components) {
  split(rows, row_count, components);
  Normal result;
  for (const Component& c : components) result.add(c);
  return result;
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
