// Finds its way in the strategy of a Domineering certificate (checker/FORMAT.md 4), for a walk through it.
//
// The file has no addresses: the answer to a move stands behind the answers to all moves before it. One pass notes
// where large subtrees end, and where the positions stand that references mean; then every step is short, however large
// the file. This is a reader, not a checker: it follows the file and believes it, but never reads beyond its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "domineering/proof/normal_form.hpp"
#include "domineering/search/result.hpp"

namespace zermelo::proof {

class ProofIndex {
 public:
  struct Place {
    std::size_t at;  // of the node's first byte
    Lines rows;
    bool loser_to_move;
  };

  // The payload must outlive the index; the proof begins at `at`. The board is turned so that the winner plays
  // vertically. Throws std::invalid_argument if one of its sides is longer than MAX_LINES.
  ProofIndex(std::string_view payload, const Board& board, std::size_t at, bool loser_to_move);

  // Reads the whole proof once, and notes the places that make every step short. FINISHED, or why it stopped. Throws
  // std::invalid_argument if the proof is malformed.
  StopReason build(const Limits& limits);

  // Where the node that begins at `place` ends.
  std::size_t end_of(const Place& place) const;
  // The remembered position that a reference at this place means.
  std::optional<Place> referred(const Place& place) const;
  // Positions of the strategy, those that a cut answers included.
  std::uint64_t nodes() const { return nodes_; }

 private:
  struct Span {
    std::size_t begin, end;
  };
  struct Remembered {
    NormalKey key;
    int number;
    std::size_t at;
  };
  struct Stop {};
  class Reader;

  Normal normal(const Lines& rows) const;
  Place place_at(std::size_t target) const;

  std::string_view payload_;
  Board board_;
  Place root_;
  std::vector<Span> large_;             // by begin
  std::vector<Remembered> remembered_;  // by key, then by place
  std::uint64_t nodes_ = 0;
  mutable std::vector<Component> components_;
};

}  // namespace zermelo::proof
