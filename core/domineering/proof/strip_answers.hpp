// Which of the loser's moves one cut of the position answers (checker/FORMAT.md 4.4).
//
// Most moves of the loser change a single strip and leave the winner, who moves next, with enough. So one cut of the
// position before the move proves all of them, without a word about any. Positions are turned so that the winner plays
// vertically: line i is row i.
#pragma once

#include <string>
#include <vector>

#include "domineering/bound/strip_profile.hpp"
#include "domineering/proof/normal_form.hpp"

namespace zermelo::proof {

class StripAnswers {
 public:
  explicit StripAnswers(const StripTables& tables) : tables_(tables) {}

  // Takes the cuts of each component. The components must stay where they are.
  void cut(const std::vector<Component>& components, const std::vector<std::uint32_t>& cuts);

  // Whether the winner, moving next, has enough after the loser's domino on (row, col) and (row, col + 1).
  bool answers(int row, int col) const;

 private:
  struct Strip {
    const Component* component;
    int line, height;
    std::uint64_t pattern;  // as StripEntries takes it, if it has a table
    unsigned columns;
    StripSum rest;  // of all other strips
  };
  StripSum with(const StripSum& sum, const Strip& strip) const;

  const StripTables& tables_;
  std::vector<Strip> strips_;  // grows only
};

}  // namespace zermelo::proof
