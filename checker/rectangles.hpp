// Rectangles of any size: facts, each proved by a strategy or derived from earlier ones (FORMAT.md 7).
#pragma once

#include "domineering.hpp"

namespace zcheck {

inline constexpr std::int64_t MAX_SIDE = 1000000000;

class Rectangles : public Game {
 public:
  Rectangles(Reader& reader, Budget& budget, const Crew& crew) : reader_(reader), budget_(budget), crew_(crew) {
    wanted_.rows = side();
    wanted_.cols = side();
    wanted_.starter = reader.number(2, "starter");
    wanted_.winner = reader.number(2, "winner");
    claim = claim_about("rectangle", std::to_string(wanted_.rows) + "x" + std::to_string(wanted_.cols),
                        "VH"[wanted_.starter], "VH"[wanted_.winner]);
  }

  void check() override {
    for (int tag; (tag = reader_.byte()) != FINISH;) {
      ++nodes;
      budget_.tick();
      budget_.store(sizeof(Fact));
      const Fact fact = derive(tag);
      if (std::max(fact.rows, fact.cols) > MAX_SIDE) reject("a board that is too large");
      facts_.push_back(fact);
    }
    reader_.end();
    if (facts_.empty() || facts_.back() != wanted_) reject("the last fact is not the claim");
  }

 private:
  enum Tag { FINISH, PROOF, TURN, ROW, CUT, SPLIT, EDGE_SPLIT, DOUBLE };
  enum Player { V, H };
  struct Fact {
    std::int64_t rows = 0, cols = 0;
    int starter = 0, winner = 0;
    friend bool operator==(const Fact&, const Fact&) = default;
  };

  std::int64_t side() {
    const std::int64_t value = reader_.number(static_cast<std::uint64_t>(MAX_SIDE) + 1, "side");
    if (!value) malformed("a side must be at least 1");
    return value;
  }
  Fact reference() {
    const std::uint64_t back = reader_.varint();
    if (back < 1 || back > facts_.size()) malformed("a reference to a fact that does not come before");
    return facts_[facts_.size() - back];
  }
  Fact derive(int tag) {
    if (tag == PROOF) {
      Claim text;
      const DomineeringClaim about = read_domineering_claim(reader_, text);
      if (about.topology || std::find(about.free.begin(), about.free.end(), false) != about.free.end())
        reject("a fact must be about an empty rectangle");
      Memory memory(budget_, crew_);
      const std::unique_ptr<Game> game = make_domineering(reader_, memory, about);
      game->prove();
      nodes += game->nodes;
      return {about.rows, about.cols, about.starter, about.winner};
    }
    if (tag == TURN) {
      const Fact fact = reference();
      return {fact.cols, fact.rows, 1 - fact.starter, 1 - fact.winner};
    }
    if (tag == ROW) {
      const std::int64_t cols = side();
      const int starter = reader_.number(2, "starter");
      if (starter == H && cols < 2) reject("no room for a domino");
      return {1, cols, starter, H};
    }
    if (tag == CUT) {
      const Fact one = reference(), two = reference();
      if (one.rows != two.rows || one.winner != H || two.winner != H)
        reject("a cut needs two boards of one height that Horizontal wins");
      if (one.starter == H && two.starter == H) reject("Horizontal cannot move first in both parts");
      return {one.rows, one.cols + two.cols, one.starter | two.starter, H};
    }
    if (tag == SPLIT || tag == EDGE_SPLIT) {
      std::array<Fact, 2> parts;
      const std::size_t count = tag == SPLIT ? 2 : 1;
      for (std::size_t i = 0; i < count; ++i) parts[i] = reference();
      std::int64_t cols = 1;
      for (std::size_t i = 0; i < count; ++i) {
        if (parts[i].rows != 2 || parts[i].starter != H || parts[i].winner != V)
          reject("a split needs boards of two rows that Vertical wins moving second");
        cols += parts[i].cols;
      }
      return {2, cols, V, V};
    }
    if (tag == DOUBLE) {
      const std::int64_t rows = side();
      return {rows, 2 * rows, V, H};
    }
    malformed("unknown tag " + std::to_string(tag));
  }

  Reader& reader_;
  Budget& budget_;
  Crew crew_;
  Fact wanted_;
  std::vector<Fact> facts_;
};

}  // namespace zcheck
