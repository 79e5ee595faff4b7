#include "positional/search/strong.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/exact_table.hpp"
#include "positional/board/order.hpp"
#include "positional/pairing/line_pairing.hpp"

namespace zermelo::positional {

namespace {

constexpr std::uint32_t INF = 1u << 30;
constexpr int STRONG_FORCING_BUDGET = 150;
// Of a question before it is tried the other way, with or without asking the Maker-Breaker search; later four times as
// many each time, so that neither way costs much where the other is the right one.
constexpr std::uint64_t PLAIN_NODES = 100'000, ASKING_NODES = 4'000'000, MOST_NODES = std::uint64_t{1} << 60;

template <int W>
class ProofNumberSearch final : public StrongSearch<W> {
 public:
  ProofNumberSearch(const Game<W>& game, std::uint64_t table_bytes, MakerBreakerSearch<W>* blocking)
      : game_(game), blocking_(blocking), lines_(game), entries_(entries_within(table_bytes)) {
    choose(false);
  }

  void save(SavedWords& words, std::size_t most) const override {
    words.insert(words.end(), {WAY, 1, 1, way_.load()});
    for (const bool asks : {false, true}) {
      const Table* table = made_[asks].load(std::memory_order_acquire);
      if (!table) continue;
      save_entries(
          words, SECTION[asks], most / 2, [&](const auto& visit) { table->each(visit); },
          [](std::uint64_t content) { return std::bit_width(content & (USED - 1)); });
    }
  }
  std::size_t load(std::span<const std::uint64_t>& words) override {
    std::size_t count = 0;
    load_entries<std::array<std::uint64_t, 0>, std::array<std::uint64_t, 0>>(
        words, WAY, [&](const auto&, std::uint64_t way, const auto&) {
          if (way & 1 && blocking_) choose(true);
          budget_ = std::clamp(way >> 1, PLAIN_NODES, MOST_NODES);
        });
    for (const bool asks : {false, true})
      count += load_entries<typename Table::Key, typename Table::Value>(
          words, SECTION[asks],
          [&](const typename Table::Key& key, std::uint64_t content, const typename Table::Value& value) {
            State at;
            for (std::size_t i = 0; i < WORDS; ++i) at.attacker.word[i] = key[i], at.defender.word[i] = key[WORDS + i];
            at.attacker_to_move = content & ATTACKER_TO_MOVE;
            const Numbers numbers = unpacked(value);
            // Proved, or open: then the numbers claim nothing.
            const std::uint32_t least = std::min(numbers.phi, numbers.delta),
                                most = std::max(numbers.phi, numbers.delta);
            if (content >> 34 || !(content & USED) || most > INF || (least == 0) != (most == INF) ||
                (asks && !blocking_))
              throw std::invalid_argument("a saved result is damaged");
            table_for(asks).store(slot(at), key, content, value);
          });
    return count;
  }

  StrongResult solve(const Vertices<W>& attacker, const Vertices<W>& defender, bool attacker_to_move,
                     const Limits& limits) override {
    const int difference = attacker.count() - defender.count();
    if (difference != 0 && difference != (attacker_to_move ? -1 : 1))
      throw std::invalid_argument("the players' marks do not fit turns taken one by one");
    const State root{attacker, defender, attacker_to_move};
    StrongResult result;
    watch_.emplace(limits);
    turn_at_ = budget_;  // the way that decided the last question comes first
    int decided = evaluate(root);
    if (decided == 0) {
      Numbers numbers{1, 1};
      while (numbers.phi > 0 && numbers.delta > 0 && !watch_->stopped()) {
        if (time_to_turn()) turn();
        numbers = expand(root, INF, INF);
      }
      // phi is the proof number of the player to move: 0 is his success.
      if (numbers.phi == 0) decided = attacker_to_move ? 1 : -1;
      if (numbers.delta == 0) decided = attacker_to_move ? -1 : 1;
    }
    result.answer = decided > 0 ? StrongAnswer::YES : decided < 0 ? StrongAnswer::NO : StrongAnswer::UNKNOWN;
    if (decided != 0 && (decided > 0) == attacker_to_move) result.move = move_that_does_it(root);
    result.nodes = watch_->nodes();
    budget_ = PLAIN_NODES;  // of the next question
    return result;
  }

 private:
  struct State {
    Vertices<W> attacker, defender;
    bool attacker_to_move;

    Vertices<W> own() const { return attacker_to_move ? attacker : defender; }
    Vertices<W> other() const { return attacker_to_move ? defender : attacker; }
    State after(int v) const {
      State next = *this;
      (attacker_to_move ? next.attacker : next.defender).set(v);
      next.attacker_to_move = !attacker_to_move;
      return next;
    }
  };
  struct Numbers {
    std::uint32_t phi, delta;
  };
  // A number may be 0, so a bit says that the entry is in use; the work is below it, the side to move above.
  static constexpr std::uint64_t USED = std::uint64_t{1} << 32, ATTACKER_TO_MOVE = USED << 1;
  static constexpr std::size_t WORDS = VERTEX_WORDS<W>;
  using Table = ExactTable<2 * VERTEX_WORDS<W>, 1, 34, ATTACKER_TO_MOVE, 32>;

  // Kinds of saved sections, with their version: the way, and each way's table.
  static constexpr std::uint64_t WAY = 0x301;
  static constexpr std::array<std::uint64_t, 2> SECTION{0x302, 0x303};

  static std::size_t entries_within(std::uint64_t bytes) {
    std::size_t count = 1024;
    while (count * 2 * sizeof(typename Table::Entry) <= bytes) count *= 2;
    return count;
  }

  Vertices<W> free(const State& at) const {
    return Vertices<W>::first(game_.vertex_count) & ~at.attacker & ~at.defender;
  }

  // The last free vertices of the hyperedges that `own` lacks one mark of. Stops at two.
  Vertices<W> completions(const Vertices<W>& own, const Vertices<W>& other) const {
    Vertices<W> last;
    for (int e = 0; e < game_.edge_count; ++e) {
      const Vertices<W>& edge = game_.edge[e];
      if (edge.meets(other)) continue;
      const Vertices<W> rest = edge & ~own;
      if (at_least_two(rest)) continue;
      last |= rest;
      if (at_least_two(last)) break;
    }
    return last;
  }

  Position<W> attackers_lines(const State& at) const {
    Position<W> position{free(at), Edges<W>::first(game_.edge_count)};
    for_each(at.defender, [&](int v) { position.live &= ~game_.edges_through(v); });
    return position;
  }

  Table& table_for(bool asks) {
    if (!tables_[asks]) tables_[asks] = std::make_unique<Table>(entries_, MappedMemory::Pages::SMALL);
    made_[asks].store(tables_[asks].get(), std::memory_order_release);
    return *tables_[asks];
  }
  void choose(bool asks) {
    asks_ = asks;
    table_ = &table_for(asks);
  }

  // Time to try the other way. Each way has its own table, since its results depend on its leaves.
  bool time_to_turn() const { return blocking_ && watch_->nodes() >= turn_at_; }
  void turn() {
    choose(!asks_);
    budget_ = std::max(ASKING_NODES, 4 * budget_);
    way_ = budget_ << 1 | (asks_ ? 1 : 0);
    turn_at_ = watch_->nodes() + budget_;
  }

  // Whether the defender holds the attacker by blocking alone; false at a limit too.
  bool only_blocks(const Position<W>& lines, bool attacker_to_move) {
    if (!asks_ || watch_->look()) return false;
    Limits left = watch_->rest();
    left.nodes -= std::min(left.nodes, watch_->nodes());
    const MakerBreakerResult result =
        blocking_->solve(lines, attacker_to_move ? Side::MAKER : Side::BREAKER, left, nullptr, true);
    watch_->add(result.nodes);
    return result.winner == Winner::BREAKER;
  }

  // 1: the attacker wins, -1: he does not, 0: search.
  int evaluate(const State& at) {
    watch_->tick();
    const int side = at.attacker_to_move ? 1 : -1;
    if (completions(at.own(), at.other()).any()) return side;
    const Vertices<W> threats = completions(at.other(), at.own());
    if (at_least_two(threats)) return -side;
    const Position<W> lines = attackers_lines(at);
    if (lines.live.none()) return -1;
    if (at.attacker_to_move) {
      int budget = STRONG_FORCING_BUDGET;
      if (forcing_mark(at, threats, budget) >= 0) return 1;
      PairList<W> pairs;
      Edges<W> conflict;
      if (game_.lines.empty() ? find_pairing(game_, lines, 2, 500).has_value()
                              : lines_.find(lines, pairs, conflict) == Found::YES)
        return -1;
    } else if (potential(game_, lines) < 1) {
      return -1;
    }
    return only_blocks(lines, at.attacker_to_move) ? -1 : 0;
  }

  // The mark with which the attacker, to move, wins by threats alone: every mark of his threatens to complete a
  // hyperedge. `threats` are the defender's. He has no hyperedge to complete at once. -1: none was found.
  int forcing_mark(const State& at, const Vertices<W>& threats, int& budget) {
    for (int e = 0; e < game_.edge_count; ++e) {
      const Vertices<W>& edge = game_.edge[e];
      if (edge.meets(at.defender)) continue;
      Vertices<W> ends = edge & ~at.attacker;
      const int u = ends.pop_lowest(), v = ends.lowest();
      if (ends.none() || at_least_two(ends)) continue;
      if (forces_with(at, threats, u, v, budget)) return u;
      if (forces_with(at, threats, v, u, budget)) return v;
    }
    return -1;
  }

  bool forces_with(const State& at, const Vertices<W>& threats, int mark, int answer, int& budget) {
    if (threats.any() && !threats.test(mark)) return false;
    if (budget-- <= 0) return false;
    State next = at.after(mark);
    // The defender has nothing to complete: any threat of hers was just stopped.
    const Vertices<W> mine = completions(next.attacker, next.defender);
    if (at_least_two(mine)) return true;
    next = next.after(answer);
    const Vertices<W> hers = completions(next.defender, next.attacker);
    if (at_least_two(hers)) return false;
    return forcing_mark(next, hers, budget) >= 0;
  }

  std::size_t moves(const State& at, std::vector<std::uint8_t>& list) const {
    list.clear();
    const Vertices<W> threats = completions(at.other(), at.own());
    if (threats.any()) {
      list.push_back(static_cast<std::uint8_t>(threats.lowest()));
      return 1;
    }
    // Vertices on no hyperedge that either could still own are as good as a pass, and a pass is never better.
    std::array<double, Game<W>::MAX_V> weight{};
    for (int e = 0; e < game_.edge_count; ++e) {
      const Vertices<W>& edge = game_.edge[e];
      const bool hit_a = edge.meets(at.attacker), hit_d = edge.meets(at.defender);
      if (hit_a && hit_d) continue;
      const Vertices<W> rest = edge & ~at.attacker & ~at.defender;
      double worth = 1;
      for (int marks = edge.count() - rest.count(); marks > 0; --marks) worth *= 3;
      if (!hit_d && !hit_a) worth = 1.5;
      if (hit_d) worth *= 0.7;  // the defender's own chances only gain her time
      for_each(rest, [&](int v) { weight[v] += worth; });
    }
    for_each(free(at), [&](int v) {
      if (weight[v] > 0) list.push_back(static_cast<std::uint8_t>(v));
    });
    std::stable_sort(list.begin(), list.end(), [&](std::uint8_t a, std::uint8_t b) { return weight[a] > weight[b]; });
    return list.size();
  }

  State canonical(const State& at) const {
    State best = at;
    for (int s = 1; s < static_cast<int>(game_.symmetries.size()); ++s) {
      const Vertices<W> attacker = game_.map(s, at.attacker);
      if (attacker > best.attacker) continue;
      const Vertices<W> defender = game_.map(s, at.defender);
      if (attacker < best.attacker || defender < best.defender) best = {attacker, defender, at.attacker_to_move};
    }
    return best;
  }

  std::size_t slot(const State& key) const {
    return (key.attacker.hash() ^ (key.defender.hash() * 0x9e3779b97f4a7c15ULL)) & (entries_ - 1);
  }
  static std::uint64_t tag_of(const State& key) { return key.attacker_to_move ? ATTACKER_TO_MOVE : 0; }
  static typename Table::Key words_of(const State& state) {
    typename Table::Key words;
    for (std::size_t i = 0; i < WORDS; ++i)
      words[i] = state.attacker.word[i], words[WORDS + i] = state.defender.word[i];
    return words;
  }
  static Numbers unpacked(const typename Table::Value& value) {
    return {static_cast<std::uint32_t>(value[0] >> 32), static_cast<std::uint32_t>(value[0])};
  }
  bool look_up(const State& key, Numbers& numbers) const {
    typename Table::Value found;
    if (!table_->find(slot(key), words_of(key), tag_of(key), &found)) return false;
    numbers = unpacked(found);
    return true;
  }
  void store(const State& key, const Numbers& numbers, std::uint64_t work) {
    table_->store(slot(key), words_of(key), tag_of(key) | USED | std::min<std::uint64_t>(work, USED - 1),
                  {std::uint64_t{numbers.phi} << 32 | numbers.delta});
  }

  // The numbers of a child, evaluated when it is new. Seen from the child's player to move.
  Numbers numbers_of(const State& child, const State& key) {
    Numbers numbers{1, 1};
    if (look_up(key, numbers)) return numbers;
    const int decided = evaluate(child);
    if (decided != 0) numbers = (decided > 0) == child.attacker_to_move ? Numbers{0, INF} : Numbers{INF, 0};
    else if (child.attacker_to_move && !game_.lines.empty())
      numbers.delta += static_cast<std::uint32_t>(lines_.deficiency(attackers_lines(child)));  // far from a pairing
    store(key, numbers, 1);
    return numbers;
  }

  // Multiple iterative deepening on proof numbers: returns when a threshold is reached or the position is solved.
  // A sum over children counts shared positions many times, so delta is the largest child's phi plus one for every
  // other open child (weak proof numbers).
  Numbers expand(const State& at, std::uint32_t limit_phi, std::uint32_t limit_delta) {
    struct Child {
      State state, key;
      Numbers numbers;
    };
    const std::uint64_t before = watch_->nodes();
    const State own_key = canonical(at);
    std::vector<std::uint8_t> list;
    moves(at, list);
    std::vector<Child> children;
    children.reserve(list.size());
    for (int v : list) {
      const State next = at.after(v);
      const State key = canonical(next);
      if (std::any_of(children.begin(), children.end(),
                      [&](const Child& c) { return c.key.attacker == key.attacker && c.key.defender == key.defender; }))
        continue;
      children.push_back({next, key, numbers_of(next, key)});
      if (children.back().numbers.delta == 0) break;  // the player to move wins with it
    }
    Numbers own{0, 0};
    for (;;) {
      std::uint32_t second = INF, open = 0, largest = 0;
      std::size_t best = 0;
      own = {INF, 0};
      for (std::size_t i = 0; i < children.size(); ++i) {
        const Numbers& numbers = children[i].numbers;
        if (numbers.delta < own.phi) {
          second = own.phi;
          own.phi = numbers.delta;
          best = i;
        } else {
          second = std::min(second, numbers.delta);
        }
        if (numbers.phi > 0) {
          ++open;
          largest = std::max(largest, numbers.phi);
        }
      }
      own.delta = own.phi == 0 ? INF : open == 0 ? 0 : std::min(INF - 1, largest + open - 1);
      if (largest >= INF) own.delta = INF;
      if (children.empty()) own = at.attacker_to_move ? Numbers{INF, 0} : Numbers{0, INF};  // nobody can win any more
      if (own.phi == 0 || own.delta == 0 || own.phi >= limit_phi || own.delta >= limit_delta) break;
      if (watch_->stopped() || time_to_turn()) break;
      Child& child = children[best];
      const std::uint32_t others = open - 1;
      child.numbers = expand(child.state, std::min(INF, limit_delta >= INF ? INF : limit_delta - others),
                             std::min(limit_phi, second >= INF - 1 ? INF : second + 1));
    }
    if (!watch_->stopped() || own.phi == 0 || own.delta == 0) store(own_key, own, watch_->nodes() - before);
    return own;
  }

  // A move with which the player to move succeeds; -1 if the table has forgotten it or any move does.
  int move_that_does_it(const State& at) {
    if (const Vertices<W> last = completions(at.own(), at.other()); last.any()) return last.lowest();
    if (at.attacker_to_move) {
      int budget = STRONG_FORCING_BUDGET;
      if (const int mark = forcing_mark(at, completions(at.defender, at.attacker), budget); mark >= 0) return mark;
    }
    std::vector<std::uint8_t> list;
    moves(at, list);
    for (int v : list) {
      Numbers numbers{1, 1};
      if (look_up(canonical(at.after(v)), numbers) && numbers.delta == 0) return v;
    }
    return -1;
  }

  const Game<W>& game_;
  MakerBreakerSearch<W>* const blocking_;
  bool asks_ = false;                                 // the Maker-Breaker search, at every position
  std::uint64_t turn_at_ = 0, budget_ = PLAIN_NODES;  // in nodes of the question
  std::atomic<std::uint64_t> way_ = 0;                // budget and way for save()
  std::optional<Watch> watch_;                        // of the question
  LinePairing<W> lines_;
  const std::size_t entries_;
  // By whether it asks; `made_` is for save(), on another thread.
  std::array<std::unique_ptr<Table>, 2> tables_;
  std::array<std::atomic<Table*>, 2> made_{};
  Table* table_ = nullptr;
};

}  // namespace

template <int W>
std::unique_ptr<StrongSearch<W>> StrongSearch<W>::make(const Game<W>& game, std::uint64_t table_bytes,
                                                       MakerBreakerSearch<W>* blocking) {
  return std::make_unique<ProofNumberSearch<W>>(game, table_bytes, blocking);
}

template class StrongSearch<1>;
template class StrongSearch<2>;
template class StrongSearch<4>;
template class StrongSearch<MANY_EDGES>;

}  // namespace zermelo::positional
