#include "domineering/bound/cover.hpp"

#include <algorithm>
#include <utility>

#include "domineering/bound/cover_pack.hpp"

namespace zermelo {

namespace {

// From the player's numbering of a mirror image back to the board's squares.
template <class W>
std::vector<int> board_squares(const Board& board, Player player, int image, W set) {
  std::vector<int> result;
  const int length = player == Player::H ? board.cols : board.rows;
  while (any(set)) {
    const int square = lowest(set);
    set ^= bit<W>(square);
    int row = square / length, col = square % length;
    if (player == Player::V) std::swap(row, col);
    if (image & 2) row = board.rows - 1 - row;
    if (image & 1) col = board.cols - 1 - col;
    result.push_back(board.square(row, col));
  }
  std::sort(result.begin(), result.end());
  return result;
}

template <class W, bool RINGS>
std::vector<CoverArea> areas_of(const Board& board, Player alpha, int image, const Frame<W, RINGS>& frame,
                                const Packing<W>& packing, const CoverSwitches& switches) {
  std::vector<CoverArea> areas;
  // One area for each member of `lows`; shape() makes its squares from that member.
  const auto add = [&](AreaKind kind, W lows, auto shape, bool has_protected_square = false) {
    while (any(lows)) {
      const W low = bit<W>(lowest(lows));
      lows ^= low;
      areas.push_back({kind, has_protected_square, board_squares(board, alpha, image, W(shape(low)))});
    }
  };
  const auto single = [](const W& low) { return low; };
  const auto pair = [&](const W& low) { return low | frame.forward(low); };
  const auto block = [&](const W& low) { return pair(low) | frame.up(pair(low)); };
  const W noted = switches.protected_squares ? packing.with_protected : W{};
  const W type1 = packing.vulnerable & ~packing.type2;
  add(AreaKind::PROTECTIVE, packing.protective, block);
  add(AreaKind::VULNERABLE2, packing.type2 & noted, pair, true);
  add(AreaKind::VULNERABLE2, packing.type2 & ~noted, pair);
  add(AreaKind::VULNERABLE1, type1 & noted, pair, true);
  add(AreaKind::VULNERABLE1, type1 & ~noted, pair);
  add(AreaKind::SAFE, packing.safe, pair);
  add(AreaKind::OPTION1, packing.option[0], single);
  add(AreaKind::OPTION2, packing.option[1], single);
  add(AreaKind::OPTION3, packing.option[2], single);
  if (switches.unavailable) add(AreaKind::UNAVAILABLE, packing.lone, single);
  return areas;
}

}  // namespace

CoverWitness cover_witness(const Board& board, Player alpha, bool on_turn, const CoverSwitches& switches) {
  return with_word(board, [&]<class W, bool RINGS>() {
    const Player beta = other(alpha);
    const auto frame = frame_of<W, RINGS>(board, alpha);
    const int opponent_real = frame_of<W, RINGS>(board, beta).dominoes(squares_of<W>(board, beta));
    CoverWitness best{};
    for (int image = 0; image < (switches.four_packings ? IMAGES : 1); ++image) {
      const W x = squares_of<W>(mirrored(board, image), alpha);
      const Packing<W> packing = pack_cover(frame, x, switches);
      const CoverCounts counts = count_cover(packing, x, switches);
      const CoverBound bound = evaluate_cover(counts, on_turn, opponent_real, switches);
      // The first packing that wins, else the one that comes closest.
      if (image == 0 ||
          (!best.bound.wins && (bound.wins || bound.moves - bound.opponent > best.bound.moves - best.bound.opponent)))
        best = {areas_of(board, alpha, image, frame, packing, switches), counts, bound};
    }
    return best;
  });
}

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
