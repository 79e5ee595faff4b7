#include "positional/threat/proof_graph.hpp"

#include <algorithm>
#include <numeric>

#include "base/threads.hpp"

namespace zermelo::positional {

namespace {

VertexSet image(const std::vector<int>& to, VertexSet cells) {
  VertexSet result;
  while (cells.any()) result.set(to[cells.pop_lowest()]);
  return result;
}

}  // namespace

ProofGraph::ProofGraph(const Workplace& place, const Permutations& symmetries) : own_(place), symmetries_(symmetries) {
  for (const std::vector<int>& one : symmetries_) {
    std::vector<int> back(one.size());
    for (std::size_t cell = 0; cell < one.size(); ++cell) back[one[cell]] = static_cast<int>(cell);
    const auto found = std::find(symmetries_.begin(), symmetries_.end(), back);
    inverse_.push_back(found == symmetries_.end() ? -1 : static_cast<int>(found - symmetries_.begin()));
  }
  clear();
}

void ProofGraph::clear() {
  nodes_.clear(), links_.clear(), refutations_.clear(), wins_.clear();
  if (tried_.empty()) text_.clear();
  slots_.assign(1024, -1);
  for (auto& killers : killers_) killers.fill(-1);
  root_ = -1;
}

// Positions

int ProofGraph::node_for(const VertexSet& attacker, const VertexSet& defender, bool attackers_turn) {
  const std::uint64_t hash =
      attacker.hash() ^ defender.hash() * 0x9e3779b97f4a7c15ULL ^ (attackers_turn ? 0x5bd1e995 : 0);
  std::size_t at = hash & (slots_.size() - 1);
  for (; slots_[at] >= 0; at = (at + 1) & (slots_.size() - 1)) {
    const Node& node = nodes_[slots_[at]];
    if (node.attackers_turn == attackers_turn && node.attacker == attacker && node.defender == defender)
      return slots_[at];
  }
  slots_[at] = static_cast<std::int32_t>(nodes_.size());
  Node& node = nodes_.emplace_back();
  node.attacker = attacker, node.defender = defender, node.attackers_turn = attackers_turn;
  const int made = slots_[at];
  if (2 * nodes_.size() > slots_.size()) grow_slots();
  return made;
}

void ProofGraph::grow_slots() {
  slots_.assign(2 * slots_.size(), -1);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    const std::uint64_t hash =
        node.attacker.hash() ^ node.defender.hash() * 0x9e3779b97f4a7c15ULL ^ (node.attackers_turn ? 0x5bd1e995 : 0);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] >= 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = static_cast<std::int32_t>(n);
  }
}

// The least image of a position with few marks stands for all.
ProofGraph::Link ProofGraph::link_to(const VertexSet& attacker, const VertexSet& defender, bool attackers_turn,
                                     std::uint16_t cell) {
  VertexSet one = attacker, two = defender;
  int symmetry = 0;
  if (symmetries_.size() > 1 && (attacker | defender).count() <= effort_.symmetric_marks)
    for (std::size_t s = 1; s < symmetries_.size(); ++s) {
      if (inverse_[s] < 0) continue;
      const VertexSet first = image(symmetries_[s], attacker);
      if (first > one) continue;
      const VertexSet second = image(symmetries_[s], defender);
      if (first < one || second < two) one = first, two = second, symmetry = inverse_[s];
    }
  return {node_for(one, two, attackers_turn), cell, static_cast<std::uint8_t>(symmetry)};
}

VertexSet ProofGraph::through(int symmetry, const VertexSet& cells) const {
  return symmetry ? image(symmetries_[symmetry], cells) : cells;
}

Zones ProofGraph::through(int symmetry, const Zones& zones) const {
  Zones result;
  for (std::size_t i = 0; i < zones.at.size(); ++i) result.at[i] = through(symmetry, zones.at[i]);
  return result;
}

// The search

void ProofGraph::begin(const VertexSet& attacker, const VertexSet& defender, bool attackers_turn,
                       const ThreatEffort& effort, Watch& watch) {
  effort_ = effort, watch_ = &watch;
  root_ = node_for(attacker, defender, attackers_turn);
}

ThreatState ProofGraph::prove(const VertexSet& attacker, const VertexSet& defender, bool attackers_turn,
                              const ThreatEffort& effort, std::uint64_t steps, Watch& watch) {
  if (!quiet()) clear();
  begin(attacker, defender, attackers_turn, effort, watch);
  for (; steps > 0 && !solved(root_) && !watch.stopped(); --steps) step(path_);
  return nodes_[root_].state;
}

ThreatState ProofGraph::prove_together(const VertexSet& attacker, const VertexSet& defender, bool attackers_turn,
                                       const ThreatEffort& effort, std::span<const ThreatTrial> trials, Watch& watch,
                                       const std::vector<Workplace>& places) {
  begin(attacker, defender, attackers_turn, effort, watch);
  trials_ = trials;
  run_threads(
      static_cast<int>(places.size()), [&](int number) { work(places[static_cast<std::size_t>(number)]); },
      [&] { watch.stop(); });
  place_ = &own_, lock_ = nullptr;
  return nodes_[root_].state;
}

// One thread of a team.
void ProofGraph::work(const Workplace& place) {
  std::vector<std::int32_t> path;
  std::unique_lock lock(mutex_);
  while (!solved(root_) && !watch_->stopped()) {
    place_ = &place, lock_ = &lock;
    if (step(path)) {
      changed_.notify_all();
    } else if (expanding_ > 0) {
      changed_.wait(lock);
    } else {  // positions that are reached in several ways may still look busy
      for (Node& node : nodes_) node.busy = false;
    }
  }
  changed_.notify_all();
}

// Expands the most useful position that no other thread expands. False: there is none.
bool ProofGraph::step(std::vector<std::int32_t>& path) {
  path.clear();
  for (int n = root_;;) {
    if (nodes_[n].state == ThreatState::OPEN) refresh(n);
    if (solved(n) || nodes_[n].busy) {
      if (n == root_) return solved(n);
      refresh_path(path);
      path.clear();
      n = root_;
      continue;
    }
    path.push_back(n);
    if (needs_expansion(n)) {
      expand(n);
      if (!watch_->stopped()) refresh_path(path);
      return true;
    }
    n = links_[nodes_[n].best].node;
  }
}

void ProofGraph::refresh_path(const std::vector<std::int32_t>& path) {
  for (std::size_t i = path.size(); i-- > 0;) refresh(path[i]);
}

void ProofGraph::report_nodes() {
  const std::uint64_t before = watch_->nodes();
  if (watch_->add(place_->fours.new_nodes()) >> 14 != before >> 14 || watch_->nodes() >= watch_->limits().nodes)
    watch_->look();
  if (!lock_) watch_->report();
}

bool ProofGraph::needs_expansion(int n) const {
  const Node& node = nodes_[n];
  return node.state == ThreatState::FRESH ||
         (node.passing && nodes_[links_[node.first_link].node].state == ThreatState::PROVED);
}

void ProofGraph::expand(int n) {
  nodes_[n].expanding = nodes_[n].busy = true;
  ++expanding_;
  visit(n);
  if (nodes_[n].attackers_turn) expand_attacker(n);
  else expand_defender(n);
  --expanding_;
  Node& node = nodes_[n];
  node.expanding = node.busy = false;
  if (watch_->stopped() && !solved(n)) reset(n);
  else if (!solved(n)) node.state = ThreatState::OPEN;
  report_nodes();
}

void ProofGraph::fail(int n) {
  Node& node = nodes_[n];
  node.state = ThreatState::FAILED;
  node.proof = INFINITE, node.disproof = 0;
}

void ProofGraph::prove_with(int n, const Zones& zones) {
  Node& node = nodes_[n];
  node.state = ThreatState::PROVED;
  node.proof = 0, node.disproof = INFINITE;
  node.win = static_cast<std::int32_t>(wins_.size());
  wins_.push_back(zones);
}

void ProofGraph::set_links(int n) {
  nodes_[n].first_link = static_cast<std::uint32_t>(links_.size());
  nodes_[n].links = static_cast<std::uint32_t>(new_links_.size());
  links_.insert(links_.end(), new_links_.begin(), new_links_.end());
}

// Whether the attacker wins the position on the board, to move, by fours or by the search below; its proof is appended
// to the text. Other threads work on the graph meanwhile.
bool ProofGraph::try_win(int steps, Win& win) {
  const Marked marks{board().held(ATTACKER), board().held(DEFENDER)};
  if (const auto known = tried_.find(marks); opening() && steps > 0 && known != tried_.end()) {
    win = known->second;
    return win.text_size > 0;
  }
  const Workplace& place = *place_;
  std::unique_lock<std::mutex>* const lock = lock_;
  if (lock) lock->unlock();
  ProofText text;
  const bool won = win_below(place, steps, text, win.zones);
  if (lock) lock->lock(), place_ = &place, lock_ = lock;
  win.text = static_cast<std::uint32_t>(text_.size());
  win.text_size = static_cast<std::uint32_t>(text.size());
  text_.add(text.part(0, text.size()), symmetries_[0]);
  if (opening() && steps > 0 && !watch_->stopped()) tried_[marks] = win;
  return won;
}

bool ProofGraph::win_below(const Workplace& place, int steps, ProofText& text, Zones& zones) {
  if (place.fours.find(ATTACKER, effort_.four_nodes)) {
    for (const int move : place.fours.moves()) text.add_cell(move);
    zones = place.fours.zones();
    return true;
  }
  if (!place.below || steps == 0) return false;
  const VertexSet attacker = place.board.held(ATTACKER), defender = place.board.held(DEFENDER);
  bool won = false;
  const auto try_as = [&](const ThreatEffort& effort, std::uint64_t most) {
    won = place.below->prove(attacker, defender, true, effort, most, *watch_) == ThreatState::PROVED;
  };
  if (!opening()) try_as(effort_, static_cast<std::uint64_t>(steps));
  for (const ThreatTrial& trial : trials_) {
    if (won || watch_->stopped()) break;
    place.below->clear();
    try_as(trial.effort, trial.steps);
  }
  place.board.go_to(attacker, defender);
  if (won) {
    place.below->write(text, false);
    zones = place.below->zones();
  }
  return won;
}

void ProofGraph::expand_attacker(int n) {
  // 1. A win at once, unless the position was tried before. A trial of a first move would be in vain.
  const bool tries = opening() ? nodes_[n].attacker.any() : quiet() || n == root_;
  if (Win win; tries && try_win(effort_.move_steps, win)) {
    nodes_[n].text = win.text;
    nodes_[n].text_size = win.text_size;
    return prove_with(n, win.zones);
  }
  if (watch_->stopped()) return;
  // 2. The moves: the block of a threat, else those that look best.
  VertexSet threats = board().completions(DEFENDER);
  moves_.clear();
  if (threats.any()) {
    const int cell = threats.pop_lowest();
    if (threats.any()) return fail(n);
    moves_.emplace_back(2, cell);
  } else if (quiet()) {
    list_quiet_moves();
  } else {
    list_threat_moves();
  }
  const VertexSet attacker = nodes_[n].attacker, defender = nodes_[n].defender;
  new_links_.clear();
  for (const auto& [number, cell] : moves_) {
    const std::size_t known = nodes_.size();
    const Link link = link_to(attacker | VertexSet::single(cell), defender, false, static_cast<std::uint16_t>(cell));
    if (nodes_.size() > known) nodes_[link.node].proof = static_cast<std::uint32_t>(number);
    new_links_.push_back(link);
  }
  set_links(n);
}

// Moves after which the attacker may win by fours.
void ProofGraph::list_threat_moves() {
  std::array<std::uint8_t, MAX_VERTICES> three{};
  VertexSet on_two;
  for (const int e : board().lacking_list(ATTACKER, 2)) on_two |= board().edge(e);
  VertexSet cells = on_two;
  for (const int e : board().lacking_list(ATTACKER, 3)) {
    VertexSet rest = board().edge(e) & ~board().held(ATTACKER);
    while (rest.any()) {
      const int cell = rest.pop_lowest();
      if (++three[cell] > 1 || on_two.any()) cells.set(cell);
    }
  }
  cells &= board().free();
  while (cells.any()) {
    const int cell = cells.pop_lowest(), edges = three[cell];
    moves_.emplace_back(edges >= 5 ? 1 : edges >= 4 ? 2 : edges >= 2 ? 3 : 5, cell);
  }
}

void ProofGraph::list_quiet_moves() {
  static constexpr int OWN[4] = {1, 8, 24, 40}, OTHER[4] = {0, 2, 8, 20};
  // Against a win of the defender by fours only a move in its zone helps, or a four.
  VertexSet allowed = board().free();
  if (place_->fours.find(DEFENDER, effort_.four_nodes)) {
    allowed &= place_->fours.zones().at[0];
    for (const int e : board().lacking_list(ATTACKER, 2)) allowed |= board().edge(e) & board().free();
  }
  std::array<int, MAX_VERTICES> weight{};
  for (int e = 0; e < board().edges(); ++e) {
    const bool own = board().pure(ATTACKER, e), other = board().pure(DEFENDER, e);
    if (!own && !other) continue;
    const VertexSet& edge = board().edge(e);
    VertexSet rest = edge & board().free();
    const int marks = std::min(edge.count() - rest.count(), 3), worth = own ? OWN[marks] : OTHER[marks];
    while (rest.any()) weight[rest.pop_lowest()] += worth;
  }
  std::vector<std::pair<int, int>>& list = moves_;
  for_each(allowed, [&](int cell) {
    if (weight[cell] > 0) list.emplace_back(weight[cell], cell);
  });
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const auto& killers = killers_[board().held(ATTACKER).count()];
  const auto is_killer = [&](int cell) { return std::find(killers.begin(), killers.end(), cell) != killers.end(); };
  std::size_t count = 0;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (i < static_cast<std::size_t>(effort_.moves) || is_killer(list[i].second))
      list[count++] = {is_killer(list[i].second) ? 1 : 2 + static_cast<int>(i) / effort_.rank, list[i].second};
  list.resize(count);
}

void ProofGraph::expand_defender(int n) {
  if (nodes_[n].passing) {  // the pass is proved: now the replies in its zone
    const Link pass = links_[nodes_[n].first_link];
    nodes_[n].passing = false;
    nodes_[n].open = board().free();
    refute(n, {-1, pass.node, 0, 0, PASS, pass.symmetry, true, through(pass.symmetry, wins_[nodes_[pass.node].win])});
    return answer_replies(n);
  }
  // 1. An edge can be completed.
  if (board().completions(DEFENDER).any()) return fail(n);
  if (const VertexSet last = board().completions(ATTACKER); last.any()) {
    if (last.count() > 1) return prove_with(n, {{last, last, last}});
    nodes_[n].forced = true;
    nodes_[n].open = last;
    return answer_replies(n);
  }
  // 2. The attacker must win after a pass, and the defender must not win by fours. With one mark or two, a win after a
  // pass would leave hardly any reply out.
  const VertexSet attacker = nodes_[n].attacker, defender = nodes_[n].defender;
  if (opening() && attacker.count() <= FIRST_MARKS) {
    nodes_[n].open = board().free();
    return nodes_[n].open.none() ? fail(n) : answer_replies(n);
  }
  Win win;
  const bool won = try_win(effort_.pass_steps, win);
  if (watch_->stopped()) return;
  if (!won && !(quiet() && attacker.count() <= effort_.searched_passes)) return fail(n);
  if (board().free().none() || place_->fours.find(DEFENDER, effort_.four_nodes)) return fail(n);
  if (!won && effort_.pass_first) {
    nodes_[n].passing = true;
    new_links_.assign(1, link_to(attacker, defender, true, PASS));
    return set_links(n);
  }
  nodes_[n].open = board().free();
  if (won) refute_by_text(n, PASS, win);
  // 3. The replies in the zone of that win, or all.
  answer_replies(n);
}

// Refutes open replies at once where it can, and links to the positions after the others.
void ProofGraph::answer_replies(int n) {
  for (VertexSet left = nodes_[n].open; left.any();) {
    const int reply = left.pop_lowest();
    if (!nodes_[n].open.test(reply)) continue;
    board().place(DEFENDER, reply);
    Win win;
    const bool won = try_win(effort_.reply_steps, win);
    board().take_back(DEFENDER, reply);
    if (watch_->stopped()) return;
    if (won) refute_by_text(n, static_cast<std::uint16_t>(reply), win);
  }
  const VertexSet attacker = nodes_[n].attacker, defender = nodes_[n].defender;
  new_links_.clear();
  for (VertexSet left = nodes_[n].open; left.any();) {
    const int reply = left.pop_lowest();
    new_links_.push_back(
        link_to(attacker, defender | VertexSet::single(reply), true, static_cast<std::uint16_t>(reply)));
  }
  set_links(n);
}

void ProofGraph::refute_by_text(int n, std::uint16_t cell, const Win& win) {
  refute(n, {-1, -1, win.text, win.text_size, cell, 0, false, win.zones});
}

void ProofGraph::refute(int n, const Refutation& refutation) {
  Node& node = nodes_[n];
  refutations_.push_back(refutation);
  refutations_.back().next = node.refutation;
  node.refutation = static_cast<std::int32_t>(refutations_.size()) - 1;
  node.open &= refutation.zones.at[0];
  if (refutation.cell != PASS) node.open.reset(refutation.cell);
}

// Numbers

void ProofGraph::refresh(int n) {
  if (nodes_[n].state != ThreatState::OPEN || nodes_[n].expanding) return;
  if (nodes_[n].attackers_turn) refresh_attacker(n);
  else refresh_defender(n);
}

void ProofGraph::refresh_attacker(int n) {
  Node& node = nodes_[n];
  node.proof = INFINITE, node.disproof = 0, node.best = -1;
  bool failed = true;
  std::uint32_t least = INFINITE;
  for (std::uint32_t i = node.first_link; i < node.first_link + node.links; ++i) {
    const Link& link = links_[i];
    const Node& child = nodes_[link.node];
    if (child.state == ThreatState::FAILED) continue;
    failed = false;
    if (child.state == ThreatState::PROVED) {
      node.best = static_cast<std::int32_t>(i);
      Zones zones = through(link.symmetry, wins_[child.win]);
      for (VertexSet& zone : zones.at) zone.set(link.cell);
      visit(n);
      board().add_all_danger(ATTACKER, zones);
      auto& killers = killers_[node.attacker.count()];
      if (std::find(killers.begin(), killers.end(), link.cell) == killers.end()) {
        std::rotate(killers.begin(), killers.end() - 1, killers.end());
        killers[0] = static_cast<std::int16_t>(link.cell);
      }
      return prove_with(n, zones);
    }
    node.proof = std::min(node.proof, child.proof);
    if (!child.busy && child.proof < least) least = child.proof, node.best = static_cast<std::int32_t>(i);
    node.disproof = std::min(INFINITE - 1, node.disproof + child.disproof);
  }
  node.busy = node.best < 0;
  if (failed) fail(n);
}

void ProofGraph::refresh_defender(int n) {
  if (nodes_[n].passing) {
    Node& node = nodes_[n];
    const Node& child = nodes_[links_[node.first_link].node];
    node.best = static_cast<std::int32_t>(node.first_link);
    node.proof = std::min(INFINITE - 1, child.proof + 1), node.disproof = std::max(1u, child.disproof);
    node.busy = child.busy;
    if (child.state == ThreatState::FAILED) fail(n);
    if (child.state == ThreatState::PROVED) node.proof = 1, node.disproof = 1;
    return;
  }
  for (std::uint32_t i = nodes_[n].first_link, end = i + nodes_[n].links; i < end; ++i) {
    const Link link = links_[i];
    const Node& child = nodes_[link.node];
    if (child.state != ThreatState::PROVED || !nodes_[n].open.test(link.cell)) continue;
    refute(n, {-1, link.node, 0, 0, link.cell, link.symmetry, false, through(link.symmetry, wins_[child.win])});
  }
  Node& node = nodes_[n];
  if (node.open.none()) return finish_defender(n);
  std::uint32_t open = 0, first = ~0u;
  node.proof = 0, node.disproof = INFINITE, node.best = -1;
  for (std::uint32_t i = node.first_link; i < node.first_link + node.links; ++i) {
    const Link& link = links_[i];
    if (!node.open.test(link.cell)) continue;
    const Node& child = nodes_[link.node];
    if (child.state == ThreatState::FAILED) return fail(n);
    ++open;
    node.proof = std::max(node.proof, child.proof);
    node.disproof = std::min(node.disproof, child.disproof);
    // Hardest first; but the opening search tries every reply once before it looks deeper.
    const std::uint32_t last = !(quiet() && effort_.hardest_first)              ? child.disproof
                               : opening() && child.state == ThreatState::FRESH ? 0
                                                                                : INFINITE - child.proof;
    if (!child.busy && last < first) first = last, node.best = static_cast<std::int32_t>(i);
  }
  node.busy = node.best < 0;
  node.proof = std::min(INFINITE - 1, node.proof + (open - 1) / effort_.width);
}

// All replies are answered. Of the refutations as few as needed stand for replies outside their zones too, because this
// makes the zones of the node larger; those that others make needless are dropped.
void ProofGraph::finish_defender(int n) {
  Zones sum;
  if (nodes_[n].forced) {
    sum = refutations_[nodes_[n].refutation].zones;
    for (VertexSet& zone : sum.at) zone.set(refutations_[nodes_[n].refutation].cell);
    return prove_with(n, sum);
  }
  const VertexSet every = VertexSet::first(board().cells());
  VertexSet uncovered = every & ~nodes_[n].attacker & ~nodes_[n].defender;
  const auto widen = [&](Refutation& one) {
    one.wide = true;
    uncovered &= one.zones.at[0];
    sum.at[0] |= one.zones.at[1], sum.at[1] |= one.zones.at[2], sum.at[2] = every;
  };
  for (int r = nodes_[n].refutation; r >= 0; r = refutations_[r].next) {
    if (refutations_[r].cell == PASS) widen(refutations_[r]);
    else uncovered.reset(refutations_[r].cell);
  }
  while (uncovered.any()) {
    int best = -1, best_gain = 0, best_cost = 1;
    for (int r = nodes_[n].refutation; r >= 0; r = refutations_[r].next) {
      const Zones& zones = refutations_[r].zones;
      const int gain = (uncovered & ~zones.at[0]).count(), cost = 1 + (zones.at[1] & ~sum.at[0]).count();
      if (gain * best_cost > best_gain * cost) best = r, best_gain = gain, best_cost = cost;
    }
    widen(refutations_[best]);
  }
  for (std::int32_t* at = &nodes_[n].refutation; *at >= 0;) {
    const Refutation& one = refutations_[*at];
    bool needless = false;
    for (int r = nodes_[n].refutation; !one.wide && !needless && r >= 0; r = refutations_[r].next)
      needless = refutations_[r].wide && !refutations_[r].zones.at[0].test(one.cell);
    if (needless) {
      *at = one.next;
    } else {
      if (!one.wide)
        for (std::size_t i = 0; i < sum.at.size(); ++i) sum.at[i] |= one.zones.at[i];
      at = &refutations_[*at].next;
    }
  }
  prove_with(n, sum);
}

// As if it had never been expanded.
void ProofGraph::reset(int n) {
  Node& node = nodes_[n];
  node.state = ThreatState::FRESH;
  node.proof = node.disproof = 1;
  node.links = 0, node.refutation = -1, node.best = -1;
  node.forced = node.passing = node.busy = false;
}

bool ProofGraph::has_won_trials() const {
  return std::any_of(tried_.begin(), tried_.end(), [](const auto& one) { return one.second.text_size > 0; });
}

// Saving

void ProofGraph::save(SavedWords& words) const {
  const std::lock_guard lock(mutex_);
  const std::size_t head = words.size();
  words.insert(words.end(), {SAVED, 0, tried_.size()});
  const auto add = [&](const VertexSet& set) { words.insert(words.end(), set.word.begin(), set.word.end()); };
  for (const auto& [marks, win] : tried_) {
    add(marks.attacker), add(marks.defender);
    for (const VertexSet& zone : win.zones.at) add(zone);
    words.push_back(win.text_size);
    const auto text = text_.part(win.text, win.text_size);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i % 4 == 0) words.push_back(0);
      words.back() |= std::uint64_t{text[i]} << 16 * (i % 4);
    }
  }
  words[head + 1] = words.size() - head;
}

std::size_t ProofGraph::load(std::span<const std::uint64_t>& words) {
  if (words.empty() || words[0] != SAVED) return 0;
  const auto check = [](bool sound) {
    if (!sound) throw std::invalid_argument("the saved entries are damaged");
  };
  check(words.size() >= 3 && words[1] >= 3 && words[1] <= words.size());
  auto rest = words.subspan(3, words[1] - 3);
  const auto take = [&] {
    check(!rest.empty());
    const std::uint64_t word = rest[0];
    rest = rest.subspan(1);
    return word;
  };
  const VertexSet every = VertexSet::first(board().cells());
  const auto take_set = [&] {
    VertexSet set;
    for (std::uint64_t& word : set.word) word = take();
    check(every.contains(set));
    return set;
  };
  const auto count = static_cast<std::size_t>(words[2]);
  for (std::size_t i = 0; i < count; ++i) {
    Marked marks;
    marks.attacker = take_set(), marks.defender = take_set();
    Win win;
    for (VertexSet& zone : win.zones.at) zone = take_set();
    const std::uint64_t size = take();
    check(size <= 4 * rest.size());
    win.text = static_cast<std::uint32_t>(text_.size()), win.text_size = static_cast<std::uint32_t>(size);
    std::uint64_t word = 0;
    for (std::size_t at = 0; at < size; ++at, word >>= 16) {
      if (at % 4 == 0) word = take();
      check(text_.add_token(static_cast<std::uint16_t>(word), board().cells()));
    }
    tried_[marks] = win;
  }
  check(rest.empty());
  words = words.subspan(words[1]);
  return count;
}

// Writing

int ProofGraph::move() const {
  const Node& node = nodes_[root_];
  if (node.text_size) return text_.part(node.text, 1)[0] & 0xff;
  return node.attackers_turn ? links_[node.best].cell : -1;
}

bool ProofGraph::wins_after_pass() const {
  const auto after_pass = [&](int n) { return nodes_[n].state == ThreatState::OPEN && !nodes_[n].passing; };
  const Node& root = nodes_[root_];
  if (!root.attackers_turn) return after_pass(root_);
  const auto first = links_.begin() + root.first_link;
  return std::any_of(first, first + root.links, [&](const Link& link) { return after_pass(link.node); });
}

void ProofGraph::write(ProofText& text, bool shared) {
  std::vector<int> identity(static_cast<std::size_t>(board().cells()));
  std::iota(identity.begin(), identity.end(), 0);
  shared_ = shared;
  if (shared) {
    uses_.assign(nodes_.size(), 0);
    written_.assign(nodes_.size(), {});
    numbers_ = 0;
    declared_.assign(1, identity);
    declare_at_ = NOWHERE;
    count_uses(root_);
  }
  ProofText body;
  if (nodes_[root_].attackers_turn) write_attacker(body, root_, identity);
  else write_defender(body, root_, identity);
  if (shared && declared_.size() > 1) {
    text.add(body.part(0, declare_at_), identity);
    for (std::size_t s = 1; s < declared_.size(); ++s) {
      text.add_tag(ProofText::SYMMETRY);
      for (const int cell : declared_[s]) text.add_cell(cell);
    }
    text.add(body.part(declare_at_, body.size() - declare_at_), identity);
  } else {
    text.add(body.part(0, body.size()), identity);
  }
}

void ProofGraph::count_uses(int n) {
  const Node& node = nodes_[n];
  if (node.attackers_turn) {
    if (node.text_size) ++uses_[n];
    else count_uses(links_[node.best].node);
  } else if (!uses_[n]++ || node.forced) {
    for (int r = node.refutation; r >= 0; r = refutations_[r].next)
      if (refutations_[r].node >= 0) count_uses(refutations_[r].node);
  }
}

void ProofGraph::write_attacker(ProofText& text, int n, const std::vector<int>& to) {
  const Node& node = nodes_[n];
  if (node.text_size) return write_text(text, n, to);
  const Link& link = links_[node.best];
  text.add_cell(to[link.cell]);
  std::vector<int> below(to.size());
  for (std::size_t cell = 0; cell < to.size(); ++cell) below[cell] = to[symmetries_[link.symmetry][cell]];
  write_defender(text, link.node, below);
}

// A win that was tried; one of several uses refers to the first, behind its first move.
void ProofGraph::write_text(ProofText& text, int n, const std::vector<int>& to) {
  const auto part = text_.part(nodes_[n].text, nodes_[n].text_size);
  const bool keep = shared_ && uses_[n] > 1 && ProofText::has_zones_after_move(part);
  if (keep && written_[n].number) {
    text.add(part.first(1), to);
    return write_seen(text, n, to);
  }
  const std::size_t at = text.size();
  text.add(part, to);
  if (!keep) return;
  text.keep_zones(at + 1);
  written_[n] = {++numbers_, to};
}

void ProofGraph::write_seen(ProofText& text, int n, const std::vector<int>& to) {
  text.add_tag(ProofText::SEEN);
  text.add_number(static_cast<std::uint64_t>(written_[n].number));
  text.add_number(static_cast<std::uint64_t>(symmetry_number(written_[n].to, to)));
}

int ProofGraph::symmetry_number(const std::vector<int>& before, const std::vector<int>& now) {
  std::vector<int> map(now.size());
  for (std::size_t cell = 0; cell < now.size(); ++cell) map[before[cell]] = now[cell];
  const auto found = std::find(declared_.begin(), declared_.end(), map);
  const int number = static_cast<int>(found - declared_.begin());
  if (found == declared_.end()) declared_.push_back(std::move(map));
  return number;
}

void ProofGraph::write_defender(ProofText& text, int n, const std::vector<int>& to) {
  const Node& node = nodes_[n];
  const auto write_refutation = [&](const Refutation& one) {
    if (one.node < 0) return text.add(text_.part(one.text, one.text_size), to);
    std::vector<int> below(to.size());
    for (std::size_t cell = 0; cell < to.size(); ++cell) below[cell] = to[symmetries_[one.symmetry][cell]];
    write_attacker(text, one.node, below);
  };
  if (node.refutation < 0) return;
  if (node.forced) return write_refutation(refutations_[node.refutation]);
  const bool keep = shared_ && uses_[n] > 1;
  if (shared_ && declare_at_ == NOWHERE) declare_at_ = text.size();
  if (keep && written_[n].number) return write_seen(text, n, to);
  text.add_tag(keep ? ProofText::KEEP_ZONES : ProofText::ZONES);
  std::uint64_t count = 0;
  for (int r = node.refutation; r >= 0; r = refutations_[r].next) ++count;
  text.add_number(count);
  for (int r = node.refutation; r >= 0; r = refutations_[r].next) {
    const Refutation& one = refutations_[r];
    if (one.cell == PASS) text.add_pass();
    else text.add_reply(to[one.cell], one.wide);
    write_refutation(one);
  }
  if (keep) written_[n] = {++numbers_, to};
}

}  // namespace zermelo::positional
