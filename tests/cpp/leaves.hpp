// Claims and leaves of Domineering in bytes, written straight from checker/FORMAT.md, for testing the fast checker. The
// truth is brute force; from the checker these tests use the verdict only.
#pragma once

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "../../checker/check.hpp"
#include "../../checker/stream.hpp"
#include "oracle.hpp"

namespace tiny {

using Bytes = std::string;
using Random = std::mt19937_64;

inline Bytes varint(std::uint64_t value) {
  Bytes out;
  for (; value > 127; value >>= 7) out += static_cast<char>((value & 127) | 128);
  return out + static_cast<char>(value);
}
inline Bytes byte(int value) { return Bytes(1, static_cast<char>(value)); }
inline Bytes container(const Bytes& payload) { return Bytes("ZCERT\x01\0\0", 8) + payload; }

inline zcheck::Report check(const Bytes& file, double seconds = 10, double mebibytes = 256,
                            const zcheck::Crew& crew = {}) {
  zcheck::Source source(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
  return zcheck::check(source, seconds, mebibytes, crew);
}

// A certificate without its container.
inline Bytes payload_of(const Bytes& file) {
  zcheck::Source source(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
  const zcheck::Budget budget(10, 256);
  zcheck::Reader reader(source, budget);
  Bytes payload;
  try {
    while (true) payload += static_cast<char>(reader.byte());
  } catch (const zcheck::Stop&) {  // its end
    return payload;
  }
}

struct Board {
  int rows, cols, topology;
  std::uint64_t free;

  bool rings(int player) const { return topology & (player ? 1 : 2); }
  std::vector<std::uint64_t> moves(int player) const {  // V is player 0
    std::vector<std::uint64_t> result = oracle::dominoes(rows, cols, player, rings(player));
    std::erase_if(result, [&](std::uint64_t domino) { return (free & domino) != domino; });
    return result;
  }
  Board without(std::uint64_t domino) const { return {rows, cols, topology, free & ~domino}; }
};

class Truth {
 public:
  bool mover_wins(const Board& board, int player) {
    if (!positions_) positions_.emplace(board.rows, board.cols, board.rings(0), board.rings(1));
    return positions_->wins(board.free, player);
  }

 private:
  std::optional<oracle::Position> positions_;  // of one board
};

inline Bytes domineering_claim(const Board& board, int starter, int winner) {
  Bytes out = byte(1) + byte(board.topology) + varint(static_cast<std::uint64_t>(board.rows)) +
              varint(static_cast<std::uint64_t>(board.cols));
  for (int i = 0; i < (board.rows * board.cols + 7) / 8; ++i) out += static_cast<char>(board.free >> (8 * i) & 255);
  return out + byte(starter) + byte(winner);
}

// A bit for each of `count` moves.
inline Bytes chosen_bits(std::uint64_t chosen, std::size_t count) {
  Bytes out;
  for (std::size_t i = 0; i < (count + 7) / 8; ++i) out += static_cast<char>(chosen >> (8 * i) & 255);
  return out;
}

// The connected components, by smallest square.
inline std::vector<std::uint64_t> components(const Board& board) {
  std::vector<std::uint64_t> parts;
  std::uint64_t rest = board.free;
  while (rest) {
    std::uint64_t part = rest & -rest, grown = part;
    do {
      part = grown;
      for (int square = 0; square < board.rows * board.cols; ++square) {
        if (!(part >> square & 1)) continue;
        const int col = square % board.cols;
        if (square >= board.cols) grown |= std::uint64_t{1} << (square - board.cols);
        if (square + board.cols < board.rows * board.cols) grown |= std::uint64_t{1} << (square + board.cols);
        if (col) grown |= std::uint64_t{1} << (square - 1);
        if (col + 1 < board.cols) grown |= std::uint64_t{1} << (square + 1);
      }
      grown &= rest;
    } while (grown != part);
    rest &= ~part;
    parts.push_back(part);
  }
  return parts;
}

// A cut, with a bit for each run; more than 64 repeat. It may or may not prove something: the checker decides.
using Cut = std::uint64_t;
inline Bytes cut_text(const Board& board, Cut cut) {
  Bytes out;
  int runs = 0, packed = 0;
  for (std::uint64_t part : components(board)) {
    const int top = std::countr_zero(part) / board.cols;
    for (int square = 0; square < board.rows * board.cols; ++square) {
      const bool begins = square % board.cols == 0 || !(part >> (square - 1) & 1);
      if (!(part >> square & 1) || !begins || square / board.cols == top) continue;
      packed |= static_cast<int>(cut >> runs % 64 & 1) << runs % 8;
      if (++runs % 8 == 0) out += byte(packed), packed = 0;
    }
  }
  return runs % 8 ? out + byte(packed) : out;
}

inline Bytes strip_leaf(const Board& board, Cut cut, bool first) { return byte(first ? 0 : 16) + cut_text(board, cut); }
inline Bytes answers(const Board& board, Cut cut, std::uint64_t answered) {
  return byte(17) + cut_text(board, cut) + chosen_bits(answered, board.moves(1).size());
}
// The moves of Horizontal that the checker lets a cut answer. It sees each of them alone, and nothing after it: a move
// that it rejects, before it misses the rest, is not answered.
inline std::uint64_t answered_by(const Board& board, Cut cut) {
  std::uint64_t answered = 0;
  for (std::size_t i = 0; i < board.moves(1).size(); ++i) {
    const std::uint64_t alone = std::uint64_t{1} << i;
    const Bytes text = domineering_claim(board, 1, 0) + answers(board, cut, alone);
    if (check(container(text)).verdict != zcheck::REJECTED) answered |= alone;
  }
  return answered;
}

// A cover: protective areas by their upper left squares, and some of Vertical's moves.
inline Bytes cover_leaf(const Board& board, const std::vector<int>& corners, std::uint64_t chosen) {
  Bytes out = byte(7) + varint(corners.size());
  for (int corner : corners) out += varint(static_cast<std::uint64_t>(corner));
  return out + chosen_bits(chosen, board.moves(0).size());
}
// Chance packs the board with protective areas (valid or not) and dominoes that do not overlap.
inline Bytes random_cover(const Board& board, Random& random) {
  std::vector<int> corners;
  std::uint64_t taken = 0, chosen = 0;
  if (random() % 2)
    for (int corner = 0; corner < board.rows * board.cols; ++corner) {
      const int row = corner / board.cols, col = corner % board.cols;
      std::uint64_t area = 0;
      for (int r : {row, (row + 1) % board.rows})
        for (int c : {col, (col + 1) % board.cols}) area |= std::uint64_t{1} << (r * board.cols + c);
      if ((area & board.free) != area || area & taken || random() % 3 == 0) continue;
      taken |= area;
      corners.push_back(corner);
    }
  const std::vector<std::uint64_t> moves = board.moves(0);
  std::vector<std::size_t> order(moves.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (random() % 2) std::shuffle(order.begin(), order.end(), random);
  for (std::size_t i : order)
    if (!(moves[i] & taken) && random() % 16) taken |= moves[i], chosen |= std::uint64_t{1} << i;
  return cover_leaf(board, corners, chosen);
}

}  // namespace tiny
