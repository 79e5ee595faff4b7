#include "games/search.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace zermelo::games {

using cgt::Arena;
using cgt::GameId;

namespace {

constexpr int SMALL_CELLS = 10;             // parts of so many cells are replaced by their values
constexpr std::uint64_t ENTRY_BYTES = 120;  // about the bytes of an entry

constexpr std::uint64_t NODES_PER_LOOK = 64;

struct Stopped {};

}  // namespace

template <class F>
LocalSearch::Found LocalSearch::run(const Limits& limits, F&& f) {
  Watch watch(limits);
  watch_ = &watch;
  Found found;
  Limits for_values = limits;
  for_values.on_progress = nullptr;
  for_values.nodes = Limits{}.nodes;  // steps of values are no nodes
  arena_.set_limits(for_values);
  try {
    found.result = f();
  } catch (const Stopped&) {
    found.stopped = watch.reason();
  } catch (const cgt::LimitReached&) {
    found.stopped = watch.look() ? watch.reason() : StopReason::MEMORY;
  }
  watch_ = nullptr;
  found.nodes = watch.nodes();
  return found;
}

std::uint64_t LocalSearch::bytes() const {
  return entries_ * ENTRY_BYTES + parts_.capacity() * sizeof(Part) + ids_.bytes() + values_.bytes() + arena_.bytes();
}

void LocalSearch::step() {
  if (watch_->nodes() >= watch_->limits().nodes) watch_->stop(StopReason::NODES);
  if (bytes() > watch_->limits().bytes) watch_->stop(StopReason::MEMORY);
  if (watch_->stopped()) throw Stopped{};
  if (watch_->add(1) % NODES_PER_LOOK != 0) return;
  if (watch_->look()) throw Stopped{};
  watch_->report();
}

LocalSearch::PartId LocalSearch::part_id(const Cells& cells) {
  const CanonicalPart least = rules_.canonical(cells);
  if (const cgt::PairSlot* known = ids_.find(least.cells)) return known->value << 1 | PartId{least.negated};
  // The first node alone may have thousands of parts, each with thousands of moves to count.
  if (parts_.size() % NODES_PER_LOOK == 0 && watch_->look()) throw Stopped{};
  Part part;
  part.cells = least.cells;
  for (const Side side : {Side::LEFT, Side::RIGHT})
    part.moves[side == Side::RIGHT] = static_cast<std::int16_t>(rules_.count_moves(side, least.cells));
  if (part.moves[0] == 0 && part.moves[1] == 0) {
    part.value = Arena::ZERO;
    part.nimber = 0;
  } else if (!rules_.is_impartial() && std::popcount(least.cells.a | least.cells.b) <= SMALL_CELLS) {
    part.value = values_.canonical_value(least.cells);
  }
  const auto number = static_cast<PartId>(parts_.size());
  if (number >= 1U << 30) throw cgt::LimitReached("there are too many parts");
  parts_.push_back(part);
  ids_.set({least.cells, number});
  return number << 1 | PartId{least.negated};
}

// Who wins a sum

void LocalSearch::add(Sum& sum, const Cells& cells, bool negated) {
  rules_.for_each_part(cells, [&](const Cells& part) {
    const PartId id = part_id(part) ^ PartId { negated };
    const GameId value = parts_[id >> 1].value;
    if (value == UNKNOWN) sum.parts.push_back(id);
    else sum.value = arena_.add(sum.value, id & 1 ? arena_.negative(value) : value);
  });
}

// Puts the parts in order, without pairs that are nothing together.
void LocalSearch::settle(Sum& sum) const {
  std::ranges::sort(sum.parts);
  std::vector<PartId> rest;
  for (const PartId id : sum.parts)
    if (!rest.empty() && rest.back() == (id ^ 1)) rest.pop_back();
    else rest.push_back(id);
  sum.parts = std::move(rest);
}

std::vector<std::uint32_t> LocalSearch::key(const Sum& sum, Side side) const {
  std::vector<std::uint32_t> key = sum.parts;
  key.push_back(sum.value);
  key.push_back(static_cast<std::uint32_t>(side));
  return key;
}

bool LocalSearch::loses_by_value(GameId value, Side side) const {
  return side == Side::LEFT ? arena_.at_most(value, 0) : arena_.at_least(value, 0);
}

bool LocalSearch::wins(const Sum& sum, Side side) {
  // Step 1: values alone, or the table.
  if (sum.parts.empty()) return !loses_by_value(sum.value, side);
  std::vector<std::uint32_t> name = key(sum, side);
  if (const auto known = known_.find(name); known != known_.end()) return known->second;
  step();
  // Step 2: the sums after each move; one that the opponent is known to lose is enough.
  struct Child {
    int replies;
    Sum sum;
  };
  std::vector<Child> children;
  const Side opponent = other(side);
  const auto is_win = [&](Sum&& after) {
    if (after.parts.empty()) return loses_by_value(after.value, opponent);
    if (const auto known = known_.find(key(after, opponent)); known != known_.end()) return !known->second;
    int replies = 0;
    for (const PartId id : after.parts) replies += parts_[id >> 1].moves[(opponent == Side::RIGHT) != (id & 1)];
    children.push_back({replies, std::move(after)});
    return false;
  };
  bool won = false;
  for (std::size_t at = 0; at < sum.parts.size() && !won; ++at) {
    const PartId id = sum.parts[at];
    if (at > 0 && sum.parts[at - 1] == id) continue;
    const bool negated = id & 1;
    won = rules_.any_move(negated ? opponent : side, Cells(parts_[id >> 1].cells), [&](const Cells& cells) {
      Sum after = sum;
      after.parts.erase(after.parts.begin() + static_cast<std::ptrdiff_t>(at));
      add(after, cells, negated);
      settle(after);
      return is_win(std::move(after));
    });
  }
  if (!won)
    for (const GameId option : side == Side::LEFT ? arena_.left_options(sum.value) : arena_.right_options(sum.value))
      if (is_win({sum.parts, option})) {
        won = true;
        break;
      }
  // Step 3: search them; those with the fewest replies are decided soonest.
  if (!won) {
    std::ranges::stable_sort(children, {}, &Child::replies);
    for (const Child& child : children)
      if (!wins(child.sum, opponent)) {
        won = true;
        break;
      }
  }
  known_.emplace(std::move(name), won);
  entries_ += 1 + sum.parts.size() / 8;
  return won;
}

LocalSearch::Found LocalSearch::wins(const Cells& cells, Side side, const Limits& limits) {
  return run(limits, [&]() -> std::int64_t {
    if (rules_.is_impartial()) {
      std::vector<PartId> parts;
      rules_.for_each_part(cells, [&](const Cells& part) { parts.push_back(part_id(part)); });
      std::ranges::sort(parts, {}, [&](PartId id) { return std::pair(parts_[id >> 1].moves[0], id); });
      return !has_nimber(parts, 0);
    }
    Sum sum;
    add(sum, cells, false);
    settle(sum);
    return wins(sum, side);
  });
}

// Nimbers

LocalSearch::Found LocalSearch::nimber(const Cells& cells, const Limits& limits) {
  if (!rules_.is_impartial()) throw std::invalid_argument("only impartial games have nimbers");
  return run(limits, [&]() -> std::int64_t {
    int total = 0;
    rules_.for_each_part(cells, [&](const Cells& part) { total ^= nimber(part_id(part)); });
    return total;
  });
}

int LocalSearch::nimber(PartId id) {
  for (int n = 0; parts_[id >> 1].nimber < 0; ++n) part_has_nimber(id, n);
  return parts_[id >> 1].nimber;
}

std::optional<bool> LocalSearch::seen(std::span<const PartId> parts, int n) const {
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const int known = parts_[parts[i] >> 1].nimber;
    if (known < 0) return std::nullopt;
    n ^= known;
  }
  if (parts.empty()) return n == 0;
  const Part& last = parts_[parts.back() >> 1];
  if (last.nimber >= 0) return last.nimber == n;
  if (n < 64 && (last.wrong >> n & 1)) return false;
  return std::nullopt;
}

// Whether a sum has nimber n; the last part is the largest.
bool LocalSearch::has_nimber(std::span<const PartId> parts, int n) {
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) n ^= nimber(parts[i]);
  return parts.empty() ? n == 0 : part_has_nimber(parts.back(), n);
}

const LocalSearch::Options& LocalSearch::options(PartId id) {
  if (const auto known = options_.find(id); known != options_.end()) return known->second;
  step();
  std::vector<std::vector<PartId>> found;
  rules_.for_each_move(Side::LEFT, Cells(parts_[id >> 1].cells), [&](const Cells& cells) {
    std::vector<PartId> parts;
    rules_.for_each_part(cells, [&](const Cells& part) {
      const PartId one = part_id(part);
      if (parts_[one >> 1].nimber != 0) parts.push_back(one);
    });
    std::ranges::sort(parts, {}, [&](PartId one) { return std::pair(parts_[one >> 1].moves[0], one); });
    found.push_back(std::move(parts));
  });
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  // Those with the least to do come first.
  std::ranges::stable_sort(found, {}, [&](const std::vector<PartId>& parts) {
    return parts.empty() ? 0 : static_cast<int>(parts_[parts.back() >> 1].moves[0]);
  });
  Options flat;
  for (const std::vector<PartId>& parts : found) {
    flat.push_back(static_cast<PartId>(parts.size()));
    flat.insert(flat.end(), parts.begin(), parts.end());
  }
  flat.shrink_to_fit();
  entries_ += 1 + flat.size() * sizeof(PartId) / ENTRY_BYTES;
  return options_.emplace(id, std::move(flat)).first->second;
}

bool LocalSearch::some_option_has(PartId id, int n) {
  const Options& all = options(id);  // stays where it is: the map's nodes do not move
  const auto any = [&](auto&& is_good) {
    for (std::size_t at = 0; at < all.size(); at += all[at] + 1)
      if (is_good(std::span(all).subspan(at + 1, all[at]))) return true;
    return false;
  };
  return any([&](std::span<const PartId> parts) { return seen(parts, n) == true; }) ||
         any([&](std::span<const PartId> parts) { return seen(parts, n) != false && has_nimber(parts, n); });
}

bool LocalSearch::part_has_nimber(PartId id, int n) {
  if (const std::optional<bool> known = seen(std::span(&id, 1), n)) return *known;
  if (n >= 64) throw cgt::LimitReached("nimbers above *63 are not searched");
  const auto part = [&]() -> Part& { return parts_[id >> 1]; };
  if (some_option_has(id, n)) {
    part().wrong |= std::uint64_t{1} << n;
    return false;
  }
  // No option has n, so the nimber is the least that no option has: n, or less.
  int least = 0;
  for (; least < n; ++least) {
    if (!(part().wrong >> least & 1) && !some_option_has(id, least)) break;
    part().wrong |= std::uint64_t{1} << least;
  }
  part().nimber = static_cast<std::int16_t>(least);
  options_.erase(id);
  return least == n;
}

}  // namespace zermelo::games
