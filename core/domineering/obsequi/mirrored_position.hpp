// A position as the search carries it: the free squares in both players' numbering, for all four mirror images.
//
// Playing a move is eight exclusive-ors with a precomputed mask; the images are the table's keys and, for the option
// "four packings", the boards that are packed.
#pragma once

#include <array>

#include "domineering/obsequi/order.hpp"

namespace zermelo {

constexpr std::size_t at(Player player) { return static_cast<std::size_t>(player); }

template <class W>
struct MirroredPosition {
  std::array<std::array<W, IMAGES>, 2> image;  // [player][image]

  const W& squares(Player player) const { return image[at(player)][0]; }
  const std::array<W, IMAGES>& keys() const { return image[at(Player::H)]; }

  // Takes (or frees again) the squares of a move, which is given as a position with only these squares.
  MirroredPosition operator^(const MirroredPosition& move) const {
    MirroredPosition result;
    for (std::size_t player = 0; player < 2; ++player)
      for (std::size_t i = 0; i < IMAGES; ++i) result.image[player][i] = image[player][i] ^ move.image[player][i];
    return result;
  }
};

template <class W>
MirroredPosition<W> mirrored_position(const Board& board) {
  MirroredPosition<W> result;
  for (int i = 0; i < IMAGES; ++i) {
    const Board image = mirrored(board, i);
    for (const Player player : {Player::V, Player::H}) result.image[at(player)][i] = squares_of<W>(image, player);
  }
  return result;
}

// The rules of one board for both players, ready for the hot loop. A move is named by its lower square in the mover's
// numbering.
template <class W, bool RINGS>
struct MoveMasks {
  std::array<Frame<W, RINGS>, 2> frame;
  std::array<std::array<MirroredPosition<W>, MAX_SQUARES>, 2> mask{};
  std::array<std::array<std::array<std::uint8_t, IMAGES>, MAX_SQUARES>, 2> mirror{};  // the move's mirror images

  explicit MoveMasks(const Board& board)
      : frame{frame_of<W, RINGS>(board, Player::V), frame_of<W, RINGS>(board, Player::H)} {
    for (const Player player : {Player::V, Player::H})
      for (int square = 0; square < board.rows * board.cols; ++square) {
        const Move move = move_at(player, square);
        Board only = board;
        only.free = domino(board, move);
        if (only.free.none()) continue;
        mask[at(player)][square] = mirrored_position<W>(only);
        for (int i = 0; i < IMAGES; ++i)
          mirror[at(player)][square][i] = static_cast<std::uint8_t>(square_of(mirrored(board, move, i)));
      }
  }

  MirroredPosition<W> after(const MirroredPosition<W>& position, Player me, int square) const {
    return position ^ mask[at(me)][square];
  }
  MoveCounts counts(const MirroredPosition<W>& position, Player me) const {
    const W &mine = position.squares(me), &theirs = position.squares(other(me));
    const Frame<W, RINGS>&f = frame[at(me)], &g = frame[at(other(me))];
    const auto small = [](int n) { return static_cast<std::uint8_t>(n); };
    return {small(f.dominoes(mine)), small(g.dominoes(theirs)), small(f.dominoes(f.protected_squares(mine))),
            small(g.dominoes(g.protected_squares(theirs)))};
  }
  Move move_at(Player player, int square) const {
    const int length = frame[at(player)].length;
    return player == Player::H ? Move{player, square / length, square % length}
                               : Move{player, square % length, square / length};
  }
  int square_of(const Move& move) const {
    const int length = frame[at(move.player)].length;
    return move.player == Player::H ? move.row * length + move.col : move.col * length + move.row;
  }
};

}  // namespace zermelo
