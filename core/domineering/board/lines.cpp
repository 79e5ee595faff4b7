#include "domineering/board/lines.hpp"

#include <bit>

namespace zermelo {

namespace {

// All of the runs of `mask` that meet `seed`, which lies within mask.
unsigned filled_runs(unsigned seed, unsigned mask) {
  unsigned up = mask, down = mask, left = seed, right = seed;
  const auto double_reach = [&](int step) {
    left |= up & left << step;
    right |= down & right >> step;
    up &= up << step;
    down &= down >> step;
  };
  for (int step = 1; step < 8; step *= 2) double_reach(step);
  if (mask >> 8) double_reach(8);
  if (mask >> 16) double_reach(16);
  return left | right;
}

}  // namespace

Lines rows_of(const Board& board) {
  Lines rows{};
  for_each(board.free, [&](int square) { rows[square / board.cols] |= 1u << square % board.cols; });
  return rows;
}

Board with_rows(Board board, const Lines& rows) {
  board.free = {};
  for (int row = 0; row < board.rows; ++row)
    for (unsigned rest = rows[row]; rest; rest &= rest - 1) board.free.set(board.square(row, std::countr_zero(rest)));
  return board;
}

Lines take_part(Lines& lines, int count) {
  Lines part{};
  int seed = 0;
  while (!lines[seed]) ++seed;
  const unsigned first = lines[seed];
  part[seed] = filled_runs(first & (~first + 1), first);
  // Sweeps down and up until nothing is added; each sweep follows the part as long as it runs one way.
  const auto grow = [&](int line, int from) {
    const unsigned seeds = lines[line] & (part[line] | part[from]);
    if (seeds == part[line]) return false;
    part[line] = filled_runs(seeds, lines[line]);
    return true;
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (int line = seed + 1; line < count; ++line) grown |= grow(line, line - 1);
    for (int line = count - 2; line >= seed; --line) grown |= grow(line, line + 1);
  }
  for (int line = seed; line < count; ++line) lines[line] &= ~part[line];
  return part;
}

}  // namespace zermelo
