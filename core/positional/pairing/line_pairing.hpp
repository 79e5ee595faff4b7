// Pairing strategies on boards made of lines (mnk boards).
//
// Two squares fix a line, so a pair serves hyperedges of one line only, and these are neighbours in the line's order.
// A line therefore chooses a partition of its live hyperedges into groups of neighbours that have at least two common
// free squares (the group's core), and every group needs two squares of its core for itself: a bipartite matching.
//
// LinePairing::find searches the partitions: it starts from slots that every partition needs (relaxed slots), matches
// them, and branches on a line that is not yet served. A failed match names the lines of the slots it reached
// (Hall's condition): lines that are not named need not be tried again, and until Breaker marks a square of the named
// lines' hyperedges no pairing exists: the conflict.
//
// LinePairing::deficiencies asks less: with each line's least number of groups, how many slots stay unmatched after
// each Breaker reply? It guides the search, and 0 is a pairing.
#pragma once

#include <bit>
#include <vector>

#include "positional/pairing/matching.hpp"
#include "positional/pairing/pairing.hpp"

namespace zermelo::positional {

enum class Found : std::uint8_t { NO, YES, GAVE_UP };

template <int W>
class LinePairing {
 public:
  explicit LinePairing(const Game<W>& game);

  // On YES `pairs` is a verified pairing; on NO `conflict` holds live hyperedges that have none among themselves.
  // `budget`: failed matches before giving up, if all lines but three could be served; half as many for each line more
  // that could not, twice as many for each fewer.
  Found find(const Position<W>& at, PairList<W>& pairs, Edges<W>& conflict, int budget = FAILURES);

  // With Breaker to move: def[y] for every y in `replies`. Returns the replies with deficiency 0.
  Vertices<W> deficiencies(const Position<W>& at, const Vertices<W>& replies,
                           std::array<std::uint8_t, Game<W>::MAX_V>& def);

  // The same with Maker to move, no reply: unmatched slots when every line takes its least number of groups.
  int deficiency(const Position<W>& at);

  // The pairing behind a deficiency of 0, after deficiencies() on the same position.
  PairList<W> zero_pairing(const Position<W>& at, int reply);

  static constexpr int FAILURES = 100;

 private:
  // Of the searches on 8,7,5 that go beyond 12 failures, 1 in 200 finds a pairing if five lines were open at best until
  // then, 2 in 5 if one was. CPU seconds and thousand nodes with and without: 7,7,5 0.011 and 2.0, 0.0145 and 2.5;
  // 8,7,5 0.35 and 75, 0.47 and 93; 8,8,5 after d4 e4 c3 d3 0.80 and 213, 1.04 and 231.
  static constexpr int BUDGET_OPEN = 3, MOST_OPEN = 7;
  static constexpr int MAX_GROUPS = 12;    // lines with more live hyperedges are not branched on
  static constexpr double FORGET = 0.6;    // successive positions are much alike
  static constexpr int MAX_OPTIONS = 256;  // per line, fewest groups first
  using LineSet = Edges<W>;  // a line has a hyperedge of its own, so there are no more lines than hyperedges
  // The partitions of one line, one after the other: fewest groups first, the cores of a partition side by side.
  struct Options {
    std::vector<std::uint8_t> groups;
    std::vector<Vertices<W>> core;
  };
  struct LineState {
    int first = 0, count = 0;                          // its live residuals: residual_[first .. first + count)
    Vertices<W> common;                                // of all its live residuals
    int relaxed = 0;                                   // groups of the relaxed slots
    int slot = 0;                                      // the first of the relaxed slots
    bool listed = false;                               // options_ and upto are filled
    std::array<std::uint16_t, MAX_GROUPS + 1> upto{};  // options with at most so many groups
  };

  void load(const Position<W>& at);
  // True when the slots are those of the line's only partition.
  bool add_relaxed(Matching<W>& matching, int line);
  bool match_smallest_first(Matching<W>& matching, LineSet& named);
  // Least partition of residual_[first .. first + count), leaving out the hyperedges through `without`.
  void add_minimal(Matching<W>& matching, int line, int without);
  void list_options(int line);
  void extend_option(int line, int next, int depth, int groups);
  bool satisfied(const LineState& state, const Matching<W>& matching) const;
  int largest_fitting(const LineState& state, int spare) const;
  void read_pairs(const Matching<W>& matching);
  Found search(std::size_t depth, const LineSet& exact, LineSet& named);
  Edges<W> edges_of(const Position<W>& at, const LineSet& named) const;
  LineSet lines_reached(const Matching<W>& matching, int slot, const Vertices<W>& visited) const;
  void match_base(const Position<W>& at);
  void match_reply(const Position<W>& at, int reply);

  const Game<W>& game_;
  std::vector<Vertices<W>> residual_;
  std::vector<LineState> state_;
  std::vector<Options> options_;
  std::vector<double> failed_;  // per line, the failures it took part in; those of earlier calls count less and less
  std::array<Vertices<W>, MAX_GROUPS> partition_;  // the one that extend_option is at
  std::vector<Edges<W>> line_edges_;
  std::vector<int> touched_;                // the lines with live hyperedges
  std::vector<Matching<W>> levels_;         // the matching at each depth of the search: slots are only ever added
  std::vector<Vertices<W>> own_;            // per line, the vertices of its slots
  std::vector<int> base_slots_, base_end_;  // per line, where its slots start and end in base_
  Slots<W> slots_, base_of_;                // of levels_; of base_ and reply_
  Matching<W> base_, reply_;
  std::vector<int> base_open_;  // slots that base_ could not match
  Vertices<W> dead_;            // no free vertex can be reached from these in base_ (the trees of its failed searches)
  Vertices<W> free_;
  int budget_ = 0, failures_ = 0;
  int least_open_ = 0;  // lines that were not served, at best so far
  int spare_ = 0;       // free vertices beyond the relaxed slots
  PairList<W> found_;
};

}  // namespace zermelo::positional
