// Races: positional games with a bound on the moves, any order of turns, goals of one or both players, winning sets or
// a graph (FORMAT.md 10). A part of a proof derives claims about the positions of one player, the hero.
#pragma once

#include <set>

#include "domineering.hpp"

namespace zcheck {

class Race : public Game {
 public:
  Race(Reader& reader, Budget& budget) : reader_(reader), budget_(budget) {
    cells_ = reader.number(MOST_CELLS + 1, "number of cells");
    for (int cell = 0; cell < cells_; ++cell) every_ = every_ | Cells::single(cell);
    read_goals();
    const Cells maker = read_cells(), breaker = read_cells();
    if (maker.meets(breaker)) malformed("a cell is marked by both players");
    marks_ = {maker, breaker};
    for (std::size_t part = 0; part < 2; ++part) {
      const int count = reader.number(MOST_TURNS + 1, "number of turns");
      if (part && !count) malformed("the order of turns has no cycle");
      if (!part) once_ = count;
      for (int i = 0; i < count; ++i) turns_.push_back(reader.number(2, "player"));
    }
    moves_ = reader.number(MOST_CELLS + 1, "number of moves");
    first_ = read_cells();
    if (first_.meets(maker | breaker)) malformed("a first move is marked");
    winner_ = reader.number(3, "winner");
    if (winner_ == DRAW && !both()) malformed("a draw of a game with one goal");
    if (owns_goal(0) || owns_goal(1)) malformed("a goal is complete: the game is over");
    static constexpr const char* NAMES[] = {"\"maker\"", "\"breaker\"", "\"draw\""};
    claim = {{"game", "\"hypergraph\""},
             {"rules", "\"race\""},
             {"spec", "\"" + spec() + "\""},
             {"starter", NAMES[turns_[0]]},
             {"winner", NAMES[winner_]}};
  }

  void check() override {
    if (winner_ == MAKER) part(MAKER, true);
    else if (winner_ == BREAKER) part(BREAKER, both());
    else part(BREAKER, false), part(MAKER, false);
    reader_.end();
  }

 private:
  static constexpr int MOST_CELLS = 384, MOST_SETS = 100000, MOST_TURNS = 1024, MOST_MINIMAL = 8192;
  static constexpr int FAR = 1 << 20, ANY_PHASE = -1;
  enum Player { MAKER, BREAKER, DRAW };
  enum Tag { END, GOAL, HOLD, STEP, GUARDED_STEP, FIRST };
  using Cells = Set<MOST_CELLS / 64>;

  struct Derived {
    Cells held, open;
    int phase = ANY_PHASE, moves = 0;
    bool by_goal = false;
  };
  // The hero's next moves, and the claim after them.
  struct Reply {
    Cells cells;
    int count = 0, first = 0;
    Derived after;
  };

  // 1. The claim.

  int read_cell() { return reader_.number(static_cast<std::uint64_t>(cells_), "cell"); }
  Cells read_cells() {
    Cells result;
    for (int count = reader_.number(static_cast<std::uint64_t>(cells_) + 1, "number of cells"); count; --count) {
      const Cells cell = Cells::single(read_cell());
      if (result.meets(cell)) malformed("a cell is named twice");
      result = result | cell;
    }
    return result;
  }
  std::vector<Cells> read_sets() {
    std::vector<Cells> sets;
    for (int count = reader_.number(MOST_SETS + 1, "number of sets"); count; --count) {
      sets.push_back(read_cells());
      if (sets.back().empty()) malformed("an empty winning set");
    }
    return sets;
  }
  void read_goals() {
    kind_ = reader_.number(4, "kind of goals");
    if (!graph()) {
      sets_[0] = read_sets();
      if (both()) sets_[1] = kind_ == 3 ? sets_[0] : read_sets();
      return;
    }
    near_.assign(static_cast<std::size_t>(cells_), Cells());
    for (int count = reader_.number(MOST_SETS + 1, "number of edges"); count; --count) {
      const int one = read_cell(), two = read_cell();
      if (one == two) malformed("an edge from a cell to itself");
      edges_.emplace_back(one, two);
      near(one) = near(one) | Cells::single(two);
      near(two) = near(two) | Cells::single(one);
    }
    for (Cells& end : ends_) end = read_cells();
  }
  bool graph() const { return kind_ == 1; }
  bool both() const { return kind_ > 1; }
  Cells& near(int cell) { return near_[static_cast<std::size_t>(cell)]; }
  const Cells& near(int cell) const { return near_[static_cast<std::size_t>(cell)]; }

  bool owns_goal(int player) const {
    const Cells& own = marks_[static_cast<std::size_t>(player)];
    if (graph()) return player == MAKER && joins(own);
    const std::vector<Cells>& sets = sets_[static_cast<std::size_t>(player)];
    return std::any_of(sets.begin(), sets.end(), [&](const Cells& set) { return own.contains(set); });
  }
  // Whether these cells join the ends.
  bool joins(const Cells& own) const { return (spread(ends_[0], own) & own).meets(ends_[1]); }
  // These cells, and all that lie beside cells of `through` which are joined to them.
  Cells spread(Cells cells, const Cells& through) const {
    Cells done;
    for (Cells fresh = cells & through; !fresh.empty(); fresh = (cells & through) - done) {
      done = done | fresh;
      fresh.each([&](int cell) { cells = cells | near(cell); });
    }
    return cells;
  }

  static std::string words(const Cells& cells) {
    std::string text;
    cells.each([&](int cell) { text += " " + std::to_string(cell); });
    return text;
  }
  static std::string list(const std::vector<Cells>& sets) {
    std::string text;
    for (const Cells& set : sets) text += (text.empty() ? "" : " /") + words(set);
    return text;
  }
  std::string spec() const {
    Cells named;
    std::string text = graph() ? "join:" : "race:" + list(sets_[0]);
    for (const std::vector<Cells>& sets : sets_)
      for (const Cells& set : sets) named = named | set;
    if (graph()) {
      for (const auto& [one, two] : edges_) {
        named = named | Cells::single(one) | Cells::single(two);
        text += " " + std::to_string(one) + "-" + std::to_string(two);
      }
      named = named | ends_[0] | ends_[1];
      text += " /" + words(ends_[0]) + " /" + words(ends_[1]);
    }
    if (both()) text += " |" + (kind_ == 3 ? " same" : list(sets_[1]));
    text += " : ";
    const auto part = [&](const char* word, const Cells& cells) {
      if (!cells.empty()) text += word + words(cells) + ", ";
    };
    part("free", every_ - named);
    part("maker", marks_[0]);
    part("breaker", marks_[1]);
    text += "turns ";
    for (int i = 0; i < phases(); ++i) text += (i == once_ ? "(" : "") + std::string(1, turn(i) == MAKER ? 'm' : 'b');
    text += "), within " + std::to_string(moves_);
    if (!first_.empty()) text += ", first" + words(first_);
    return text;
  }

  // 2. Turns.

  int phases() const { return static_cast<int>(turns_.size()); }
  int turn(int phase) const { return turns_[static_cast<std::size_t>(phase)]; }
  int next(int phase) const { return phase + 1 < phases() ? phase + 1 : once_; }
  // The opponent's moves among so many.
  int opposed(int phase, int moves) const {
    int count = 0;
    for (; moves > 0; --moves, phase = next(phase)) count += turn(phase) != hero_;
    return count;
  }
  bool alternate(int phase, int moves) const {
    for (; moves > 1; --moves, phase = next(phase))
      if (turn(phase) == turn(next(phase))) return false;
    return true;
  }

  // 3. The opponent's goals that can be completed in time.

  void find_live() {
    const std::vector<Cells>& sets = sets_[static_cast<std::size_t>(1 - hero_)];
    std::set<Cells> found;
    for (const Cells& set : sets)
      if (!set.meets(own()) && (set - other()).count() <= most_) found.insert(set - other());
    live_.assign(found.begin(), found.end());
    if (live_.size() <= MOST_MINIMAL) {
      std::stable_sort(live_.begin(), live_.end(),
                       [](const Cells& a, const Cells& b) { return a.count() < b.count(); });
      std::vector<Cells> kept;
      for (const Cells& set : live_) {
        budget_.look();
        if (std::none_of(kept.begin(), kept.end(), [&](const Cells& small) { return set.contains(small); }))
          kept.push_back(set);
      }
      live_ = std::move(kept);
    }
  }
  // Free cells beside a free cell, or beside the opponent's cells that touch it.
  Cells beside(int cell) const { return spread(near(cell), other()) & free_; }
  // How many cells of `costs` a path within `on` takes at least, from an end to each cell, the cell included.
  std::vector<int> costs(const Cells& end, const Cells& on, const Cells& costly) const {
    std::vector<int> cost(static_cast<std::size_t>(cells_), FAR);
    Cells layer = spread(end, other()) & on, seen;
    for (int count = 0; !layer.empty(); ++count) {
      // The cells that cost nothing first; those that cost one come with the next count.
      Cells todo = layer - costly, later = layer & costly;
      if (count) todo = layer;
      layer = {};
      while (!todo.empty()) {
        const int cell = todo.lowest();
        todo = todo - Cells::single(cell);
        if (seen.has(cell)) continue;
        seen = seen | Cells::single(cell);
        cost[static_cast<std::size_t>(cell)] = count;
        const Cells around = (beside(cell) & on) - seen;
        todo = todo | (around - costly);
        later = later | (around & costly);
      }
      layer = later - seen;
    }
    return cost;
  }
  void find_graph() {
    free_ = every_ - own() - other();
    const std::vector<int> from = costs(ends_[0], free_, free_), to = costs(ends_[1], free_, free_);
    core_ = {};
    for (std::size_t cell = 0; cell < from.size(); ++cell)
      if (from[cell] + to[cell] - 1 <= most_) core_ = core_ | Cells::single(static_cast<int>(cell));
    if (!by_paths_) return;
    const Cells begin = spread(ends_[0], other()) & core_, end = spread(ends_[1], other()) & core_;
    begin.each([&](int cell) { paths(cell, begin - Cells::single(cell), {}, end, to); });
  }
  // Adds all paths that go on with this cell and keep off the closed ones.
  void paths(int cell, const Cells& closed, Cells path, const Cells& end, const std::vector<int>& to) {
    budget_.tick();
    if (path.count() + to[static_cast<std::size_t>(cell)] > most_) return;
    path = path | Cells::single(cell);
    if (end.has(cell)) {
      budget_.store(sizeof(Cells));
      live_.push_back(path);
      return;
    }
    const Cells around = beside(cell) & core_;
    ((around - closed) - path).each([&](int one) { paths(one, closed | around, path, end, to); });
  }

  // 4. A part of the proof.

  void part(int hero, bool attack) {
    hero_ = hero;
    attack_ = attack;
    most_ = opposed(0, moves_);
    claims_.clear();
    live_.clear();
    goals_.clear();
    by_graph_ = graph() && !attack;
    by_paths_ = by_graph_ && reader_.number(2, "way of joining");
    if (by_graph_) find_graph();
    else find_live();
    at_.assign(static_cast<std::size_t>(cells_), std::vector<std::uint64_t>(live_.size() / 64 + 1));
    budget_.store(static_cast<std::size_t>(cells_) * (live_.size() / 8 + 8) + live_.size() * sizeof(Cells));
    for (std::size_t i = 0; i < live_.size(); ++i)
      live_[i].each([&](int cell) { at_[static_cast<std::size_t>(cell)][i / 64] |= std::uint64_t{1} << i % 64; });
    if (!graph())
      for (const Cells& set : sets_[static_cast<std::size_t>(hero)]) goals_.insert(set - own());
    for (int tag; (tag = reader_.byte()) != END;) {
      ++nodes;
      budget_.tick();
      budget_.store(sizeof(Derived));
      if (tag == FIRST && turn(0) != hero_ && !first_.empty()) {
        first();
        return;
      }
      claims_.push_back(derive(tag));
    }
    ++nodes;
    end();
  }
  const Cells& own() const { return marks_[static_cast<std::size_t>(hero_)]; }
  const Cells& other() const { return marks_[static_cast<std::size_t>(1 - hero_)]; }

  Derived derive(int tag) {
    if (tag == GOAL && (attack_ || both())) return goal();
    if (tag == HOLD && !attack_) return hold();
    if (tag != STEP && tag != GUARDED_STEP) malformed("unknown tag " + std::to_string(tag));
    const int phase = read_phase();
    if (turn(phase) == hero_) reject("a step in the hero's turn");
    Cells common;
    Derived result = above(phase, common);
    result.phase = phase;
    if (tag == GUARDED_STEP) {
      result.held = result.held | read_cells();
      result.open = result.open | read_cells();
    }
    result.open = result.open - result.held;
    if (!(common - result.held).empty()) reject("the replies of a step have a cell in common");
    if (result.by_goal) guard(result);
    return result;
  }
  int read_phase() { return reader_.number(static_cast<std::uint64_t>(phases()), "phase"); }

  Derived goal() {
    Derived result;
    result.held = read_cells();
    result.moves = attack_ ? 0 : moves_;
    result.by_goal = true;
    if (graph() ? !joins(result.held | own()) : !goals_.contains(result.held)) reject("these cells are no goal");
    return result;
  }

  Derived hold() {
    Derived result;
    result.phase = read_phase();
    result.moves = reader_.number(static_cast<std::uint64_t>(moves_) + 1, "number of moves");
    result.held = read_cells();
    result.open = read_cells() - result.held;
    const int marks = opposed(result.phase, result.moves);
    if (by_graph_ && !by_paths_) {
      const std::vector<int> cost = costs(ends_[0], core_ - result.held, result.open);
      const Cells end = spread(ends_[1], other()) & (core_ - result.held);
      end.each([&](int cell) {
        if (cost[static_cast<std::size_t>(cell)] <= marks) reject("a path can be completed");
      });
      return result;
    }
    // The sets that are not hit, by the number of cells that the opponent needs.
    std::vector<std::uint64_t> hit(live_.size() / 64 + 1);
    result.held.each([&](int cell) {
      for (std::size_t i = 0; i < hit.size(); ++i) hit[i] |= at_[static_cast<std::size_t>(cell)][i];
    });
    std::array<std::uint64_t, MOST_CELLS + 1> needing{};
    bool some = false;
    for (std::size_t i = 0; i < live_.size(); ++i) {
      if (hit[i / 64] >> i % 64 & 1) continue;
      const int needs = (live_[i] & result.open).count();
      if (needs <= marks) ++needing[static_cast<std::size_t>(needs)], some = true;
    }
    if (!some) return result;
    if (!alternate(result.phase, result.moves)) reject("a set can be completed");
    // The sum of 2^-needs, and twice that if the opponent moves first, must be less than 1: its integer part is 0.
    const std::size_t last = turn(result.phase) == hero_ ? 0 : 1;
    std::uint64_t carried = 0;
    for (std::size_t needs = MOST_CELLS; needs > last; --needs) carried = (carried + needing[needs]) / 2;
    if (carried || needing[0] || needing[last]) reject("the sets that can be completed are too many");
    return result;
  }

  // The hero's moves and the claim after them; it is the turn of `phase`.
  Reply read_reply(int phase) {
    Reply reply;
    const std::uint64_t back = reader_.varint();
    if (back < 1 || back > claims_.size()) malformed("a reference to a claim that does not come before");
    reply.after = claims_[claims_.size() - static_cast<std::size_t>(back)];
    reply.count = reader_.number(static_cast<std::uint64_t>(moves_) + 1, "number of moves");
    for (int i = 0; i < reply.count; ++i) {
      const int code = reader_.number(static_cast<std::uint64_t>(cells_) + 1, "cell");
      if (code) reply.cells = reply.cells | Cells::single(code - 1);
      if (!i) reply.first = code;
      if (turn(phase) != hero_) reject("a move out of turn");
      phase = next(phase);
    }
    if (reply.after.phase != ANY_PHASE && reply.after.phase != phase) reject("a reference to a claim of another turn");
    return reply;
  }
  static Cells open(const Reply& reply) { return reply.after.held | reply.after.open | reply.cells; }

  // The claim above the replies to a move at this phase, and the cells that all of them need.
  Derived above(int phase, Cells& common) {
    Derived result;
    result.moves = attack_ ? 0 : moves_;
    common = every_;
    const int count = reader_.number(static_cast<std::uint64_t>(cells_) + 2, "number of replies");
    if (!count) reject("a step without a reply");
    for (int i = 0; i < count; ++i) {
      const Reply reply = read_reply(next(phase));
      common = common & open(reply);
      result.held = result.held | (reply.after.held - reply.cells);
      result.open = result.open | open(reply);
      result.by_goal = result.by_goal || reply.after.by_goal;
      const int moves = 1 + reply.count + reply.after.moves;
      result.moves = attack_ ? std::max(result.moves, moves) : std::min(result.moves, moves);
    }
    if (result.moves > moves_) reject("a win that takes too many moves");
    return result;
  }

  // The opponent's next move completes no goal.
  void guard(const Derived& result) const {
    const int most = attack_ ? opposed(0, moves_ - result.moves + 1) : MOST_CELLS;
    for (const Cells& set : live_)
      if (!set.meets(result.held) && (set & result.open).count() < 2 && set.count() <= most)
        reject("the opponent may complete a goal");
  }

  void end() {
    const Reply reply = read_reply(0);
    if (!first_.empty() && turn(0) == hero_ && (!reply.count || (reply.first && !first_.has(reply.first - 1))))
      reject("the first move is none of those allowed");
    conclude(reply.after.held - reply.cells, open(reply), reply.count + reply.after.moves);
  }
  void first() {
    Cells common;
    const Derived result = above(0, common);
    if (common.meets(first_)) reject("the replies of a step have a cell in common");
    for (const Cells& set : live_)
      if (result.by_goal && set.count() == 1 && set.meets(first_)) reject("the opponent may complete a goal");
    conclude(result.held, result.open, result.moves);
  }
  void conclude(const Cells& held, const Cells& open, int moves) const {
    if (!own().contains(held)) reject("the last claim asks for more than the position has");
    if (open.meets(other())) reject("the last claim asks for marked cells");
    if (attack_ ? moves > moves_ : moves < moves_) reject("the last claim is about another number of moves");
  }

  Reader& reader_;
  Budget& budget_;
  int cells_ = 0, kind_ = 0, once_ = 0, moves_ = 0, winner_ = 0;
  Cells every_, first_;
  std::array<Cells, 2> marks_, ends_;
  std::array<std::vector<Cells>, 2> sets_;
  std::vector<Cells> near_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<int> turns_;

  int hero_ = 0, most_ = 0;  // of this part, and the opponent's moves
  bool attack_ = false, by_graph_ = false, by_paths_ = false;
  Cells free_, core_;
  std::vector<Cells> live_;
  std::vector<std::vector<std::uint64_t>> at_;  // per cell the live sets through it
  std::set<Cells> goals_;
  std::vector<Derived> claims_;
};

}  // namespace zcheck
