// Finds strip leaves of a certificate (checker/FORMAT.md 5): the cuts that make the winner's strips worth enough.
//
// Positions here are turned so that the winner plays vertically: line i is row i. The bound is the one of
// bound/strip_profile.hpp; what is added is the way back from the best sum to the cuts behind it.
#pragma once

#include <string>
#include <vector>

#include "domineering/bound/strip_profile.hpp"
#include "domineering/proof/normal_form.hpp"
#include "domineering/proof/strip_view.hpp"

namespace zermelo::proof {

class StripLeaves {
 public:
  explicit StripLeaves(const StripTables& tables) : tables_(tables) {}

  // Writes a leaf that proves the win, with the winner to move or not; false if the bound does not see one.
  bool find(const std::vector<Component>& components, bool winner_to_move, std::string& leaf);
  // The cuts of each component with which the winner, if she were to move, would be nearest to a win.
  const std::vector<std::uint32_t>& nearest_cuts(const std::vector<Component>& components);

 private:
  // A component that is no number, and where its cuts begin in best_.
  struct Open {
    std::size_t component;
    std::size_t base;
    int whole_floor;  // what the rival's table says of the uncut component, or Worth::NONE
    StripEntries entries;
    StripPatterns::Ranges strip;
  };

  int take(const std::vector<Component>& components, Worth& last);
  StripSum best_cut(int number);
  void add_component(Open& open);
  void trace(std::size_t lane);
  void trace_pieces(const Component& component, int line, int height, std::size_t base, std::size_t& lane);
  void write(std::string& leaf) const;

  const StripTables& tables_;
  const Component* components_ = nullptr;  // of the position in question
  std::vector<std::uint32_t> cuts_;        // per component
  std::vector<Open> open_;                 // grows only, so that looking again allocates nothing
  std::size_t open_count_ = 0;
  std::vector<StripSum> best_;
  unsigned heats_ = 0;  // bit k: temperature k of SWITCH_TEMPERATURES is used
};

}  // namespace zermelo::proof
