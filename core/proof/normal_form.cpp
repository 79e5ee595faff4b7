#include "proof/normal_form.hpp"

#include <algorithm>
#include <array>

namespace zermelo::proof {

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 31);
}

unsigned reversed(unsigned line, int width) {
  unsigned out = 0;
  for (int i = 0; i < width; ++i) out |= (line >> i & 1u) << (width - 1 - i);
  return out;
}

// The least hash of the four mirror images of a box of squares.
NormalKey box_key(const Lines& rows, int top, int height, int left, int width) {
  const std::uint64_t size = static_cast<std::uint64_t>(height * 32 + width);
  std::array<NormalKey, 4> image;
  image.fill({mix(0x9e3779b97f4a7c15ULL, size), mix(0xc2b2ae3d27d4eb4fULL, size)});
  const auto line = [&](int row) { return unsigned{rows[static_cast<std::size_t>(row)]} >> left; };
  for (int i = 0; i < height; ++i) {
    const unsigned down = line(top + i), up = line(top + height - 1 - i);
    const std::array<unsigned, 4> lines = {down, up, reversed(down, width), reversed(up, width)};
    for (std::size_t k = 0; k < 4; ++k) {
      image[k].one = mix(image[k].one, lines[k]);
      image[k].two = mix(image[k].two + 0x632be59bd9b4e019ULL, lines[k]);
    }
  }
  return *std::min_element(image.begin(), image.end());
}

}  // namespace

Normal normal_form(const Lines& rows, int row_count, std::vector<Component>& components) {
  split(rows, row_count, components);
  Normal result;
  for (const Component& c : components) {
    if (c.width() == 1) {
      result.number += c.height() / 2;
    } else if (c.height() == 1) {
      result.number -= c.width() / 2;
    } else {
      const NormalKey least = box_key(c.rows, c.top, c.height(), c.left, c.width());
      result.key.one += mix(least.one, least.two);  // a sum, so that the order of the components does not matter
      result.key.two += mix(least.two, least.one);
    }
  }
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
