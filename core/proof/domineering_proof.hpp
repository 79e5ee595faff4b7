// Writes certificates of Domineering (checker/FORMAT.md 3 to 5) by walking through a solved position.
//
// The walk asks the search, whose table is still warm from solving, which move wins; what the table has forgotten is
// proved again. At the loser's turn every move is answered. Positions that are equal up to place, mirror images and
// integers are written once. The payload goes to a file as it is made, and memory holds one small entry a position
// that may be referred to.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>

#include "proof/normal_form.hpp"
#include "proof/strip_leaf.hpp"
#include "search/component_position.hpp"
#include "search/component_search.hpp"
#include "search/result.hpp"

namespace zermelo::proof {

struct DomineeringProofOptions {
  std::size_t memory = std::size_t{1} << 30;  // bytes for remembered positions; beyond it they are proved again
};

struct DomineeringProofStats {
  StopReason stopped = StopReason::FINISHED;
  std::uint64_t positions = 0;  // with all answers written out
  std::uint64_t leaves = 0;
  std::uint64_t references = 0;
  std::uint64_t searched = 0;  // nodes of the search for what its table had forgotten
  std::uint64_t bytes = 0;     // of the payload
  double seconds = 0;
};

class DomineeringProofWriter {
 public:
  // `search` must be made for boards of this size; the file is open for writing and reading.
  DomineeringProofWriter(ComponentSearch& search, std::FILE* file, const DomineeringProofOptions& options);

  // Writes the payload for "`winner` wins when `starter` moves first", which must be true.
  // Throws std::invalid_argument for cylinders and tori, std::logic_error if the claim turns out false.
  DomineeringProofStats write(const Board& board, Player starter, Player winner, const Limits& limits);

 private:
  struct KeyHash {
    std::size_t operator()(const NormalKey& key) const { return key.one; }
  };
  struct Known {
    std::uint64_t offset;  // of its KEEP
    std::int32_t number;
    bool referred;
  };
  struct Cancelled {
    StopReason reason;
  };

  void lost(const Lines& rows);
  // Moves that answered the loser's other moves in the same position.
  using Killers = std::array<StripLeaves::Ranked, 2>;
  void won(const Lines& rows, Killers& killers);
  StripLeaves::Ranked winning_move(const Lines& rows, const std::vector<StripLeaves::Ranked>& moves);
  static std::string move_tag(const Lines& rows, const StripLeaves::Ranked& move);
  bool refer(const Normal& normal);
  Verdict known_verdict(const Lines& rows);
  Verdict searched_verdict(const Lines& rows);
  Board board_of(const Lines& rows) const;
  void put(const std::string& bytes);
  void put(int byte) { put(std::string(1, static_cast<char>(byte))); }
  void flush();
  void poll();

  ComponentSearch& search_;
  std::FILE* file_;
  StripLeaves leaves_;
  PartStack parts_;
  std::size_t capacity_;
  std::unordered_map<NormalKey, Known, KeyHash> known_;
  std::vector<std::uint64_t> unused_;  // offsets of KEEPs that nothing refers to
  std::vector<Component> components_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  int rows_ = 0, cols_ = 0;  // of the turned board
  bool turned_ = false;
  Player loser_ = Player::H;
  const Limits* limits_ = nullptr;
  std::uint64_t ticks_ = 0;
  double start_ = 0;
  DomineeringProofStats stats_;
};

}  // namespace zermelo::proof
