#include "domineering/bound/strip_bound.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "domineering/bound/strip_profile.hpp"

namespace zermelo {

namespace {

// A piece as it is added: the number N, or one of the switches if a table knows them.
struct Added {
  Bits<4> squares;
  std::optional<StripEntry> entry;
  int number = 0;
};

// A way to get from one cut to a later one.
struct Step {
  std::size_t from;
  std::vector<Added> pieces;
};

// Lane 0 is the empty sum. The others start far below anything that decides (every lane moves by at most 132 * 64):
// a witness does not need the switches that the empty sum is worth.
StripSum nothing() {
  constexpr std::int16_t NEVER = -12000;
  return {StripLanes{0, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER}};
}

StripSum after(StripSum sum, const Added& piece) {
  return piece.entry ? sum.plus(*piece.entry) : sum.plus(piece.number);
}

// Squares of a component in coordinates of the player who cuts: line, and bit within the line.
struct Oriented {
  const Board& board;
  bool rows;  // lines are rows: V cuts
  int lines() const { return rows ? board.rows : board.cols; }
  int bits() const { return rows ? board.cols : board.rows; }
  int square(int line, int bit) const { return rows ? board.square(line, bit) : board.square(bit, line); }
};

// The squares of lines [line, line + height) and bits [bit, bit + width) of a component, as a table index.
Added rectangle_piece(const Oriented& at, const Bits<4>& component, int line, int height, int bit, int width,
                      const StripLookup& table) {
  Added piece;
  std::size_t index = 0;
  for (int j = width - 1; j >= 0; --j)
    for (int i = height - 1; i >= 0; --i) {
      const int square = at.square(line + i, bit + j);
      const bool is_in = component.test(square);
      index = index << 1 | is_in;
      if (is_in) piece.squares.set(square);
    }
  piece.entry = table.pair(index, width).whole;
  return piece;
}

// Lines [line, line + height) of a component as one strip; nothing if a table is missing.
std::optional<std::vector<Added>> strip_pieces(const Oriented& at, const Bits<4>& component, int line, int height,
                                               const StripTables& tables) {
  const auto in_column = [&](int bit) {
    bool any = false;
    for (int i = 0; i < height; ++i) any |= component.test(at.square(line + i, bit));
    return any;
  };
  std::vector<Added> pieces;
  for (int bit = 0; bit < at.bits();) {
    if (!in_column(bit)) {
      ++bit;
      continue;
    }
    int width = 1;
    while (bit + width < at.bits() && in_column(bit + width)) ++width;
    if (height == 1) {  // only the other player can move
      Added piece;
      for (int j = 0; j < width; ++j) piece.squares.set(at.square(line, bit + j));
      piece.number = -STRIP_UNIT * (width / 2);
      pieces.push_back(piece);
    } else {
      const StripLookup& table = tables.of(height);
      if (width > table.widest) return std::nullopt;
      pieces.push_back(rectangle_piece(at, component, line, height, bit, width, table));
    }
    bit += width;
  }
  return pieces;
}

// A component that one of the other player's tables knows as a whole: X >= -(ceiling of its transposed image).
std::optional<Added> whole_piece(const Board& board, const Oriented& own, const Bits<4>& component, int first_line,
                                 int lines, const StripTables& tables) {
  int first_bit = own.bits(), last_bit = 0;
  for (int line = first_line; line < first_line + lines; ++line)
    for (int bit = 0; bit < own.bits(); ++bit)
      if (component.test(own.square(line, bit))) {
        first_bit = std::min(first_bit, bit);
        last_bit = std::max(last_bit, bit);
      }
  const int bits = last_bit - first_bit + 1;
  if (bits > MAX_STRIP_HEIGHT) return std::nullopt;
  const StripLookup& table = tables.of(bits);
  if (lines > table.exact) return std::nullopt;
  const Oriented turned{board, !own.rows};
  Added piece = rectangle_piece(turned, component, first_bit, bits, first_line, lines, table);
  piece.number = -piece.entry->ceiling();
  piece.entry.reset();
  return piece;
}

}  // namespace

bool strip_bound(const Board& board, Player player, Player to_move, const StripTables& tables, StripWitness* witness) {
  // A promise cuts between lines, at the seam of a ring of lines too; the other player's rings it cannot cut.
  if (player == Player::V ? board.wraps_rows() : board.wraps_cols()) return false;
  Board flat = board;
  flat.topology = Topology::RECTANGLE;
  const Oriented at{flat, player == Player::V};

  // Cuts are numbered through all components. best[k] is the best sum up to cut k, how[k] lists the ways to reach it.
  std::vector<StripSum> best = {nothing()};
  std::vector<std::vector<Step>> how(1);
  for (const Bits<4>& component : components(flat)) {
    if (component.count() == 1) continue;
    const auto line_used = [&](int line) {
      for (int bit = 0; bit < at.bits(); ++bit)
        if (component.test(at.square(line, bit))) return true;
      return false;
    };
    int first = 0, count = 0;
    while (!line_used(first)) ++first;
    while (first + count < at.lines() && line_used(first + count)) ++count;
    const std::size_t base = best.size() - 1;
    for (int end = 1; end <= count; ++end) {
      std::vector<Step> steps;
      for (int height = 1; height <= MAX_STRIP_HEIGHT && height <= end; ++height)
        if (auto pieces = strip_pieces(at, component, first + end - height, height, tables))
          steps.push_back({base + static_cast<std::size_t>(end - height), std::move(*pieces)});
      if (end == count)
        if (auto piece = whole_piece(flat, at, component, first, count, tables)) steps.push_back({base, {*piece}});
      std::optional<StripSum> sum;
      for (const Step& step : steps) {
        StripSum candidate = best[step.from];
        for (const Added& piece : step.pieces) candidate = after(candidate, piece);
        sum = sum ? sum->or_better(candidate) : candidate;
      }
      best.push_back(*sum);
      how.push_back(std::move(steps));
    }
  }
  const bool first = player == to_move;
  if (best.back().margin(first) < 0) return false;
  if (!witness) return true;

  // Walk back along one lane that decides.
  std::size_t lane = 0;
  while (!best.back().lane_decides(lane, first)) ++lane;
  *witness = {};
  witness->sum = best.back().lane[lane];
  for (std::size_t i = 0; i < SWITCHES; ++i)
    if (lane & (4u >> i)) witness->unpaired.push_back(SWITCH_TEMPERATURES[i]);
  for (std::size_t cut = best.size() - 1; cut != 0;) {
    for (const Step& step : how[cut]) {
      std::vector<StripSum> sums = {best[step.from]};
      for (const Added& piece : step.pieces) sums.push_back(after(sums.back(), piece));
      if (sums.back().lane[lane] != best[cut].lane[lane]) continue;
      for (std::size_t i = step.pieces.size(); i-- > 0;) {
        const Added& piece = step.pieces[i];
        StripPiece named;
        named.squares = piece.squares;
        named.value = piece.entry ? piece.entry->floor() : piece.number;
        const int reached = sums[i + 1].lane[lane];
        for (int k = 0; k < SWITCHES && sums[i].lane[lane] + named.value != reached; ++k) {
          const std::size_t flipped = lane ^ (4u >> k);
          const int value = piece.entry->switch_floor(k);
          if (sums[i].lane[flipped] + value != reached) continue;
          named.is_switch = true;
          named.temperature = SWITCH_TEMPERATURES[static_cast<std::size_t>(k)];
          named.value = value;
          lane = flipped;
          break;
        }
        witness->pieces.push_back(named);
      }
      cut = step.from;
      break;
    }
  }
  return true;
}

}  // namespace zermelo
