// The strong game: both players want k in a row (a hyperedge), the first to own one wins. The search answers one
// yes-or-no question, "can the attacker win?", so the defender wins a draw as well as a win.
//
// Depth-first proof-number search (Nagai 2002) with threats first:
//   the player to move completes a hyperedge if he can, else must stop one that the opponent threatens to complete;
//   the attacker has lost the question when he owns no hyperedge that the defender has not hit, and when the defender,
//   to reply, has a pairing strategy against all of them (then she need not even threaten).
// Positions are looked up exactly, least over the board's symmetries.
#pragma once

#include "positional/outcome.hpp"

namespace zermelo::positional {

enum class StrongAnswer : std::uint8_t { UNKNOWN, YES, NO };

struct StrongResult {
  StrongAnswer answer = StrongAnswer::UNKNOWN;
  int move = -1;  // the attacker's winning move when he is to move and wins, -1 when not known
  std::uint64_t nodes = 0;
  double seconds = 0;
};

// Can the attacker, owning `attacker`, force a hyperedge against `defender`? Up to 128 vertices and 256 hyperedges (W =
// 1 or 2).
template <int W>
StrongResult strong_search(const Game<W>& game, const Vertices<W>& attacker, const Vertices<W>& defender,
                           bool attacker_to_move, const Limits& limits);

extern template StrongResult strong_search(const Game<1>&, const Vertices<1>&, const Vertices<1>&, bool, const Limits&);
extern template StrongResult strong_search(const Game<2>&, const Vertices<2>&, const Vertices<2>&, bool, const Limits&);

}  // namespace zermelo::positional
