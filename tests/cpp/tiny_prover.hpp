// Certificates of small games for testing the checker, and the truth of any claim by brute force, for judging mutants.
// Those of Domineering are written straight from checker/FORMAT.md, with leaves and references where chance likes them,
// by brute force; from the checker this uses the verdict only.
#pragma once

#include <array>
#include <bit>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "../../checker/check.hpp"
#include "oracle.hpp"
#include "positional/search/maker_breaker_search.hpp"
#include "positional_oracle.hpp"

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

inline zcheck::Report check(const std::uint8_t* data, std::size_t size, double seconds, double mebibytes,
                            const zcheck::Crew& crew = {}) {
  zcheck::Source source(data, size);
  return zcheck::check(source, seconds, mebibytes, crew);
}
inline zcheck::Report check(const Bytes& file, double seconds = 10, double mebibytes = 256,
                            const zcheck::Crew& crew = {}) {
  return check(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(), seconds, mebibytes, crew);
}

// Domineering -----------------------------------------------------------------------------------------------------

struct Board {
  int rows, cols, topology;
  std::uint64_t free;

  bool rings(int player) const { return topology & (player ? 1 : 2); }
  std::vector<std::uint64_t> moves(int player) const {  // V is player 0
    std::vector<std::uint64_t> result = oracle::dominoes(rows, cols, player, rings(player));
    std::erase_if(result, [&](std::uint64_t domino) { return (free & domino) != domino; });
    return result;
  }
  // The least position among those that arise by turning the rings.
  std::uint64_t least_turn() const {
    std::uint64_t least = free;
    for (int down = 0; down < ((topology & 2) && rows >= 3 ? rows : 1); ++down)
      for (int along = 0; along < ((topology & 1) && cols >= 3 ? cols : 1); ++along) {
        std::uint64_t turned = 0;
        for (int square = 0; square < rows * cols; ++square)
          if (free >> square & 1)
            turned |= std::uint64_t{1} << ((square / cols + down) % rows * cols + (square % cols + along) % cols);
        least = std::min(least, turned);
      }
    return least;
  }
  Board without(std::uint64_t domino) const { return {rows, cols, topology, free & ~domino}; }
  // Rows become columns.
  Board turned() const {
    Board result{cols, rows, (topology & 1) << 1 | topology >> 1, 0};
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < cols; ++col)
        if (free >> (row * cols + col) & 1) result.free |= std::uint64_t{1} << (col * rows + row);
    return result;
  }
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

// The connected components, by smallest square.
std::vector<std::uint64_t> components(const Board& board);

// A cut, with a bit for each run; more than 64 repeat. These may or may not prove something: the checker decides.
using Cut = std::uint64_t;
Bytes strip_leaf(const Board& board, Cut cut, bool first);
Bytes answers(const Board& board, Cut cut, std::uint64_t answered, bool keep);
// The moves of Horizontal that the checker lets a cut answer. It sees each of them alone, and nothing after it: a move
// that it rejects, before it misses the rest, is not answered.
std::uint64_t answered_by(const Board& board, Cut cut);

// A cover: protective areas by their upper left squares, and some of Vertical's moves.
inline Bytes cover_leaf(const Board& board, const std::vector<int>& corners, std::uint64_t chosen) {
  Bytes out = byte(7) + varint(corners.size());
  for (int corner : corners) out += varint(static_cast<std::uint64_t>(corner));
  for (std::size_t i = 0; i < (board.moves(0).size() + 7) / 8; ++i) out += static_cast<char>(chosen >> (8 * i) & 255);
  return out;
}
// Chance packs the board with protective areas (valid or not) and dominoes that do not overlap.
Bytes random_cover(const Board& board, Random& random);

// A valid certificate of who wins, without its container.
Bytes domineering_proof(const Board& board, int starter, Random& random);

// Positional games ------------------------------------------------------------------------------------------------

struct Hypergraph {
  int cells;
  std::vector<std::uint64_t> edges;
  Bytes head = {};
  std::array<int, 3> size = {};  // m, n and k, if it is the board of such a game
};

Hypergraph random_hypergraph(Random& random);
Hypergraph mnk(int m, int n, int k);

struct Marks {
  std::uint64_t maker = 0, breaker = 0;
  friend auto operator<=>(const Marks&, const Marks&) = default;
};

class PositionalTruth {
 public:
  explicit PositionalTruth(const Hypergraph& graph)
      : markings_(graph.cells, {graph.edges.begin(), graph.edges.end()}, false) {}
  bool maker_wins(const Marks& marks, int mover) {  // Maker is mover 0
    return markings_.wins(static_cast<oracle::Mask>(marks.maker), static_cast<oracle::Mask>(marks.breaker), mover == 0);
  }

 private:
  oracle::Markings markings_;
};

inline Bytes positional_claim(const Hypergraph& graph, const Marks& marks, int starter, int winner) {
  Bytes out = graph.head;
  for (std::uint64_t set : {marks.maker, marks.breaker}) {
    out += varint(static_cast<std::uint64_t>(std::popcount(set)));
    for (int cell = 0; cell < graph.cells; ++cell)
      if (set >> cell & 1) out += varint(static_cast<std::uint64_t>(cell));
  }
  return out + byte(starter) + byte(winner);
}

// The certificate that the recording search of the core writes; a cell must be free.
Bytes positional_certificate(const Hypergraph& graph, const Marks& marks, int starter, int& winner,
                             const zermelo::positional::MakerBreakerOptions& options = {});

// The truth of a file's claim by brute force: nullopt if it is too large for that. Throws zcheck::Stop if malformed.
std::optional<bool> claim_is_true(const Bytes& file);

// Certificates of both kinds, all valid.
Bytes random_certificate(Random& random);

}  // namespace tiny
