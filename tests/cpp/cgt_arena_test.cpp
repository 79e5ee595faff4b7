// The arena against the definitions: game trees compared by playing them out, sharing no code with it.
#include <memory>
#include <random>

#include "cgt/arena.hpp"
#include "cgt/heat.hpp"
#include "cgt/notation.hpp"
#include "check.hpp"

using namespace zermelo;
using namespace zermelo::cgt;

namespace {

struct Tree;
using TreePtr = std::shared_ptr<const Tree>;
struct Tree {
  std::vector<TreePtr> left, right;
};

// Left wins a - b moving second, by the definition.
bool naive_ge(const Tree& a, const Tree& b) {
  for (const TreePtr& option : a.right)
    if (naive_ge(b, *option)) return false;
  for (const TreePtr& option : b.left)
    if (naive_ge(*option, a)) return false;
  return true;
}

TreePtr random_tree(std::mt19937& random, int depth) {
  auto tree = std::make_shared<Tree>();
  if (depth == 0) return tree;
  for (std::vector<TreePtr>* side : {&tree->left, &tree->right})
    for (auto i = random() % 3; i > 0; --i)
      side->push_back(random_tree(random, depth - 1 - static_cast<int>(random() % 2) * (depth > 1)));
  return tree;
}

GameId intern(Arena& arena, const Tree& tree) {
  std::vector<GameId> left, right;
  for (const TreePtr& option : tree.left) left.push_back(intern(arena, *option));
  for (const TreePtr& option : tree.right) right.push_back(intern(arena, *option));
  return arena.make(left, right);
}

TreePtr tree_of(Arena& arena, GameId id) {
  auto tree = std::make_shared<Tree>();
  for (GameId option : arena.left_options(id)) tree->left.push_back(tree_of(arena, option));
  for (GameId option : arena.right_options(id)) tree->right.push_back(tree_of(arena, option));
  return tree;
}

int rounds(int full) { return QUICK ? full / 10 : full; }

struct Calculator {
  Arena arena;
  Thermographs thermographs{arena};
  GameId game(const char* text) { return parse_game(arena, thermographs, text); }
  std::string text(GameId id) { return game_text(arena, id); }
  std::string again(const char* text_in) { return text(game(text_in)); }
};

}  // namespace

TEST(comparison_agrees_with_play) {
  std::mt19937 random(1);
  Arena arena;
  for (int i = 0; i < rounds(20000); ++i) {
    const TreePtr a = random_tree(random, 3), b = random_tree(random, 3);
    const GameId x = intern(arena, *a), y = intern(arena, *b);
    CHECK(arena.greater_or_equal(x, y) == naive_ge(*a, *b));
    CHECK((x == y) == (naive_ge(*a, *b) && naive_ge(*b, *a)));
  }
}

// So many that some games become yardsticks (cgt/yardsticks.hpp), and most answers come from them.
TEST(many_comparisons_agree_with_play) {
  std::mt19937 random(7);
  Arena arena;
  std::vector<GameId> ids;
  std::vector<TreePtr> trees;
  for (int n = -2; n <= 2; ++n) ids.push_back(arena.number(n));
  while (ids.size() < 300) {
    const auto one = [&] { return ids[random() % ids.size()]; };
    const GameId id = arena.make({one(), one()}, {one(), one()});
    if (arena.birthday(id) <= 5) ids.push_back(id);
  }
  for (GameId id : ids) trees.push_back(tree_of(arena, id));
  for (int again = 0; again < 2; ++again)
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t j = 0; j < ids.size(); ++j)
        CHECK(arena.greater_or_equal(ids[i], ids[j]) == naive_ge(*trees[i], *trees[j]));
  CHECK(arena.yardsticks() > 20);
}

TEST(stops_decide_comparisons_with_numbers) {
  std::mt19937 random(4);
  Arena arena;
  for (int i = 0; i < rounds(3000); ++i) {
    const TreePtr tree = random_tree(random, 4);
    const GameId id = intern(arena, *tree);
    for (int eighths = -16; eighths <= 16; ++eighths) {
      const Dyadic x = Dyadic::ratio(eighths, 3);
      const TreePtr number = tree_of(arena, arena.number(x));
      CHECK(arena.at_least(id, x) == naive_ge(*tree, *number));
      CHECK(arena.at_most(id, x) == naive_ge(*number, *tree));
    }
  }
}

TEST(dyadic_numbers_are_exact_and_refuse_overflow) {
  const Dyadic half = Dyadic::ratio(1, 1), third_ish = Dyadic::ratio(-5, 4);
  CHECK(half + half == Dyadic(1));
  CHECK((half + third_ish).text() == "3/16");
  CHECK(third_ish.floor() == -1);
  CHECK(Dyadic::ratio(12, 3).text() == "3/2");
  CHECK(simplest_between({End::OPEN, Dyadic::ratio(5, 3)}, {End::OPEN, 1}).text() == "3/4");
  CHECK(simplest_between({End::CLOSED, Dyadic::ratio(5, 3)}, {End::CLOSED, Dyadic::ratio(5, 3)}).text() == "5/8");
  CHECK(simplest_between({End::OPEN, -7}, {}).text() == "0");
  CHECK(simplest_between({}, {End::OPEN, Dyadic::ratio(-5, 1)}).text() == "-3");
  const Dyadic big = (std::int64_t{1} << 62) - 1;
  CHECK(throws<LimitReached>([&] { (void)(big + 1); }));
  CHECK(throws<LimitReached>([&] { (void)big.times(2); }));
  CHECK(throws<LimitReached>([&] { (void)Dyadic::ratio(1, 61); }));
}

TEST(notation_recognises_the_named_games) {
  Calculator c;
  // clang-format off: one on each line otherwise
  constexpr const char* NAMED[] = {
      "0", "-3", "5/8", "*", "*2", "*5", "^", "v", "^^", "vv", "^3", "v4*", "^*", "v*", "^*2", "^^*3", "1/2^", "-2v*",
      "3*2", "+-1", "+-1/2", "+-{2|1}", "{2|-1/2}", "{2|0||-1/2|-2}", "{2|0||-1/2|-2|||-5/2}", "tiny(2)", "miny(2)",
      "tiny(1/2)", "miny(+-1 + 2)", "{3,{4|2}|1}", "^[2]", "v[3]*", "1/2^<2>", "-1v<3>*", "2+tiny(2)",
      "-1/2+miny({3|1})", "+-(1*)", "+-(2,{3|1})", "{0,{2|0}||-1|-3}"};
  // clang-format on
  for (const char* text : NAMED) {
    const std::string once = c.again(text);
    CHECK(c.game(once.c_str()) == c.game(text));
    if (std::string(text).find("+-1 +") == std::string::npos) CHECK(once == text);
  }
}

TEST(large_nimbers_add_at_once) {
  Calculator c;
  CHECK(c.game("*1023 + *1022") == c.game("*"));
  CHECK(c.game("*6 + *5") == c.game("*3"));
  CHECK(c.game("*20 + ^ + *20") == c.game("^"));
  CHECK(c.arena.size() < 5000);
}

TEST(notation_evaluates_sums) {
  Calculator c;
  CHECK(c.again("{1|-1}") == "+-1");
  CHECK(c.again("{0|*}") == "^");
  CHECK(c.again("3.^") == "^3");
  CHECK(c.again("2 + +-1") == "{3|1}" && c.again("2\u00b11") == "{3|1}");
  CHECK(c.again("2 + -1") == "1");
  CHECK(c.again("^ + v") == "0");
  CHECK(c.again("*3 + *5") == "*6");
  CHECK(c.again("-{2|0||-1}") == "{1||0|-2}");
  CHECK(c.again("\u2191 + \u00b12 - \u2193") == c.again("^^ + +-2"));
  CHECK(c.again("|") == "0");
  CHECK(c.again("{|}") == "0");
  CHECK(c.again("{3|}") == "4");
  CHECK(c.again("tiny(0)") == "^");
  CHECK(c.again("2|0||0") == "miny(2)");
  CHECK(c.again("Tiny(2) + \u29ff(2)") == "0");
  CHECK(c.game("^<1> + ^<2> + ^<3>") == c.game("^[3]"));
  CHECK(c.game("{^<3>|^[3]}") != c.game("^[3]"));
  const Form form = parse_form(c.arena, c.thermographs, " {1,2,{0|0}|{3|1},4} ");
  CHECK(form.left == std::vector({c.game("1"), c.game("2"), c.game("*")}));
  CHECK(form.right == std::vector({c.game("{3|1}"), c.game("4")}));
  CHECK(parse_form(c.arena, c.thermographs, "1,0|2||3").left == std::vector({c.game("{1|2}")}));
  CHECK(parse_form(c.arena, c.thermographs, "{1|0} + {2|0}").left == c.arena.left_options(c.game("{1|0}+{2|0}")));
}

TEST(bad_text_is_refused_with_a_sentence) {
  Calculator c;
  for (const char* text : {"",          " ",           "{",
                           "}",         "{1",          "{1}",
                           "{1,2}",     "1|2|3",       "{1||2|3||4}",
                           "1/3",       "1/0",         "1/",
                           "0.5",       "1,2",         "tiny",
                           "tiny()",    "tiny(1,2)",   "huge(1)",
                           "1 1",       "+",           "-",
                           "+-",        "+-^",         "1..2",
                           "1/2.(*)",   "*^",          "^*v",
                           "cool(1,*)", "cool(1,-1)",  "(1",
                           "1)",        "\x01",        "99999999999999999999",
                           "{1|2}}",    "2+-1",        "2 +-1",
                           "^[",        "^[2",         "v<0>",
                           "^[2>",      "norton(1,v)", "+-(1"}) {
    const bool refused = throws<std::invalid_argument>([&] { c.game(text); });
    CHECK(refused);
    if (!refused) std::fprintf(stderr, "  accepted: %s\n", text);
  }
  // Deep nesting is a fault of the text or a limit, never a crash.
  for (const std::string& text :
       {std::string(100000, '('), std::string(100000, '{'), std::string(100000, '-'), "{" + std::string(100000, '|')})
    CHECK(throws<std::exception>([&] { c.game(text.c_str()); }) || text.find('|') != std::string::npos);
  std::string stairs = "1";
  for (int i = 1; i < 1900; ++i) stairs += std::string(static_cast<std::size_t>(i % 500 + 1), '|') + "0";
  throws<std::exception>([&] { c.game(stairs.c_str()); });
}

TEST(depth_is_limited) {
  Calculator c;
  CHECK(throws<LimitReached>([&] {
    GameId id = c.game("+-1");
    for (int i = 0; i < 3000; ++i) id = c.arena.make({c.arena.number(i + 2)}, {id});
    (void)c.arena.negative(id);
  }));
}
