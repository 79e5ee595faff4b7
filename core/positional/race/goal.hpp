// The goals of a race: winning sets, or two ends of a graph to join. A goal belongs to one player, its owner; the other
// player is the rival.
//
// Both kinds answer the same questions about a position:
//
//   least       how many marks the owner needs at least, if the rival never moved again
//   completion  free vertices that complete the goal with so few marks
//   near        the free vertices on some completion with at most so many marks, and the own marks on them
//   completed   all vertices of the goal that `completion` completes
//   cover       for a proof that so few marks are not enough: marks of the rival and free vertices that show it
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/bits.hpp"

namespace zermelo::positional {

inline constexpr int NEVER = 1 << 20;  // more marks than any board has vertices

// Weights of free vertices: how much their mark helps the owner.
template <int W>
using RaceWeights = std::array<double, Bits<W>::CAPACITY>;

// Winning sets. `rest` of a set is the number of its vertices that the owner still needs.
template <int W>
class SetGoal {
 public:
  static constexpr bool SETS = true;

  SetGoal() = default;
  // The winning sets must not be empty.
  SetGoal(int vertices, std::vector<Bits<W>> sets)
      : sets_(std::move(sets)), through_(static_cast<std::size_t>(vertices)), hits_(sets_.size()), rest_(sets_.size()) {
    for (std::size_t e = 0; e < sets_.size(); ++e) {
      for_each(sets_[e], [&](int v) { through_[static_cast<std::size_t>(v)].push_back(static_cast<int>(e)); });
      rest_[e] = static_cast<std::uint16_t>(sets_[e].count());
      most_ = std::max(most_, static_cast<int>(rest_[e]));
    }
    live_.assign(static_cast<std::size_t>(most_) + 1, 0);
    for (std::uint16_t rest : rest_) ++live_[rest];
  }

  bool empty() const { return sets_.empty(); }
  void own(int v) {
    for (int e : through_[static_cast<std::size_t>(v)]) {
      if (!hits_[e]) --live_[rest_[e]], ++live_[rest_[e] - 1];
      --rest_[e];
    }
  }
  void disown(int v) {
    for (int e : through_[static_cast<std::size_t>(v)]) {
      if (!hits_[e]) --live_[rest_[e]], ++live_[rest_[e] + 1];
      ++rest_[e];
    }
  }
  void hit(int v) {
    for (int e : through_[static_cast<std::size_t>(v)])
      if (!hits_[e]++) --live_[rest_[e]];
  }
  void unhit(int v) {
    for (int e : through_[static_cast<std::size_t>(v)])
      if (!--hits_[e]) ++live_[rest_[e]];
  }

  int least(const Bits<W>&, const Bits<W>&, int) const {
    for (int rest = 0; rest <= most_; ++rest)
      if (live_[rest]) return rest;
    return NEVER;
  }
  Bits<W> completed(const Bits<W>&, const Bits<W>&, int rest) const {
    for (std::size_t e = 0; e < sets_.size(); ++e)
      if (!hits_[e] && rest_[e] == rest) return sets_[e];
    return {};
  }
  Bits<W> completion(const Bits<W>& own, const Bits<W>& free, int rest) const {
    return completed(own, free, rest) & free;
  }
  // Of every set: a mark of the rival, more free vertices than so many marks can take, or all of its free vertices.
  void cover(const Bits<W>& own, const Bits<W>& rival, const Bits<W>&, int marks, Bits<W>& hits, Bits<W>& open) const {
    for (std::size_t e = 0; e < sets_.size(); ++e)
      if (!hits_[e] && rest_[e] <= marks + 1) open |= sets_[e] & ~own;
    for (std::size_t e = 0; e < sets_.size(); ++e)
      if (!hits_[e] && rest_[e] > marks + 1) add(sets_[e] & ~own, marks + 1, open);
    for (std::size_t e = 0; e < sets_.size(); ++e)
      if (hits_[e] && !sets_[e].meets(hits) && (sets_[e] & open).count() <= marks) add(sets_[e] & rival, 1, hits);
  }
  // Adds to `chosen`, until it has so many of the vertices, those that lie on most sets.
  void add(const Bits<W>& vertices, int least, Bits<W>& chosen) const {
    for (int lack = least - (vertices & chosen).count(); lack > 0; --lack) {
      int best = -1;
      for_each(vertices & ~chosen, [&](int v) {
        if (best < 0 || degree(v) > degree(best)) best = v;
      });
      chosen.set(best);
    }
  }
  const std::vector<Bits<W>>& sets() const { return sets_; }
  // Calls visit(free vertices, how many) for every live set that needs at most so many marks, until it returns false.
  template <class Visit>
  void each(const Bits<W>& free, int most, Visit&& visit) const {
    for (std::size_t e = 0; e < sets_.size(); ++e)
      if (rest_[e] <= most && !hits_[e] && !visit(sets_[e] & free, static_cast<int>(rest_[e]))) return;
  }
  Bits<W> near(const Bits<W>& own, const Bits<W>& free, int most, Bits<W>& marks) const {
    Bits<W> result;
    for (std::size_t e = 0; e < sets_.size(); ++e)
      if (rest_[e] <= most && !hits_[e]) result |= sets_[e];
    marks = result & own;
    return result & free;
  }
  // Adds 2^-rest of every live set to its free vertices. Returns the sum over the sets.
  double weigh(const Bits<W>&, const Bits<W>& free, int most, RaceWeights<W>& weights) const {
    double sum = 0;
    each(free, most, [&](const Bits<W>& rest, int count) {
      const double weight = power(count);
      sum += weight;
      for_each(rest, [&](int v) { weights[v] += weight; });
      return true;
    });
    return sum;
  }
  // The same sum without the vertices.
  double potential(int most) const {
    double sum = 0;
    for (int rest = 0; rest <= std::min(most, most_); ++rest) sum += live_[rest] * power(rest);
    return sum;
  }

 private:
  std::size_t degree(int v) const { return through_[static_cast<std::size_t>(v)].size(); }
  // 2^-rest. Sets of more than 40 vertices count as 40, so that sums stay exact enough for a test of "< 1".
  static double power(int rest) { return 1.0 / static_cast<double>(std::uint64_t{1} << std::min(rest, 40)); }

  std::vector<Bits<W>> sets_;
  std::vector<std::vector<int>> through_;   // per vertex its sets
  std::vector<std::uint16_t> hits_, rest_;  // per set: marks of the rival, vertices that the owner needs
  std::vector<int> live_;                   // how many sets without a mark of the rival need so many
  int most_ = 0;
};

// Two ends of a graph to join by own vertices: a path from a vertex of `first` to one of `last`.
template <int W>
class GraphGoal {
 public:
  static constexpr bool SETS = false;

  GraphGoal() = default;
  GraphGoal(std::vector<Bits<W>> neighbours, const Bits<W>& first, const Bits<W>& last)
      : neighbours_(std::move(neighbours)), first_(first), last_(last) {}

  bool empty() const { return false; }
  void own(int) {}
  void disown(int) {}
  void hit(int) {}
  void unhit(int) {}

  int least(const Bits<W>& own, const Bits<W>& free, int most) const {
    const Bits<W> goal = reached(last_, own);
    Bits<W> seen, layer = reached(first_, own);
    if ((layer & own & last_).any()) return 0;
    for (int count = 1; count <= most; ++count) {
      layer &= free & ~seen;
      if (layer.meets(goal)) return count;
      if (layer.none()) return NEVER;
      seen |= layer;
      layer = around(layer, own);
    }
    return NEVER;
  }
  Bits<W> completion(const Bits<W>& own, const Bits<W>& free, int rest) const {
    std::array<Bits<W>, Bits<W>::CAPACITY> layers;
    if (rest == 0) return {};
    layer_up(own, free, first_, rest, layers.data());
    Bits<W> path, next = reached(last_, own);
    for (int i = rest; i >= 1; --i) {
      const int v = (layers[i - 1] & next).lowest();
      path.set(v);
      next = around(Bits<W>::single(v), own);
    }
    return path;
  }
  Bits<W> completed(const Bits<W>& own, const Bits<W>& free, int rest) const {
    const Bits<W> all = own | completion(own, free, rest);
    std::array<int, Bits<W>::CAPACITY> from;
    Bits<W> seen = first_ & all, path;
    for_each(seen, [&](int v) { from[static_cast<std::size_t>(v)] = v; });
    for (Bits<W> fresh = seen; fresh.any();) {
      if (const Bits<W> ends = fresh & last_; ends.any()) {
        int v = ends.lowest();
        for (path.set(v); from[static_cast<std::size_t>(v)] != v; path.set(v)) v = from[static_cast<std::size_t>(v)];
        return path;
      }
      Bits<W> next;
      for_each(fresh, [&](int v) {
        const Bits<W> around = neighbours_[static_cast<std::size_t>(v)] & all & ~seen & ~next;
        for_each(around, [&](int w) { from[static_cast<std::size_t>(w)] = v; });
        next |= around;
      });
      seen |= next;
      fresh = next;
    }
    return path;
  }
  // All vertices that so many marks and one more reach from an end, and the rival's marks beside the ways to them.
  void cover(const Bits<W>& own, const Bits<W>& rival, const Bits<W>& free, int marks, Bits<W>& hits,
             Bits<W>& open) const {
    std::array<Bits<W>, Bits<W>::CAPACITY> layers;
    for (const Bits<W>& end : {first_, last_}) {
      const int count = layer_up(own, free, end, marks + 1, layers.data());
      Bits<W> beside = reached(end, own), reach;
      for (int i = 0; i < count; ++i) {
        reach |= layers[static_cast<std::size_t>(i)];
        if (i < marks) beside |= around(layers[static_cast<std::size_t>(i)], own);
      }
      if (end == last_ && reach.count() >= open.count()) continue;
      open = reach;
      hits = beside & rival;
    }
  }
  Bits<W> near(const Bits<W>& own, const Bits<W>& free, int most, Bits<W>& marks) const {
    RaceWeights<W> none;
    marks = own;
    return between(own, free, most, none, false);
  }
  double weigh(const Bits<W>& own, const Bits<W>& free, int most, RaceWeights<W>& weights) const {
    between(own, free, most, weights, true);
    return NEVER;
  }
  double potential(int) const { return NEVER; }

 private:
  // The vertices next to `from`, and those next to the own vertices that it touches. `from` are not own vertices.
  Bits<W> around(Bits<W> from, const Bits<W>& own) const {
    Bits<W> result;
    for_each(from, [&](int v) { result |= neighbours_[static_cast<std::size_t>(v)]; });
    return spread(result, own);
  }
  // An end and all vertices next to own vertices that touch it.
  Bits<W> reached(const Bits<W>& end, const Bits<W>& own) const { return spread(end, own); }
  Bits<W> spread(Bits<W> result, const Bits<W>& own) const {
    Bits<W> done;
    for (Bits<W> fresh = result & own; fresh.any(); fresh = result & own & ~done) {
      done |= fresh;
      for_each(fresh, [&](int v) { result |= neighbours_[static_cast<std::size_t>(v)]; });
    }
    return result;
  }
  // layers[i]: the free vertices that i + 1 marks reach from an end and i do not. Returns their number.
  int layer_up(const Bits<W>& own, const Bits<W>& free, const Bits<W>& end, int most, Bits<W>* layers) const {
    Bits<W> seen, layer = reached(end, own);
    for (int i = 0; i < most; ++i) {
      layer &= free & ~seen;
      if (layer.none()) return i;
      layers[i] = layer;
      seen |= layer;
      layer = around(layer, own);
    }
    return most;
  }
  Bits<W> between(const Bits<W>& own, const Bits<W>& free, int most, RaceWeights<W>& weights, bool weigh) const {
    std::array<Bits<W>, Bits<W>::CAPACITY> up, down;
    const int most_up = layer_up(own, free, first_, most, up.data());
    const int most_down = layer_up(own, free, last_, most, down.data());
    Bits<W> result, within;
    int added = 0;
    for (int i = most_up - 1; i >= 0; --i) {  // i + 1 marks to here, j + 1 from here, this one counted twice
      while (added < most_down && i + added + 1 <= most) within |= down[added++];
      result |= up[i] & within;
    }
    if (weigh) {
      for (int i = 0; i < most_up; ++i)
        for (int j = 0; j < most_down && i + j + 1 <= most; ++j) {
          const double weight = 1.0 / static_cast<double>(std::uint64_t{1} << std::min(40, 2 * (i + j + 1)));
          for_each(up[i] & down[j], [&](int v) {
            weights[v] += weight * (1 + (neighbours_[static_cast<std::size_t>(v)] & result).count());
          });
        }
    }
    return result;
  }

  std::vector<Bits<W>> neighbours_;
  Bits<W> first_, last_;
};

}  // namespace zermelo::positional
