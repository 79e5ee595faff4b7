// Packing a board with the areas of one player, greedily and for all lines at once.
//
// Only protective areas and options exclude one another, so only they need a loop; pairing the squares of all lines
// into safe and vulnerable areas is a handful of word operations (player_frame.hpp). No allocation, no tables.
#pragma once

#include <array>

#include "domineering/bound/cover.hpp"
#include "domineering/bound/player_frame.hpp"

namespace zermelo {

// The areas by their lowest square; an option by its single square.
template <class W>
struct Packing {
  W protective{}, safe{}, vulnerable{};
  W type2{};           // subset of vulnerable
  W with_protected{};  // subset of vulnerable
  W lone{};            // protected squares outside every area
  std::array<W, 3> option{};
};

template <class W, bool RINGS>
Packing<W> pack_cover(const Frame<W, RINGS>& frame, const W& x, const CoverSwitches& switches) {
  Packing<W> result;
  const W shielded = frame.protected_squares(x);
  W packed{};

  // 1. Protective areas: empty 2x2, both squares beyond one of its long sides taken, no other protective area touching
  //    (the opponent would hit two of them at once). Lowest first.
  if (switches.protective) {
    const W pair = x & frame.backward(x);
    const W either = x | frame.backward(x);
    W candidates = pair & frame.down(pair) & ~(frame.up(either) & frame.down(frame.down(either)));
    while (any(candidates)) {
      const W corner = bit<W>(lowest(candidates));
      result.protective |= corner;
      W touching = corner | frame.forward(corner) | frame.backward(corner);
      const W above = frame.up(touching), below = frame.down(touching);
      touching |= above | below | frame.up(above) | frame.down(below);
      candidates &= ~touching;
    }
    const W line = result.protective | frame.forward(result.protective);
    packed = line | frame.up(line);
  }

  // 2. Safe areas first, vulnerable areas from the rest.
  result.safe = frame.pairs(shielded);
  const W safe_squares = result.safe | frame.forward(result.safe);
  const W rest = x & ~packed & ~safe_squares;
  if (switches.vulnerable) {
    // Without the enhancement a protected square within an area counts for nothing, so no area starts on one: it stays
    // outside, where it is unavailable. The papers do not say; this reading gives the order of article figure 15.
    result.vulnerable = switches.protected_squares ? frame.pairs(rest) : frame.pairs(rest, frame.not_last & ~shielded);
    // A run of odd length leaves its last square. Better to leave a protected one, which is lost to the opponent for
    // certain: from the lowest such square on, the areas move up by one.
    W lone_ends = rest & ~(result.vulnerable | frame.forward(result.vulnerable));
    for (W low = result.vulnerable & shielded; any(low) && any(lone_ends);) {
      const W square = bit<W>(lowest(low));
      const W upward = rest & frame.not_last;
      const W run = (upward & ~sum(upward, square)) | square;
      const W end = (run | frame.forward(run)) & lone_ends;
      low &= ~run;
      if (!any(end)) continue;
      const W moved = result.vulnerable & run;
      result.vulnerable ^= moved | frame.forward(moved);
      lone_ends ^= end;
    }
  }
  const W vulnerable_squares = result.vulnerable | frame.forward(result.vulnerable);
  result.with_protected = result.vulnerable & (shielded | frame.backward(shielded));
  result.lone = shielded & ~safe_squares & ~vulnerable_squares;

  // 3. Type 2: another area lies across, so that one domino of the opponent may hit both.
  packed |= vulnerable_squares;
  const W beside = frame.up(packed) | frame.down(packed);
  result.type2 = switches.type1 ? result.vulnerable & (beside | frame.backward(beside)) : result.vulnerable;

  // 4. Options: the free square beyond one end of a safe area, with no area across from it. Taking it leaves the safe
  //    area's other end useless to both, and isolates each neighbour across whose only other partner is taken.
  if (switches.options && any(result.safe)) {
    W candidates = rest & ~vulnerable_squares & ~shielded & ~beside;
    W owners = result.safe & (frame.forward(candidates) | frame.backward(frame.backward(candidates)));
    if (any(owners)) {
      const W above = frame.up(x), below = frame.down(x);
      const W strands_above = above & ~frame.up(above), strands_below = below & ~frame.down(below);
      while (any(owners)) {
        const W low = bit<W>(lowest(owners));
        owners ^= low;
        W square = frame.backward(low) & candidates;
        if (!any(square)) square = frame.forward(frame.forward(low)) & candidates;
        if (!any(square)) continue;  // an earlier option took it
        const int strands = any(square & strands_above) + any(square & strands_below);
        result.option[strands] |= square;
        candidates &= ~(square | frame.up(square) | frame.down(square));
      }
    }
  }
  return result;
}

template <class W>
CoverCounts count_cover(const Packing<W>& packing, const W& x, const CoverSwitches& switches) {
  CoverCounts counts;
  counts.squares = count(x);
  counts.prot = count(packing.protective);
  counts.safe = count(packing.safe);
  counts.vuln2 = count(packing.type2);
  counts.vuln1 = count(packing.vulnerable & ~packing.type2);
  if (switches.protected_squares && any(packing.with_protected)) {
    counts.vuln2_p = count(packing.with_protected & packing.type2);
    counts.vuln1_p = count(packing.with_protected & ~packing.type2);
  }
  if (any(packing.option[0])) counts.op1 = count(packing.option[0]);
  if (any(packing.option[1])) counts.op2 = count(packing.option[1]);
  if (any(packing.option[2])) counts.op3 = count(packing.option[2]);
  if (switches.unavailable && any(packing.lone)) counts.unavail = count(packing.lone);
  return counts;
}

// Does alpha win? `images` are the four mirror images of her free squares; images[0] is the board itself.
template <class W, bool RINGS>
bool cover_wins(const Frame<W, RINGS>& frame, const std::array<W, IMAGES>& images, bool on_turn, int opponent_real,
                const CoverSwitches& switches) {
  const int packings = switches.four_packings ? IMAGES : 1;
  for (int image = 0; image < packings; ++image) {
    const W& x = images[image];
    const CoverCounts counts = count_cover(pack_cover(frame, x, switches), x, switches);
    if (evaluate_cover(counts, on_turn, opponent_real, switches).wins) return true;
  }
  return false;
}

}  // namespace zermelo
