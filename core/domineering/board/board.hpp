// The rules of Domineering on any subset of a lattice rectangle, cylinder or torus of at most 256 squares.
//
// Board is the checked, slow and clear form that the bindings, explanations and tests use. The searches copy it into
// their own lines (search/) and never call it from a hot loop. Text is read in Python (lattice.py).
#pragma once

#include <cstdint>
#include <vector>

#include "base/bits.hpp"

namespace zermelo {

inline constexpr int MAX_SQUARES = 256;

// V places vertical dominoes and is Left (positive) in game values; H places horizontal ones and is Right.
enum class Player : std::uint8_t { V = 0, H = 1 };
constexpr Player other(Player player) { return player == Player::V ? Player::H : Player::V; }
constexpr char letter(Player player) { return player == Player::V ? 'V' : 'H'; }

// The sides at which the lattice closes on itself. H's dominoes wrap around an HCYLINDER (its rows are rings), V's
// around a VCYLINDER (its columns are rings), both players' around a TORUS.
enum class Topology : std::uint8_t { RECTANGLE, HCYLINDER, VCYLINDER, TORUS };

// A domino by its upper (V) or left (H) square, counted from 0. On a ring the second square may be the first row or
// column again.
struct Move {
  Player player;
  int row;
  int col;
  friend bool operator==(const Move&, const Move&) = default;
};

struct Board {
  int rows = 0;
  int cols = 0;
  Topology topology = Topology::RECTANGLE;
  Bits<4> free;  // square row * cols + col

  // An empty board; throws std::invalid_argument unless 1 <= rows * cols <= 256.
  static Board empty(int rows, int cols, Topology topology = Topology::RECTANGLE);

  int square(int row, int col) const { return row * cols + col; }
  bool is_free(int row, int col) const { return free.test(square(row, col)); }
  // A ring of two squares has no second way around, and a ring of one has no room for a domino, so only rings of
  // three or more wrap.
  bool wraps_rows() const { return cols >= 3 && (topology == Topology::HCYLINDER || topology == Topology::TORUS); }
  bool wraps_cols() const { return rows >= 3 && (topology == Topology::VCYLINDER || topology == Topology::TORUS); }

  friend bool operator==(const Board&, const Board&) = default;
};

// The two squares of a domino, or the empty set if it does not fit the lattice (free or not).
Bits<4> domino(const Board& board, const Move& move);
bool is_legal(const Board& board, const Move& move);
// Every legal move of the player, by row, then column.
std::vector<Move> legal_moves(const Board& board, Player player);
// Throws std::invalid_argument with a sentence that names the fault, and leaves the board alone, if illegal.
void play(Board& board, const Move& move);

// The four mirror images: bit 0 of `image` turns the columns around, bit 1 the rows. Image 0 is the board itself.
inline constexpr int IMAGES = 4;
Board mirrored(const Board& board, int image);
Move mirrored(const Board& board, const Move& move, int image);
// Rows become columns, so that V plays as H did.
Board transposed(const Board& board);

// The least of all images that keep the value: mirrors, and turns along the rings.
Bits<4> least_image(const Board& board);

// Maximal sets of free squares connected by shared sides (through the seam of a ring too), smallest square first.
std::vector<Bits<4>> components(const Board& board);

// Number of move sequences of the given length, players alternating: a fingerprint of the rules.
std::uint64_t perft(const Board& board, Player to_move, int depth);

}  // namespace zermelo
