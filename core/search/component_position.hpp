// A position as a sum of connected parts and a number: what the component search walks through.
//
// Parts that do not touch are independent games, so a position is the sum of its parts. A part whose value is known to
// be a number is taken off the board and added to `number`; that changes no outcome, because equal games may replace
// one another in any sum. Single squares and other parts without moves are the number 0.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>

#include "board/board.hpp"
#include "bound/strip_profile.hpp"

namespace zermelo {

constexpr std::size_t index_of(Player player) { return static_cast<std::size_t>(player); }

// The identity of a part up to translation and the four mirror images: height - 1 and width - 1 in the two halves of
// the first byte, then the squares of the bounding box row by row, least of the four images. Unused bytes are zero.
struct PartKey {
  static constexpr std::size_t MAX_BYTES = 1 + MAX_SQUARES / 8;
  std::uint8_t size = 0;
  std::array<std::uint8_t, MAX_BYTES> bytes{};
};

struct Part {
  // Squares as lines of each player: [V] rows, [H] columns, in board coordinates.
  std::array<Lines, 2> lines;
  // The first line of each player that has squares, and how many lines there are from it.
  std::array<std::uint8_t, 2> first;
  std::array<std::uint8_t, 2> count;
  bool exact;                   // sum[] knows exactly which numbers the part is at least and at most
  std::array<StripSum, 2> sum;  // [p]: floors with p as Left
  PartKey key;
};

inline constexpr int MAX_PARTS = MAX_SQUARES / 3;  // a part that is not a number has three squares or more

struct ComponentPosition {
  int count = 0;
  int number = 0;  // for V, in units of 1/64
  std::array<const Part*, MAX_PARTS> part;

  // The floors of everything but one part (or of everything with except = -1), with the player as Left.
  StripSum sum_for(Player player, int except = -1) const {
    const int sign = player == Player::V ? number : -number;
    bool any = false;
    StripSum total = StripSum::zero();
    for (int i = 0; i < count; ++i) {
      if (i == except) continue;
      const StripSum piece = part[static_cast<std::size_t>(i)]->sum[index_of(player)];
      total = any ? total.plus(piece) : piece;
      any = true;
    }
    return total.plus(sign);
  }
};

// Memory for parts in the order of the search: whoever makes parts gives them back before returning.
class PartStack {
 public:
  explicit PartStack(std::size_t capacity) : parts_(std::make_unique<Part[]>(capacity)), capacity_(capacity) {}
  Part& push() {
    assert(size_ < capacity_);
    return parts_[size_++];
  }
  void drop() { --size_; }
  std::size_t size() const { return size_; }
  void shrink(std::size_t size) { size_ = size; }

 private:
  std::unique_ptr<Part[]> parts_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

// Splits the squares `rows` into connected parts and adds them to the position: numbers to `number`, the rest as new
// parts of the stack, with key and floors.
void add_parts(ComponentPosition& position, Lines rows, int row_count, PartStack& stack, const StripTables& tables);

// The whole key of a position with a player to move: all parts in order, and the number.
struct ComponentKey {
  static constexpr std::size_t BYTES = 28;
  std::array<std::uint8_t, BYTES> bytes{};
  bool fits = true;  // a key that is too long is not kept in the table
  std::uint64_t hash = 0;
};
ComponentKey key_of(const ComponentPosition& position, Player to_move);

}  // namespace zermelo
