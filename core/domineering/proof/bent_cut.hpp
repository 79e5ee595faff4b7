// A cut of a position into strips (checker/FORMAT.md 5.6): found, asked which of the loser's moves it answers, written.
//
// Positions here are turned so that the winner plays vertically: line i is row i. The bound is the one of
// bound/flexible_cut.hpp, with her next move in it.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "domineering/bound/flexible_cut.hpp"
#include "domineering/proof/normal_form.hpp"
#include "domineering/proof/strip_view.hpp"

namespace zermelo::proof {

class BentCut {
 public:
  explicit BentCut(const StripTables& tables) : tables_(tables) {}

  // A cut that proves the win, with the winner to move or not. False if none is seen; then there is none to write. The
  // components must stay where they are.
  bool find(const std::vector<Component>& components, bool winner_to_move);
  // The cut with which the winner would be nearest to a win, if she were to move.
  void find_nearest(const std::vector<Component>& components);
  // A cut of the position before the loser's domino on (row, col) and (row, col + 1) that answers it.
  bool find_answer(const std::vector<Component>& components, int row, int col);
  // Whether that has failed, and shown that no cut proves the win of what the domino leaves either.
  bool has_failed_on(const std::vector<Component>& components) const;

  // As the format writes it.
  void write(std::string& out) const;
  // Whether the winner, moving next, has enough after the loser's domino on (row, col) and (row, col + 1); to be asked
  // after a cut of the position before it.
  bool answers(int row, int col) const;

 private:
  using Strip = PackedStrip;
  struct Part {
    const Component* component;  // as it is cut
    bool open;                   // no number
    bool whole;                  // not cut
    int number;                  // what it is worth, if that is a number or it is not cut
    std::span<const Strip> strips;
  };
  // An open part while it is cut. Sum is MoveSum where the winner is to move, else StripSum, which takes a third of the
  // time.
  template <class Sum>
  struct Work {
    Sum sum;
    StripProfile<Sum> profile;
    FlexibleCut<Sum> cut;
  };
  // A strip of the whole cut, and the sums of those before and behind it.
  struct Piece {
    const Component* component;
    Strip strip;
    bool fixed;  // a whole component that has no table of its own
    int number;
    MoveSum before = MoveSum::zero(), behind = MoveSum::zero();
  };
  template <class Sum>
  bool improve(std::deque<Work<Sum>>& work, const std::vector<Component>& components, const Component* changed,
               int enough);
  bool encode(const Part& part, const Component& component);
  void collect(const std::vector<Component>& components);
  bool add_up();
  bool add(MoveSum& sum, const Piece& piece) const;

  const StripTables& tables_;
  std::vector<Part> parts_;
  std::deque<Work<MoveSum>> first_;  // they grow only: each has large arrays
  std::deque<Work<StripSum>> second_;
  Component changed_;          // by the loser's domino, which may have made several of it
  std::size_t place_ = 0;      // of what is changed
  bool straightened_ = false;  // a cut could not be written, and a straight one has taken its place
  bool failed_ = false;
  std::vector<Piece> pieces_;
  std::vector<Strip> strips_;  // of one component
  std::string code_, bits_;    // of one component, of all; a byte for each bit
};

}  // namespace zermelo::proof
