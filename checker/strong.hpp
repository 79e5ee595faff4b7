// Strong positional games: a strategy, read in the order in which it is played (FORMAT.md 9), and zones (9.1).
#pragma once

#include <set>
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
      if (has_base_) {  // claims in which the hero is Breaker, for the strategy to refer to
        winner_ = BREAKER;
        read_claims();
        winner_ = DRAW;
      }
      known_.clear();
      turns_.assign(1, {});
      for (int cell = 0; cell < cells_; ++cell) turns_[0].push_back(cell);
      const Cells &own = held_[static_cast<std::size_t>(hero)], &other = held_[static_cast<std::size_t>(1 - hero)];
      if (hero == starter_) hero_moves(own, other);
      else other_moves(own, other);
    }
    reader_.end();
  }

 private:
  using Cells = Set<MAX_CELLS / 64>;
  enum Tag { ALL, KEEP, REF, PAIRS, BLOCK, ZONES = 0x10, KEEP_ZONES, SEEN, SYMMETRY };
  static constexpr int DRAW = 2, STRATEGY = 0, BLOCKING = 1, BASE = 2;

  // So many marks of the opponent more, each outside its zone, do not break a win (FORMAT.md 9.1).
  struct Zones {
    std::array<Cells, 3> at;
  };
  struct Seen {
    Cells own, other;
    Zones zones;
  };

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

  // The hero is to move: one move is enough. The recursion is as deep as the game is long. Returns the zones of the
  // win; for a draw, and where nobody needs them, they mean nothing.
  Zones hero_moves(const Cells& own, const Cells& other) {
    ++nodes;
    if (full(own, other)) return everywhere();
    const int cell = reader_.number(static_cast<std::uint64_t>(cells_), "cell");
    if (own.has(cell) || other.has(cell)) reject("a cell is marked again");
    Zones zones;
    if (!completions(own, other).has(cell)) zones = other_moves(own | Cells::single(cell), other);
    if (!inside_) return zones;
    for (Cells& zone : zones.at) zone = zone | Cells::single(cell);
    add_danger(own, other, zones);
    return zones;
  }

  // The opponent is to move. Every move must be answered; if the hero threatens to complete an edge, only the move that
  // stops it.
  Zones other_moves(const Cells& own, const Cells& other) {
    budget_.tick();
    ++nodes;
    if (full(own, other)) return everywhere();
    if (!completions(other, own).empty()) reject("the opponent completes an edge");
    const Cells threats = completions(own, other);
    if (!threats.empty()) {
      Zones zones;
      if (threats.count() == 1) zones = hero_moves(own, other | threats);
      for (Cells& zone : zones.at) zone = zone | threats;
      return zones;
    }
    int tag = reader_.byte();
    for (; tag == SYMMETRY && wins_; tag = reader_.byte()) read_symmetry();
    if (tag == SEEN && wins_) return seen_before(own, other);
    if ((tag == ZONES || tag == KEEP_ZONES) && wins_) {
      const Zones zones = refuted(own, other);
      if (tag == KEEP_ZONES) {
        budget_.store(sizeof(Seen));
        seen_.push_back({own, other, zones});
      }
      return zones;
    }
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
    return everywhere();
  }

  Zones everywhere() const { return {{every_, every_, every_}}; }

  // Adds the free cells of edges that i more marks of the opponent would leave with one cell at most.
  void add_danger(const Cells& own, const Cells& other, Zones& zones) const {
    for (const Cells& edge : sets_) {
      if (edge.meets(own)) continue;
      const Cells rest = edge - other;
      for (int lacks = rest.count(), i = 3; i > 0 && lacks <= i + 1; --i)
        zones.at[static_cast<std::size_t>(i - 1)] = zones.at[static_cast<std::size_t>(i - 1)] | rest;
    }
  }

  // Wins after a pass and after some replies; their zones must leave no reply without an answer.
  Zones refuted(const Cells& own, const Cells& other) {
    const bool was_inside = inside_;
    inside_ = true;
    Cells left = every_ - own - other;
    Zones all;
    const auto most = static_cast<std::uint64_t>(cells_);
    for (int count = reader_.number(most + 2, "number of refutations"); count; --count) {
      const int code = reader_.number(2 * most + 1, "reply");  // 0: a pass; odd: for this reply only
      Cells reply;
      if (code) reply = Cells::single((code - 1) / 2);
      if (reply.meets(own) || reply.meets(other)) reject("a cell is marked again");
      Zones zones = hero_moves(own, other | reply);
      left = left - reply;
      if (code % 2 == 0) {
        left = left & zones.at[0];
        zones = {{zones.at[1], zones.at[2], every_}};
      }
      for (std::size_t i = 0; i < 3; ++i) all.at[i] = all.at[i] | zones.at[i];
    }
    inside_ = was_inside;
    if (!left.empty()) reject("a reply has no answer");
    return all;
  }

  // Reads a permutation of the cells, which must map edges to edges.
  void read_symmetry() {
    std::vector<int> to;
    Cells reached;
    for (int cell = 0; cell < cells_; ++cell) {
      to.push_back(reader_.number(static_cast<std::uint64_t>(cells_), "cell"));
      reached = reached | Cells::single(to.back());
    }
    budget_.look();
    budget_.store(64 + sizeof(int) * to.size());
    if (distinct_.empty()) distinct_.insert(sets_.begin(), sets_.end());
    if (reached.count() < cells_ || !std::all_of(sets_.begin(), sets_.end(), [&](const Cells& edge) {
          return distinct_.contains(image(edge, to));
        }))
      reject("this is no symmetry of the board");
    turns_.push_back(std::move(to));
  }

  static Cells image(const Cells& cells, const std::vector<int>& to) {
    Cells result;
    cells.each([&](int cell) { result = result | Cells::single(to[static_cast<std::size_t>(cell)]); });
    return result;
  }

  // Reads a reference to a position with zones, seen through a symmetry; it must be this one.
  Zones seen_before(const Cells& own, const Cells& other) {
    const std::uint64_t number = reader_.varint();
    if (number < 1 || number > seen_.size()) malformed("a reference to a position that is not there");
    const std::vector<int>& to = turns_[static_cast<std::size_t>(reader_.number(turns_.size(), "symmetry"))];
    const Seen& seen = seen_[static_cast<std::size_t>(number - 1)];
    if (image(seen.own, to) != own || image(seen.other, to) != other) reject("a reference to another position");
    return {{image(seen.zones.at[0], to), image(seen.zones.at[1], to), image(seen.zones.at[2], to)}};
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
  bool inside_ = false;  // a win whose zones are needed
  Cells every_;
  std::vector<Cells> sets_;  // the edges
  std::array<Cells, 2> held_;
  std::unordered_set<std::string> known_;
  std::vector<Seen> seen_;
  std::vector<std::vector<int>> turns_;  // the identity and the symmetries read
  std::set<Cells> distinct_;             // the edges again, when a symmetry is read
};

}  // namespace zcheck
