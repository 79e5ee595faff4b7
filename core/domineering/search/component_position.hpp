// A position as a sum of connected parts and a number, for the component search.
//
// Parts that do not touch are independent games, so a position is the sum of its parts. A part whose value is known to
// be a number is taken off the board and added to `number`; that changes no outcome, because equal games may replace
// one another in any sum. Single squares and other parts without moves are the number 0.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "domineering/board/component.hpp"
#include "domineering/bound/strip_profile.hpp"

namespace zermelo {

// The identity of a part up to translation and the four mirror images: its size, then the squares of the bounding box
// row by row, least of the four images. Unused bytes are zero. The size is height - 1 and width - 1 in the two halves
// of a byte; or, if a side is longer than 16, LONG, height and width in a byte each.
struct PartKey {
  static constexpr std::size_t MAX_BYTES = 3 + MAX_SQUARES / 8;
  static constexpr int LONG = 1;  // 1x2: a part of that size is a number, which has no key
  std::uint8_t size = 0;
  std::uint8_t image = 0;  // which one it is: 1: rows turned around, 2: columns, 3: both
  std::array<std::uint8_t, MAX_BYTES> bytes{};
};

// A domino on bit `bit` of the player's lines `line` and `line` + 1.
struct LineMove {
  int line, bit;
};

// A connected part with its bounds. They are computed when they are first needed.
class Part : public Component {
 public:
  // Looks the part up in the tables; if it is known to be a number, in units of 1/64 for V, returns that.
  std::optional<int> number(const StripTables& tables);

  // After number():
  // Whether sum() knows exactly which numbers the part is at least and at most.
  bool exact() const { return entry_[0] || entry_[1]; }
  // The entry of the whole part in the player's table, if there is one.
  const std::optional<StripPair>& entry(Player player) const { return entry_[index_of(player)]; }
  // The number that the rival's table says the part is at least to the player.
  std::optional<int> floor_by_rival(Player player) const {
    const auto& entry = entry_[1 - index_of(player)];
    return entry ? std::optional(-entry->whole.ceiling()) : std::nullopt;
  }
  // The least number that the part is at most to the player, where exact() is true.
  int ceiling(Player player) const {
    const auto& entry = entry_[index_of(player)];
    return entry ? entry->whole.ceiling() : -entry_[1 - index_of(player)]->whole.floor();
  }
  // Floors with the player as Left.
  const MoveSum& sum(Player player) {
    const std::size_t p = index_of(player);
    if (!has_sum_[p]) find_sum(p);
    return sum_[p];
  }
  const StripProfile& profile(Player player) {
    const std::size_t p = index_of(player);
    if (!has_behind_[p]) {
      if (!has_profile_[p]) build_profile(p);
      profile_[p].build_behind();
      has_behind_[p] = true;
    }
    return profile_[p];
  }
  // The best of all cuts that bend; sum() knows of it from then on. Null if sum() is exact.
  const BentProfile* bent(Player player) {
    const std::size_t p = index_of(player);
    if (entry_[p]) return nullptr;
    if (!has_bent_[p]) find_bent(p);
    return bent_[p].get();
  }
  // The margin of a profile of `cutter` after a move of the mover (StripProfile::across() and along()).
  template <class Profile>
  int margin_after(const Profile& profile, Player cutter, Player mover, const LineMove& move,
                   const typename Profile::Behind& behind, int enough) const {
    const std::size_t p = index_of(mover);
    const int line = move.line - first[p], bit = move.bit - first[1 - p];
    return mover == cutter ? profile.across(line, bit, behind, enough) : profile.along(bit, line, behind, enough);
  }
  const PartKey& key() {
    if (!key_.size) find_key();
    return key_;
  }

 private:
  void build_profile(std::size_t p);
  void find_sum(std::size_t p);
  void find_bent(std::size_t p);
  void find_key();

  const StripTables* tables_;
  std::array<std::optional<StripPair>, 2> entry_;  // of the part as a whole, in each player's table
  std::array<bool, 2> has_sum_, has_profile_, has_behind_, has_bent_;
  std::array<MoveSum, 2> sum_;
  PartKey key_;
  std::array<StripProfile, 2> profile_;
  std::array<std::unique_ptr<BentProfile>, 2> bent_;  // large, and most searches need none
};

inline constexpr int MAX_PARTS = MAX_SQUARES / 3;  // a part that is not a number has three squares or more

struct ComponentPosition {
  int count = 0;
  int number = 0;  // for V, in units of 1/64
  std::array<Part*, MAX_PARTS> part;

  int number_for(Player player) const { return player == Player::V ? number : -number; }
  // The floors of everything but one part (or of everything with except = -1), with the player as Left.
  MoveSum sum_for(Player player, int except = -1) const {
    bool any = false;
    MoveSum total = MoveSum::zero();
    for (int i = 0; i < count; ++i) {
      if (i == except) continue;
      const MoveSum& piece = part[i]->sum(player);
      total = any ? total.plus(piece) : piece;
      any = true;
    }
    return total.plus(number_for(player));
  }
};

// Calls visit(part, line, bit, safe) for every move of the player until it says false.
template <class Visit>
void each_move(const ComponentPosition& position, Player player, bool with_safe, const Visit& visit) {
  const std::size_t p = index_of(player);
  for (int k = 0; k < position.count; ++k) {
    const Part& part = *position.part[k];
    const Lines& lines = part.lines[p];
    // Squares that the rival can use: her dominoes lie in the player's lines.
    const auto contested = [&lines](int i) { return lines[i] & (lines[i] << 1 | lines[i] >> 1); };
    const int last = part.first[p] + part.count[p] - 1;
    for (int i = part.first[p]; i < last; ++i) {
      const Line risky = contested(i) | contested(i + 1);
      Line bits = lines[i] & lines[i + 1];
      if (!with_safe) bits &= risky;
      for (; bits; bits &= bits - 1)
        if (const int bit = std::countr_zero(bits); !visit(k, i, bit, !(risky >> bit & 1))) return;
    }
  }
}

// A stack of items in the order of the search: a function drops the items that it has pushed before it returns. Items
// do not move.
template <class Item>
class ItemStack {
 public:
  Item& push() {
    if (size_ == BLOCK * blocks_.size()) blocks_.emplace_back(new Item[BLOCK]);
    const std::size_t at = size_++;
    return blocks_[at / BLOCK][at % BLOCK];
  }
  void drop() { --size_; }
  std::size_t size() const { return size_; }
  void shrink(std::size_t size) { size_ = size; }

 private:
  static constexpr std::size_t BLOCK = 64;  // a search needs several, a look at a position one
  std::vector<std::unique_ptr<Item[]>> blocks_;
  std::size_t size_ = 0;
};
using PartStack = ItemStack<Part>;

// Splits the squares `rows` into connected parts and adds them to the position: numbers to `number`, the rest as new
// parts of the stack.
void add_parts(ComponentPosition& position, Lines rows, int row_count, PartStack& stack, const StripTables& tables);
// Adds what is left of a part after a domino on bit `bit` of the player's lines `line` and `line` + 1.
void add_rest_of(const Part& part, Player player, int line, int bit, ComponentPosition& position, int row_count,
                 PartStack& stack, const StripTables& tables);

// The whole key of a position with a player to move: all parts in order, and the number.
struct ComponentKey {
  static constexpr std::size_t BYTES = 28;
  std::array<std::uint8_t, BYTES> bytes{};
  bool fits = true;  // a key that is too long is not kept in the table
  std::uint64_t hash = 0;

  void hash_bytes();
};
ComponentKey key_of(const ComponentPosition& position, Player to_move);

// Moves of a position, numbered from 1 so that a number means the same in all positions with the same key: those that
// are equal up to the place of parts and mirror images. 0 if the number would be too large, or there is none.
inline constexpr int LAST_MOVE_NUMBER = 127;
int move_number(const ComponentPosition& position, Player player, const LineMove& move);
std::optional<LineMove> numbered_move(const ComponentPosition& position, Player player, int number);

}  // namespace zermelo
