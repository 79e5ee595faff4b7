// One thread's walk through the game tree of the component search.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/busy_marks.hpp"
#include "domineering/bound/strip_profile.hpp"
#include "domineering/search/component_order.hpp"
#include "domineering/search/component_position.hpp"
#include "domineering/search/component_table.hpp"
#include "domineering/search/result.hpp"

namespace zermelo {

// Shared by the threads of one search.
struct ComponentTask {
  const StripTables& tables;
  ComponentTable& table;
  Watch watch;
  int threads;
  bool flexible;     // ask flexible cuts about near misses
  bool looks_ahead;  // order moves by the rival's margins and by replies too
  // Zeroing it takes longer than a small search, and one thread alone has no use for it.
  std::unique_ptr<BusyMarks> busy = threads > 1 ? std::make_unique<BusyMarks>() : nullptr;
};

class ComponentWalker {
 public:
  // The walker with number 0 reports progress.
  ComponentWalker(ComponentTask& task, int number);

  // UNKNOWN if a limit or another thread stopped it.
  Verdict run(const Board& board, Player to_move);

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t evaluations() const { return evaluations_; }
  // The move that won at the root; none if a bound or the table decided there.
  std::optional<Move> best() const { return best_; }
  bool decided_by_bound() const { return decided_by_bound_; }

 private:
  // A domino on bit `bit` of the player's lines `line` and `line` + 1, in board coordinates.
  struct Candidate {
    std::int32_t order;
    std::uint8_t part;
    std::uint8_t line;
    std::uint8_t bit;
    std::int16_t margin;  // of the bound after the move that was asked last
  };
  static constexpr int MAX_MOVES = MAX_SQUARES;
  struct MoveList {
    int count = 0;
    std::array<Candidate, MAX_MOVES> move;
    Candidate* begin() { return move.data(); }
    Candidate* end() { return move.data() + count; }
  };
  // The sum of all parts but one; and for a margin after a move in that one: this sum with each sum behind its lines.
  struct Others {
    MoveSum sum;
    StripProfile::Behind behind;
  };
  // A position with the player to move.
  struct Node {
    const ComponentPosition& position;
    Player player;
    // By player and part. Computed when first needed, and only if there are other parts.
    std::array<std::array<const Others*, MAX_PARTS>, 2> others;
    std::array<std::array<const BentProfile::Behind*, MAX_PARTS>, 2> behind;  // likewise, of cuts that bend
    int scanned = 0;  // of so many moves it is known already that the player's bound does not say that they win
    int winner = 0;   // the number of the move that wins, if one is found

    Node(const ComponentPosition& position_, Player player_) : position(position_), player(player_) {
      for (std::size_t p = 0; p < 2; ++p) {
        std::fill_n(others[p].begin(), position.count, nullptr);
        std::fill_n(behind[p].begin(), position.count, nullptr);
      }
    }
  };
  enum class Answer : std::uint8_t { UNKNOWN, WIN, LOSS, DEFERRED };

  Answer enter(const ComponentPosition& position, Player player, int ply, bool may_defer);
  Answer bend(const ComponentPosition& position, Player player);
  Answer expand(const ComponentPosition& position, Player player, int ply, const ComponentKey& key);
  Answer try_moves(Node& node, MoveList& moves, int ply, const ComponentKey& key, bool hopeful);
  Answer try_number(const ComponentPosition& position, Player player, int ply, const MoveSum& rival_sum);

  static void order_by_margin(Candidate* first, Candidate* last);
  void order_by_rival(Node& node, Candidate* first, Candidate* last);
  void order_by_replies(Node& node, Candidate* first, Candidate* last);
  int after_worst_reply(Node& node, const Candidate& move, int enough, LineMove& worst);
  int margin_after(Node& node, const Candidate& move, Player cutter, int enough);
  MoveSum sum_after(const Node& node, const Candidate& move, Player player);
  bool decides(Node& node, Candidate& move, Player cutter);
  const Others* others(Node& node, const Candidate& move, Player player);
  const BentProfile::Behind& bent_behind(Node& node, const Candidate& move, Player player);
  void child_of(const Node& node, const Candidate& move, ComponentPosition& child);

  void play(const Candidate& move, Player player, int ply);
  void undo(const Candidate& move, Player player) { play(move, player, OrderContext::NEVER); }
  void found(Node& node, const Candidate& move, int ply);
  bool must_stop(int ply);
  bool limit_reached();
  std::uint64_t report_nodes();

  ComponentTask& task_;
  const StripTables& tables_;
  ComponentTable& table_;
  const int number_;
  PartStack stack_;
  ItemStack<Others> others_stack_;
  ItemStack<BentProfile::Behind> behind_stack_;
  std::array<ComponentKey, MAX_SQUARES> path_;
  OrderContext board_;
  std::uint64_t nodes_ = 0, nodes_reported_ = 0, evaluations_ = 0, next_look_ = 0;
  int abandon_to_ = MAX_SQUARES;  // another thread has answered the position at this ply: go back there
  int root_moves_ = 0, root_moves_done_ = 0;
  std::optional<Move> best_;
  bool decided_by_bound_ = false;
};

}  // namespace zermelo
