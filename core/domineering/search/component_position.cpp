#include "domineering/search/component_position.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

#include "domineering/bound/board_words.hpp"

namespace zermelo {

namespace {

PartKey canonical_key(const LeastImage& least, int height, int width) {
  PartKey key;
  key.image = static_cast<std::uint8_t>(least.image);
  std::size_t at = 0;
  const auto put = [&](auto value) { key.bytes[at++] = static_cast<std::uint8_t>(value); };
  if (std::max(height, width) <= 16) {
    put((height - 1) << 4 | (width - 1));
  } else {
    put(PartKey::LONG);
    put(height);
    put(width);
  }
  std::uint64_t pending = 0;
  int held = 0;
  for (int i = 0; i < height; ++i) {
    pending |= std::uint64_t{least.lines[i]} << held;
    held += width;
    for (; held >= 8; held -= 8, pending >>= 8) put(pending & 255);
  }
  if (held) put(pending & 255);
  key.size = static_cast<std::uint8_t>(at);
  return key;
}

int dominoes(std::span<const Line> lines) {
  int total = 0;
  for (const Line line : lines) total += LINE_DOMINOES[line];
  return total;
}

// Whether a player whose dominoes lie in these lines has a move.
bool has_move(std::span<const Line> lines) {
  Line any = 0;
  for (const Line line : lines) any |= line & line >> 1;
  return any != 0;
}

// The table's entry for a whole part, if there is one: lines start at the part's own corner.
std::optional<StripPair> whole_entry(const Lines& lines, int first_line, int height, int first_bit, int width,
                                     const StripTables& tables) {
  if (height > MAX_STRIP_HEIGHT || width > tables.of(height).exact) return std::nullopt;
  return tables.of(height).pair(strip_pattern(lines.data() + first_line, height, first_bit, width), width);
}

}  // namespace

std::optional<int> Part::number(const StripTables& tables) {
  // A player without moves makes the part an integer: the other's dominoes, who is never disturbed.
  const std::span rows(lines[0].data() + first[0], count[0]), cols(lines[1].data() + first[1], count[1]);
  if (!has_move(rows) || !has_move(cols)) return STRIP_UNIT * (dominoes(cols) - dominoes(rows));
  // Each player's table may know the part as a whole; one such entry says which numbers bound it on both sides.
  entry_ = {whole_entry(lines[0], first[0], count[0], first[1], count[1], tables),
            whole_entry(lines[1], first[1], count[1], first[0], count[0], tables)};
  if (entry_[0] && entry_[0]->whole.is_number()) return entry_[0]->whole.floor();
  if (entry_[1] && entry_[1]->whole.is_number()) return -entry_[1]->whole.floor();
  tables_ = &tables;
  has_sum_ = has_profile_ = has_behind_ = has_bent_ = {false, false};
  key_.size = 0;
  return std::nullopt;
}

void Part::build_profile(std::size_t p) {
  profile_[p].build(cornered(static_cast<Player>(p)), count[p], *tables_);
  has_profile_[p] = true;
}

void Part::find_sum(std::size_t p) {
  has_sum_[p] = true;
  if (entry_[p]) {
    sum_[p] = MoveSum::zero().plus(*entry_[p]);
    return;
  }
  build_profile(p);
  sum_[p] = profile_[p].whole();
  if (const auto floor = floor_by_rival(static_cast<Player>(p)))
    sum_[p].still = sum_[p].still.or_better(StripSum::zero().plus(*floor));
}

void Part::find_bent(std::size_t p) {
  has_bent_[p] = true;
  if (!bent_[p]) bent_[p].reset(new BentProfile);
  bent_[p]->build(cornered(static_cast<Player>(p)), count[p], *tables_);
  sum_[p] = sum(static_cast<Player>(p)).or_better(bent_[p]->whole());
}

void Part::find_key() {
  key_ = canonical_key(least_image(lines[0], first[0], count[0], first[1], count[1]), count[0], count[1]);
}

namespace {

void add_part(ComponentPosition& position, Part& part, PartStack& stack, const StripTables& tables) {
  if (const auto number = part.number(tables)) {
    position.number += *number;
    stack.drop();
    return;
  }
  assert(position.count < MAX_PARTS);
  position.part[position.count++] = &part;
}

}  // namespace

void add_parts(ComponentPosition& position, Lines rows, int row_count, PartStack& stack, const StripTables& tables) {
  const auto any = [&] {
    unsigned all = 0;
    for (const Line row : rows) all |= row;
    return all != 0;
  };
  while (any()) {
    Part& part = stack.push();
    part.set(take_part(rows, row_count), Player::V, row_count);
    add_part(position, part, stack, tables);
  }
}

void add_rest_of(const Part& part, Player player, int line, int bit, ComponentPosition& position, int row_count,
                 PartStack& stack, const StripTables& tables) {
  Part& rest = stack.push();
  rest.lines = part.lines;
  rest.first = part.first;
  rest.count = part.count;
  if (rest.take_off(player, line, bit)) {
    add_part(position, rest, stack, tables);
    return;
  }
  stack.drop();
  Lines rows = part.lines[0];
  if (player == Player::V) {
    rows[line] &= ~(1u << bit);
    rows[line + 1] &= ~(1u << bit);
  } else {
    rows[bit] &= ~(3u << line);
  }
  add_parts(position, rows, row_count, stack, tables);
}

namespace {

using SortedParts = std::array<Part*, MAX_PARTS>;

// In the order of their keys. Insertion sort: a few parts, mostly in order already.
SortedParts sorted_parts(const ComponentPosition& position) {
  SortedParts sorted;
  for (int i = 0; i < position.count; ++i) {
    Part* part = position.part[i];
    const auto bytes = part->key().bytes.data();
    int at = i;
    for (; at > 0; --at) {
      Part* before = sorted[at - 1];
      if (std::memcmp(before->key().bytes.data(), bytes, PartKey::MAX_BYTES) <= 0) break;
      sorted[at] = before;
    }
    sorted[at] = part;
  }
  return sorted;
}

// Calls visit(line, bits of the moves there) for the player's lines, in the order of the part's least image, until it
// says true. Returns whether the bits of that image are turned around.
template <class Visit>
bool each_line_of_moves(Part& part, Player player, Visit&& visit) {
  const std::size_t p = index_of(player);
  const unsigned image = part.key().image;
  const bool lines_turned = image >> p & 1, bits_turned = image >> (1 - p) & 1;
  for (int i = 0; i + 1 < part.count[p]; ++i) {
    const int line = part.first[p] + (lines_turned ? part.count[p] - 2 - i : i);
    if (visit(line, part.lines[p][line] & part.lines[p][line + 1])) break;
  }
  return bits_turned;
}

}  // namespace

int move_number(const ComponentPosition& position, Player player, const LineMove& move) {
  const SortedParts sorted = sorted_parts(position);
  const std::size_t p = index_of(player);
  int number = 1;
  for (int i = 0; i < position.count; ++i) {
    Part& part = *sorted[i];
    const bool here = part.lines[p][move.line] >> move.bit & 1;
    unsigned last = 0;
    const bool bits_turned = each_line_of_moves(part, player, [&](int line, unsigned bits) {
      last = bits;
      if (here && line == move.line) return true;
      number += count(Word64{bits});
      return false;
    });
    if (!here) continue;
    const unsigned before = bits_turned ? ~0u << move.bit << 1 : (1u << move.bit) - 1;
    number += count(Word64{last & before});
    return number <= LAST_MOVE_NUMBER ? number : 0;
  }
  return 0;
}

std::optional<LineMove> numbered_move(const ComponentPosition& position, Player player, int number) {
  if (number < 1) return std::nullopt;
  int before = number - 1;
  const SortedParts sorted = sorted_parts(position);
  for (int i = 0; i < position.count; ++i) {
    LineMove move{-1, 0};
    unsigned last = 0;
    const bool bits_turned = each_line_of_moves(*sorted[i], player, [&](int line, unsigned bits) {
      const int moves = count(Word64{bits});
      if (before >= moves) {
        before -= moves;
        return false;
      }
      move.line = line;
      last = bits;
      return true;
    });
    if (move.line < 0) continue;
    for (; before; --before) last &= bits_turned ? ~(1u << (std::bit_width(last) - 1)) : last - 1;
    move.bit = bits_turned ? static_cast<int>(std::bit_width(last)) - 1 : std::countr_zero(last);
    return move;
  }
  return std::nullopt;
}

void ComponentKey::hash_bytes() {
  std::uint64_t mixed = 0x9e3779b97f4a7c15ULL;
  for (std::size_t i = 0; i < BYTES; i += 4) {
    std::uint32_t word;
    std::memcpy(&word, bytes.data() + i, 4);
    mixed = (mixed ^ word) * 0xff51afd7ed558ccdULL;
    mixed ^= mixed >> 32;
  }
  hash = mixed * 0xc4ceb9fe1a85ec53ULL;
  hash ^= hash >> 29;
}

ComponentKey key_of(const ComponentPosition& position, Player to_move) {
  ComponentKey key;
  const SortedParts sorted = sorted_parts(position);
  const auto number = static_cast<std::uint16_t>(position.number * 2 + (to_move == Player::H ? 1 : 0));
  key.bytes[0] = static_cast<std::uint8_t>(number);
  key.bytes[1] = static_cast<std::uint8_t>(number >> 8);
  std::size_t at = 2;
  for (int i = 0; i < position.count; ++i) {
    const PartKey& part = sorted[i]->key();
    if (at + part.size > ComponentKey::BYTES) {
      key.fits = false;
      break;
    }
    std::memcpy(key.bytes.data() + at, part.bytes.data(), part.size);
    at += part.size;
  }
  key.hash_bytes();
  return key;
}

}  // namespace zermelo
