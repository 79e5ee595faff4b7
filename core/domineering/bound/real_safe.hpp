// DOMI's counts (Breuker, Uiterwijk, van den Herik 2000; thesis 1.2).
#pragma once

#include "domineering/board/board.hpp"

namespace zermelo {

// real(player): how many dominoes the player could place if the opponent placed none.
int real_moves(const Board& board, Player player);
// safe(player): how many the player can place whatever the opponent does, on squares the opponent cannot use.
int safe_moves(const Board& board, Player player);

}  // namespace zermelo
