// The component search: who wins a position of Domineering, by strip bounds on sums of parts.
//
// A Boolean depth-first search. Each position is a sum of connected parts and a number (component_position.hpp); the
// strip bounds of both players decide most positions where they stand, and a table remembers the others by their exact
// parts. The object keeps its table between calls, so that a second search of the same position, or of
// any position of a proof, is cheap. Several threads may call one object at the same time, except clear(): they share
// the exact table and the strip tables, and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/saved_entries.hpp"
#include "domineering/board/board.hpp"
#include "domineering/bound/strip_store.hpp"
#include "domineering/search/result.hpp"

namespace zermelo {

class ComponentTable;

struct ComponentOptions {
  std::size_t memory = std::size_t{1} << 30;  // bytes for strip tables and transposition table together
  int threads = 1;
  int table_squares = 24;         // of strips whose subsets all have a table: 3x8 and 4x6
  std::size_t wide_patterns = 0;  // of wider strips: as many may have a table that continues those
  bool flexible = true;           // cuts may bend, where the board is large enough for that to pay
  bool always_flexible = false;   // on small boards too: the proof has fewer positions
  bool tall = false;              // straight strips of more than four lines on narrow boards; a proof has none
};

class ComponentSearch {
 public:
  // For positions that fit a rows x cols rectangle; throws std::invalid_argument if either is above MAX_LINES. Strip
  // tables are loaded, or built, by the first search, within its limits.
  ComponentSearch(int rows, int cols, const ComponentOptions& options = {});
  ~ComponentSearch();
  ComponentSearch(ComponentSearch&&) noexcept;
  ComponentSearch& operator=(ComponentSearch&&) noexcept;

  // Throws std::invalid_argument for cylinders and tori, and for boards larger than this search was made for.
  // `want_move`: a win that was seen without a move is followed by a search for one.
  SearchResult solve(const Board& board, Player to_move, const Limits& limits = {}, bool want_move = true);
  // The same on the calling thread alone, without naming a move.
  SearchResult solve_alone(const Board& board, Player to_move, const Limits& limits = {});
  // A winning move if there is one and the limits allow to find it (the nodes hold for each move tried). solve() names
  // a move itself unless a bound decided where the position stood.
  std::optional<Move> winning_move(const Board& board, Player to_move, const Limits& limits = {});
  // The strip tables in use, for strip_witness(): it decides at least the positions that this search decides by a
  // bound.
  const StripTables& tables() const;
  // The results that it has found.
  const ComponentTable& table() const;
  // save() returns the results that cost most, at most about `most` of them; other threads may search meanwhile. load()
  // stores them in a search with any options and returns their number; it throws std::invalid_argument if the words
  // are damaged.
  SavedWords save(std::size_t most) const;
  std::size_t load(std::span<const std::uint64_t> words);
  // Forgets every result; the next search counts the same nodes as the first.
  void clear();

 private:
  struct Shared;
  struct Walked {
    SearchResult result;
    bool by_bound = false;  // a bound decided where the position stood
  };
  // Who wins; names a move only if the walk came upon one.
  Walked walk(const Board& board, Player to_move, const Limits& limits, int threads);

  std::unique_ptr<Shared> shared_;
};

}  // namespace zermelo
