#include "positional/race/race_search.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "positional/race/goal.hpp"
#include "positional/race/race_records.hpp"
#include "positional/race/race_table.hpp"

namespace zermelo::positional {

namespace {

// How many of the next moves are whose, for every phase and number of moves.
class Schedule {
 public:
  Schedule(const RaceTurns& turns, int most) : turns_(turns), most_(most) {
    const auto phases = static_cast<std::size_t>(turns.phases());
    attacks_.assign(phases * static_cast<std::size_t>(most + 1), 0);
    runs_.assign(phases, 0);
    alternates_.assign(phases, 0);
    for (int phase = 0; phase < turns.phases(); ++phase) {
      int at = phase, run = 0, alternates = 0;
      bool same = true, alternate = true;
      for (int k = 1; k <= most; ++k) {
        attacks_[index(phase, k)] = attacks_[index(phase, k - 1)] + (turns.at(at) == 0);
        same = same && turns.at(at) == turns.at(phase);
        alternate = alternate && turns.at(at) == (turns.at(phase) ^ ((k - 1) & 1));
        run += same;
        alternates += alternate;
        at = turns.next(at);
      }
      runs_[static_cast<std::size_t>(phase)] = run;
      alternates_[static_cast<std::size_t>(phase)] = alternates;
    }
  }
  int next(int phase) const { return turns_.next(phase); }
  bool attacker_moves(int phase) const { return turns_.at(phase) == 0; }
  int attacks(int phase, int moves) const { return attacks_[index(phase, moves)]; }
  int defences(int phase, int moves) const { return moves - attacks(phase, moves); }
  // Moves in a row of the player to move, of the next so many.
  int run(int phase, int moves) const { return std::min(moves, runs_[static_cast<std::size_t>(phase)]); }
  // Moves in a row of the other player after that.
  int next_run(int phase, int moves) const {
    const int own = run(phase, moves);
    for (int i = 0; i < own; ++i) phase = turns_.next(phase);
    return run(phase, moves - own);
  }
  // How far each phase is from the first one; phases of the prefix are none of a later one.
  std::vector<int> phase_names(int first) const {
    const int shift = turns_.prefix.empty() ? first : 0;
    std::vector<int> names;
    for (int phase = 0; phase < turns_.phases(); ++phase)
      names.push_back((phase - shift + turns_.phases()) % turns_.phases());
    return names;
  }
  bool alternates(int phase, int moves) const { return alternates_[static_cast<std::size_t>(phase)] >= moves; }

 private:
  std::size_t index(int phase, int moves) const {
    return static_cast<std::size_t>(phase) * static_cast<std::size_t>(most_ + 1) + static_cast<std::size_t>(moves);
  }
  const RaceTurns& turns_;
  int most_;
  std::vector<int> attacks_, runs_, alternates_;
};

template <int W>
Bits<W> bits_of(const std::vector<int>& vertices) {
  Bits<W> result;
  for (int v : vertices) result.set(v);
  return result;
}

class AnySearch {
 public:
  virtual ~AnySearch() = default;
  // `restricted`: only the first moves of the question may be made, even if it names none of this part.
  virtual RaceResult solve(const RaceQuestion& question, bool restricted, Watch& watch, TreeProgress* progress) = 0;
  // Adds the proof of that answer, with these names of the vertices; no records at a limit.
  virtual void record(const RaceQuestion& question, bool restricted, const RaceResult& result, std::vector<int> names,
                      Watch& watch, RaceProof& proof) = 0;
  // Whether the goal is a graph, and not the sets of its paths.
  virtual bool by_graph() const = 0;
};

template <int W, class Goal, bool TWO>
class Search final : public AnySearch {
 public:
  Search(Goal goal, SetGoal<W> rival, int vertices, const RaceTurns& turns, int most, std::uint64_t bytes)
      : goal_(std::move(goal)),
        rival_(std::move(rival)),
        schedule_(turns, most),
        free_(Bits<W>::first(vertices)),
        table_(bytes),
        bytes_(bytes) {}

  RaceResult solve(const RaceQuestion& question, bool restricted, Watch& watch, TreeProgress* progress) override {
    mark(question);
    watch_ = &watch;
    progress_ = progress;
    RaceResult result;
    const Bits<W> first = bits_of<W>(question.first);
    const std::uint64_t before = watch.nodes();
    Bits<W> carrier;
    for (int moves = 1; moves <= question.within && result.answer != RaceAnswer::YES; ++moves) {
      // A win ends with a move of the attacker.
      if (schedule_.attacks(question.phase, moves) == schedule_.attacks(question.phase, moves - 1) &&
          moves < question.within)
        continue;
      move_ = -1;
      result.answer = search(moves, question.phase, carrier, restricted ? &first : nullptr);
      if (result.answer != RaceAnswer::UNKNOWN) result.within = moves;
      else break;
    }
    result.move = move_;
    if (result.answer == RaceAnswer::YES) result.carrier = members(carrier);
    result.nodes = watch.nodes() - before;
    unmark(question);
    return result;
  }

  bool by_graph() const override { return !Goal::SETS; }

  // The tree of the search is walked again, the table tells the moves.
  void record(const RaceQuestion& question, bool restricted, const RaceResult& result, std::vector<int> names,
              Watch& watch, RaceProof& proof) override {
    mark(question);
    watch_ = &watch;
    progress_ = nullptr;
    const int phase = question.phase, moves = result.within;
    Recording recording{{std::move(names), result.answer == RaceAnswer::YES}, schedule_.phase_names(phase), {}, {}};
    for (int n = 0; n <= question.within; ++n) recording.defences.push_back(schedule_.defences(phase, n));
    recording_ = &recording;
    const Bits<W> first = bits_of<W>(question.first);
    try {
      if (schedule_.attacker_moves(phase) != recording.out.wins() && restricted)
        recording.out.end(replies_to(moves, phase, first));
      else recording.out.end(reply_at(moves, phase, restricted ? &first : nullptr));
      proof.bytes += recording.out.bytes();
      proof.records = recording.out.count();
    } catch (const Unfinished&) {
    }
    recording_ = nullptr;
    unmark(question);
  }

 private:
  using Records = RaceRecords<W>;
  using Claim = typename Records::Claim;
  using Reply = typename Records::Reply;
  struct Unfinished {};
  using Table = RaceTable<(TWO ? 4 : 2) * W, W>;
  struct Scored {
    double score;
    int vertex;
  };

  void mark(const RaceQuestion& question) {
    for (int v : question.attacker) attack(v);
    for (int v : question.defender) defend(v);
  }
  void unmark(const RaceQuestion& question) {
    for (int v : question.defender) retreat(v);
    for (int v : question.attacker) withdraw(v);
  }
  void attack(int v) {
    goal_.own(v);
    if constexpr (TWO) rival_.hit(v);
    own_.set(v);
    free_.reset(v);
  }
  void withdraw(int v) {
    goal_.disown(v);
    if constexpr (TWO) rival_.unhit(v);
    own_.reset(v);
    free_.set(v);
  }
  void defend(int v) {
    goal_.hit(v);
    if constexpr (TWO) rival_.own(v);
    other_.set(v);
    free_.reset(v);
  }
  void retreat(int v) {
    goal_.unhit(v);
    if constexpr (TWO) rival_.disown(v);
    other_.reset(v);
    free_.set(v);
  }

  // Whether the attacker wins within so many moves. `first`: the only vertices for this move, at the root.
  RaceAnswer search(int moves, int phase, Bits<W>& carrier, const Bits<W>* first) {
    if (watch_->tick()) return RaceAnswer::UNKNOWN;
    if (progress_ && (watch_->nodes() & 255) == 0) progress_->nodes.store(watch_->nodes(), std::memory_order_relaxed);
    const bool attacks = schedule_.attacker_moves(phase);
    const int marks = schedule_.attacks(phase, moves), run = schedule_.run(phase, moves);
    // 1. A goal is complete, or its owner completes it in this turn, or the attacker has too few moves left.
    const int least = goal_.least(own_, free_, marks), in_turn = first ? 0 : run;
    if (least > marks) return RaceAnswer::NO;
    if constexpr (TWO)
      if (attacks && rival_.least(other_, free_, 0) == 0) return RaceAnswer::NO;
    if (least <= (attacks ? in_turn : 0)) {
      carrier = goal_.completion(own_, free_, least);
      move_ = least > 0 ? carrier.lowest() : -1;
      return RaceAnswer::YES;
    }
    if constexpr (TWO)
      if (!attacks && rival_.least(other_, free_, in_turn) <= in_turn) return RaceAnswer::NO;
    // 2. Too few short winning sets (Beck's criterion for the sets that can be completed in time).
    const bool beck = Goal::SETS && schedule_.alternates(phase, moves) && !(first && !attacks);
    if (beck && goal_.potential(marks) < (attacks ? 0.5 : 1)) return RaceAnswer::NO;
    // 3. The table.
    Bits<W> near_rival, own, other;
    const Bits<W> near = goal_.near(own_, free_, marks, own);
    if constexpr (TWO) near_rival = rival_.near(other_, free_, moves - marks, other);
    Position at{};
    RaceBounds known;
    typename Table::Value value{};
    if (!first) {
      at = position(own, near, other, near_rival, phase);
      known = table_.find(at.key, phase, at.hash, value);
      if (known.wins_within && known.wins_within <= moves) {
        carrier.word = value;
        if (attacks) move_ = known.move - 1;
        return RaceAnswer::YES;
      }
      if (known.fails_within > moves) {
        if (!attacks) move_ = known.move - 1;
        return RaceAnswer::NO;
      }
    }
    // 4. The moves.
    const std::uint64_t before = watch_->nodes();
    int move = -1;
    const RaceAnswer answer =
        attacks ? attacker(moves, phase, near, near_rival, known.move - 1, first, carrier, move)
                : defender(moves, phase, near, near_rival, known.move - 1, first, beck, carrier, move);
    move_ = move;
    if (first || answer == RaceAnswer::UNKNOWN) return answer;
    if (answer == RaceAnswer::YES) {
      known.wins_within = moves;
      value = carrier.word;
    } else {
      known.fails_within = moves + 1;
    }
    if (move >= 0) known.move = move + 1;
    table_.store(at.key, phase, at.hash, known, value, watch_->nodes() - before);
    return answer;
  }

  struct Position {
    typename Table::Key key;
    std::uint64_t hash;
  };

  // A position without the marks and vertices that lie on no goal that can be reached in time: the same game.
  static Position position(const Bits<W>& own, const Bits<W>& near, const Bits<W>& other, const Bits<W>& near_rival,
                           int phase) {
    Position result{};
    auto at = std::copy(own.word.begin(), own.word.end(), result.key.begin());
    at = std::copy(near.word.begin(), near.word.end(), at);
    result.hash = own.hash() ^ near.hash() * 0x9e3779b97f4a7c15ULL;
    if constexpr (TWO) {
      at = std::copy(other.word.begin(), other.word.end(), at);
      std::copy(near_rival.word.begin(), near_rival.word.end(), at);
      result.hash ^= (other.hash() ^ near_rival.hash() * 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
    }
    result.hash ^= static_cast<std::uint64_t>(phase) * 0x94d049bb133111ebULL;
    result.hash ^= result.hash >> 29;
    return result;
  }

  // The vertices, those with the largest weights first.
  int order(const Bits<W>& of, const RaceWeights<W>& weights, int hint, Scored* list) const {
    int count = 0;
    for_each(of, [&](int v) { list[count++] = {v == hint ? 1e300 : weights[v], v}; });
    std::stable_sort(list, list + count, [](const Scored& a, const Scored& b) { return a.score > b.score; });
    return count;
  }

  RaceAnswer attacker(int moves, int phase, const Bits<W>& near, const Bits<W>& near_rival, int hint,
                      const Bits<W>* first, Bits<W>& carrier, int& move) {
    Bits<W> candidates = near;
    if constexpr (TWO) {
      candidates |= near_rival;
      if (schedule_.run(phase, moves) == 1 && !first)
        if (const int threat = schedule_.next_run(phase, moves); threat > 0) {  // every threat must be stopped now
          rival_.each(free_, threat, [&](const Bits<W>& rest, int) {
            candidates &= rest;
            return candidates.any();
          });
        }
    }
    RaceWeights<W> weights{};
    goal_.weigh(own_, free_, schedule_.attacks(phase, moves), weights);
    if constexpr (TWO) rival_.weigh(other_, free_, schedule_.defences(phase, moves), weights);
    if (first) candidates &= *first;
    std::array<Scored, Bits<W>::CAPACITY> list;
    const int count = order(candidates, weights, hint, list.data());
    for (int i = 0; i < count; ++i) {
      const int v = list[static_cast<std::size_t>(i)].vertex;
      attack(v);
      const RaceAnswer answer = search(moves - 1, schedule_.next(phase), carrier, nullptr);
      withdraw(v);
      if (answer == RaceAnswer::NO) continue;
      carrier.set(v);
      move = v;
      return answer;
    }
    if (!first || count > 0) return RaceAnswer::NO;
    return search(moves - 1, schedule_.next(phase), carrier, nullptr);  // the first move is wasted
  }

  RaceAnswer defender(int moves, int phase, const Bits<W>& near, const Bits<W>& near_rival, int hint,
                      const Bits<W>* first, bool beck, Bits<W>& carrier, int& move) {
    const int marks = schedule_.attacks(phase, moves), next = schedule_.next(phase);
    RaceWeights<W> weights{};
    const double sum = goal_.weigh(own_, free_, marks, weights);
    if (beck) {  // a reply after which Beck's criterion holds with the attacker to move
      int heaviest = near.lowest();
      for_each(near, [&](int v) {
        if (weights[v] > weights[heaviest]) heaviest = v;
      });
      if (sum - weights[heaviest] < 0.5) {
        move = heaviest;
        return RaceAnswer::NO;
      }
    }
    // 1. The position after a pass: threats of the attacker, or a search.
    Bits<W> must = free_, total;
    const int threat = schedule_.run(phase, moves) == 1 && !first ? schedule_.next_run(phase, moves) : 0;
    bool threatened = false;
    if constexpr (Goal::SETS) {
      if (threat > 0)
        goal_.each(free_, threat, [&](const Bits<W>& rest, int) {
          if (!threatened || !rest.contains(must)) {
            total |= rest;
            must &= rest;
          }
          threatened = true;
          return must.any();
        });
    } else if (threat > 0) {
      const int least = goal_.least(own_, free_, threat);
      if (least <= threat) {
        threatened = true;
        must = total = goal_.completion(own_, free_, least);
      }
    }
    if (!threatened) {
      if (const RaceAnswer answer = search(moves - 1, next, total, nullptr); answer != RaceAnswer::YES) return answer;
      must = total;
      if constexpr (TWO) must |= near_rival;
    }
    if (first) must &= *first;
    must &= free_;
    // 2. The replies that can help.
    if constexpr (TWO) rival_.weigh(other_, free_, moves - marks, weights);
    std::array<Scored, Bits<W>::CAPACITY> list;
    const int count = order(must, weights, hint, list.data());
    for (int i = 0; i < count; ++i) {
      const int v = list[static_cast<std::size_t>(i)].vertex;
      if (!must.test(v)) continue;
      defend(v);
      Bits<W> won;
      const RaceAnswer answer = search(moves - 1, next, won, nullptr);
      retreat(v);
      if (answer != RaceAnswer::YES) {
        move = v;
        return answer;
      }
      total |= won;
      if constexpr (TWO) won |= near_rival;
      must &= won;
    }
    carrier = total;
    return RaceAnswer::YES;
  }

  // The proof. `hero` is the player who wins, or holds out; the other one is the opponent.
  struct Recording {
    RaceRecords<W> out;
    std::vector<int> phases;    // their names in the certificate
    std::vector<int> defences;  // moves of the defender among the first n
    std::unordered_map<std::string, Claim> known;
  };
  bool hero_attacks() const { return recording_->out.wins(); }
  const Bits<W>& hero() const { return hero_attacks() ? own_ : other_; }
  const Bits<W>& opponent() const { return hero_attacks() ? other_ : own_; }
  // Runs `visit` with a mark more; PASS marks nothing.
  template <class Visit>
  auto with_mark(int v, bool attacks, Visit&& visit) {
    if (v == PASS) return visit();
    struct Taken {
      Search& search;
      int v;
      bool attacks;
      ~Taken() { attacks ? search.withdraw(v) : search.retreat(v); }
    } taken{*this, v, attacks};
    attacks ? attack(v) : defend(v);
    return visit();
  }

  // The hero's moves until the opponent is to move, or a record says that no more are needed.
  Reply reply_at(int moves, int phase, const Bits<W>* first = nullptr) {
    Reply reply;
    const bool attacks = schedule_.attacker_moves(phase), wins = hero_attacks();
    const int run = first || attacks != wins ? 0 : schedule_.run(phase, moves);
    if (wins ? completed(goal_, run, reply) : TWO && completed(rival_, run, reply)) return reply;
    if (!wins && !first && settled(moves, phase, reply.after)) return reply;
    if (attacks != wins) {
      reply.after = claim_at(moves, phase);
      return reply;
    }
    Bits<W> carrier, own;
    if (const RaceAnswer answer = search(moves, phase, carrier, first); answer == RaceAnswer::UNKNOWN)
      throw Unfinished();
    else if ((answer == RaceAnswer::YES) != wins) throw std::logic_error("a race was answered in two ways");
    int move = move_;
    if (move == PASS && !first) {
      const Bits<W> near = goal_.near(own_, free_, schedule_.attacks(phase, moves), own);
      if (near.any()) move = heaviest(near, moves, phase);
    }
    reply = with_mark(move, wins, [&] { return reply_at(moves - 1, schedule_.next(phase)); });
    reply.moves.insert(reply.moves.begin(), move);
    return reply;
  }
  // The hero completes a goal with so many moves.
  template <class Any>
  bool completed(const Any& goal, int run, Reply& reply) {
    const int rest = goal.least(hero(), free_, run);
    if (rest > run) return false;
    const Bits<W> whole = goal.completed(hero(), free_, rest);
    reply.moves = members(whole & free_);
    reply.after = recording_->out.goal(whole);
    return true;
  }
  // Where no search is needed: the attacker has too few moves left, or too few short winning sets.
  bool settled(int moves, int phase, Claim& claim) {
    const int marks = schedule_.attacks(phase, moves);
    const bool few = Goal::SETS && schedule_.alternates(phase, moves) &&
                     goal_.potential(marks) < (schedule_.attacker_moves(phase) ? 0.5 : 1);
    if (!few && goal_.least(own_, free_, marks) <= marks) return false;
    Bits<W> held, open;
    goal_.cover(own_, other_, free_, marks, held, open);
    claim = recording_->out.hold(name_of(phase), moves, held, open);
    return true;
  }
  int name_of(int phase) const { return recording_->phases[static_cast<std::size_t>(phase)]; }
  int heaviest(const Bits<W>& of, int moves, int phase) const {
    RaceWeights<W> weights{};
    const int marks = schedule_.attacks(phase, moves);
    goal_.weigh(own_, free_, marks, weights);
    if constexpr (TWO) rival_.weigh(other_, free_, moves - marks, weights);
    int best = of.lowest();
    for_each(of, [&](int v) {
      if (weights[v] > weights[best]) best = v;
    });
    return best;
  }

  // The claim with the opponent to move. It is looked up by the position, and by how much it asks for.
  Claim claim_at(int moves, int phase) {
    Bits<W> own, other, near_rival;
    const Bits<W> near = goal_.near(own_, free_, schedule_.attacks(phase, moves), own);
    if constexpr (TWO) near_rival = rival_.near(other_, free_, schedule_.defences(phase, moves), other);
    const Position at = position(own, near, other, near_rival, phase);
    std::string key(reinterpret_cast<const char*>(at.key.data()), sizeof(at.key));
    key += std::to_string(phase);
    if (const auto found = recording_->known.find(key); found != recording_->known.end()) {
      const Claim& claim = found->second;
      if (hero().contains(claim.held) && !opponent().meets(claim.held | claim.open) &&
          (hero_attacks() ? claim.moves <= moves : claim.moves >= moves))
        return claim;
    }
    const Claim claim = guarded(phase, replies_to(moves, phase, free_));
    recording_->known[key] = claim;
    if (recording_->out.bytes().size() + recording_->known.size() * 2 * sizeof(claim) > bytes_) throw Unfinished();
    return claim;
  }
  // Replies, so that every move of the opponent has one that it does not touch.
  std::vector<Reply> replies_to(int moves, int phase, const Bits<W>& allowed) {
    std::vector<Reply> replies;
    Bits<W> common = ~Bits<W>();
    const auto answer = [&](int v) {
      replies.push_back(with_mark(v, !hero_attacks(), [&] { return reply_at(moves - 1, schedule_.next(phase)); }));
      common &= replies.back().open();
    };
    if (hero_attacks() || threatens(moves, phase) || !allowed.meets(free_)) answer(PASS);
    while ((common & allowed & free_).any()) answer(heaviest(common & allowed & free_, moves, phase));
    return replies;
  }
  // Whether the defender completes a goal of his own after a pass.
  bool threatens(int moves, int phase) const {
    if constexpr (TWO)
      return schedule_.run(phase, moves) == 1 && rival_.least(other_, free_, moves) <= schedule_.next_run(phase, moves);
    return false;
  }
  // The step above some replies. It must not be the opponent who completes a goal: each of her goals has a mark of the
  // hero, or two vertices without a mark of hers; or it is too early in the game.
  Claim guarded(int phase, const std::vector<Reply>& replies) {
    const Claim claim = recording_->out.above(replies);
    Bits<W> held = ~claim.held, open = claim.open;
    for (const Reply& reply : replies) held &= reply.open();
    if constexpr (TWO) {
      const SetGoal<W>& goal = hero_attacks() ? rival_ : goal_;
      const std::vector<int>& defences = recording_->defences;
      const std::size_t last = defences.size() - 1;
      const int most = hero_attacks() ? defences[last - static_cast<std::size_t>(claim.moves) + 1] : NEVER;
      for (const Bits<W>& set : claim.by_goal ? goal.sets() : std::vector<Bits<W>>())
        if (set.count() <= most && !set.meets(claim.held | held)) {
          if (set.meets(hero())) goal.add(set & hero(), 1, held);
          else goal.add(set & free_, 2, open);
        }
    }
    return recording_->out.step(name_of(phase), replies, held, open & ~claim.open);
  }

  Goal goal_;
  SetGoal<W> rival_;
  Schedule schedule_;
  Bits<W> free_, own_, other_;
  Table table_;
  Watch* watch_ = nullptr;
  TreeProgress* progress_ = nullptr;
  Recording* recording_ = nullptr;
  const std::uint64_t bytes_;  // of the table, and at most of a proof
  int move_ = -1;
};

// Sets of vertices of the board, up to MAX_RACE_VERTICES.
using Wide = Bits<6>;

Wide wide(const std::vector<int>& vertices) { return bits_of<6>(vertices); }

// Removes sets that contain another one, and puts them in order of size.
void keep_minimal(std::vector<Wide>& sets) {
  std::sort(sets.begin(), sets.end(), [](const Wide& a, const Wide& b) {
    const int left = a.count(), right = b.count();
    return left != right ? left < right : a < b;
  });
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  if (sets.size() > 8000) return;  // it would take seconds
  std::vector<Wide> kept;
  for (const Wide& set : sets)
    if (std::none_of(kept.begin(), kept.end(), [&](const Wide& other) { return set.contains(other); }))
      kept.push_back(set);
  sets = std::move(kept);
}

// The minimal paths of at most so many vertices. False if there are too many.
class Paths {
 public:
  Paths(const std::vector<Wide>& neighbours, const Wide& first, const Wide& last, int most, std::size_t limit)
      : neighbours_(neighbours), first_(first), last_(last), most_(most), limit_(limit) {}

  bool find(std::vector<Wide>& sets) {
    // Steps to the last end: a path that cannot be completed in time is not begun.
    Wide layer = last_, seen;
    for (int count = 1; count <= most_ && layer.any(); ++count) {
      for_each(layer, [&](int v) { left_[static_cast<std::size_t>(v)] = count; });
      seen |= layer;
      Wide next;
      for_each(layer, [&](int v) { next |= neighbours_[static_cast<std::size_t>(v)]; });
      layer = next & ~seen;
    }
    bool all = true;
    for_each(first_, [&](int v) { all = all && extend(v, {}, first_ & ~Wide::single(v), 1, sets); });
    return all;
  }

 private:
  // `closed`: vertices that would make the path longer than need be.
  bool extend(int v, Wide path, Wide closed, int count, std::vector<Wide>& sets) {
    if (++steps_ > 40 * limit_) return false;
    path.set(v);
    if (last_.test(v)) {
      sets.push_back(path);
      return sets.size() <= limit_;
    }
    const Wide next = neighbours_[static_cast<std::size_t>(v)] & ~closed & ~path;
    closed |= neighbours_[static_cast<std::size_t>(v)];
    closed.set(v);
    bool all = true;
    for_each(next, [&](int w) {
      const int left = left_[static_cast<std::size_t>(w)];
      if (all && left && count + left <= most_) all = extend(w, path, closed, count + 1, sets);
    });
    return all;
  }

  const std::vector<Wide>& neighbours_;
  const Wide first_, last_;
  const int most_;
  const std::size_t limit_;
  std::size_t steps_ = 0;
  std::array<int, Wide::CAPACITY> left_{};
};

class Solver final : public RaceSolver {
 public:
  Solver(int vertices, RaceGoal attacker, RaceGoal defender, RaceTurns turns, std::uint64_t bytes, int most_paths)
      : vertices_(vertices), turns_(std::move(turns)), bytes_(bytes), most_paths_(most_paths) {
    if (vertices < 0 || vertices > MAX_RACE_VERTICES)
      throw std::invalid_argument("a board may have at most " + std::to_string(MAX_RACE_VERTICES) +
                                  " vertices, this one has " + std::to_string(vertices));
    if (turns_.cycle.empty() || turns_.phases() > MAX_RACE_PHASES)
      throw std::invalid_argument("the order of turns must have 1 to " + std::to_string(MAX_RACE_PHASES) + " moves");
    for (const std::vector<int>& set : attacker.sets) sets_.push_back(checked(set));
    for (const std::vector<int>& set : defender.sets) rival_sets_.push_back(checked(set));
    for (const std::vector<int>& of : attacker.neighbours) neighbours_.push_back(checked(of));
    if (!neighbours_.empty() && static_cast<int>(neighbours_.size()) != vertices)
      throw std::invalid_argument("every vertex of a graph needs its list of neighbours");
    first_ = checked(attacker.first);
    last_ = checked(attacker.last);
  }

  RaceResult solve(const RaceQuestion& question, const Limits& limits, TreeProgress* progress) override {
    Watch watch(limits);
    return solve(question, watch, progress, nullptr);
  }

  RaceProof prove(const RaceQuestion& question, const Limits& limits, TreeProgress* progress) override {
    Watch watch(limits);
    RaceProof proof;
    proof.answer = solve(question, watch, progress, &proof).answer;
    proof.nodes = watch.nodes();
    return proof;
  }

 private:
  // `proof`: if there is one, it gets the proof of the answer.
  RaceResult solve(const RaceQuestion& question, Watch& watch, TreeProgress* progress, RaceProof* proof) {
    const Wide attacker = checked(question.attacker), defender = checked(question.defender);
    checked(question.first);
    const Wide free = Wide::first(vertices_) & ~attacker & ~defender;
    RaceQuestion inner = question;
    inner.within = std::min(question.within, std::min(free.count(), MAX_RACE_MOVES));
    RaceResult result;
    // 1. Over before a move.
    if (owns_goal(attacker)) {
      result.answer = RaceAnswer::YES;
      return result;
    }
    result.answer = RaceAnswer::NO;
    result.within = inner.within;
    for (const Wide& set : rival_sets_)
      if (defender.contains(set)) return result;
    if (inner.within == 0) return result;
    // 2. The part of the board that matters. A proof begins with this position.
    const bool base = base_attacker_ == attacker && base_defender_ == defender && base_within_ == inner.within;
    if (!fits(attacker, defender, inner) || (proof && !base)) compact(attacker, defender, inner);
    if (!search_) {  // no goal can be completed in time
      if (proof) prove_nothing(inner, *proof);
      return result;
    }
    Wide extra = attacker & ~base_attacker_;
    inner.attacker = inner.defender = inner.first = {};
    for_each(extra, [&](int v) {
      if (index_[static_cast<std::size_t>(v)] >= 0) inner.attacker.push_back(index_[static_cast<std::size_t>(v)]);
    });
    extra = defender & ~base_defender_;
    for_each(extra, [&](int v) {
      if (index_[static_cast<std::size_t>(v)] >= 0) inner.defender.push_back(index_[static_cast<std::size_t>(v)]);
    });
    if (!question.first.empty()) {
      for (int v : question.first)
        if (free.test(v) && index_[static_cast<std::size_t>(v)] >= 0)
          inner.first.push_back(index_[static_cast<std::size_t>(v)]);
    }
    // 3. The search.
    result = search_->solve(inner, !question.first.empty(), watch, progress);
    if (proof && result.answer != RaceAnswer::UNKNOWN) {
      if (result.answer == RaceAnswer::NO && !neighbours_.empty()) proof->bytes += search_->by_graph() ? '\0' : '\1';
      search_->record(inner, !question.first.empty(), result, core_, watch, *proof);
    }
    if (result.move >= 0) result.move = core_[static_cast<std::size_t>(result.move)];
    for (int& v : result.carrier) v = core_[static_cast<std::size_t>(v)];
    return result;
  }

  Wide checked(const std::vector<int>& of) const {
    for (int v : of)
      if (v < 0 || v >= vertices_) throw std::invalid_argument("a vertex lies outside the board");
    return wide(of);
  }

  // The proof that the attacker has no goal that can be completed in time.
  void prove_nothing(const RaceQuestion& question, RaceProof& proof) const {
    RaceRecords<1> records({}, false);
    const bool some = !question.first.empty();
    const int phase = turns_.prefix.empty() ? 0 : question.phase;
    RaceReply<1> reply{{}, records.hold(some ? turns_.next(phase) : phase, question.within - some, {}, {})};
    if (some && turns_.at(question.phase) == 0) {
      records.end(std::vector<RaceReply<1>>{reply});
    } else {
      if (some) reply.moves = {PASS};
      records.end(reply);
    }
    if (!neighbours_.empty()) proof.bytes += '\0';
    proof.bytes += records.bytes();
    proof.records = records.count();
  }
  Wide spread(Wide result, const Wide& own) const {
    Wide done;
    for (Wide fresh = result & own; fresh.any(); fresh = result & own & ~done) {
      done |= fresh;
      for_each(fresh, [&](int v) { result |= neighbours_[static_cast<std::size_t>(v)]; });
    }
    return result;
  }
  bool owns_goal(const Wide& own) const {
    if (!neighbours_.empty()) return (spread(first_, own) & own & last_).any();
    return std::any_of(sets_.begin(), sets_.end(), [&](const Wide& set) { return own.contains(set); });
  }
  int marks_in(const RaceQuestion& question, int side) const {
    int phase = question.phase, count = 0;
    for (int i = 0; i < question.within; ++i, phase = turns_.next(phase)) count += turns_.at(phase) == side;
    return count;
  }
  // Whether the search at hand knows all that matters to this question.
  bool fits(const Wide& attacker, const Wide& defender, const RaceQuestion& question) const {
    return made_ && attacker.contains(base_attacker_) && defender.contains(base_defender_) &&
           question.within <= base_within_ &&
           marks_in(question, 0) + (attacker & ~base_attacker_).count() <= base_marks_[0] &&
           marks_in(question, 1) + (defender & ~base_defender_).count() <= base_marks_[1];
  }

  // The sets that their owner can still complete with so many marks, without the own marks.
  static std::vector<Wide> open_sets(const std::vector<Wide>& sets, const Wide& own, const Wide& other, int most) {
    std::vector<Wide> result;
    for (const Wide& set : sets)
      if (!set.meets(other) && (set & ~own).count() <= most) result.push_back(set & ~own);
    keep_minimal(result);
    return result;
  }

  void compact(const Wide& attacker, const Wide& defender, const RaceQuestion& question) {
    made_ = true;
    search_.reset();
    base_attacker_ = attacker;
    base_defender_ = defender;
    base_within_ = question.within;
    base_marks_ = {marks_in(question, 0), marks_in(question, 1)};
    const Wide free = Wide::first(vertices_) & ~attacker & ~defender;
    // 1. Both goals on the free vertices.
    std::vector<Wide> sets = open_sets(sets_, attacker, defender, base_marks_[0]);
    std::vector<Wide> rival = open_sets(rival_sets_, defender, attacker, base_marks_[1]);
    std::vector<Wide> graph;
    Wide first, last, used;
    if (!neighbours_.empty()) {
      first = spread(first_, attacker) & free;
      last = spread(last_, attacker) & free;
      graph.resize(static_cast<std::size_t>(vertices_));
      for_each(free, [&](int v) {
        graph[static_cast<std::size_t>(v)] =
            spread(neighbours_[static_cast<std::size_t>(v)], attacker) & free & ~Wide::single(v);
      });
      const GraphGoal<6> goal(graph, first, last);
      Wide marks;
      used = goal.near({}, free, base_marks_[0], marks);
      for (Wide& of : graph) of &= used;
      first &= used;
      last &= used;
      if (used.any() && Paths(graph, first, last, base_marks_[0], static_cast<std::size_t>(most_paths_)).find(sets)) {
        graph.clear();
        keep_minimal(sets);
      }
    }
    for (const Wide& set : sets) used |= set;
    if (sets.empty() && graph.empty()) return;  // the attacker cannot win in time
    if (used.none()) return;
    for (const Wide& set : rival) used |= set;
    // 2. The same with the vertices numbered anew.
    core_ = members(used);
    index_.assign(static_cast<std::size_t>(vertices_), -1);
    for (std::size_t i = 0; i < core_.size(); ++i) index_[static_cast<std::size_t>(core_[i])] = static_cast<int>(i);
    if (core_.size() <= 64) make<1>(sets, rival, graph, first, last, question.within);
    else if (core_.size() <= 128) make<2>(sets, rival, graph, first, last, question.within);
    else make<6>(sets, rival, graph, first, last, question.within);
  }

  template <int W>
  Bits<W> renumbered(const Wide& set) const {
    Bits<W> result;
    for_each(set, [&](int v) { result.set(index_[static_cast<std::size_t>(v)]); });
    return result;
  }
  template <int W>
  std::vector<Bits<W>> renumbered(const std::vector<Wide>& sets) const {
    std::vector<Bits<W>> result;
    for (const Wide& set : sets) result.push_back(renumbered<W>(set));
    return result;
  }
  template <int W>
  void make(const std::vector<Wide>& sets, const std::vector<Wide>& rival, const std::vector<Wide>& graph,
            const Wide& first, const Wide& last, int most) {
    const int n = static_cast<int>(core_.size());
    const SetGoal<W> other(n, renumbered<W>(rival));
    if (!graph.empty()) {
      std::vector<Bits<W>> neighbours;
      for (int v : core_) neighbours.push_back(renumbered<W>(graph[static_cast<std::size_t>(v)]));
      const GraphGoal<W> goal(std::move(neighbours), renumbered<W>(first), renumbered<W>(last));
      search_ = std::make_unique<Search<W, GraphGoal<W>, false>>(goal, other, n, turns_, most, bytes_);
      return;
    }
    const SetGoal<W> goal(n, renumbered<W>(sets));
    if (rival.empty()) search_ = std::make_unique<Search<W, SetGoal<W>, false>>(goal, other, n, turns_, most, bytes_);
    else search_ = std::make_unique<Search<W, SetGoal<W>, true>>(goal, other, n, turns_, most, bytes_);
  }

  const int vertices_;
  const RaceTurns turns_;
  const std::uint64_t bytes_;
  const int most_paths_;
  std::vector<Wide> sets_, rival_sets_, neighbours_;
  Wide first_, last_;
  // The search at hand: the position and the number of moves for which it was made, and its numbers of the vertices.
  bool made_ = false;
  Wide base_attacker_, base_defender_;
  int base_within_ = 0;
  std::array<int, 2> base_marks_{};
  std::vector<int> core_, index_;
  std::unique_ptr<AnySearch> search_;
};

}  // namespace

std::unique_ptr<RaceSolver> RaceSolver::make(int vertices, RaceGoal attacker, RaceGoal defender, RaceTurns turns,
                                             std::uint64_t table_bytes, int most_paths) {
  return std::make_unique<Solver>(vertices, std::move(attacker), std::move(defender), std::move(turns), table_bytes,
                                  most_paths);
}

}  // namespace zermelo::positional
