#include <algorithm>
#include <optional>

#include "cgt/notation.hpp"

namespace zermelo::cgt {

namespace {

struct UpStar {
  std::int64_t ups, star;
};

class Printer {
 public:
  Printer(Arena& arena, std::size_t max_length) : arena_(arena), max_length_(max_length) {}

  std::string text(GameId game) {
    const Piece piece = of(game);
    return piece.bars ? "{" + piece.text + "}" : piece.text;
  }

 private:
  // Bars > 0: the inside of braces, with runs of at most so many bars. Bars = 0: a complete expression.
  struct Piece {
    std::string text;
    int bars;
  };

  Piece of(GameId game) {
    const Arena::Depth depth(arena_);
    if (arena_.is_number(game)) return {arena_.value(game).text(), 0};
    if (const auto name = number_and_more(game)) return {*name, 0};
    if (const auto name = even_switch(game)) return {*name, 0};
    const Piece left = side(arena_.left_options(game)), right = side(arena_.right_options(game));
    const int bars = 1 + std::max(left.bars, right.bars);
    return checked({left.text + std::string(static_cast<std::size_t>(bars), '|') + right.text, bars});
  }

  Piece side(const std::vector<GameId>& options) {
    if (options.size() == 1) return of(options[0]);
    // Cold options first reads best, and does not depend on the order in which games were met.
    std::vector<std::string> texts;
    for (GameId option : options) texts.push_back(text(option));
    std::ranges::sort(texts, [](const std::string& a, const std::string& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    Piece result{"", 0};
    for (const std::string& one : texts) result.text += (result.text.empty() ? "" : ",") + one;
    return checked(result);
  }

  Piece checked(Piece piece) const {
    if (piece.text.size() > max_length_)
      throw LimitReached("the canonical form is longer than " + std::to_string(max_length_) + " characters");
    return piece;
  }

  // x + n.up + *m, x + tiny(y), x + miny(y), x^[n], x^<n>, and the last two with a star, for a game whose stops are
  // both x.
  std::optional<std::string> number_and_more(GameId game) {
    if (arena_.left_stop(game) != arena_.right_stop(game)) return std::nullopt;
    const Dyadic x = arena_.left_stop(game);
    const std::string number = x == 0 ? "" : x.text();
    const GameId rest = arena_.subtract(game, arena_.number(x));
    for (const bool negated : {false, true})
      if (const auto found = up_star(negated ? arena_.negative(rest) : rest)) {
        const char sign = negated ? 'v' : '^';
        const std::string ups = found->ups < 3 ? std::string(static_cast<std::size_t>(found->ups), sign)
                                               : sign + std::to_string(found->ups);
        return number + ups + (found->star ? "*" : "") + (found->star > 1 ? std::to_string(found->star) : "");
      }
    for (const bool negated : {false, true}) {
      const GameId positive = negated ? arena_.negative(rest) : rest;
      if (const auto name = tiny(positive, negated ? "miny" : "tiny")) return number + (x == 0 ? "" : "+") + *name;
      for (const bool starred : {false, true})
        if (const auto power = up_power(starred ? arena_.add(positive, arena_.nimber(1)) : positive))
          return number + (negated ? "v" : "^") + *power + (starred ? "*" : "");
    }
    return std::nullopt;
  }

  // "[n]" for ^[n] = { ^[n-1] | * }, "<n>" for ^<n> = { 0 | v[n-1]* }; see Arena::up_sum.
  std::optional<std::string> up_power(GameId game) {
    if (const auto n = up_sum(game)) return "[" + std::to_string(*n) + "]";
    const std::vector<GameId> left = arena_.left_options(game), right = arena_.right_options(game);
    if (left != std::vector{Arena::ZERO} || right.size() != 1 || arena_.is_number(right[0])) return std::nullopt;
    const auto n = up_sum(arena_.negative(arena_.add(right[0], arena_.nimber(1))));
    return n ? std::optional("<" + std::to_string(*n + 1) + ">") : std::nullopt;
  }
  std::optional<int> up_sum(GameId game) {
    for (int n = 1;; ++n) {
      const std::vector<GameId> left = arena_.left_options(game), right = arena_.right_options(game);
      if (left.size() != 1 || right != std::vector{arena_.nimber(1)}) return std::nullopt;
      if (left[0] == Arena::ZERO) return n;
      game = left[0];
    }
  }

  // Walks down { 0 | (n-1).up + *(m xor 1) } to a nimber; see Arena::up_star.
  std::optional<UpStar> up_star(GameId game) {
    std::int64_t ups = 0;
    for (;; ++ups) {
      std::optional<std::int64_t> bottom = nim_value(game);
      const std::vector<GameId> left = arena_.left_options(game), right = arena_.right_options(game);
      if (!bottom && left.size() == 2 && right.size() == 1 && right[0] == Arena::ZERO && left[0] == Arena::ZERO &&
          nim_value(left[1]) == 1) {
        bottom = 0;  // up + * = { 0, * | 0 }
        ++ups;
      }
      if (bottom) return UpStar{ups, *bottom ^ (ups & 1)};
      if (left.size() != 1 || right.size() != 1 || left[0] != Arena::ZERO || arena_.is_number(right[0]))
        return std::nullopt;
      game = right[0];
    }
  }

  std::optional<std::int64_t> nim_value(GameId game) {
    if (game == Arena::ZERO) return 0;
    if (arena_.is_number(game)) return std::nullopt;
    const std::vector<GameId> left = arena_.left_options(game);
    const auto n = static_cast<std::int64_t>(left.size());
    if (left != arena_.right_options(game) || n > 1023 || arena_.nimber(n) != game) return std::nullopt;
    return n;
  }

  // { 0 || 0 | -x } with x > 0.
  std::optional<std::string> tiny(GameId game, const char* name) {
    const std::vector<GameId> left = arena_.left_options(game), right = arena_.right_options(game);
    if (left.size() != 1 || right.size() != 1 || left[0] != Arena::ZERO || arena_.is_number(right[0]))
      return std::nullopt;
    const std::vector<GameId> threat_left = arena_.left_options(right[0]),
                              threat_right = arena_.right_options(right[0]);
    if (threat_left.size() != 1 || threat_right.size() != 1 || threat_left[0] != Arena::ZERO) return std::nullopt;
    if (arena_.outcome(threat_right[0]) != Outcome::RIGHT) return std::nullopt;
    return std::string(name) + "(" + text(arena_.negative(threat_right[0])) + ")";
  }

  std::optional<std::string> even_switch(GameId game) {
    const std::vector<GameId> left = arena_.left_options(game);
    if (left.empty() || arena_.negative(game) != game) return std::nullopt;
    const std::string inner = left.size() == 1 ? text(left[0]) : side(left).text;
    if (left.size() == 1 && (arena_.is_number(left[0]) || inner.front() == '{')) return "+-" + inner;
    return "+-(" + inner + ")";
  }

  Arena& arena_;
  std::size_t max_length_;
};

}  // namespace

std::string game_text(Arena& arena, GameId game, std::size_t max_length) {
  return Printer(arena, max_length).text(game);
}

}  // namespace zermelo::cgt
