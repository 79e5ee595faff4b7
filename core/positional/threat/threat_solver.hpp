// Wins by threats, from any position of a strong game: fours, threats of fours, and a proof search above them. It
// proves wins of the attacker and nothing else: a search that ends without one says nothing about the game.
#pragma once

#include <memory>
#include <optional>

#include "positional/board/game.hpp"
#include "positional/board/outcome.hpp"
#include "positional/threat/proof_graph.hpp"

namespace zermelo::positional {

struct ThreatResult {
  bool won = false;
  bool tried_all = false;  // it gave up by itself: more time would not help
  bool promising = false;  // not won yet, but won if the defender passes now, or after the first move
  int move = -1;           // of the attacker, if it is his turn
  std::uint64_t nodes = 0;
  Zones zones;
  std::size_t positions = 0;        // of the proof
  std::vector<std::uint8_t> proof;  // checker/FORMAT.md 9.1: a `hero`, or an `other` if the defender is to move
};

// How far to go: fours alone, threats of fours too, or everything.
enum class ThreatLevel : std::uint8_t { FOURS, THREATS, QUIET };

class ThreatSolver {
 public:
  explicit ThreatSolver(const Hypergraph& graph, int threads = 1);

  // Whether the owner of marks.maker wins. Throws std::invalid_argument if the marks are not on the board, or a player
  // holds an edge.
  ThreatResult solve(const Marks& marks, Side side, ThreatLevel level, const Limits& limits);
  // What the opening search has tried, also while it runs.
  void save(SavedWords& words) const { opening_.save(words); }
  std::size_t load(std::span<const std::uint64_t>& words) { return opening_.load(words); }
  static bool saved_in(std::span<const std::uint64_t> words) { return !words.empty() && words[0] == ProofGraph::SAVED; }

 private:
  struct Question {
    VertexSet attacker, defender;
    bool attackers_turn = false;
    friend bool operator==(const Question&, const Question&) = default;
  };
  VertexSet set_of(const std::vector<int>& marks) const;

  // Everything that a thread needs for a search of its own.
  struct Tools {
    explicit Tools(const ThreatSolver& solver)
        : board(solver.graph_),
          fours(board),
          threats({board, fours, nullptr}, solver.identity_),
          quiet({board, fours, &threats}, solver.symmetries_) {}
    ThreatBoard board;
    FourSearch fours;
    ProofGraph threats, quiet;
  };
  const std::vector<Workplace>& team();

  const Hypergraph graph_;
  const int threads_;
  const Permutations symmetries_, identity_;
  Tools own_;
  std::vector<std::unique_ptr<Tools>> team_;  // made when the opening search begins
  std::vector<Workplace> places_;
  ProofGraph opening_;
  std::span<const ThreatTrial> trials_;
  std::optional<Question> last_;
  bool short_tried_ = false;
};

}  // namespace zermelo::positional
