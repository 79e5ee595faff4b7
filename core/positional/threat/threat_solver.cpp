#include "positional/threat/threat_solver.hpp"

#include <algorithm>
#include <stdexcept>

#include "positional/threat/symmetries.hpp"

namespace zermelo::positional {

namespace {

// The first search, for wins that are seen soon.
constexpr ThreatEffort SHORT{
    .four_nodes = 100, .pass_steps = 50, .move_steps = 50, .reply_steps = 10, .width = 4, .hardest_first = false};
constexpr std::uint64_t SHORT_STEPS = 20'000, THREAT_STEPS = 100'000;

// Then the opening search, with these trials at every position. Lines of five and more are won by long searches for
// threats, shorter ones (four in a row in a cube) by short ones, and by longer fours.
constexpr ThreatEffort OPENING{
    .four_nodes = 1000, .moves = 40, .pass_steps = 1, .move_steps = 1, .reply_steps = 0, .searched_passes = 16};
constexpr ThreatEffort FEW_MARKS{.four_nodes = 1000,
                                 .moves = 20,
                                 .pass_steps = 200,
                                 .move_steps = 200,
                                 .reply_steps = 50,
                                 .searched_passes = 8,
                                 .width = 4,
                                 .hardest_first = false};
constexpr ThreatEffort LONG_LINES{
    .four_nodes = 100, .pass_steps = 3000, .move_steps = 2000, .reply_steps = 1500, .searched_passes = 2};
constexpr ThreatEffort SHORT_LINES{.four_nodes = 3000,
                                   .pass_steps = 50,
                                   .move_steps = 50,
                                   .reply_steps = 10,
                                   .searched_passes = 8,
                                   .pass_first = false,
                                   .width = 4,
                                   .hardest_first = false,
                                   .symmetric_marks = MAX_VERTICES};
constexpr ThreatTrial LONG_TRIALS[] = {{FEW_MARKS, 300}, {LONG_LINES, 25'000}};
constexpr ThreatTrial SHORT_TRIALS[] = {{FEW_MARKS, 300}, {SHORT_LINES, 300'000}};
constexpr int LONG_LINE = 5;

}  // namespace

ThreatSolver::ThreatSolver(const Hypergraph& graph, int threads)
    : graph_(graph),
      threads_(threads),
      symmetries_(find_symmetries(graph)),
      identity_(1, graph.symmetries[0]),
      own_(*this),
      opening_({own_.board, own_.fours, &own_.quiet}, symmetries_),
      trials_(SHORT_TRIALS) {
  if (std::ranges::all_of(graph.edges, [](const VertexSet& edge) { return edge.count() >= LONG_LINE; }))
    trials_ = LONG_TRIALS;
}

const std::vector<Workplace>& ThreatSolver::team() {
  while (static_cast<int>(team_.size()) < threads_) {
    Tools& tools = *team_.emplace_back(std::make_unique<Tools>(*this));
    places_.push_back({tools.board, tools.fours, &tools.quiet});
  }
  return places_;
}

ThreatResult ThreatSolver::solve(const Marks& marks, Side side, ThreatLevel level, const Limits& limits) {
  const VertexSet attacker = set_of(marks.maker), defender = set_of(marks.breaker);
  if (attacker.meets(defender)) throw std::invalid_argument("a vertex is marked twice");
  ThreatBoard& board = own_.board;
  for (int e = 0; e < board.edges(); ++e)
    if (attacker.contains(board.edge(e)) || defender.contains(board.edge(e)))
      throw std::invalid_argument("the game is over: a player holds a whole hyperedge");
  const bool attackers_turn = side == Side::MAKER;
  Watch watch(limits);
  ThreatResult result;
  ProofText text;
  own_.fours.new_nodes();
  const auto take = [&](ProofGraph& graph) {
    result.won = true;
    result.move = graph.move();
    graph.write(text, level == ThreatLevel::QUIET);
    result.zones = graph.zones();
    board.go_to(attacker, defender);
    board.add_all_danger(ATTACKER, result.zones);  // a threat that must be stopped at the root has no move before it
  };
  if (level == ThreatLevel::FOURS) {
    board.go_to(attacker, defender);
    if (attackers_turn && own_.fours.find(ATTACKER, limits.nodes)) {
      for (const int move : own_.fours.moves()) text.add_cell(move);
      result.won = true;
      result.move = own_.fours.moves()[0];
      result.zones = own_.fours.zones();
    }
    watch.add(own_.fours.new_nodes());
  } else if (level == ThreatLevel::THREATS) {
    if (own_.threats.prove(attacker, defender, attackers_turn, {.four_nodes = 1000}, THREAT_STEPS, watch) ==
        ThreatState::PROVED)
      take(own_.threats);
  } else {
    // The same question as the last one is taken up where it was left.
    if (last_ != Question{attacker, defender, attackers_turn}) {
      own_.quiet.clear();
      opening_.clear();
      last_ = {attacker, defender, attackers_turn};
      short_tried_ = false;
    }
    if (!short_tried_) {
      const ThreatState state = own_.quiet.prove(attacker, defender, attackers_turn, SHORT, SHORT_STEPS, watch);
      short_tried_ = !watch.stopped();
      if (state == ThreatState::PROVED) take(own_.quiet);
    }
    if (short_tried_ && !result.won &&
        opening_.prove_together(attacker, defender, attackers_turn, OPENING, trials_, watch, team()) ==
            ThreatState::PROVED)
      take(opening_);
    result.promising = own_.quiet.wins_after_pass() || opening_.has_won_trials();
  }
  result.tried_all = !result.won && !watch.stopped();
  result.nodes = watch.nodes();
  result.positions = text.positions();
  result.proof = text.bytes();
  return result;
}

VertexSet ThreatSolver::set_of(const std::vector<int>& marks) const {
  VertexSet set;
  for (const int cell : marks) {
    if (cell < 0 || cell >= own_.board.cells()) throw std::invalid_argument("a mark lies outside the board");
    if (set.test(cell)) throw std::invalid_argument("a vertex is marked twice");
    set.set(cell);
  }
  return set;
}

}  // namespace zermelo::positional
