#include "cgt/simplify.hpp"

#include <algorithm>

namespace zermelo::cgt {

namespace {

void sort_unique(std::vector<GameId>& ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

Arena::Simplifier::Simplifier(Arena& arena, std::span<const GameId> left, std::span<const GameId> right)
    : arena_(arena), left_(left.begin(), left.end()), right_(right.begin(), right.end()) {
  sort_unique(left_);
  sort_unique(right_);
  // x fits if no left option is >= x and no right option is <= x.
  for (GameId id : left_) {
    const Game& g = arena_.games_[id];
    if (low_.kind == End::NONE || g.right_stop > low_.at)
      low_ = {g.reaches_right ? End::OPEN : End::CLOSED, g.right_stop};
    else if (g.right_stop == low_.at && g.reaches_right) low_.kind = End::OPEN;
  }
  for (GameId id : right_) {
    const Game& g = arena_.games_[id];
    if (high_.kind == End::NONE || g.left_stop < high_.at)
      high_ = {g.reaches_left ? End::OPEN : End::CLOSED, g.left_stop};
    else if (g.left_stop == high_.at && g.reaches_left) high_.kind = End::OPEN;
  }
  // If G is no number, these ends are its stops, and it reaches a stop when no option passes it.
  reaches_left_ = low_.kind == End::CLOSED;
  reaches_right_ = high_.kind == End::CLOSED;
}

void Arena::Simplifier::run() {
  remove_dominated_left();
  remove_dominated_right();
  while (bypass_left() | bypass_right()) {
  }
}

void Arena::Simplifier::remove_dominated_left() {
  // The one with the best stops comes first: it dominates most others at the first look.
  const auto less = [&](GameId a, GameId b) {
    return std::pair(arena_.right_stop(a), arena_.left_stop(a)) < std::pair(arena_.right_stop(b), arena_.left_stop(b));
  };
  if (!left_.empty()) std::iter_swap(left_.begin(), std::ranges::max_element(left_, less));
  std::vector<GameId> kept;
  for (GameId id : left_) {
    if (std::ranges::any_of(kept, [&](GameId other) { return arena_.greater_or_equal(other, id); })) continue;
    std::erase_if(kept, [&](GameId other) { return arena_.greater_or_equal(id, other); });
    kept.push_back(id);
  }
  left_ = std::move(kept);
}

void Arena::Simplifier::remove_dominated_right() {
  const auto less = [&](GameId a, GameId b) {
    return std::pair(arena_.left_stop(a), arena_.right_stop(a)) < std::pair(arena_.left_stop(b), arena_.right_stop(b));
  };
  if (!right_.empty()) std::iter_swap(right_.begin(), std::ranges::min_element(right_, less));
  std::vector<GameId> kept;
  for (GameId id : right_) {
    if (std::ranges::any_of(kept, [&](GameId other) { return arena_.greater_or_equal(id, other); })) continue;
    std::erase_if(kept, [&](GameId other) { return arena_.greater_or_equal(other, id); });
    kept.push_back(id);
  }
  right_ = std::move(kept);
}

// A left option with a right option x <= G is reversible: the left options of x take its place. The value of G does
// not change, so the tests may go on with whatever options it has now.
bool Arena::Simplifier::bypass_left() {
  std::vector<GameId> replaced;
  bool changed = false;
  for (GameId option : left_) {
    const std::optional<GameId> good = reversing_reply_to_left(option);
    if (!good) {
      replaced.push_back(option);
    } else {
      const std::vector<GameId> further = arena_.left_options(*good);
      replaced.insert(replaced.end(), further.begin(), further.end());
      changed = true;
    }
  }
  if (!changed) return false;
  left_ = std::move(replaced);
  sort_unique(left_);
  remove_dominated_left();
  return true;
}

bool Arena::Simplifier::bypass_right() {
  std::vector<GameId> replaced;
  bool changed = false;
  for (GameId option : right_) {
    const std::optional<GameId> good = reversing_reply_to_right(option);
    if (!good) {
      replaced.push_back(option);
    } else {
      const std::vector<GameId> further = arena_.right_options(*good);
      replaced.insert(replaced.end(), further.begin(), further.end());
      changed = true;
    }
  }
  if (!changed) return false;
  right_ = std::move(replaced);
  sort_unique(right_);
  remove_dominated_right();
  return true;
}

std::optional<GameId> Arena::Simplifier::reversing_reply_to_left(GameId option) {
  if (arena_.is_number(option)) {
    const Dyadic x = arena_.value(option);
    if (!has_right_option(x) || !at_least(right_option(x))) return std::nullopt;
    return arena_.number(right_option(x));
  }
  for (GameId reply : arena_.rights(option))
    if (at_least(reply)) return reply;
  return std::nullopt;
}

std::optional<GameId> Arena::Simplifier::reversing_reply_to_right(GameId option) {
  if (arena_.is_number(option)) {
    const Dyadic x = arena_.value(option);
    if (!has_left_option(x) || !at_most(left_option(x))) return std::nullopt;
    return arena_.number(left_option(x));
  }
  for (GameId reply : arena_.lefts(option))
    if (at_most(reply)) return reply;
  return std::nullopt;
}

bool Arena::Simplifier::at_least(GameId x) {
  const Game& g = arena_.games_[x];
  if (g.is_number) return at_least(g.left_stop);
  if (g.left_stop > low_.at || g.right_stop > high_.at) return false;
  if (g.left_stop < high_.at) return true;
  for (GameId option : right_)
    if (arena_.greater_or_equal(x, option)) return false;
  for (GameId option : arena_.lefts(x))
    if (at_most(option)) return false;
  return true;
}

bool Arena::Simplifier::at_most(GameId x) {
  const Game& g = arena_.games_[x];
  if (g.is_number) return at_most(g.left_stop);
  if (g.left_stop < low_.at || g.right_stop < high_.at) return false;
  if (g.right_stop > low_.at) return true;
  for (GameId option : left_)
    if (arena_.greater_or_equal(option, x)) return false;
  for (GameId option : arena_.rights(x))
    if (at_least(option)) return false;
  return true;
}

}  // namespace zermelo::cgt
