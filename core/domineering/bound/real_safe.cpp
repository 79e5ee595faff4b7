#include "domineering/bound/real_safe.hpp"

#include "domineering/bound/player_frame.hpp"

namespace zermelo {

int real_moves(const Board& board, Player player) {
  return with_word(board, [&]<class W, bool RINGS>() {
    return frame_of<W, RINGS>(board, player).dominoes(squares_of<W>(board, player));
  });
}

int safe_moves(const Board& board, Player player) {
  return with_word(board, [&]<class W, bool RINGS>() {
    const auto frame = frame_of<W, RINGS>(board, player);
    return frame.dominoes(frame.protected_squares(squares_of<W>(board, player)));
  });
}

}  // namespace zermelo
