#include "domineering/search/cut.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>

namespace zermelo {

namespace {

// A piece as it is added: an entry of its table, or a number.
struct Added {
  Bits<4> squares;
  std::optional<StripEntry> entry;
  int number = 0;

  StripSum after(const StripSum& sum) const { return entry ? sum.plus(*entry) : sum.plus(number); }
};

// Squares of the board in coordinates of the player who cuts.
struct Oriented {
  const Board& board;
  bool rows;  // lines are rows: V cuts
  int lines() const { return rows ? board.rows : board.cols; }
  int bits() const { return rows ? board.cols : board.rows; }
  int square(int line, int bit) const { return rows ? board.square(line, bit) : board.square(bit, line); }
};

// The pieces of a strip whose first line and bit are `line` and `bit` of the board: its runs of columns.
void add_strip(const CutStrip& strip, int line, int bit, const Oriented& at, const StripTables& tables,
               std::vector<Added>& pieces) {
  std::uint64_t columns = 0;
  for (int i = strip.start; i < strip.end(); ++i) columns |= strip.line(i);
  while (columns) {
    const int first = std::countr_zero(columns), width = std::countr_one(columns >> first);
    Added& piece = pieces.emplace_back();
    for (int i = strip.start; i < strip.end(); ++i)
      for (int j = first; j < first + width; ++j)
        if (strip.line(i) >> j & 1) piece.squares.set(at.square(line + i, bit + j));
    columns &= ~std::uint64_t{0} << (first + width);
    if (strip.height == 1) {  // only the other player can move
      piece.number = -STRIP_UNIT * (width / 2);
      continue;
    }
    const std::size_t run = strip_pattern(strip.lines.data(), strip.height, first, width);
    piece.entry = tables.of(strip.height).pair(run, width).whole;
  }
}

// A component with longer lines than a Part has: every line is a strip.
void add_lines(const Bits<4>& component, const Oriented& at, std::vector<Added>& pieces) {
  for (int line = 0; line < at.lines(); ++line)
    for (int bit = 0, width = 0; bit < at.bits(); ++bit) {
      if (!component.test(at.square(line, bit))) {
        width = 0;
        continue;
      }
      if (++width == 1) pieces.emplace_back();
      pieces.back().squares.set(at.square(line, bit));
      pieces.back().number = -STRIP_UNIT * (width / 2);
    }
}

// All pieces of the best cut; nothing if it does not prove that the player wins.
std::optional<std::vector<Added>> best_cut(const Board& board, Player player, bool first, const StripTables& tables) {
  const Oriented at{board, player == Player::V};
  struct Place {
    Bits<4> squares;
    int line, bit;
  };
  std::vector<Added> pieces;
  std::vector<Place> places;
  std::deque<Part> parts;
  // Every MAX_LINES lines there is a cut: a part has no more.
  for (int window = 0; window < at.lines(); window += MAX_LINES) {
    Board some = board;
    for_each(board.free, [&](int square) {
      const int line = at.rows ? square / board.cols : square % board.cols;
      if (line < window || line >= window + MAX_LINES) some.free.reset(square);
    });
    for (const Bits<4>& component : components(some)) {
      if (component.count() == 1) continue;
      const auto used = [&](int bit) {
        for (int line = 0; line < at.lines(); ++line)
          if (component.test(at.square(line, bit))) return true;
        return false;
      };
      int left = 0, right = at.bits() - 1;
      while (!used(left)) ++left;
      while (!used(right)) --right;
      if (right - left >= MAX_LINES) {
        add_lines(component, at, pieces);
        continue;
      }
      Lines lines{};
      for (int line = window; line < std::min(at.lines(), window + MAX_LINES); ++line)
        for (int bit = left; bit <= right; ++bit)
          if (component.test(at.square(line, bit))) lines[line - window] |= Line{1} << (bit - left);
      Part& part = parts.emplace_back();
      part.set(lines, player, MAX_LINES);
      if (const auto number = part.number(tables)) {
        parts.pop_back();
        pieces.push_back({component, std::nullopt, player == Player::V ? *number : -*number});
      } else {
        places.push_back({component, window + part.first[index_of(player)], left});
      }
    }
  }
  std::vector<Part*> open;
  for (Part& part : parts) open.push_back(&part);
  StripSum needs = StripSum::needs(first);
  for (const Added& piece : pieces) needs = needs.plus(piece.number);
  CutFinder cuts;
  if (cuts.find(std::span<Part* const>(open), player, needs) < 0) return std::nullopt;
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const CutStrip& strip : cuts.of(i)) add_strip(strip, places[i].line, places[i].bit, at, tables, pieces);
    if (!cuts.of(i).empty()) continue;
    Added whole{places[i].squares, std::nullopt, 0};
    if (const auto& entry = open[i]->entry(player)) whole.entry = entry->whole;
    else whole.number = *open[i]->floor_by_rival(player);
    pieces.push_back(whole);
  }
  return pieces;
}

}  // namespace

std::optional<StripWitness> strip_witness(const Board& board, Player player, Player to_move,
                                          const StripTables& tables) {
  // A promise cuts between lines, at the seam of a ring of lines too; the other player's rings it cannot cut.
  if (player == Player::V ? board.wraps_rows() : board.wraps_cols()) return std::nullopt;
  Board flat = board;
  flat.topology = Topology::RECTANGLE;
  const bool first = player == to_move;
  const auto found = best_cut(flat, player, first, tables);
  if (!found) return std::nullopt;
  const std::vector<Added>& pieces = *found;

  // The sums of the pieces, from the empty sum on. Its other lanes start far below anything that decides (every lane
  // moves by at most 132 * 64): a witness does not need the switches that the empty sum is worth.
  constexpr std::int16_t NEVER = -12000;
  std::vector<StripSum> sums = {{StripLanes{0, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER}}};
  for (const Added& piece : pieces) sums.push_back(piece.after(sums.back()));

  // Back along one lane that decides, to find the use of each piece: as a number or as a switch.
  std::size_t lane = 0;
  while (!sums.back().lane_decides(lane, first)) ++lane;
  StripWitness witness;
  witness.sum = sums.back().lane[lane];
  for (std::size_t i = 0; i < SWITCHES; ++i)
    if (lane & (4u >> i)) witness.unpaired.push_back(SWITCH_TEMPERATURES[i]);
  for (std::size_t i = pieces.size(); i-- > 0;) {
    const Added& piece = pieces[i];
    StripPiece named{piece.squares, false, 0, piece.entry ? piece.entry->floor() : piece.number};
    const int reached = sums[i + 1].lane[lane];
    for (int k = 0; k < SWITCHES && sums[i].lane[lane] + named.value != reached; ++k) {
      const int value = piece.entry->switch_floor(k);
      if (sums[i].lane[lane ^ (4u >> k)] + value != reached) continue;
      named = {piece.squares, true, SWITCH_TEMPERATURES[k], value};
      lane ^= 4u >> k;
      break;
    }
    witness.pieces.push_back(named);
  }
  return witness;
}

}  // namespace zermelo
