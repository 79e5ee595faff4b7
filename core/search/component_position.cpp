#include "search/component_position.hpp"

#include <algorithm>

namespace zermelo {

namespace {

// All of the runs of `mask` that meet `seed`, which lies within mask.
unsigned filled_runs(unsigned seed, unsigned mask) {
  unsigned up = mask, down = mask, left = seed, right = seed;
  for (int step = 1; step < 16; step *= 2) {
    left |= up & left << step;
    right |= down & right >> step;
    up &= up << step;
    down &= down >> step;
  }
  return left | right;
}

// Takes one connected part out of `rows`, the one with the first free square of the first row that has any.
Lines take_part(Lines& rows, int row_count) {
  Lines part{};
  int seed = 0;
  while (!rows[static_cast<std::size_t>(seed)]) ++seed;
  const unsigned first = rows[static_cast<std::size_t>(seed)];
  part[static_cast<std::size_t>(seed)] = static_cast<std::uint16_t>(filled_runs(first & (~first + 1), first));
  // Sweeps down and up until nothing is added; each sweep follows the part as long as it runs one way.
  const auto grow = [&](int row, int from) {
    const auto r = static_cast<std::size_t>(row);
    const unsigned seeds = rows[r] & (part[r] | part[static_cast<std::size_t>(from)]);
    if (seeds == part[r]) return false;
    part[r] = static_cast<std::uint16_t>(filled_runs(seeds, rows[r]));
    return true;
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (int row = seed + 1; row < row_count; ++row) grown |= grow(row, row - 1);
    for (int row = row_count - 2; row >= seed; --row) grown |= grow(row, row + 1);
  }
  for (int row = seed; row < row_count; ++row)
    rows[static_cast<std::size_t>(row)] &= static_cast<std::uint16_t>(~part[static_cast<std::size_t>(row)]);
  return part;
}

unsigned reversed(unsigned line, int width) {
  line = (line & 0x5555) << 1 | (line >> 1 & 0x5555);
  line = (line & 0x3333) << 2 | (line >> 2 & 0x3333);
  line = (line & 0x0f0f) << 4 | (line >> 4 & 0x0f0f);
  line = (line & 0x00ff) << 8 | (line >> 8 & 0x00ff);
  return line >> (16 - width);
}

// `rows` start at the part's first row and column.
PartKey canonical_key(const std::uint16_t* rows, int height, int width) {
  std::array<std::array<std::uint16_t, MAX_LINES>, 4> image;
  for (int i = 0; i < height; ++i) {
    const auto top = static_cast<std::size_t>(i), bottom = static_cast<std::size_t>(height - 1 - i);
    const auto line = rows[i];
    const auto mirror = static_cast<std::uint16_t>(reversed(line, width));
    image[0][top] = image[1][bottom] = line;
    image[2][top] = image[3][bottom] = mirror;
  }
  std::size_t least = 0;
  for (std::size_t k = 1; k < 4; ++k)
    if (std::lexicographical_compare(image[k].begin(), image[k].begin() + height, image[least].begin(),
                                     image[least].begin() + height))
      least = k;

  PartKey key;
  key.bytes[0] = static_cast<std::uint8_t>((height - 1) << 4 | (width - 1));
  std::size_t at = 1;
  std::uint64_t pending = 0;
  int held = 0;
  for (int i = 0; i < height; ++i) {
    pending |= std::uint64_t{image[least][static_cast<std::size_t>(i)]} << held;
    held += width;
    for (; held >= 8; held -= 8, pending >>= 8) key.bytes[at++] = static_cast<std::uint8_t>(pending);
  }
  if (held) key.bytes[at++] = static_cast<std::uint8_t>(pending);
  key.size = static_cast<std::uint8_t>(at);
  return key;
}

int dominoes(const Lines& lines) {
  int total = 0;
  for (const std::uint16_t line : lines) total += LINE_DOMINOES[line];
  return total;
}

// The table's entry for a whole part, if there is one: lines start at the part's own corner.
const StripEntry* whole_entry(const std::uint16_t* lines, int height, int width, const StripTables& tables) {
  if (height > MAX_STRIP_HEIGHT || width > MAX_LINES) return nullptr;
  const StripEntry* table = tables.table(height, width);
  if (!table) return nullptr;
  std::size_t index = 0;
  for (int i = height - 1; i >= 0; --i) index = index << width | lines[i];
  return table + index;
}

}  // namespace

void add_parts(ComponentPosition& position, Lines rows, int row_count, PartStack& stack, const StripTables& tables) {
  const auto any = [&] {
    unsigned all = 0;
    for (const std::uint16_t row : rows) all |= row;
    return all != 0;
  };
  while (any()) {
    Part& part = stack.push();
    part.lines[0] = take_part(rows, row_count);

    // Extents, and the columns as lines.
    const Lines& own = part.lines[0];
    unsigned all = 0;
    int top = 0, bottom = row_count - 1;
    while (!own[static_cast<std::size_t>(top)]) ++top;
    while (!own[static_cast<std::size_t>(bottom)]) --bottom;
    for (int i = top; i <= bottom; ++i) all |= own[static_cast<std::size_t>(i)];
    const int left = std::countr_zero(all), width = std::bit_width(all) - left, height = bottom - top + 1;
    part.lines[1] = {};
    for (int i = top; i <= bottom; ++i)
      for (unsigned row = own[static_cast<std::size_t>(i)]; row; row &= row - 1)
        part.lines[1][static_cast<std::size_t>(std::countr_zero(row))] |= static_cast<std::uint16_t>(1u << i);
    part.first = {static_cast<std::uint8_t>(top), static_cast<std::uint8_t>(left)};
    part.count = {static_cast<std::uint8_t>(height), static_cast<std::uint8_t>(width)};

    // A player without moves makes the part an integer: the other's dominoes, who is never disturbed.
    const int h_dominoes = dominoes(part.lines[0]), v_dominoes = dominoes(part.lines[1]);
    if (h_dominoes == 0 || v_dominoes == 0) {
      position.number += STRIP_UNIT * (v_dominoes - h_dominoes);
      stack.drop();
      continue;
    }

    // Each player's table may know the part as a whole; one such entry says which numbers bound it on both sides.
    std::array<Lines, 2> cornered{};
    for (std::size_t p = 0; p < 2; ++p)
      for (int i = 0; i < part.count[p]; ++i)
        cornered[p][static_cast<std::size_t>(i)] =
            static_cast<std::uint16_t>(part.lines[p][static_cast<std::size_t>(part.first[p] + i)] >> part.first[1 - p]);
    std::array<const StripEntry*, 2> entry = {whole_entry(cornered[0].data(), height, width, tables),
                                              whole_entry(cornered[1].data(), width, height, tables)};
    if (const StripEntry* known = entry[0] ? entry[0] : entry[1]; known && known->is_number()) {
      position.number += entry[0] ? known->floor() : -known->floor();
      stack.drop();
      continue;
    }
    part.exact = entry[0] || entry[1];
    for (std::size_t p = 0; p < 2; ++p) {
      if (entry[p]) {
        part.sum[p] = StripSum::zero().plus(*entry[p]);
      } else {
        StripProfile profile;
        profile.build(cornered[p].data(), part.count[p], StripSum::zero(), tables, false);
        part.sum[p] = profile.whole();
        if (entry[1 - p]) part.sum[p] = part.sum[p].or_better(StripSum::zero().plus(-entry[1 - p]->ceiling()));
      }
    }
    part.key = canonical_key(cornered[0].data(), height, width);
    assert(position.count < MAX_PARTS);
    position.part[static_cast<std::size_t>(position.count++)] = &part;
  }
}

ComponentKey key_of(const ComponentPosition& position, Player to_move) {
  ComponentKey key;
  std::array<const Part*, MAX_PARTS> sorted;
  // Insertion sort: a few parts, mostly in order already.
  for (int i = 0; i < position.count; ++i) {
    const Part* part = position.part[static_cast<std::size_t>(i)];
    int at = i;
    for (; at > 0; --at) {
      const Part* before = sorted[static_cast<std::size_t>(at - 1)];
      if (std::memcmp(before->key.bytes.data(), part->key.bytes.data(), PartKey::MAX_BYTES) <= 0) break;
      sorted[static_cast<std::size_t>(at)] = before;
    }
    sorted[static_cast<std::size_t>(at)] = part;
  }
  const auto number = static_cast<std::uint16_t>(position.number * 2 + (to_move == Player::H ? 1 : 0));
  key.bytes[0] = static_cast<std::uint8_t>(number);
  key.bytes[1] = static_cast<std::uint8_t>(number >> 8);
  std::size_t at = 2;
  for (int i = 0; i < position.count; ++i) {
    const PartKey& part = sorted[static_cast<std::size_t>(i)]->key;
    if (at + part.size > ComponentKey::BYTES) {
      key.fits = false;
      break;
    }
    std::memcpy(key.bytes.data() + at, part.bytes.data(), part.size);
    at += part.size;
  }
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (std::size_t i = 0; i < ComponentKey::BYTES; i += 4) {
    std::uint32_t word;
    std::memcpy(&word, key.bytes.data() + i, 4);
    hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  key.hash = hash * 0xc4ceb9fe1a85ec53ULL;
  key.hash ^= key.hash >> 29;
  return key;
}

}  // namespace zermelo
