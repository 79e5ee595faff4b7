// Strong positional games: a strategy, read in the order in which it is played (FORMAT.md 9).
#pragma once

#include <unordered_set>

#include "positional.hpp"

namespace zcheck {

class Strong : public Positional {
 public:
  Strong(Reader& reader, Budget& budget, bool mnk) : Positional(reader, budget, mnk, 3) {
    static constexpr const char* NAMES[2][3] = {{"\"maker\"", "\"breaker\"", "\"draw\""},
                                                {"\"X\"", "\"O\"", "\"draw\""}};
    for (auto& [name, value] : claim) {
      if (name == "starter") value = NAMES[mnk][starter_];
      if (name == "winner") value = NAMES[mnk][winner_];
    }
    claim.emplace_back("rules", "\"strong\"");
    for (int cell = 0; cell < cells_; ++cell) every_ = every_ | Cells::single(cell);
    for (const std::vector<int>& edge : edges_) {
      Cells set;
      for (int cell : edge) set = set | Cells::single(cell);
      sets_.push_back(set);
    }
    for (std::size_t player = 0; player < 2; ++player) {
      marks_[player].each([&](int cell) { held_[player] = held_[player] | Cells::single(cell); });
      for (const Cells& edge : sets_)
        if (held_[player].contains(edge)) malformed("a player holds a whole edge: the game is over");
    }
  }

  void check() override {
    wins_ = winner_ != DRAW;
    for (int hero = 0; hero < 2; ++hero) {
      if (wins_ && hero != winner_) continue;
      // The starter of an empty board cannot lose (FORMAT.md 9): the file has no proof of it.
      if (!wins_ && hero == starter_ && held_[0].empty() && held_[1].empty()) continue;
      const int kind = wins_ ? STRATEGY : reader_.number(3, "kind of proof");
      if (kind == BLOCKING) {
        only_blocks(hero);
        continue;
      }
      has_base_ = kind == BASE;
      if (has_base_) read_base();
      known_.clear();
      const Cells &own = held_[static_cast<std::size_t>(hero)], &other = held_[static_cast<std::size_t>(1 - hero)];
      if (hero == starter_) hero_moves(own, other);
      else other_moves(own, other);
    }
    reader_.end();
  }

 private:
  using Cells = Set<MAX_CELLS / 64>;
  enum Tag { ALL, KEEP, REF, PAIRS, BLOCK };
  static constexpr int DRAW = 2, STRATEGY = 0, BLOCKING = 1, BASE = 2;

  // Checks a Breaker win in which the hero is Breaker (FORMAT.md 6).
  void only_blocks(int hero) {
    const std::array<Row, 2> marks = marks_;
    const int starter = starter_;
    if (hero == 0) std::swap(marks_[0], marks_[1]);
    starter_ = starter == hero ? BREAKER : MAKER;
    winner_ = BREAKER;
    conclude(read_records());
    marks_ = marks;
    starter_ = starter;
    winner_ = DRAW;
  }

  // Claims in which the hero is Breaker, for the strategy to refer to.
  void read_base() {
    winner_ = BREAKER;
    read_claims();
    winner_ = DRAW;
  }

  // Reads a reference to a claim of the base and checks that it holds here: then the hero only has to block.
  void block(const Cells& own, const Cells& other) {
    winner_ = BREAKER;
    Derived claimed = read_claim_of_base();
    winner_ = DRAW;
    claimed.zone.each([&](int cell) {
      if (own.has(cell) || other.has(cell)) reject("the zone holds a marked cell");
    });
    claimed.need.each([&](int edge) {
      if (!sets_[static_cast<std::size_t>(edge)].meets(own)) reject("an edge of the claim is not hit");
    });
  }

  // The cells with which the owner of `own` completes an edge at once.
  Cells completions(const Cells& own, const Cells& other) const {
    Cells found;
    for (const Cells& edge : sets_) {
      if (edge.meets(other)) continue;
      const Cells rest = edge - own;
      if (rest.count() == 1) found = found | rest;
    }
    return found;
  }

  // Whether no cell is left: a draw, which is no win.
  bool full(const Cells& own, const Cells& other) const {
    if (!(every_ - own - other).empty()) return false;
    if (wins_) reject("the board is full and nobody has won");
    return true;
  }

  // The hero is to move: one move is enough. The recursion is as deep as the game is long.
  void hero_moves(const Cells& own, const Cells& other) {
    ++nodes;
    if (full(own, other)) return;
    const int cell = reader_.number(static_cast<std::uint64_t>(cells_), "cell");
    if (own.has(cell) || other.has(cell)) reject("a cell is marked again");
    if (!completions(own, other).has(cell)) other_moves(own | Cells::single(cell), other);
  }

  // The opponent is to move. Every move must be answered; if the hero threatens to complete an edge, only the move that
  // stops it.
  void other_moves(const Cells& own, const Cells& other) {
    budget_.tick();
    ++nodes;
    if (full(own, other)) return;
    if (!completions(other, own).empty()) reject("the opponent completes an edge");
    const Cells threats = completions(own, other);
    if (threats.count() > 1) return;
    if (!threats.empty()) return hero_moves(own, other | threats);
    const int tag = reader_.byte();
    if (tag == REF) {
      if (!known_.contains(normal(own, other))) reject("a reference to a position that was not proved");
    } else if (tag == PAIRS && !wins_) {
      pairs(own, other);
    } else if (tag == BLOCK && has_base_) {
      block(own, other);
    } else if (tag == ALL || tag == KEEP) {
      for (int cell : moves(own, other)) hero_moves(own, other | Cells::single(cell));
      if (tag == KEEP && known_.insert(normal(own, other)).second)
        budget_.store(96 + 3 * static_cast<std::size_t>(cells_) / 8);
    } else {
      malformed("unknown tag " + std::to_string(tag));
    }
  }

  // The hero answers one of a pair with the other: every edge without a mark of hers must hold a pair.
  void pairs(const Cells& own, const Cells& other) {
    Cells paired = own | other;
    std::vector<Cells> all;
    for (int count = reader_.number(static_cast<std::uint64_t>(cells_ / 2) + 1, "number of pairs"); count; --count) {
      const int one = reader_.number(static_cast<std::uint64_t>(cells_), "cell");
      const int two = reader_.number(static_cast<std::uint64_t>(cells_), "cell");
      if (one == two || paired.has(one) || paired.has(two)) reject("the pairs overlap, or hold a marked cell");
      all.push_back(Cells::single(one) | Cells::single(two));
      paired = paired | all.back();
    }
    for (const Cells& edge : sets_)
      if (!edge.meets(own) &&
          std::none_of(all.begin(), all.end(), [&](const Cells& pair) { return edge.contains(pair); }))
        reject("an edge holds no pair");
  }

  // The cells on edges that one of the players may still complete.
  Cells live_cells(const Cells& own, const Cells& other) const {
    Cells cells;
    for (const Cells& edge : sets_)
      if (!edge.meets(own) || !edge.meets(other)) cells = cells | edge;
    return cells;
  }

  // The free cells on live edges in order, then the first of the others, which are all alike.
  std::vector<int> moves(const Cells& own, const Cells& other) const {
    const Cells free = every_ - own - other, live = live_cells(own, other), rest = free - live;
    std::vector<int> list;
    (free & live).each([&](int cell) { list.push_back(cell); });
    if (!rest.empty()) list.push_back(rest.lowest());
    return list;
  }

  // References compare the least image of the cells on live edges, and the number of other free cells.
  std::string normal(const Cells& own, const Cells& other) const {
    const Cells free = every_ - own - other, live = live_cells(own, other);
    const std::size_t bytes = static_cast<std::size_t>(cells_) / 8 + 1;
    std::string least;
    for (std::size_t way = 0; way < images_.size(); ++way) {
      std::string image(3 * bytes, '\0');
      std::size_t part = 0;
      for (const Cells& cells : {own & live, other & live, free & live}) {
        cells.each([&](int cell) {
          const std::vector<int>& to = images_[way].cells;
          const auto place = static_cast<std::size_t>(to.empty() ? cell : to[static_cast<std::size_t>(cell)]);
          image[part * bytes + place / 8] |= static_cast<char>(1 << (place % 8));
        });
        ++part;
      }
      if (!way || image < least) least = std::move(image);
    }
    return least + std::to_string((free - live).count());
  }

  bool wins_ = false, has_base_ = false;
  Cells every_;
  std::vector<Cells> sets_;  // the edges
  std::array<Cells, 2> held_;
  std::unordered_set<std::string> known_;
};

}  // namespace zcheck
