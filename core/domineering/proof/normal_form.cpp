#include "domineering/proof/normal_form.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace zermelo::proof {

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 31);
}

// The highest bits of a word change only the highest bits of a hash, so that each half sees other bits as the highest.
NormalKey hashed(NormalKey key, std::uint64_t word) {
  return {mix(key.one, word), mix(key.two + 0x632be59bd9b4e019ULL, std::rotl(word, 32))};
}

// The hash of the least of the four mirror images of a component.
NormalKey shape_key(const Component& c) {
  const Lines least = least_image(c.rows, c.top, c.height(), c.left, c.width()).lines;
  std::array<std::uint64_t, MAX_LINES / 2> words;
  std::memcpy(words.data(), least.data(), sizeof words);
  NormalKey key =
      hashed({0x9e3779b97f4a7c15ULL, 0xc2b2ae3d27d4eb4fULL}, static_cast<std::uint64_t>(c.height() * 64 + c.width()));
  for (int i = 0; i < (c.height() + 1) / 2; ++i) key = hashed(key, words[i]);
  return key;
}

// The box around the squares of a component.
void find_box(Component& c, int row_count) {
  c.top = 0;
  c.bottom = row_count - 1;
  while (!c.rows[c.top]) ++c.top;
  while (!c.rows[c.bottom]) --c.bottom;
  unsigned columns = 0;
  for (int row = c.top; row <= c.bottom; ++row) columns |= c.rows[row];
  c.left = std::countr_zero(columns);
  c.right = static_cast<int>(std::bit_width(columns)) - 1;
}

}  // namespace

void split(const Lines& rows, int row_count, std::vector<Component>& components) {
  components.clear();
  const auto any = [](const Lines& lines) {
    unsigned all = 0;
    for (const Line line : lines) all |= line;
    return all != 0;
  };
  for (Lines left = rows; any(left);) {
    Component& c = components.emplace_back();
    c.rows = take_part(left, row_count);
    find_box(c, row_count);
  }
}

Lines without_domino(Lines rows, int row, int col, bool vertical) {
  rows[row] &= ~((vertical ? 1u : 3u) << col);
  if (vertical) rows[row + 1] &= ~(1u << col);
  return rows;
}

std::size_t component_at(const std::vector<Component>& components, int row, int col) {
  std::size_t i = 0;
  while (!(components[i].rows[row] >> col & 1)) ++i;
  return i;
}

void Position::follow(const Position& before, int row, int col, bool vertical, int row_count,
                      std::vector<Component>& scratch) {
  rows = without_domino(before.rows, row, col, vertical);
  const std::size_t changed = component_at(before.components, row, col);
  const Lines& whole = before.components[changed].rows;
  const Lines rest = without_domino(whole, row, col, vertical);
  if (stays_connected(whole, row, col, vertical)) {
    scratch.resize(1);
    scratch[0].rows = rest;
    find_box(scratch[0], row_count);
  } else {
    split(rest, row_count, scratch);
  }
  // Both lists are in order, and so is their merger.
  const auto smallest = [](const Component& c) { return c.top * MAX_LINES + std::countr_zero(c.rows[c.top]); };
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
    const NormalKey shape = shape_key(c);
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

Normal ring_normal_form(const Board& board) {
  Normal result;
  for (const std::uint64_t word : least_image(board).word) result.key = hashed(result.key, word);
  return result;
}

}  // namespace zermelo::proof
