#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cgt/heat.hpp"
#include "cgt/notation.hpp"

namespace zermelo::cgt {

namespace {

constexpr std::size_t MAX_TEXT = std::size_t{1} << 20;
constexpr int MAX_NESTING = 400;

constexpr char SWITCH = '\x02';  // the one sign for plus or minus, which unlike +- can be nothing else

// The signs that keyboards lack, by their UTF-8 bytes, and the words as CGSuite writes them.
std::string typed(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> SIGNS[] = {
      {"\u2191", "^"},    {"\u2193", "v"},    {"\u00b1", "\x02"}, {"\u2212", "-"},
      {"\u2217", "*"},    {"\u21d1", "^^"},   {"\u21d3", "vv"},   {"\u00b7", "."},
      {"\u29fe", "tiny"}, {"\u29ff", "miny"}, {"Tiny(", "tiny("}, {"Miny(", "miny("}};
  if (text.size() > MAX_TEXT)
    throw std::invalid_argument("the game is longer than " + std::to_string(MAX_TEXT) + " characters");
  std::string result;
  while (!text.empty()) {
    const auto* sign = std::ranges::find_if(SIGNS, [&](const auto& pair) { return text.starts_with(pair.first); });
    if (sign != std::end(SIGNS)) {
      result += sign->second;
      text.remove_prefix(sign->first.size());
    } else {
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

class Parser {
 public:
  Parser(Arena& arena, Thermographs& thermographs, std::string text)
      : arena_(arena), thermographs_(thermographs), text_(std::move(text)) {}

  // The options as they are written, of a text that is one pair of braces or has bars.
  Form form() {
    if (peek() == '{') {
      int depth = 0;
      std::size_t end = at_;
      do depth += (text_[end] == '{') - (text_[end] == '}');
      while (++end < text_.size() && depth > 0);
      if (depth == 0 && text_.find_first_not_of(" \t", end) == std::string::npos) {
        text_.resize(end - 1);
        ++at_;
      }
    }
    form_.emplace();
    const GameId game = whole();
    if (divided_) return std::move(*form_);
    return {arena_.left_options(game), arena_.right_options(game)};
  }

  GameId whole() {
    const std::vector<GameId> options = body(true);
    skip_blanks();
    if (at_ < text_.size()) fail(std::string("'") + shown(text_[at_]) + "' is not expected here");
    if (options.size() != 1)
      fail(options.empty() ? "a game is missing: write for example {2|-1/2}"
                           : "options need braces around them: {1,2|0}");
    return options[0];
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw std::invalid_argument("game, character " + std::to_string(at_ + 1) + ": " + message);
  }
  static char shown(char c) { return c >= ' ' && c <= '~' ? c : '?'; }

  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (here() == ' ' || here() == '\t') ++at_;
  }
  char peek() {
    skip_blanks();
    return here();
  }
  bool take(std::string_view token) {
    skip_blanks();
    if (!std::string_view(text_).substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(char c) {
    if (peek() != c) fail(std::string("'") + c + "' is missing");
    ++at_;
  }

  // A list of options, or options on both sides of bars, which is one game. The longest run of bars divides first.
  std::vector<GameId> body(bool outermost = false) {
    std::vector<std::vector<GameId>> segments{list()};
    std::vector<int> bars;
    while (peek() == '|') {
      int run = 0;
      while (here() == '|') ++run, ++at_;
      bars.push_back(run);
      segments.push_back(list());
    }
    return divide(segments, bars, 0, bars.size(), outermost);
  }
  std::vector<GameId> divide(const std::vector<std::vector<GameId>>& segments, const std::vector<int>& bars,
                             std::size_t first, std::size_t last, bool outermost = false) {
    if (first == last) return segments[first];
    const auto begin = bars.begin() + static_cast<std::ptrdiff_t>(first),
               end = bars.begin() + static_cast<std::ptrdiff_t>(last);
    const auto longest = std::max_element(begin, end);
    if (std::count(begin, end, *longest) > 1)
      fail("two equal runs of bars: the outer one must be longer, as in {2|0||-1}");
    const Arena::Depth depth(arena_);
    const auto middle = static_cast<std::size_t>(longest - bars.begin());
    const std::vector<GameId> left = divide(segments, bars, first, middle),
                              right = divide(segments, bars, middle + 1, last);
    if (outermost && form_) {
      form_ = {left, right};
      divided_ = true;
    }
    return {arena_.make(left, right)};
  }
  std::vector<GameId> list() {
    std::vector<GameId> options;
    const char next = peek();
    if (next == '|' || next == '}' || next == '\0') return options;
    options.push_back(sum());
    while (take(",")) options.push_back(sum());
    return options;
  }

  GameId sum() {
    GameId total = signed_term();
    for (;;) {
      if (peek() == '+' && at_ + 1 < text_.size() && text_[at_ + 1] == '-')
        fail("'+-' can be read in two ways here: write 1 + -1 to subtract, 1 + +-1 to add a switch");
      if (peek() == SWITCH) total = arena_.add(total, term());
      else if (take("+")) total = arena_.add(total, signed_term());
      else if (take("-")) total = arena_.subtract(total, signed_term());
      else return total;
    }
  }
  // A sign belongs to the number it touches: -2v* is -2 plus v*, while -(2v*) is the negative of the whole.
  GameId signed_term() {
    bool negative = false;
    while (peek() == '-') ++at_, negative = !negative;
    if (negative && is_digit(here())) {
      negative_number_ = true;
      return term();
    }
    const GameId result = term();
    return negative ? arena_.negative(result) : result;
  }

  GameId term() {
    if (++nesting_ > MAX_NESTING) fail("brackets are nested more than " + std::to_string(MAX_NESTING) + " deep");
    const GameId result = unguarded_term();
    --nesting_;
    return result;
  }
  GameId unguarded_term() {
    const char next = peek();
    if (next == SWITCH) return ++at_, even_switch();
    if (next == '+' && take("+-")) return even_switch();
    if (next == '(' || next == '{') return bracketed();
    if (is_letter(next) && next != 'v') return function();
    if (is_digit(next)) {
      const bool negative = std::exchange(negative_number_, false);
      const Dyadic size = read_number(), number = negative ? -size : size;
      if (here() == '.') {
        ++at_;
        if (is_digit(here())) fail("decimal fractions are not understood: write 1/2, and 3.(2) for a multiple");
        if (!number.is_integer()) fail("only an integer can multiply a game");
        return arena_.multiple(term(), number.numerator());
      }
      return arena_.add(arena_.number(number), ups_and_star());
    }
    if (next == '^' || next == 'v' || next == '*') return ups_and_star();
    if (next == '\0') fail("something is missing at the end");
    fail(std::string("'") + shown(next) + "' is not expected here");
  }
  GameId bracketed() {
    const bool braces = text_[at_++] == '{';
    if (!braces) {
      const GameId result = sum();
      expect(')');
      return result;
    }
    const std::size_t start = at_;
    const bool divided = has_bar(at_);
    const std::vector<GameId> options = body();
    expect('}');
    if (!divided) {
      at_ = start;
      fail("braces hold two lists of options with a bar between: {1|0}");
    }
    return options[0];
  }
  // Whether there is a bar before the closing brace of this level.
  bool has_bar(std::size_t from) const {
    int depth = 0;
    for (std::size_t i = from; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '{' || c == '(') ++depth;
      if ((c == '}' || c == ')') && depth-- == 0) return false;
      if (c == '|' && depth == 0) return true;
    }
    return false;
  }
  GameId even_switch() {
    std::vector<GameId> left, right;
    const char next = peek();
    if (is_digit(next)) {
      left.push_back(arena_.number(read_number()));
    } else if (next == '(' || (next == '{' && !has_bar(at_ + 1))) {  // CGSuite has braces here
      ++at_;
      left = arguments(next == '(' ? ')' : '}');
    } else if (next == '{' || (is_letter(next) && next != 'v')) {
      left.push_back(term());
    } else {
      fail("after +- comes a number, or games in brackets: +-2, +-{2|1}, +-(2,{3|1})");
    }
    for (GameId option : left) right.push_back(arena_.negative(option));
    return arena_.make(left, right);
  }
  // Games separated by commas, up to the closing bracket.
  std::vector<GameId> arguments(char end = ')') {
    std::vector<GameId> result{sum()};
    while (take(",")) result.push_back(sum());
    expect(end);
    return result;
  }
  GameId ups_and_star() {
    std::int64_t ups = 0, star = 0;
    GameId power = Arena::ZERO;
    if (here() == '^' || here() == 'v') {
      const char sign = text_[at_];
      while (here() == sign) ++ups, ++at_;
      if (ups == 1 && is_digit(here())) ups = read_integer();
      else if (ups == 1 && (here() == '[' || here() == '<')) {
        const bool sum = text_[at_++] == '[';
        if (!is_digit(here())) fail("a number is missing: ^[2], ^<2>");
        power = sum ? arena_.up_sum(read_integer()) : arena_.up_power(read_integer());
        if (sign == 'v') power = arena_.negative(power);
        expect(sum ? ']' : '>');
        ups = 0;
      }
      if (sign == 'v') ups = -ups;
    }
    if (here() == '*') {
      ++at_;
      star = is_digit(here()) ? read_integer() : 1;
    }
    return arena_.add(power, arena_.up_star(ups, star));
  }
  GameId function() {
    const std::size_t start = at_;
    while (is_letter(here())) ++at_;
    const std::string name = text_.substr(start, at_ - start);
    if (name == "up") return arena_.up_star(1, 0);
    if (name == "down") return arena_.up_star(-1, 0);
    if (name == "star") return arena_.nimber(1);
    static constexpr std::string_view WORDS[] = {"tiny", "miny", "heat", "cool", "overheat", "norton"};
    if (std::ranges::find(WORDS, name) == std::end(WORDS)) {
      at_ = start;
      fail("the words are up, down, star; and tiny, miny, heat, cool, overheat, norton with arguments in ( )");
    }
    expect('(');
    const std::vector<GameId> arguments = this->arguments();
    const std::size_t wanted = name == "overheat" ? 3 : name == "tiny" || name == "miny" ? 1 : 2;
    if (arguments.size() != wanted)
      fail(name + " takes " + std::to_string(wanted) + (wanted == 1 ? " argument" : " arguments"));
    const GameId game = arguments[0];
    if (name == "tiny" || name == "miny") {
      const GameId threat = arena_.make({Arena::ZERO}, {arena_.negative(game)});
      const GameId tiny = arena_.make({Arena::ZERO}, {threat});
      return name == "tiny" ? tiny : arena_.negative(tiny);
    }
    if (name == "heat") return heat(arena_, game, arguments[1]);
    if (name == "norton") return norton_product(arena_, game, arguments[1]);
    if (name == "overheat") return overheat(arena_, game, arguments[1], arguments[2]);
    if (!arena_.is_number(arguments[1])) fail("a game is cooled by a number");
    return cool(arena_, thermographs_, game, Dyadic(arena_.value(arguments[1])));
  }

  std::int64_t read_integer() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{} || value >= std::int64_t{1} << 62) fail("this number is too large");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  Dyadic read_number() {
    const std::int64_t numerator = read_integer();
    if (here() != '/') return numerator;
    ++at_;
    if (!is_digit(here())) fail("a denominator is missing");
    const std::int64_t denominator = read_integer();
    if (!std::has_single_bit(static_cast<std::uint64_t>(denominator))) fail("denominators must be powers of two");
    return Dyadic::ratio(numerator, std::countr_zero(static_cast<std::uint64_t>(denominator)));
  }

  Arena& arena_;
  Thermographs& thermographs_;
  std::string text_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  bool negative_number_ = false;  // the number that comes next has a sign before it
  std::optional<Form> form_;      // wanted: the outermost options before they are simplified
  bool divided_ = false;
};

}  // namespace

GameId parse_game(Arena& arena, Thermographs& thermographs, std::string_view text) {
  return Parser(arena, thermographs, typed(text)).whole();
}

Form parse_form(Arena& arena, Thermographs& thermographs, std::string_view text) {
  return Parser(arena, thermographs, typed(text)).form();
}

}  // namespace zermelo::cgt
