#include "cgt/thermograph.hpp"

#include <algorithm>

namespace zermelo::cgt {

namespace {

const Dyadic COLDEST = -1;

// Drops corners in the middle of straight lines.
void straighten(Wall& wall) {
  Wall kept;
  for (const Corner& corner : wall) {
    while (kept.size() >= 2) {
      const Corner &a = kept[kept.size() - 2], &b = kept.back();
      // All slopes are -1, 0 or 1, so comparing rise with run in the two pieces is exact.
      const Dyadic rise1 = b.value - a.value, run1 = b.t - a.t, rise2 = corner.value - b.value, run2 = corner.t - b.t;
      const auto slope = [](const Dyadic& rise, const Dyadic& run) { return rise == 0 ? 0 : rise == run ? 1 : -1; };
      if (slope(rise1, run1) != slope(rise2, run2)) break;
      kept.pop_back();
    }
    kept.push_back(corner);
  }
  while (kept.size() >= 2 && kept[kept.size() - 2].value == kept.back().value) kept.pop_back();
  wall = std::move(kept);
}

std::vector<Dyadic> corner_times(const Wall& a, const Wall& b) {
  std::vector<Dyadic> times;
  for (const Wall* wall : {&a, &b})
    for (const Corner& corner : *wall) times.push_back(corner.t);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

// The greater (sign = 1) or lesser (sign = -1) of two walls whose slopes differ by at most 1.
Wall envelope(const Wall& a, const Wall& b, int sign) {
  Wall result;
  Dyadic last_gap;
  for (const Dyadic& t : corner_times(a, b)) {
    const Dyadic at_a = wall_at(a, t), at_b = wall_at(b, t), gap = at_a - at_b;
    if (!result.empty() && gap.sign() * last_gap.sign() < 0) {
      // The gap closes at speed 1 from the last corner on.
      const Dyadic size = last_gap.sign() < 0 ? -last_gap : last_gap;
      const Dyadic crossing = result.back().t + size;
      result.push_back({crossing, wall_at(a, crossing)});
    }
    result.push_back({t, (gap.sign() * sign >= 0) ? at_a : at_b});
    last_gap = gap;
  }
  straighten(result);
  return result;
}

// The tax: -t for Left's moves, +t for Right's. The wall becomes a scaffold, which no longer ends flat, so a far
// corner is added that lies beyond every meeting point.
Wall taxed(const Wall& wall, int sign, const Dyadic& far) {
  Wall result = wall;
  result.push_back({far, wall.back().value});
  for (Corner& corner : result) corner.value = sign > 0 ? corner.value + corner.t : corner.value - corner.t;
  return result;
}

}  // namespace

Dyadic wall_at(const Wall& wall, const Dyadic& t) {
  const auto after = std::ranges::upper_bound(wall, t, {}, &Corner::t);
  if (after == wall.begin()) return wall.front().value;
  const Corner& from = *(after - 1);
  if (after == wall.end() || after->value == from.value) return from.value;
  return after->value > from.value ? from.value + (t - from.t) : from.value - (t - from.t);
}

const Thermograph& Thermographs::of(GameId game) {
  if (const auto known = known_.find(game); known != known_.end()) return known->second;
  const Arena::Depth depth(arena_);
  arena_.step();
  Thermograph graph;
  if (arena_.is_number(game) && arena_.value(game).is_integer()) {
    graph.mean = arena_.value(game);
    graph.temperature = COLDEST;
    graph.left = graph.right = {{COLDEST, graph.mean}};
    return known_.emplace(game, std::move(graph)).first->second;
  }
  // Step 1: the scaffolds: the best option at each temperature, less the tax. A game that is no integer has options
  // for both.
  Wall best_left, best_right;
  for (GameId option : arena_.left_options(game)) {
    const Wall& wall = of(option).right;
    best_left = best_left.empty() ? wall : envelope(best_left, wall, 1);
  }
  for (GameId option : arena_.right_options(game)) {
    const Wall& wall = of(option).left;
    best_right = best_right.empty() ? wall : envelope(best_right, wall, -1);
  }
  // Far enough: the scaffolds of constant walls close in at speed 2.
  const Dyadic gap = best_left.back().value - best_right.back().value;
  const Dyadic last = std::max(best_left.back().t, best_right.back().t);
  const Dyadic far = std::max(last, gap) + 1;
  const Wall left = taxed(best_left, -1, far), right = taxed(best_right, 1, far);
  // Step 2: follow them until they meet; the mast stands there.
  Dyadic last_gap, last_t;
  for (const Dyadic& t : corner_times(left, right)) {
    Dyadic at = t;
    const Dyadic between = wall_at(left, t) - wall_at(right, t);
    const bool met = between.sign() <= 0;
    if (between.sign() < 0) {
      if (t == COLDEST) throw std::logic_error("a canonical game that is no integer is hotter than -1");
      const bool both_close = last_gap - between != t - last_t;
      at = last_t + (both_close ? last_gap.half() : last_gap);
    }
    graph.left.push_back({at, wall_at(left, at)});
    graph.right.push_back({at, wall_at(right, at)});
    if (met) {
      graph.temperature = at;
      graph.mean = graph.left.back().value;
      break;
    }
    last_gap = between;
    last_t = t;
  }
  straighten(graph.left);
  straighten(graph.right);
  return known_.emplace(game, std::move(graph)).first->second;
}

}  // namespace zermelo::cgt
