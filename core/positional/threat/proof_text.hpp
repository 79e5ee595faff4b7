// The text of a proof by threats while it is made: tokens, so that a symmetry can still be applied to its cells.
// checker/FORMAT.md 9.1 describes the bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace zermelo::positional {

// Permutations of the cells; [0] is the identity.
using Permutations = std::vector<std::vector<int>>;

class ProofText {
 public:
  enum Tag : std::uint8_t { ZONES = 0x10, KEEP_ZONES = 0x11, SEEN = 0x12, SYMMETRY = 0x13 };

  void add_cell(int cell) { add(CELL, cell); }
  void add_tag(Tag tag) { add(BYTE, tag); }
  void add_pass() { add(BYTE, 0); }
  void add_reply(int cell, bool wide) { add(wide ? WIDE : EXACT, cell); }
  void add_number(std::uint64_t number) {
    // A varint, byte by byte.
    for (; number > 127; number >>= 7) add(BYTE, static_cast<int>(number & 127) | 128);
    add(BYTE, static_cast<int>(number));
  }
  // Appends a part of another text with its cells renamed.
  void add(std::span<const std::uint16_t> part, const std::vector<int>& to) {
    for (const std::uint16_t token : part) {
      const int kind = token >> 8 & 0xf;
      add(kind, kind == BYTE ? token & 0xff : to[token & 0xff]);
    }
  }
  // Whether a win has a choice of the opponent right after its first move; and to remember the position there.
  static bool has_zones_after_move(std::span<const std::uint16_t> part) {
    return part.size() > 1 && part[1] == (BYTE << 8 | ZONES);
  }
  void keep_zones(std::size_t at) { tokens_[at] = BYTE << 8 | KEEP_ZONES; }
  // Appends a token of a saved text; false if there is no such token on a board of so many cells.
  bool add_token(std::uint16_t token, int cells) {
    tokens_.push_back(token);
    return token >> 8 == BYTE || (token >> 8 <= WIDE && (token & 0xff) < cells);
  }
  std::span<const std::uint16_t> part(std::size_t at, std::size_t size) const { return {tokens_.data() + at, size}; }
  std::size_t size() const { return tokens_.size(); }
  // Moves of the attacker, and the passes and replies before some of them.
  std::size_t positions() const {
    return static_cast<std::size_t>(
        std::count_if(tokens_.begin(), tokens_.end(), [](int token) { return token >> 8 != BYTE; }));
  }
  void clear() { tokens_.clear(); }

  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> result;
    for (const std::uint16_t token : tokens_) {
      const int kind = token >> 8, value = token & 0xff;
      int number = kind == EXACT ? 2 * value + 1 : kind == WIDE ? 2 * value + 2 : value;
      for (; kind != BYTE && number > 127; number >>= 7)
        result.push_back(static_cast<std::uint8_t>(number & 127) | 128);
      result.push_back(static_cast<std::uint8_t>(number));
    }
    return result;
  }

 private:
  enum Kind { CELL, BYTE, EXACT, WIDE };
  void add(int kind, int value) { tokens_.push_back(static_cast<std::uint16_t>(kind << 8 | value)); }

  std::vector<std::uint16_t> tokens_;
};

}  // namespace zermelo::positional
