#include "positional/pairing/line_pairing.hpp"

namespace zermelo::positional {

template <int W>
LinePairing<W>::LinePairing(const Game<W>& game)
    : game_(game),
      residual_(static_cast<std::size_t>(game.edge_count)),
      state_(game.lines.size()),
      options_(game.lines.size()),
      failed_(game.lines.size()),
      levels_(1),
      own_(game.lines.size()),
      base_slots_(game.lines.size()),
      base_end_(game.lines.size()) {
  for (const Line& line : game.lines) {
    line_edges_.emplace_back();
    for (int e : line) line_edges_.back().set(e);
  }
}

// Hyperedges are numbered line by line, so the live ones come out grouped and in order.
template <int W>
void LinePairing<W>::load(const Position<W>& at) {
  free_ = at.free;
  touched_.clear();
  int count = 0, current = -1;
  for_each(at.live, [&](int e) {
    const int line = game_.line_of[e];
    if (line != current) {
      current = line;
      state_[line] = {.first = count, .common = at.free};
      touched_.push_back(line);
    }
    LineState& state = state_[line];
    state.common &= residual_[count++] = game_.residual(at, e);
    ++state.count;
  });
}

// Slots that every partition of the line needs. If one group can serve the whole line: two squares of its smallest
// hyperedge. Otherwise hyperedges from the left, each sharing fewer than two squares with the last one chosen: no two
// of them can be in one group.
template <int W>
bool LinePairing<W>::add_relaxed(Matching<W>& matching, int line) {
  LineState& state = state_[line];
  state.slot = matching.slots;
  state.relaxed = 1;
  if (at_least_two(state.common)) {
    Vertices<W> smallest;
    int size = Vertices<W>::CAPACITY + 1;
    for (int i = state.first; i < state.first + state.count; ++i) {
      const Vertices<W>& rest = residual_[i];
      if (const int own = rest.count(); own < size) {
        size = own;
        smallest = rest;
      }
    }
    matching.add_pair(slots_, line, smallest, state.common);
    return state.count == 1;
  }
  Vertices<W> last = residual_[state.first], core = last;
  for (int i = state.first + 1; i < state.first + state.count; ++i) {
    const Vertices<W>& rest = residual_[i];
    if (at_least_two(last & rest)) {
      if (at_least_two(core & rest)) core &= rest;
      continue;
    }
    matching.add_pair(slots_, line, last, core);
    last = core = rest;
    ++state.relaxed;
  }
  matching.add_pair(slots_, line, last, core);
  return state.relaxed == state.count;
}

template <int W>
void LinePairing<W>::add_minimal(Matching<W>& matching, int line, int without) {
  const LineState& state = state_[line];
  Vertices<W> core;
  for (int i = state.first; i < state.first + state.count; ++i) {
    const Vertices<W>& rest = residual_[i];
    if (without >= 0 && rest.test(without)) continue;
    const Vertices<W> both = core & rest;
    if (at_least_two(both)) {
      core = both;
      continue;
    }
    if (core.any()) matching.add_pair(base_of_, line, core);
    core = rest;
  }
  if (core.any()) matching.add_pair(base_of_, line, core);
}

// All partitions with `groups` groups more after the first `depth`, from hyperedge `next` on.
template <int W>
void LinePairing<W>::extend_option(int line, int next, int depth, int groups) {
  const LineState& state = state_[line];
  Options& list = options_[line];
  if (groups == 0 || next == state.count || static_cast<int>(list.groups.size()) >= MAX_OPTIONS) {
    if (groups != 0 || next != state.count) return;
    list.groups.push_back(static_cast<std::uint8_t>(depth));
    list.core.insert(list.core.end(), partition_.begin(), partition_.begin() + depth);
    return;
  }
  Vertices<W> core = free_;
  for (int i = next; i < state.count; ++i) {
    core &= residual_[state.first + i];
    if (!at_least_two(core)) break;
    if (groups == 1 && i + 1 < state.count) continue;  // the last group takes the rest
    partition_[depth] = core;
    extend_option(line, i + 1, depth + 1, groups - 1);
  }
}

template <int W>
void LinePairing<W>::list_options(int line) {
  LineState& state = state_[line];
  state.listed = true;
  Options& list = options_[line];
  list.groups.clear();
  list.core.clear();
  if (state.count > MAX_GROUPS) return;
  const int largest = largest_fitting(state, spare_);
  for (int groups = state.relaxed; groups <= largest; ++groups) {
    extend_option(line, 0, 0, groups);
    state.upto[groups] = static_cast<std::uint16_t>(list.groups.size());
  }
}

// A partition with g groups needs 2 (g - relaxed) vertices more than the relaxed slots do.
template <int W>
int LinePairing<W>::largest_fitting(const LineState& state, int spare) const {
  return std::min(state.count, state.relaxed + spare / 2);
}

// The vertices of the line's relaxed slots, paired in order, put a pair into each of its live hyperedges.
template <int W>
bool LinePairing<W>::satisfied(const LineState& state, const Matching<W>& matching) const {
  Vertices<W> vertices;
  for (int s = state.slot; s < state.slot + 2 * state.relaxed; ++s) vertices.set(matching.vertex_of[s]);
  if (state.relaxed == 1) return state.common.contains(vertices);
  for (int i = state.first; i < state.first + state.count; ++i) {
    bool served = false;
    for (Vertices<W> left = vertices; !served && at_least_two(left);) {
      Vertices<W> pair = Vertices<W>::single(left.pop_lowest());
      pair.set(left.pop_lowest());
      served = residual_[i].contains(pair);
    }
    if (!served) return false;
  }
  return true;
}

template <int W>
auto LinePairing<W>::lines_reached(const Matching<W>& matching, int slot, const Vertices<W>& visited) const -> LineSet {
  LineSet lines = LineSet::single(slots_.line[slot]);
  const auto add_lines = [&](auto& to) {
    for_each(visited & matching.used, [&](int v) { to.set(slots_.line[matching.slot_of[v]]); });
  };
  if (Bits<1> few; state_.size() <= Bits<1>::CAPACITY) {  // stays in a register
    add_lines(few);
    lines.word[0] |= few.word[0];
  } else {
    add_lines(lines);
  }
  return lines;
}

template <int W>
bool LinePairing<W>::match_smallest_first(Matching<W>& matching, LineSet& named) {
  std::array<std::uint8_t, Slots<W>::MAX> size;
  int largest = 0;
  for (int s = 0; s < matching.slots; s += 2) {
    const int own = slots_.core[s].count();
    size[s] = static_cast<std::uint8_t>(std::min(own, 255));
    largest = std::max(largest, std::min(own, 255));
  }
  for (int wanted = 2; wanted <= largest; ++wanted)
    for (int s = 0; s < matching.slots; ++s) {
      if (size[s & ~1] != wanted) continue;
      Vertices<W> visited;
      if (matching.augment(slots_, s, visited)) continue;
      named = lines_reached(matching, s, visited);
      return false;
    }
  return true;
}

template <int W>
Edges<W> LinePairing<W>::edges_of(const Position<W>& at, const LineSet& named) const {
  Edges<W> result;
  for_each(named, [&](int line) { result |= line_edges_[line]; });
  return result & at.live;
}

template <int W>
void LinePairing<W>::read_pairs(const Matching<W>& matching) {
  for (int line : touched_) own_[line] = {};
  for (int s = 0; s < matching.slots; ++s)
    if (matching.vertex_of[s] >= 0) own_[slots_.line[s]].set(matching.vertex_of[s]);
  found_ = {};
  for (int line : touched_)
    for (Vertices<W> left = own_[line]; at_least_two(left);) {
      const int u = left.pop_lowest();
      found_.add(u, left.pop_lowest());
    }
}

template <int W>
Found LinePairing<W>::search(std::size_t depth, const LineSet& exact, LineSet& named) {
  // 1. The line to branch on: unsatisfied, fewest fitting partitions per failure seen.
  if (levels_.size() < depth + 2) levels_.resize(depth + 2);
  const int spare = (free_ & ~levels_[depth].used).count();
  int best = -1, open = 0;
  double best_score = 0;
  for (int line : touched_) {
    const LineState& state = state_[line];
    if (exact.test(line) || satisfied(state, levels_[depth])) continue;
    ++open;
    if (!state.listed) list_options(line);
    const int fitting = state.count > MAX_GROUPS ? 0 : state.upto[largest_fitting(state, spare)];
    const double score = fitting / (1.0 + failed_[line]);
    if (best < 0 || score < best_score) {
      best = line;
      best_score = score;
    }
  }
  least_open_ = std::min(least_open_, open);
  // 2. None: read the pairs off.
  if (best < 0) {
    read_pairs(levels_[depth]);
    return Found::YES;
  }
  // 3. Try its partitions. A failure that does not name this line is the answer for all of them.
  const LineState& state = state_[best];
  if (state.count > MAX_GROUPS) return Found::GAVE_UP;
  const int largest = largest_fitting(state, spare);
  const Options& list = options_[best];
  LineSet all_named;
  std::size_t core = 0;
  levels_[depth].remove(state.slot, state.slot + 2 * state.relaxed);
  for (int i = 0; i < state.upto[largest]; ++i) {
    const int groups = list.groups[i];
    Matching<W>& next = levels_[depth + 1];
    next = levels_[depth];
    const int first_new = next.slots;
    for (int g = 0; g < groups; ++g) next.add_pair(slots_, best, list.core[core++]);
    bool matched = true;
    LineSet reached;
    for (int s = first_new; s < next.slots && matched; ++s) {
      Vertices<W> visited;
      if (next.augment(slots_, s, visited)) continue;
      matched = false;
      reached = lines_reached(next, s, visited);
    }
    if (matched) {
      const Found found = search(depth + 1, exact | LineSet::single(best), reached);
      if (found != Found::NO) return found;
    } else {
      for_each(reached, [&](int line) { failed_[line] += 1; });
      if (++failures_ >= budget_ >> least_open_) return Found::GAVE_UP;
    }
    if (!reached.test(best)) {
      named = reached;
      return Found::NO;
    }
    all_named |= reached;
  }
  if (largest < state.count)
    for (int line : touched_) all_named.set(line);  // more groups need more squares than the whole board has
  named = all_named;
  return Found::NO;
}

template <int W>
Found LinePairing<W>::find(const Position<W>& at, PairList<W>& pairs, Edges<W>& conflict, int budget) {
  load(at);
  for (int i = 0; i < at.live.count(); ++i)
    if (!at_least_two(residual_[i])) return Found::GAVE_UP;
  Matching<W>& matching = levels_[0];
  matching.clear();
  LineSet exact;
  for (int line : touched_)
    if (add_relaxed(matching, line)) exact.set(line);
  if (matching.slots > at.free.count()) {
    conflict = at.live;
    return Found::NO;
  }
  budget_ = budget << BUDGET_OPEN;
  failures_ = 0;
  least_open_ = MOST_OPEN;
  for (double& failed : failed_) failed *= FORGET;
  spare_ = at.free.count() - matching.slots;
  LineSet named;
  if (!match_smallest_first(matching, named)) {
    conflict = edges_of(at, named);
    return Found::NO;
  }
  const Found found = search(0, exact, named);
  if (found == Found::NO) conflict = edges_of(at, named);
  if (found != Found::YES) return found;
  pairs = found_;
  return is_pairing(game_, at, pairs) ? Found::YES : Found::GAVE_UP;
}

template <int W>
void LinePairing<W>::match_base(const Position<W>& at) {
  load(at);
  base_.clear();
  base_open_.clear();
  for (int line : touched_) {
    base_slots_[line] = base_.slots;
    add_minimal(base_, line, -1);
    base_end_[line] = base_.slots;
  }
  dead_ = {};
  for (int s = 0; s < base_.slots; ++s) {
    Vertices<W> visited = dead_;
    if (base_.augment(base_of_, s, visited)) continue;
    dead_ = visited;
    base_open_.push_back(s);
  }
}

template <int W>
int LinePairing<W>::deficiency(const Position<W>& at) {
  match_base(at);
  return base_.unmatched;
}

template <int W>
Vertices<W> LinePairing<W>::deficiencies(const Position<W>& at, const Vertices<W>& replies,
                                         std::array<std::uint8_t, Game<W>::MAX_V>& def) {
  match_base(at);
  Vertices<W> zero;
  for_each(replies, [&](int y) {
    match_reply(at, y);
    def[y] = static_cast<std::uint8_t>(std::min(reply_.unmatched, 255));
    if (reply_.unmatched == 0) zero.set(y);
  });
  return zero;
}

// The matching of all slots once Breaker has marked `reply`: only the lines through it change. A failed search's tree
// stays dead until one of its vertices is set free, so most slots that are unmatched in base_ need no second try.
template <int W>
void LinePairing<W>::match_reply(const Position<W>& at, int reply) {
  reply_ = base_;
  const Edges<W> hit = at.live & game_.edges_through(reply);
  for (int line : game_.lines_through[reply]) {
    if (!hit.meets(line_edges_[line])) continue;
    reply_.remove(base_slots_[line], base_end_[line]);
    add_minimal(reply_, line, reply);
  }
  const bool still_dead = reply_.used.contains(dead_);
  Vertices<W> dead = still_dead ? dead_ : Vertices<W>{};
  dead.set(reply);
  const auto match = [&](int s) {
    Vertices<W> visited = dead;
    if (!reply_.augment(base_of_, s, visited)) dead = visited;
  };
  for (int s = reply_.slots - 1; s >= base_.slots; --s) match(s);
  if (still_dead) return;
  for (auto s = base_open_.rbegin(); s != base_open_.rend(); ++s)
    if (reply_.vertex_of[*s] == Matching<W>::NONE) match(*s);
}

template <int W>
PairList<W> LinePairing<W>::zero_pairing(const Position<W>& at, int reply) {
  match_reply(at, reply);
  PairList<W> pairs;
  for (int s = 0; s < reply_.slots; s += 2)
    if (reply_.vertex_of[s] >= 0) pairs.add(reply_.vertex_of[s], reply_.vertex_of[s + 1]);
  return pairs;
}

template class LinePairing<1>;
template class LinePairing<2>;
template class LinePairing<4>;
template class LinePairing<MANY_EDGES>;

}  // namespace zermelo::positional
