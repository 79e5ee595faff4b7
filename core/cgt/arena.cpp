#include "cgt/arena.hpp"

#include <algorithm>
#include <stdexcept>

#include "cgt/simplify.hpp"
#include "cgt/yardsticks.hpp"

namespace zermelo::cgt {

namespace {

constexpr std::size_t MAX_GAMES = (std::size_t{1} << 31) - 1;  // ids fit the packed keys of the memos

constexpr std::int64_t MAX_NIMBER = 1023, MAX_UPS = 1000, MAX_POWER = 100;

constexpr std::uint64_t pair_key(GameId a, GameId b) { return (std::uint64_t{a} << 32 | b) + 1; }

std::uint64_t hash_options(std::span<const GameId> left, std::span<const GameId> right) {
  std::uint64_t h = left.size();
  for (GameId id : left) h = mix(h ^ (id + 0x9e3779b97f4a7c15ULL));
  h ^= 0x5851f42d4c957f2dULL;
  for (GameId id : right) h = mix(h ^ (id + 0x9e3779b97f4a7c15ULL));
  return h;
}

}  // namespace

Arena::Depth::Depth(Arena& arena) : arena_(arena) {
  if (arena_.depth_ >= MAX_DEPTH)
    throw LimitReached("the games are nested more than " + std::to_string(MAX_DEPTH) + " moves deep");
  ++arena_.depth_;
}

Arena::Arena()
    : index_(1024, NONE),
      yardsticks_(std::make_unique<Yardsticks>(*this)),
      simplifier_(std::make_unique<Simplifier>(*this)) {
  number(0);
}
Arena::~Arena() = default;

std::size_t Arena::bytes() const {
  return games_.capacity() * sizeof(Game) + measures_.capacity() * sizeof(Measure) +
         options_.capacity() * sizeof(GameId) + index_.size() * sizeof(GameId) + sums_.bytes() + comparisons_.bytes();
}

std::size_t Arena::yardsticks() const { return yardsticks_->size(); }

void Arena::look() {
  if (bytes() > watch_->limits().bytes)
    throw LimitReached("the memory limit of " + std::to_string(watch_->limits().bytes >> 20) + " MiB was reached");
  watch_->add(STEPS_PER_LOOK);
  if (watch_->look())
    throw LimitReached(watch_->reason() == StopReason::CANCELLED ? "cancelled" : "the time limit was reached");
  watch_->report();
}

// The greatest low (see Arena::low) of a game with this right stop. The high is the same for the negated left stop.
std::int32_t Arena::steps_below(const Dyadic& stop, bool reaches) {
  static_assert(STEPS == 1 << 10);
  if (stop.floor() >= FARTHEST / STEPS) return FARTHEST;
  if (stop.floor() < -FARTHEST / STEPS) return -FARTHEST - 1;
  if (stop.exponent() > 10) return static_cast<std::int32_t>(stop.numerator() >> (stop.exponent() - 10));
  const auto steps = static_cast<std::int32_t>(stop.numerator() << (10 - stop.exponent()));
  return reaches ? steps : steps - 1;
}

GameId Arena::store(const Game& game, bool is_number) {
  const auto id = static_cast<GameId>(games_.size());
  Measure measure;
  measure.low = steps_below(game.right_stop, game.reaches_right);
  measure.high = -steps_below(-game.left_stop, game.reaches_left);
  measure.is_number = is_number;
  games_.push_back(game);
  measures_.push_back(measure);
  return id;
}

GameId Arena::number(const Dyadic& value) {
  // Small numbers are needed all the time and have their own table.
  GameId* place = nullptr;
  if (value.exponent() < SMALL_EXPONENTS && value.numerator() >= -SMALL_NUMERATORS &&
      value.numerator() < SMALL_NUMERATORS) {
    place = &small_numbers_[value.exponent() * 2 * SMALL_NUMERATORS + value.numerator() + SMALL_NUMERATORS];
    if (*place != NONE) return *place;
  }
  auto& known = numbers_[value.exponent()];
  const auto key = static_cast<std::uint64_t>(value.numerator());
  if (!place)
    if (const auto found = known.find(key); found != known.end()) return found->second;
  Game game;
  game.left_stop = game.right_stop = value;
  game.reaches_left = game.reaches_right = true;
  const GameId id = store(game, true);
  if (place) *place = id;
  else known.emplace(key, id);
  return id;
}

GameId Arena::nimber(std::int64_t n) {
  if (n < 0 || n > MAX_NIMBER)
    throw LimitReached("nimbers above *" + std::to_string(MAX_NIMBER) + " are not supported");
  while (nimbers_.size() <= static_cast<std::size_t>(n)) {
    std::vector<GameId> left = nimbers_, right = nimbers_;
    const GameId id = intern(left, right);
    nimber_of_.emplace(id, nimbers_.size());
    nimbers_.push_back(id);
  }
  return nimbers_[n];
}

// n.up + *m = { 0 | (n-1).up + *(m xor 1) }, but up + * = { 0, * | 0 } (Winning Ways, chapter 3).
GameId Arena::up_star(std::int64_t ups, std::int64_t star) {
  if (ups < 0) return negative(up_star(-ups, star));
  if (ups > MAX_UPS) throw LimitReached("more than " + std::to_string(MAX_UPS) + " ups are not supported");
  std::int64_t nim = star ^ (ups & 1);
  GameId id = nimber(nim);
  for (std::int64_t n = 1; n <= ups; ++n) {
    nim ^= 1;
    id = n == 1 && nim == 1 ? make({ZERO, nimber(1)}, {ZERO}) : make({ZERO}, {id});
  }
  return id;
}

GameId Arena::up_sum(std::int64_t n) {
  if (n < 0 || n > MAX_POWER)
    throw LimitReached("powers of up above " + std::to_string(MAX_POWER) + " are not supported");
  GameId id = ZERO;
  for (; n > 0; --n) id = make({id}, {nimber(1)});
  return id;
}

GameId Arena::up_power(std::int64_t n) {
  if (n < 1) throw std::invalid_argument("the powers of up begin with ^<1>");
  return make({ZERO}, {add(negative(up_sum(n - 1)), nimber(1))});
}

std::vector<GameId> Arena::left_options(GameId game) {
  if (!is_number(game)) return {lefts(game).begin(), lefts(game).end()};
  const Dyadic x = value(game);
  return has_left_option(x) ? std::vector{number(left_option(x))} : std::vector<GameId>{};
}

std::vector<GameId> Arena::right_options(GameId game) {
  if (!is_number(game)) return {rights(game).begin(), rights(game).end()};
  const Dyadic x = value(game);
  return has_right_option(x) ? std::vector{number(right_option(x))} : std::vector<GameId>{};
}

void Arena::grow_index() {
  std::vector<GameId> old(index_.size() * 2, NONE);
  old.swap(index_);
  for (GameId id : old) {
    if (id == NONE) continue;
    std::size_t i = hash_options(lefts(id), rights(id)) & (index_.size() - 1);
    while (index_[i] != NONE) i = (i + 1) & (index_.size() - 1);
    index_[i] = id;
  }
}

// The id of the game with these options, which must already be simplified and not make a number.
GameId Arena::intern(std::vector<GameId>& left, std::vector<GameId>& right) {
  std::ranges::sort(left);
  std::ranges::sort(right);
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = hash_options(left, right) & mask;
  for (; index_[slot] != NONE; slot = (slot + 1) & mask)
    if (const GameId id = index_[slot]; std::ranges::equal(lefts(id), left) && std::ranges::equal(rights(id), right))
      return id;

  step();
  if (games_.size() >= MAX_GAMES || options_.size() + left.size() + right.size() > NONE || left.size() > 0xffff ||
      right.size() > 0xffff)
    throw LimitReached("there are too many games");
  Game game;
  const auto best_left = std::ranges::max_element(left, {}, [&](GameId id) { return right_stop(id); });
  const auto best_right = std::ranges::min_element(right, {}, [&](GameId id) { return left_stop(id); });
  game.left_stop = right_stop(*best_left);
  game.right_stop = left_stop(*best_right);
  // A number avoids being moved in, so only the options of G itself can push it past its stop.
  game.reaches_left = std::ranges::none_of(left, [&](GameId id) { return at_least(id, game.left_stop); });
  game.reaches_right = std::ranges::none_of(right, [&](GameId id) { return at_most(id, game.right_stop); });
  game.first = static_cast<std::uint32_t>(options_.size());
  game.lefts = static_cast<std::uint16_t>(left.size());
  game.rights = static_cast<std::uint16_t>(right.size());
  options_.insert(options_.end(), left.begin(), left.end());
  options_.insert(options_.end(), right.begin(), right.end());
  const GameId id = store(game, false);
  index_[slot] = id;
  if (++indexed_ * 2 > index_.size()) grow_index();
  return id;
}

GameId Arena::make(std::span<const GameId> left, std::span<const GameId> right) {
  const Depth depth(*this);
  simplifier_->take(left, right);
  if (simplifier_->is_number()) return number(simplifier_->number());
  simplifier_->run();
  return intern(simplifier_->left(), simplifier_->right());
}

GameId Arena::negative(GameId game) {
  if (games_[game].negative != NONE) return games_[game].negative;
  GameId result;
  if (is_number(game)) {
    result = number(-value(game));
  } else {
    const Depth depth(*this);
    std::vector<GameId> left, right;
    for (GameId option : right_options(game)) left.push_back(negative(option));
    for (GameId option : left_options(game)) right.push_back(negative(option));
    result = intern(left, right);
  }
  games_[game].negative = result;
  games_[result].negative = game;
  return result;
}

// G + x for a number x and a G that is none: every option moves along, and the form stays canonical (number
// translation theorem).
GameId Arena::translate(GameId game, GameId by) {
  if (is_number(game)) return number(value(game) + value(by));
  const std::uint64_t key = pair_key(game, by);
  if (const ValueSlot* known = sums_.find(key)) return known->value;
  const Depth depth(*this);
  std::vector<GameId> left = left_options(game), right = right_options(game);
  for (GameId& option : left) option = translate(option, by);
  for (GameId& option : right) option = translate(option, by);
  const GameId result = intern(left, right);
  sums_.set({key, result});
  return result;
}

GameId Arena::add(GameId a, GameId b) {
  // Step 1: numbers only translate.
  if (a == ZERO) return b;
  if (b == ZERO) return a;
  if (is_number(b)) return translate(a, b);
  if (is_number(a)) return translate(b, a);
  // Step 2: the cache.
  if (games_[a].negative == b) return ZERO;
  if (a > b) std::swap(a, b);
  const std::uint64_t key = pair_key(a, b);
  if (const ValueSlot* known = sums_.find(key)) return known->value;
  // Step 3: nimbers add without carrying; by their options *1000 + *1000 would be a million sums.
  if (const auto n = nimber_of_.find(a), m = nimber_of_.find(b); n != nimber_of_.end() && m != nimber_of_.end())
    return nimber(static_cast<std::int64_t>(n->second ^ m->second));
  // Step 4: a move in a sum is a move in one part.
  const Depth depth(*this);
  std::vector<GameId> left, right;
  for (GameId option : left_options(a)) left.push_back(add(option, b));
  for (GameId option : left_options(b)) left.push_back(add(a, option));
  for (GameId option : right_options(a)) right.push_back(add(option, b));
  for (GameId option : right_options(b)) right.push_back(add(a, option));
  const GameId result = make(left, right);
  sums_.set({key, result});
  return result;
}

// Numbers first, since they cost nothing; the rest in order of their ids, so that equal sums share partial ones.
GameId Arena::sum(std::vector<GameId>& parts) {
  if (parts.size() == 2) return add(parts[0], parts[1]);
  Dyadic number;
  std::int64_t steps = 0;
  std::erase_if(parts, [&](GameId part) {
    const Measure& m = measures_[part];
    if (!m.is_number) return false;
    if (m.low == m.high) steps += m.low;  // a whole number of steps
    else number = number + value(part);
    return true;
  });
  std::ranges::sort(parts);
  GameId total = ZERO;
  for (GameId part : parts) total = add(total, part);
  if (steps) number = number + Dyadic::ratio(steps, 10);
  return number == 0 ? total : add(total, this->number(number));
}

GameId Arena::multiple(GameId game, std::int64_t times) {
  if (times < 0) {
    game = negative(game);
    if (times == std::numeric_limits<std::int64_t>::min()) throw LimitReached("a number needs more than 62 bits");
    times = -times;
  }
  if (is_number(game)) return number(value(game).times(times));
  GameId result = ZERO;
  for (GameId power = game;; power = add(power, power)) {
    if (times & 1) result = add(result, power);
    times >>= 1;
    if (!times) return result;
  }
}

// Whether a >= b, as far as numbers and yardsticks between them say.
inline std::optional<bool> Arena::at_a_glance(GameId a, GameId b) {
  if (a == b) return true;
  const Measure &x = measures_[a], &y = measures_[b];
  if (x.low >= y.high) return true;
  if (x.low < y.low || x.high < y.high) return false;
  if (y.is_number) return at_least(a, value(b));
  if (x.is_number) return at_most(b, value(a));
  return yardsticks_->compare(a, b);
}

bool Arena::greater_or_equal(GameId a, GameId b) {
  // Step 1: at a glance. No game is made here, so all spans stay valid.
  if (const std::optional<bool> seen = at_a_glance(a, b)) return *seen;
  // Step 2: a >= b unless Right has a good move in a, or Left one in b; that, too, often at a glance.
  bool all_seen = true;
  for (GameId option : rights(a)) {
    const std::optional<bool> good = at_a_glance(b, option);
    if (good == true) return false;
    all_seen = all_seen && good;
  }
  for (GameId option : lefts(b)) {
    const std::optional<bool> good = at_a_glance(option, a);
    if (good == true) return false;
    all_seen = all_seen && good;
  }
  if (all_seen) return true;
  // Step 3: the cache, then the long way.
  const std::uint64_t key = std::uint64_t{a} << 31 | b;
  if (const BitSlot* known = comparisons_.find(key)) return known->value();
  step();
  const Depth depth(*this);
  const bool result = std::ranges::none_of(rights(a), [&](GameId option) { return greater_or_equal(b, option); }) &&
                      std::ranges::none_of(lefts(b), [&](GameId option) { return greater_or_equal(option, a); });
  comparisons_.set({key << 1 | result});
  yardsticks_->note(comparisons_.size());
  return result;
}

Outcome Arena::outcome(GameId game) const {
  const bool left_wins_second = at_least(game, 0), right_wins_second = at_most(game, 0);
  if (left_wins_second) return right_wins_second ? Outcome::SECOND : Outcome::LEFT;
  return right_wins_second ? Outcome::RIGHT : Outcome::FIRST;
}

std::int64_t Arena::birthday(GameId game) {
  if (is_number(game)) return cgt::birthday(value(game));
  if (const auto known = birthdays_.find(game); known != birthdays_.end()) return known->second;
  const Depth depth(*this);
  std::int64_t latest = 0;
  for (GameId option : lefts(game)) latest = std::max(latest, birthday(option));
  for (GameId option : rights(game)) latest = std::max(latest, birthday(option));
  birthdays_.emplace(game, latest + 1);
  return latest + 1;
}

}  // namespace zermelo::cgt
