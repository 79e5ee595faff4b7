// One thread's walk through a winning strategy, which it writes down (checker/FORMAT.md 4).
//
// The walk asks the search, whose table is still warm from solving, which move wins; positions that the table has
// forgotten are proved again. At the loser's turn every move is answered. Positions that are equal up to place, mirror
// images and integers are written once.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/files.hpp"
#include "domineering/proof/cut_writer.hpp"
#include "domineering/proof/known_positions.hpp"
#include "domineering/proof/tags.hpp"
#include "domineering/search/component_position.hpp"
#include "domineering/search/component_search.hpp"
#include "domineering/search/result.hpp"

namespace zermelo::proof {

// The same node, not remembered.
constexpr int not_remembered(int tag) { return tag == KEEP ? ALL : tag > CUT_KEEP ? tag - (CUT_KEEP - CUT) : tag; }

// Shared by all walks of one certificate.
struct StrategyTask {
  ComponentSearch& search;
  KnownPositions& known;
  Watch watch;     // its nodes are positions written
  int rows, cols;  // of the turned board, on which the winner plays vertically
  bool turned;
  Player loser;
};

// Thrown out of a walk that has to stop; the watch says why.
struct WalkStopped {};

class StripProofWriter {
 public:
  StripProofWriter(StrategyTask& task, const std::string& path, std::uint32_t number);

  // Where the next byte goes.
  Place place() const { return {number_, out_.size()}; }
  void flush() { out_.flush(); }
  std::FILE* file() const { return file_.get(); }
  std::uint64_t positions() const { return positions_written_; }
  std::uint64_t references() const { return references_; }

  // Prove a claim that is known to be true, with the winner or the loser to move.
  void won(const Lines& rows);
  void lost(const Lines& rows);
  // The same for a position that has been handed over: references can mean it, if `keep`.
  void handed_over(const Lines& rows, std::int32_t order, bool keep);

  // Positions that `depth` others of the loser lead to are handed over to other threads instead of being proved here.
  // `hand_over` returns the order of what follows.
  using HandOver = std::function<std::int32_t(const Lines& rows, const Normal& form)>;
  void cut(int depth, HandOver hand_over) {
    cut_depth_ = depth;
    hand_over_ = std::move(hand_over);
  }

 private:
  // A move of the winner, in this part of those that are no numbers.
  struct Candidate {
    std::uint32_t used;  // the last time when it led to a win
    std::uint8_t part, row, col;
  };
  // A move of the loser that no cut answers, and the leaf after it, if there is one.
  struct Reply {
    int row, col;
    std::string leaf;
  };
  void lost(Position& position, int depth);
  void expand(Position& position, const Normal& here, int depth);
  void write_replies(Position& position, bool keep, int depth);
  void won(Position& position, int depth);
  bool is_leaf(const Position& position, bool winner_to_move);  // if so, it fills leaf_
  bool is_known(const Normal& form);
  Candidate winning_move(const Position& position, const std::vector<Candidate>& moves, Position& child);
  Position& position_at(int ply);
  std::optional<Candidate> table_move(const Position& position) const;
  Verdict searched_verdict(const Lines& rows, std::uint64_t nodes);
  void put_move(const Lines& rows, const Candidate& move);
  Candidate candidate(int part, int row, int col) const;
  void poll();

  StrategyTask& task_;
  const std::uint32_t number_;
  const File file_;  // beside the certificate, which will need as much room again
  ByteWriter out_;
  CutWriter cut_;
  std::deque<Position> positions_;  // on the way: the loser's and the winner's in turn
  std::deque<std::vector<Candidate>> moves_;
  std::string leaf_;
  std::int32_t order_ = 0;
  int cut_depth_ = -1;
  HandOver hand_over_;
  std::array<std::array<std::uint32_t, MAX_LINES>, MAX_LINES> last_used_{};
  std::uint32_t clock_ = 0;
  std::uint64_t ticks_ = 0, positions_written_ = 0, reported_ = 0, references_ = 0;
};

}  // namespace zermelo::proof
