// Proof-number search for a win of the attacker, on a graph in memory. Three of them work together:
//
//   threats  the attacker's moves threaten a win by fours; every position after a pass is won by fours
//   quiet    any move; positions after a pass and after replies are tried by fours and by `threats` first
//   opening  the same, and tried by `quiet` too: each trial is long, so several threads try at a time
//
// A position with the defender to move is proved by *refutations*: the attacker wins after a pass, and after certain
// replies; the zones of these wins cover all other replies (docs/theory-positional.md).
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "base/saved_entries.hpp"
#include "positional/threat/fours.hpp"
#include "positional/threat/proof_text.hpp"

namespace zermelo::positional {

enum class ThreatState : std::uint8_t { FRESH, OPEN, PROVED, FAILED };

// How hard a search tries. A failed search may succeed with more.
struct ThreatEffort {
  std::uint64_t four_nodes = 100;  // of each search for fours
  int moves = 12;                  // quiet moves of the attacker that are tried, the best-looking first
  int pass_steps = 1500;           // of the threat search after a pass,
  int move_steps = 1000;           // for the attacker to move,
  int reply_steps = 100;           // and after a reply
  int rank = 1;                    // a move starts with 2 and one more for so many that look better
  int searched_passes = 0;         // while the attacker has at most so many marks, a pass may need this search,
  bool pass_first = true;          // or else every reply is searched
  std::uint32_t width = 1;         // of open replies count as one step more
  bool hardest_first = true;       // of the replies, else the one that is refuted first if it fails
  int symmetric_marks = 4;         // positions with more marks are not compared up to symmetry
};

// One try of the opening search: so many steps of the search below, as hard as this.
struct ThreatTrial {
  ThreatEffort effort;
  std::uint64_t steps = 0;
};

class ProofGraph;

// What one thread searches with: a board, and the searches that are tried first.
struct Workplace {
  ThreatBoard& board;
  FourSearch& fours;
  ProofGraph* below;  // nullptr for the threat search itself
};

class ProofGraph {
 public:
  ProofGraph(const Workplace& place, const Permutations& symmetries);

  // Searches for at most so many steps whether the attacker wins. A root position that is the same as before goes on.
  ThreatState prove(const VertexSet& attacker, const VertexSet& defender, bool attackers_turn,
                    const ThreatEffort& effort, std::uint64_t steps, Watch& watch);
  // The opening search, by several threads, a workplace for each; `trials` are tried one after the other at every
  // position with the attacker to move.
  ThreatState prove_together(const VertexSet& attacker, const VertexSet& defender, bool attackers_turn,
                             const ThreatEffort& effort, std::span<const ThreatTrial> trials, Watch& watch,
                             const std::vector<Workplace>& places);
  // Of the proved root: the zones, the attacker's move, and the proof.
  const Zones& zones() const { return wins_[nodes_[root_].win]; }
  int move() const;
  // Whether the root is won if the defender passes, now or after a first move.
  bool wins_after_pass() const;
  // Appends the proof, with every shared position written once if `shared`.
  void write(ProofText& text, bool shared);
  void clear();
  std::size_t size() const { return nodes_.size(); }  // positions
  bool has_won_trials() const;
  // The trials of the opening search that are over, also while it runs; and to know them again. load() takes its
  // section off `words` and throws std::invalid_argument if it is damaged.
  static constexpr std::uint64_t SAVED = 0x7468726561747301ULL;  // the kind of this section
  void save(SavedWords& words) const;
  std::size_t load(std::span<const std::uint64_t>& words);

 private:
  static constexpr std::uint32_t INFINITE = 1u << 30;
  static constexpr std::uint16_t PASS = 0xffff;
  static constexpr std::size_t KILLERS = 3;
  static constexpr int FIRST_MARKS = 2;  // with so many marks of the attacker a pass is no help

  struct Node {
    VertexSet attacker, defender;
    VertexSet open;  // with the defender to move: replies that still need a refutation
    std::uint32_t proof = 1, disproof = 1;
    std::uint32_t first_link = 0, links = 0;
    std::int32_t refutation = -1, win = -1;  // the last of the refutations; zones
    std::uint32_t text = 0, text_size = 0;   // of a win that the threat search or fours found
    std::int32_t best = -1;                  // the link that is searched next, or that wins
    bool attackers_turn = true, forced = false, passing = false;
    bool expanding = false, busy = false;  // by a thread; busy: nothing below it is left for another one
    ThreatState state = ThreatState::FRESH;
  };
  // To the position after `cell` is marked; its cells mean cells here by this symmetry.
  struct Link {
    std::int32_t node;
    std::uint16_t cell;
    std::uint8_t symmetry;
  };
  struct Refutation {
    std::int32_t next, node;  // node -1: by a text
    std::uint32_t text, text_size;
    std::uint16_t cell;
    std::uint8_t symmetry;
    bool wide;  // stands for all replies outside its zone too
    Zones zones;
  };

  // A win that was tried successfully: its zones, and its proof in text_.
  struct Win {
    Zones zones;
    std::uint32_t text = 0, text_size = 0;
  };

  bool quiet() const { return own_.below != nullptr; }
  bool opening() const { return !trials_.empty(); }
  bool solved(int n) const { return nodes_[n].state >= ThreatState::PROVED; }
  Link link_to(const VertexSet& attacker, const VertexSet& defender, bool attackers_turn, std::uint16_t cell);
  int node_for(const VertexSet& attacker, const VertexSet& defender, bool attackers_turn);
  void grow_slots();
  void reset(int n);
  ThreatBoard& board() { return place_->board; }
  void begin(const VertexSet& attacker, const VertexSet& defender, bool attackers_turn, const ThreatEffort& effort,
             Watch& watch);
  bool step(std::vector<std::int32_t>& path);
  void refresh_path(const std::vector<std::int32_t>& path);
  void work(const Workplace& place);
  void visit(int n) { board().go_to(nodes_[n].attacker, nodes_[n].defender); }
  bool needs_expansion(int n) const;
  void expand(int n);
  void expand_attacker(int n);
  void expand_defender(int n);
  void answer_replies(int n);
  void refute_by_text(int n, std::uint16_t cell, const Win& win);
  void refute(int n, const Refutation& refutation);
  bool try_win(int steps, Win& win);
  bool win_below(const Workplace& place, int steps, ProofText& text, Zones& zones);
  void refresh(int n);
  void refresh_attacker(int n);
  void refresh_defender(int n);
  void finish_defender(int n);
  void set_links(int n);
  void list_threat_moves();
  void list_quiet_moves();
  void report_nodes();
  void prove_with(int n, const Zones& zones);
  void fail(int n);
  VertexSet through(int symmetry, const VertexSet& cells) const;
  Zones through(int symmetry, const Zones& zones) const;
  void count_uses(int n);
  int symmetry_number(const std::vector<int>& before, const std::vector<int>& now);
  void write_attacker(ProofText& text, int n, const std::vector<int>& to);
  void write_text(ProofText& text, int n, const std::vector<int>& to);
  void write_seen(ProofText& text, int n, const std::vector<int>& to);
  void write_defender(ProofText& text, int n, const std::vector<int>& to);

  const Workplace own_;
  const Permutations& symmetries_;
  const Workplace* place_ = &own_;  // of the thread that holds the lock
  mutable std::mutex mutex_;
  std::unique_lock<std::mutex>* lock_ = nullptr;  // of that thread; nullptr: there is only one
  std::condition_variable changed_;
  int expanding_ = 0;  // positions
  ThreatEffort effort_;
  std::span<const ThreatTrial> trials_;
  // What became of them, by the marks of both players; no text: no win was found.
  struct Marked {
    VertexSet attacker, defender;
    friend auto operator<=>(const Marked&, const Marked&) = default;
  };
  std::map<Marked, Win> tried_;
  Watch* watch_ = nullptr;

  int root_ = -1;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> slots_;  // open addressing by the marks; -1: empty
  std::vector<Link> links_;
  std::vector<Refutation> refutations_;
  std::vector<Zones> wins_;
  ProofText text_;
  std::vector<std::int32_t> path_;
  std::vector<std::pair<int, int>> moves_;  // first number and cell
  std::vector<Link> new_links_;
  std::vector<int> inverse_;                                                 // of the symmetries
  std::array<std::array<std::int16_t, KILLERS>, MAX_VERTICES + 1> killers_;  // by the attacker's marks
  // While a proof is written: how often a position is used, its number in the file with the cells it had there.
  bool shared_ = false;
  std::vector<int> uses_;
  struct Written {
    int number = 0;
    std::vector<int> to;
  };
  std::vector<Written> written_;
  int numbers_ = 0;
  Permutations declared_;
  static constexpr std::size_t NOWHERE = ~std::size_t{0};
  std::size_t declare_at_ = NOWHERE;
};

}  // namespace zermelo::positional
