// How near a position is to a win by the strip bound after each move.
//
// Positions are turned so that the winner plays vertically (normal_form.hpp). These are estimates: the components are
// those before the move. What may be a win is looked at again by BentCut, which finds the cuts.
#pragma once

#include <vector>

#include "domineering/bound/strip_profile.hpp"
#include "domineering/proof/normal_form.hpp"

namespace zermelo::proof {

// What a table says of a component as a whole, for the winner, in 1/64.
struct Worth {
  static constexpr int NONE = -30000;
  bool is_number = false;
  bool is_exact = false;  // `ceiling` is the least number that the component is at most
  int number = 0;
  int ceiling = 0;
  int floor = NONE;  // by the loser's table, which knows components that the winner's strips have to cut
};
Worth worth_of(const Component& component, const StripTables& tables);

class StripView {
 public:
  explicit StripView(const StripTables& tables) : tables_(tables) {}

  // The components must stay where they are.
  void look(const std::vector<Component>& components);

  // The components that are no numbers. The others need no move (the number avoidance theorem).
  int open_count() const { return open_count_; }
  const Component& open(int index) const { return (*components_)[open_[index].component]; }
  // By how much the winner, having put a domino on (row, col) and the square below, misses or passes a win.
  int after_vertical(int index, int row, int col) const;

 private:
  struct Open {
    std::size_t component;
    StripSum sum;
    StripProfile<StripSum> profile;
  };

  const StripTables& tables_;
  const std::vector<Component>* components_ = nullptr;
  std::vector<Open> open_;  // grows only, so that looking again allocates nothing
  int open_count_ = 0;
};

}  // namespace zermelo::proof
