// A tiny prover for testing the checker: brute force on small games, certificates written straight from
// checker/FORMAT.md with leaves and references where chance likes them, and the truth of any claim, for judging
// mutants. Shares nothing with the solvers; from the checker it uses only the verdict.
#pragma once

#include <bit>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "../../checker/check.hpp"

namespace tiny {

using Bytes = std::string;
using Random = std::mt19937_64;

inline Bytes varint(std::uint64_t value) {
  Bytes out;
  for (; value > 127; value >>= 7) out += static_cast<char>((value & 127) | 128);
  return out + static_cast<char>(value);
}
inline Bytes byte(int value) { return Bytes(1, static_cast<char>(value)); }
inline Bytes container(const Bytes& payload, int version = 1) {
  return Bytes("ZCERT") + byte(version) + Bytes(2, '\0') + payload;
}

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

  std::vector<std::uint64_t> moves(int player) const {  // V is player 0
    std::vector<std::uint64_t> result;
    const bool ring_rows = (topology & 1) && cols >= 3, ring_cols = (topology & 2) && rows >= 3;
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < cols; ++col) {
        const int next = player ? row * cols + (col + 1) % cols : (row + 1) % rows * cols + col;
        if (player ? col + 1 == cols && !ring_rows : row + 1 == rows && !ring_cols) continue;
        const std::uint64_t domino = std::uint64_t{1} << (row * cols + col) | std::uint64_t{1} << next;
        if ((free & domino) == domino) result.push_back(domino);
      }
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
    const auto key = std::make_pair(board.free, player);
    const auto found = memo_.find(key);
    if (found != memo_.end()) return found->second;
    bool wins = false;
    for (std::uint64_t domino : board.moves(player)) wins = wins || !mover_wins(board.without(domino), 1 - player);
    return memo_[key] = wins;
  }

 private:
  std::map<std::pair<std::uint64_t, int>, bool> memo_;  // for one board size
};

inline Bytes domineering_claim(const Board& board, int starter, int winner) {
  Bytes out = byte(1) + byte(board.topology) + varint(static_cast<std::uint64_t>(board.rows)) +
              varint(static_cast<std::uint64_t>(board.cols));
  for (int i = 0; i < (board.rows * board.cols + 7) / 8; ++i) out += static_cast<char>(board.free >> (8 * i) & 255);
  return out + byte(starter) + byte(winner);
}

// The connected components, by smallest square.
std::vector<std::uint64_t> components(const Board& board);

// A cut along rows, the same in every component, with temperatures; or a bent one, with a bit for each run.
struct Cut {
  std::uint64_t bits = 0;
  std::vector<int> heats = {};
  bool bent = false;
  int version() const { return bent ? 7 : 3; }
};

// Whether these prove anything is the checker's affair.
Bytes strip_leaf(const Board& board, const Cut& cut, bool first);
Bytes answers(const Board& board, const Cut& cut, std::uint64_t answered, bool keep);
// The moves of Horizontal that the checker lets a cut answer. It is shown each of them alone, and nothing behind it:
// what it rejects before it misses the rest is not answered.
std::uint64_t answered_by(const Board& board, const Cut& cut);

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
Bytes domineering_proof(const Board& board, int starter, Random& random, int version);

// Positional games ------------------------------------------------------------------------------------------------

struct Hypergraph {
  int cells;
  std::vector<std::uint64_t> edges;
  Bytes head;
};

Hypergraph random_hypergraph(Random& random);
Hypergraph mnk(int m, int n, int k);

struct Marks {
  std::uint64_t maker = 0, breaker = 0;
  friend auto operator<=>(const Marks&, const Marks&) = default;
};

class PositionalTruth {
 public:
  explicit PositionalTruth(const Hypergraph& graph) : graph_(graph) {}
  bool maker_wins(const Marks& marks, int mover) {  // Maker is mover 0
    bool all_hit = true;
    for (std::uint64_t edge : graph_.edges) {
      if (!(edge & ~marks.maker)) return true;
      all_hit = all_hit && (edge & marks.breaker);
    }
    if (all_hit) return false;
    const auto key = std::make_pair(marks, mover);
    const auto found = memo_.find(key);
    if (found != memo_.end()) return found->second;
    bool wins = mover == 1;  // a full board whose edges are not all hit has a complete edge, so somebody can move
    for (int cell = 0; cell < graph_.cells; ++cell) {
      const std::uint64_t bit = std::uint64_t{1} << cell;
      if ((marks.maker | marks.breaker) & bit) continue;
      if (mover == 0) wins = wins || maker_wins({marks.maker | bit, marks.breaker}, 1);
      else wins = wins && maker_wins({marks.maker, marks.breaker | bit}, 0);
    }
    return memo_[key] = wins;
  }

 private:
  const Hypergraph& graph_;
  std::map<std::pair<Marks, int>, bool> memo_;
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

// The claim of a file, judged by brute force: nullopt if it is too large for that. Throws zcheck::Stop if malformed.
std::optional<bool> claim_is_true(const Bytes& file);

// Certificates of both kinds, all valid.
Bytes random_certificate(Random& random);

}  // namespace tiny
