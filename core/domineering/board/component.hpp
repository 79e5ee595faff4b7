// A connected set of squares, as lines of both players.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "domineering/board/board.hpp"
#include "domineering/board/lines.hpp"

namespace zermelo {

constexpr std::size_t index_of(Player player) { return static_cast<std::size_t>(player); }

struct Component {
  // [V] rows, [H] columns, in board coordinates.
  std::array<Lines, 2> lines;
  // The first line of each player that has squares, and how many lines there are from it.
  std::array<std::uint8_t, 2> first;
  std::array<std::uint8_t, 2> count;

  // Takes the squares of a connected set as lines of the player, of which there are no more than `line_count`.
  void set(const Lines& squares, Player player, int line_count);
  // Takes off a domino on bit `bit` of the player's lines `line` and `line` + 1, if the rest is surely connected.
  bool take_off(Player player, int line, int bit);
  // The lines from the first square on, both ways.
  Lines cornered(Player player) const;
  bool has(Player player, int line, int bit) const { return lines[index_of(player)][line] >> bit & 1; }
};

// The components of some squares by smallest square; lines are those of the player. The vector is reused.
void split(Lines lines, Player player, int line_count, std::vector<Component>& components);

}  // namespace zermelo
