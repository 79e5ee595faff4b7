#include "cgt/simplify.hpp"

#include <algorithm>

namespace zermelo::cgt {

namespace {

void sort_unique(std::vector<GameId>& ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

void Arena::Simplifier::take(std::span<const GameId> left, std::span<const GameId> right) {
  left_.assign(left.begin(), left.end());
  right_.assign(right.begin(), right.end());
  sort_unique(left_);
  sort_unique(right_);
  low_ = best_end<Side::LEFT>(left_);
  high_ = best_end<Side::RIGHT>(right_);
}

// x fits if no left option is >= x and no right option is <= x. The option that lets the fewest fit comes first; it
// dominates most others at the first look.
template <Arena::Simplifier::Side SIDE>
End Arena::Simplifier::best_end(std::vector<GameId>& options) {
  constexpr bool LEFT = SIDE == Side::LEFT;
  if (options.empty()) return {};
  // Step 1: to the nearest 1/1024.
  const auto rank = [&](GameId id) {
    const Measure& m = arena_.measures_[id];
    return LEFT ? std::pair(m.low, m.high) : std::pair(-m.high, -m.low);
  };
  std::iter_swap(options.begin(), std::ranges::max_element(options, {}, rank));
  const std::int32_t best = rank(options[0]).first;
  // Step 2: exactly, among those that are level.
  End end;
  for (GameId id : options) {
    if (rank(id).first != best) continue;
    const Game& g = arena_.games_[id];
    const Dyadic& stop = LEFT ? g.right_stop : g.left_stop;
    const bool passes = LEFT ? g.reaches_right : g.reaches_left;
    if (end.kind == End::NONE || (LEFT ? stop > end.at : stop < end.at)) end = {passes ? End::OPEN : End::CLOSED, stop};
    else if (passes && stop == end.at) end.kind = End::OPEN;
  }
  return end;
}

void Arena::Simplifier::run() {
  // The ends are the stops of G, which is no number, and it reaches a stop when no option passes it.
  reaches_left_ = low_.kind == End::CLOSED;
  reaches_right_ = high_.kind == End::CLOSED;
  lowest_ = steps_below(high_.at, reaches_right_);
  highest_ = -steps_below(-low_.at, reaches_left_);
  remove_dominated<Side::LEFT>(left_);
  remove_dominated<Side::RIGHT>(right_);
  while (bypass<Side::LEFT>(left_) | bypass<Side::RIGHT>(right_)) {
  }
}

template <Arena::Simplifier::Side SIDE>
void Arena::Simplifier::remove_dominated(std::vector<GameId>& options) {
  const auto dominates = [&](GameId a, GameId b) {
    return SIDE == Side::LEFT ? arena_.greater_or_equal(a, b) : arena_.greater_or_equal(b, a);
  };
  const auto first = options.begin();
  auto kept = first;  // the end of the options that stay
  for (GameId id : options) {
    if (std::any_of(first, kept, [&](GameId other) { return dominates(other, id); })) continue;
    kept = std::remove_if(first, kept, [&](GameId other) { return dominates(id, other); });
    *kept++ = id;
  }
  options.erase(kept, options.end());
}

// A left option with a right option x <= G is reversible: the left options of x take its place. The value of G does
// not change, so the tests may go on with whatever options it has now.
template <Arena::Simplifier::Side SIDE>
bool Arena::Simplifier::bypass(std::vector<GameId>& options) {
  replaced_.clear();
  bool changed = false;
  for (GameId option : options) {
    const std::optional<GameId> good = reversing_reply<SIDE>(option);
    if (!good) {
      replaced_.push_back(option);
    } else {
      const std::vector<GameId> further = SIDE == Side::LEFT ? arena_.left_options(*good) : arena_.right_options(*good);
      replaced_.insert(replaced_.end(), further.begin(), further.end());
      changed = true;
    }
  }
  if (!changed) return false;
  options.swap(replaced_);
  sort_unique(options);
  best_end<SIDE>(options);
  remove_dominated<SIDE>(options);
  return true;
}

template <Arena::Simplifier::Side SIDE>
std::optional<GameId> Arena::Simplifier::reversing_reply(GameId option) {
  constexpr bool LEFT = SIDE == Side::LEFT;
  if (arena_.is_number(option)) {
    const Dyadic x = arena_.value(option);
    if (!(LEFT ? has_right_option(x) : has_left_option(x))) return std::nullopt;
    const Dyadic reply = LEFT ? right_option(x) : left_option(x);
    if (!(LEFT ? at_least(reply) : at_most(reply))) return std::nullopt;
    return arena_.number(reply);
  }
  for (GameId reply : LEFT ? arena_.rights(option) : arena_.lefts(option))
    if (LEFT ? at_least(reply) : at_most(reply)) return reply;
  return std::nullopt;
}

bool Arena::Simplifier::at_least(GameId x) {
  const Measure& m = arena_.measures_[x];
  if (lowest_ >= m.high) return true;
  if (lowest_ < m.low || highest_ < m.high) return false;
  if (m.is_number) return at_least(arena_.value(x));
  for (GameId option : right_)
    if (arena_.greater_or_equal(x, option)) return false;
  for (GameId option : arena_.lefts(x))
    if (at_most(option)) return false;
  return true;
}

bool Arena::Simplifier::at_most(GameId x) {
  const Measure& m = arena_.measures_[x];
  if (highest_ <= m.low) return true;
  if (highest_ > m.high || lowest_ > m.low) return false;
  if (m.is_number) return at_most(arena_.value(x));
  for (GameId option : left_)
    if (arena_.greater_or_equal(option, x)) return false;
  for (GameId option : arena_.rights(x))
    if (at_least(option)) return false;
  return true;
}

}  // namespace zermelo::cgt
