// The cover bound of Bullock (article section 2, thesis chapter 3): a packing of the board with areas of player alpha
// proves that alpha can make so many moves and leaves the opponent so few.
//
// Contract: pure functions of a position. A verdict "alpha wins" is a proof; its absence says nothing.
// The numbers behind a verdict are small and plain (CoverCounts, CoverBound); cover_pack.hpp finds them.
#pragma once

#include <vector>

#include "domineering/board/board.hpp"

namespace zermelo {

// One switch for each enhancement, so that the papers' ablations can be repeated. The defaults are the paper's
// settings; real_cap and four_packings are newer.
struct CoverSwitches {
  bool vulnerable = true;         // vulnerable areas at all
  bool protective = true;         // protective areas
  bool type1 = true;              // tell type 1 from type 2; without it every vulnerable area counts as type 2
  bool options = true;            // option areas of types 1 to 3
  bool protected_squares = true;  // protected squares in vulnerable areas; without it no area starts on one
  bool unavailable = true;        // squares outside the cover that the opponent cannot use
  bool parity = true;             // the cases f and g for left-over areas
  bool odd_protective = true;     // an odd protective area counts as two vulnerable areas of type 2
  bool free_move = true;          // alpha on turn first plays one area; without it she has no bound on her turn
  bool real_cap = false;          // the opponent has at most real(opponent) moves, less what protective areas take
  bool four_packings = false;     // pack all four mirror images and keep the best
  friend bool operator==(const CoverSwitches&, const CoverSwitches&) = default;
};

// The cover counted: the words of the papers.
struct CoverCounts {
  int prot = 0;
  int vuln2 = 0, vuln1 = 0;
  int vuln2_p = 0, vuln1_p = 0;  // those of them with one protected square
  int safe = 0;
  int op1 = 0, op2 = 0, op3 = 0;
  int unavail = 0;  // outside the cover, and of no use to the opponent
  int squares = 0;  // free squares of the board
  friend bool operator==(const CoverCounts&, const CoverCounts&) = default;
};

// Both formulas evaluated. `used` are the counts they were evaluated for: after alpha's free move, and with an odd
// protective area turned into vulnerable ones.
struct CoverBound {
  int moves = 0;       // alpha makes at least so many moves (theorem 3.5.1), her free move included
  int unplayable = 0;  // squares of the cover that neither player will use (theorem 3.6.1)
  int opponent = 0;    // the opponent makes at most so many
  bool wins = false;
  CoverCounts used;
};

// Theorems 3.5.1 and 3.6.1. `opponent_real` is real(opponent), read only with switches.real_cap.
//
// real_cap: every domino of the opponent lowers real(opponent) by one at least. A protective area that alpha occupies
// lowers it by two: across its blocked side lie the ends of two runs of the opponent, and alpha's domino leaves a
// single square of each. So with k occupied protective areas the opponent makes at most real(opponent) - 2 k moves.
inline CoverBound evaluate_cover(const CoverCounts& counts, bool on_turn, int opponent_real,
                                 const CoverSwitches& switches) {
  CoverBound bound;
  CoverCounts& c = bound.used;
  c = counts;
  int occupied = 0;  // protective areas that alpha is sure to play in

  // 1. On her turn alpha plays a left-over area first: one that the formulas below would round away.
  if (on_turn) {
    if (!switches.free_move) return bound;
    const auto play_vuln2 = [&] { --c.vuln2, ++c.safe, c.vuln2_p = c.vuln2_p < c.vuln2 ? c.vuln2_p : c.vuln2; };
    const auto play_vuln1 = [&] { --c.vuln1, ++c.safe, c.vuln1_p = c.vuln1_p < c.vuln1 ? c.vuln1_p : c.vuln1; };
    if (c.prot % 2) --c.prot, c.safe += 2, ++occupied;
    else if (c.vuln2 % 3) play_vuln2();
    else if (c.vuln1 % 2) play_vuln1();
    else if (c.op3 % 2) --c.op3, c.unavail += 3;
    else if (c.op2 % 2) --c.op2, c.unavail += 2;
    else if (c.op1 % 2) --c.op1, c.unavail += 1;
    else if (c.prot) --c.prot, c.safe += 2, ++occupied;
    else if (c.vuln2) play_vuln2();
    else if (c.vuln1) play_vuln1();
    else if (c.op3) --c.op3, c.unavail += 3;
    else if (c.op2) --c.op2, c.unavail += 2;
    else if (c.op1) --c.op1, c.unavail += 1;
    else if (!c.safe) return bound;  // no area, no move to promise
  }
  // 2. An odd protective area is worth two vulnerable ones.
  if (c.prot % 2) {
    --c.prot;
    if (switches.odd_protective) c.vuln2 += 2;
  }
  // 3. Theorem 3.5.1.
  const bool left2 = c.vuln2 % 3 != 0, left1 = c.vuln1 % 2 != 0;
  const bool both = switches.parity && left2 && left1;
  occupied += c.prot / 2;
  bound.moves = c.prot + c.vuln2 / 3 + c.vuln1 / 2 + c.safe + both;

  // 4. Theorem 3.6.1. Options of one type answer each other; a single one left over is used as the next smaller type.
  int unplayable = c.vuln2_p - (c.vuln2 / 3 - (c.vuln2 - c.vuln2_p) / 3);
  unplayable += c.vuln1_p - (c.vuln1 / 2 - (c.vuln1 - c.vuln1_p) / 2);
  if (both && (c.vuln2_p || c.vuln1_p)) --unplayable;
  int op3 = c.op3, op2 = c.op2, op1 = c.op1;
  if (switches.parity && left2 != left1) {  // case g: one option answers the left-over vulnerable area
    if (op3 % 2) --op3, unplayable += 3;
    else if (op2 % 2) --op2, unplayable += 2;
    else if (op1 % 2) --op1, unplayable += 1;
  }
  op2 += op3 % 2;
  op1 += op2 % 2;
  unplayable += 3 * (op3 / 2) + 2 * (op2 / 2) + op1 / 2;
  bound.unplayable = unplayable;

  // 5. The moves left to the opponent, and the winner.
  bound.opponent = (c.squares - 2 * bound.moves - c.unavail - unplayable) / 2;
  if (switches.real_cap && opponent_real - 2 * occupied < bound.opponent) bound.opponent = opponent_real - 2 * occupied;
  bound.wins = on_turn ? bound.moves > bound.opponent : bound.moves >= bound.opponent;
  return bound;
}

// ---- the slow, clear door: for explanations, certificates and tests ----

enum class AreaKind : std::uint8_t {
  PROTECTIVE,
  VULNERABLE2,
  VULNERABLE1,
  SAFE,
  OPTION1,
  OPTION2,
  OPTION3,
  UNAVAILABLE
};

struct CoverArea {
  AreaKind kind;
  bool has_protected_square = false;  // of a vulnerable area
  std::vector<int> squares;           // row * cols + col, ascending; of an option: the square beyond its safe area
};

// Everything that makes a verdict checkable.
struct CoverWitness {
  std::vector<CoverArea> areas;  // squares of the board itself, whichever mirror image was packed
  CoverCounts counts;
  CoverBound bound;
};

// DOMI's counts (Breuker, Uiterwijk, van den Herik 2000; thesis 1.2): how many dominoes the player could place if the
// opponent placed none; and on squares that the opponent cannot use.
int real_moves(const Board& board, Player player);
int safe_moves(const Board& board, Player player);

CoverWitness cover_witness(const Board& board, Player alpha, bool on_turn, const CoverSwitches& switches);

}  // namespace zermelo
