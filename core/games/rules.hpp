// Games by local rules: a board of cells with two bits each, and a list of the moves of both players.
//
// A cell whose bits are both 0 is dead: it stays dead, and so it is the same as no cell. A move looks at some bits and
// changes some:
//   legal if (cells & care) == want;   afterwards the cells are (cells & ~lose) | set
// Clobber has 10 and 01 for the stones and 00 for everything else; the moves are one for each stone, neighbour and
// player. Parts of a board that dead cells separate do not touch each other, so a position is the sum of its parts.
//
// The board is a frame of at most 64 cells in rows. If the rules are the same everywhere, a part may be moved, and
// every board that fits is a part of the frame. Symmetries are found here, and never believed: an image counts if it
// maps the lists of moves to themselves; or each player's to the other's, then it turns the value to its negative.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "cgt/flat_map.hpp"

namespace zermelo::games {

// The two bits of all cells.
using Cells = cgt::WordPair;

struct LocalMove {
  Cells care, want, lose, set;
  auto operator<=>(const LocalMove&) const = default;
};

struct Frame {
  int rows = 1, cols = 1;
  bool translates = false;  // the rules are the same everywhere
  bool liberties = false;   // a stone (one bit) must be connected to a free cell (two bits) through its own kind
  std::vector<std::uint64_t> near;  // of each cell, the cells that a move may look at together with it
};

enum class Side : std::uint8_t { LEFT, RIGHT };
constexpr Side other(Side side) { return side == Side::LEFT ? Side::RIGHT : Side::LEFT; }

// A part in its least image.
struct CanonicalPart {
  Cells cells;
  bool negated = false;  // the players were exchanged
};

class LocalRules {
 public:
  // Throws std::invalid_argument if a move is none: it revives a dead cell, or its cells are not near each other.
  LocalRules(Frame frame, std::vector<LocalMove> left, std::vector<LocalMove> right);

  int cells() const { return frame_.rows * frame_.cols; }
  bool is_impartial() const { return impartial_; }
  std::size_t symmetries() const { return symmetries_.size() + 1; }

  // Calls visit(cells after the move) for each legal move until it returns true; whether it did.
  template <class Visit>
  bool any_move(Side side, const Cells& cells, Visit&& visit) const {
    const Moves& moves = moves_[side == Side::RIGHT];
    for (std::uint64_t rest = cells.a | cells.b; rest; rest &= rest - 1) {
      const int cell = std::countr_zero(rest);
      for (std::uint32_t i = moves.first[cell]; i < moves.first[cell + 1]; ++i) {
        const LocalMove& move = moves.list[i];
        if ((cells.a & move.care.a) != move.want.a || (cells.b & move.care.b) != move.want.b) continue;
        const Cells after{(cells.a & ~move.lose.a) | move.set.a, (cells.b & ~move.lose.b) | move.set.b};
        if (!allows(after)) continue;
        if (visit(after)) return true;
      }
    }
    return false;
  }
  template <class Visit>
  void for_each_move(Side side, const Cells& cells, Visit&& visit) const {
    any_move(side, cells, [&](const Cells& after) {
      visit(after);
      return false;
    });
  }
  int count_moves(Side side, const Cells& cells) const {
    int count = 0;
    for_each_move(side, cells, [&](const Cells&) { ++count; });
    return count;
  }
  // Calls visit(part) for each part.
  template <class Visit>
  void for_each_part(const Cells& cells, Visit&& visit) const {
    for (std::uint64_t rest = cells.a | cells.b; rest;) {
      const std::uint64_t part = flood(rest & -rest, rest);
      rest &= ~part;
      visit(Cells{cells.a & part, cells.b & part});
    }
  }
  CanonicalPart canonical(const Cells& part) const;
  // Whether every stone has the liberties that the game asks for.
  bool allows(const Cells& cells) const { return !frame_.liberties || all_have_liberties(cells); }

 private:
  struct Moves {
    std::vector<LocalMove> list;  // by a cell that must not be dead
    std::array<std::uint32_t, 65> first;
  };
  struct Symmetry {
    std::vector<std::array<std::uint64_t, 256>> image;  // of each byte
    bool swaps = false, exchanges = false;              // the two bits; the players
  };

  std::uint64_t flood(std::uint64_t seed, std::uint64_t within) const {
    std::uint64_t part = seed;
    for (std::uint64_t fresh = seed; fresh;) {
      std::uint64_t grown = 0;
      for (; fresh; fresh &= fresh - 1) grown |= frame_.near[std::countr_zero(fresh)];
      fresh = grown & within & ~part;
      part |= fresh;
    }
    return part;
  }
  bool all_have_liberties(const Cells& cells) const;
  Cells to_corner(const Cells& cells) const;
  static Cells image(const Symmetry& symmetry, const Cells& cells);
  void check(const LocalMove& move) const;
  void find_symmetries(const std::vector<LocalMove>& left, const std::vector<LocalMove>& right);

  Frame frame_;
  Moves moves_[2];
  std::vector<Symmetry> symmetries_;  // without the one that changes nothing
  bool impartial_ = false;
};

}  // namespace zermelo::games
