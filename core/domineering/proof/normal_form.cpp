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
NormalKey shape_key(const Component& c, Player winner) {
  const std::size_t p = index_of(winner);
  const int height = c.count[p], width = c.count[1 - p];
  const Lines least = least_image(c.lines[p], c.first[p], height, c.first[1 - p], width).lines;
  std::array<std::uint64_t, MAX_LINES / 2> words;
  std::memcpy(words.data(), least.data(), sizeof words);
  NormalKey key =
      hashed({0x9e3779b97f4a7c15ULL, 0xc2b2ae3d27d4eb4fULL}, static_cast<std::uint64_t>(height * 64 + width));
  for (int i = 0; i < (height + 1) / 2; ++i) key = hashed(key, words[i]);
  return key;
}

}  // namespace

void Normal::add(const Component& c, Player winner) {
  const int height = c.count[index_of(winner)], width = c.count[1 - index_of(winner)];
  if (width == 1) {
    number += height / 2;
  } else if (height == 1) {
    number -= width / 2;
  } else {
    const NormalKey shape = shape_key(c, winner);
    key.one += mix(shape.one, shape.two);  // a sum, so that the order of the components does not matter
    key.two += mix(shape.two, shape.one);
  }
}

Normal normal_form(const Lines& rows, int row_count, std::vector<Component>& components) {
  split(rows, Player::V, row_count, components);
  Normal result;
  for (const Component& c : components) result.add(c, Player::V);
  return result;
}

Normal ring_normal_form(const Board& board) {
  Normal result;
  for (const std::uint64_t word : least_image(board).word) result.key = hashed(result.key, word);
  return result;
}

}  // namespace zermelo::proof
