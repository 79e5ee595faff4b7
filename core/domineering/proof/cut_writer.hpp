// Finds a cut of a position into strips (checker/FORMAT.md 5.6), says which moves of the loser it answers, writes it.
#pragma once

#include <string>
#include <vector>

#include "domineering/proof/position.hpp"
#include "domineering/search/cut.hpp"

namespace zermelo::proof {

class CutWriter {
 public:
  CutWriter(Player winner, const StripTables& tables) : winner_(winner), tables_(tables) {}

  // A cut that proves the win, with the winner to move or not. False if there is none.
  bool find(const Position& position, bool winner_to_move);
  // The cut with which the winner would be nearest to a win, if she were to move.
  void find_nearest(const Position& position);
  // A cut of the position before the loser's domino on (row, col) and (row, col + 1) that answers it.
  bool find_answer(Position& position, int row, int col);
  // Whether that has failed, and shown that no cut proves the win of this position, which the domino leaves, either.
  bool has_failed_on(const Position& child) const;

  // As the format writes it.
  void write(std::string& out) const;
  // Whether the winner, moving next, has enough after the loser's domino on (row, col) and (row, col + 1). Call it
  // after find_nearest() or find_answer().
  bool answers(int row, int col) const;

 private:
  // A strip of the whole cut, and the sums of those before and behind it.
  struct Piece {
    CutStrip strip;
    const Part* part;  // whose corner the strip counts from
    bool is_fixed;     // a whole part that no table of the winner's strips has
    int number;        // its worth to the winner
    MoveSum before = MoveSum::zero(), behind = MoveSum::zero();
  };
  std::vector<Part*> open_parts(const Position& position, std::size_t except) const;
  bool collect(const Position& position, std::size_t changed);
  bool add_strips(const Part& part, const Lines& left, const std::vector<CutStrip>& strips);
  void add_whole(const Position::Term& term);
  bool add(MoveSum& sum, const Piece& piece) const;
  bool add_up();

  const Player winner_;
  const StripTables& tables_;
  CutFinder finder_;
  bool is_whole_ = false;  // the only open part is not cut, whatever the finder says
  BentProfile profile_;    // of the part that the loser's domino changes
  BentProfile::Behind behind_;
  std::size_t place_ = 0;  // of that part
  std::size_t terms_ = 0;  // how many there are
  Lines rest_;             // of that part without the domino
  Lines changed_;          // the same from the part's own corner
  std::vector<CutStrip> changed_strips_;
  bool failed_ = false;
  std::vector<Piece> pieces_;
  std::string bits_;  // a byte for each bit
};

}  // namespace zermelo::proof
