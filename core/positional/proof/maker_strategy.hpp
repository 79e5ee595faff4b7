// A Maker win written down as claims (checker/FORMAT.md 6.5), by walking through a game that the search can answer.
//
// A claim is about a position with Breaker to move. The walk takes one Breaker move after the other and searches
// Maker's reply. Each next move lies in the zones of all replies so far; the walk ends when these zones have no common
// cell. Positions that are equal up to symmetry are proved once.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "positional/search/maker_breaker_search.hpp"

namespace zermelo::proof {

struct MakerStopped {};  // a limit was reached

// An earlier record, and the symmetry (as the search counts them) through which it is seen.
struct RecordRef {
  std::uint64_t record = 0;
  int symmetry = 0;
};
struct MakerReply {
  int cell;
  RecordRef after;
};

// The records go to writer.edge_record(edge) and writer.step_record(replies), which return their numbers.
template <int W, class Writer>
class MakerStrategy {
 public:
  using Position = positional::Position<W>;
  using Vertices = positional::Vertices<W>;

  MakerStrategy(const positional::Game<W>& game, positional::MakerBreakerSearch<W>& search, const Limits& limits,
                std::size_t memory, Writer& writer)
      : game_(game), search_(search), watch_(limits), writer_(writer) {
    capacity_ = memory / (sizeof(Position) + sizeof(Known) + 48);
  }

  // Claims a position with Breaker to move that Maker wins.
  void prove(const Position& at) { claim(at); }

  // Maker's winning move, or -1 if there is no free cell.
  int reply(const Position& at) {
    if (const int last = threat(at); last >= 0) return last;
    positional::MakerBreakerResult found = solve(at, positional::Side::MAKER);
    if (found.winner != positional::Winner::MAKER) throw std::logic_error("the claim to be proved is false");
    if (found.maker_move >= 0) return found.maker_move;
    for (Vertices left = at.free; left.any();) {
      const int v = left.pop_lowest();
      const Position next = game_.after_maker(at, v);
      if (complete(next) >= 0 || solve(next, positional::Side::BREAKER).winner == positional::Winner::MAKER) return v;
    }
    return -1;
  }

 private:
  struct Known {
    std::uint64_t record;
    std::uint8_t symmetry;  // maps the proved position to the least image
    Vertices zone;          // of the least image
  };
  struct Claimed {
    RecordRef ref;
    Vertices zone;
  };
  struct PositionHash {
    std::size_t operator()(const Position& at) const { return at.hash(); }
  };

  positional::MakerBreakerResult solve(const Position& at, positional::Side side) {
    positional::MakerBreakerResult found = search_.solve(at, side, watch_.rest(), nullptr, true);
    if (found.winner == positional::Winner::UNKNOWN) throw MakerStopped{};
    return found;
  }
  // A hyperedge that Maker owns, or the last cell of one; -1 if there is none.
  int complete(const Position& at) const {
    for (auto left = at.live; left.any();)
      if (const int e = left.pop_lowest(); game_.residual(at, e).none()) return e;
    return -1;
  }
  int threat(const Position& at) const {
    for (auto left = at.live; left.any();)
      if (const Vertices rest = game_.residual(at, left.pop_lowest()); rest.any() && !positional::at_least_two(rest))
        return rest.lowest();
    return -1;
  }

  Claimed claim(const Position& at) {
    if (const int edge = complete(at); edge >= 0) {
      auto& place = edge_record_[edge];
      if (!place) place = writer_.edge_record(edge);
      return {{place, 0}, {}};
    }
    const auto [least, symmetry] = game_.canonical(at, true);
    if (const auto found = known_.find(least); found != known_.end()) {
      const int back = game_.inverse[symmetry];
      const int seen = game_.compose[back][found->second.symmetry];
      return {{found->second.record, seen}, game_.map(back, found->second.zone)};
    }

    // While Maker threatens to complete a hyperedge, only Breaker's move there needs more than one answer.
    const int threatened = threat(at);
    std::vector<MakerReply> replies;
    Vertices common = at.free, zone;
    while (common.any()) {
      int move = common.lowest();
      if (replies.empty() && move == threatened) {
        Vertices others = common;
        others.reset(move);
        if (others.any()) move = others.lowest();
      }
      const Position after = game_.after_breaker(at, move);
      const int cell = reply(after);
      if (cell < 0) throw std::logic_error("the claim to be proved is false");
      Claimed child = claim(game_.after_maker(after, cell));
      child.zone.set(cell);
      replies.push_back({cell, child.ref});
      zone |= child.zone;
      common &= child.zone;
    }
    const std::uint64_t record = writer_.step_record(replies);
    if (known_.size() < capacity_)
      known_.emplace(least, Known{record, static_cast<std::uint8_t>(symmetry), game_.map(symmetry, zone)});
    return {{record, 0}, zone};
  }

  const positional::Game<W>& game_;
  positional::MakerBreakerSearch<W>& search_;
  const Watch watch_;
  Writer& writer_;
  std::size_t capacity_;
  std::unordered_map<Position, Known, PositionHash> known_;
  std::unordered_map<int, std::uint64_t> edge_record_;
};

}  // namespace zermelo::proof
