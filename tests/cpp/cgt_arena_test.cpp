// The arena against the definitions: game trees compared by playing them out, sharing no code with it.
#include <algorithm>
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

TreePtr sum(const TreePtr& a, const TreePtr& b) {
  auto tree = std::make_shared<Tree>();
  for (const TreePtr& option : a->left) tree->left.push_back(sum(option, b));
  for (const TreePtr& option : b->left) tree->left.push_back(sum(a, option));
  for (const TreePtr& option : a->right) tree->right.push_back(sum(option, b));
  for (const TreePtr& option : b->right) tree->right.push_back(sum(a, option));
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

// No dominated and no reversible options anywhere: the definition of canonical form.
bool is_canonical(const Tree& tree) {
  for (const std::vector<TreePtr>* side : {&tree.left, &tree.right}) {
    const bool is_left = side == &tree.left;
    for (const TreePtr& a : *side) {
      if (!is_canonical(*a)) return false;
      for (const TreePtr& b : *side)
        if (a != b && naive_ge(*a, *b)) return false;
      for (const TreePtr& reply : is_left ? a->right : a->left)
        if (is_left ? naive_ge(tree, *reply) : naive_ge(*reply, tree)) return false;
    }
  }
  return true;
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

TEST(forms_are_canonical_and_equal) {
  std::mt19937 random(2);
  Arena arena;
  for (int i = 0; i < rounds(3000); ++i) {
    const TreePtr tree = random_tree(random, 4);
    const TreePtr form = tree_of(arena, intern(arena, *tree));
    CHECK(is_canonical(*form));
    CHECK(naive_ge(*tree, *form) && naive_ge(*form, *tree));
  }
}

TEST(sums_and_negatives_agree_with_play) {
  std::mt19937 random(3);
  Arena arena;
  for (int i = 0; i < rounds(2000); ++i) {
    const TreePtr a = random_tree(random, 3), b = random_tree(random, 2);
    const GameId x = intern(arena, *a), y = intern(arena, *b);
    const TreePtr expected = sum(a, b), got = tree_of(arena, arena.add(x, y));
    CHECK(naive_ge(*expected, *got) && naive_ge(*got, *expected));
    CHECK(is_canonical(*got));
    CHECK(arena.subtract(arena.add(x, y), y) == x);
    CHECK(arena.add(x, arena.negative(x)) == Arena::ZERO);
    CHECK(is_canonical(*tree_of(arena, arena.negative(x))));
  }
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

// Lachmann, Moore and Rapaport, Who wins Domineering on rectangular boards?, equation (5).
TEST(berlekamps_formula_for_2x31) {
  Calculator c;
  const GameId board = c.game("1/2 - 15.(1/4 + heat(*,3/4)) + heat(overheat(31/8,1/2,1/2*),3/4)");
  CHECK(board == c.game("{2|0||-1/2|-2}|-5/2"));
  CHECK(c.arena.outcome(board) == Outcome::RIGHT);
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

TEST(limits_stop_huge_games_and_leave_the_arena_sound) {
  Calculator c;
  // A sum of many unequal hot games has a canonical form without end.
  std::string text = "0";
  for (int i = 0; i < 40; ++i)
    text += " + {" + std::to_string(3 * i * i + 7) + "|" + std::to_string(i) + "||-" + std::to_string(i * i) +
            ",{-1|-" + std::to_string(5 * i + 2) + "}}";
  Limits limits;
  limits.seconds = 0.2;
  const auto stops = [&] {
    c.arena.set_limits(limits);
    return throws<LimitReached>([&] { c.game(text.c_str()); });
  };
  CHECK(stops());
  CHECK(c.arena.seconds() < 5);

  limits.seconds = 100;
  limits.bytes = std::size_t{16} << 20;
  CHECK(stops());

  std::atomic<bool> cancel{true};
  limits.bytes = std::size_t{1} << 40;
  limits.cancel = &cancel;
  CHECK(stops());

  c.arena.set_limits(Limits{});
  CHECK(c.again("{2|0||-1/2|-2} + ^ - ^") == "{2|0||-1/2|-2}");
}

TEST(depth_is_limited) {
  Calculator c;
  CHECK(throws<LimitReached>([&] {
    GameId id = c.game("+-1");
    for (int i = 0; i < 3000; ++i) id = c.arena.make({c.arena.number(i + 2)}, {id});
    (void)c.arena.negative(id);
  }));
}
