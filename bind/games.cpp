// Games by local rules: a board of cells with two bits, given as two numbers, and lists of moves.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "games/rules.hpp"
#include "games/search.hpp"
#include "games/values.hpp"
#include "register.hpp"
#include "value_arena.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace zermelo;
using namespace zermelo::games;

namespace {

using Words = std::pair<std::uint64_t, std::uint64_t>;

// Eight words of 8 bytes a move: care, want, lose, set, two each.
std::vector<LocalMove> moves_of(const nb::bytes& bytes) {
  if (bytes.size() % sizeof(LocalMove) != 0) throw std::invalid_argument("a move is 64 bytes");
  std::vector<LocalMove> moves(bytes.size() / sizeof(LocalMove));
  if (!moves.empty()) std::memcpy(moves.data(), bytes.data(), bytes.size());
  return moves;
}

struct LocalGame {
  LocalGame(int rows, int cols, bool translates, bool liberties, const std::vector<std::uint64_t>& near,
            const nb::bytes& left, const nb::bytes& right)
      : rules({rows, cols, translates, liberties, near}, moves_of(left), moves_of(right)) {}

  Cells cells(const Words& words) const {
    const std::uint64_t board = rules.cells() == 64 ? 0 : ~std::uint64_t{0} << rules.cells();
    if ((words.first | words.second) & board) throw std::invalid_argument("a cell is not on the board");
    return {words.first, words.second};
  }

  LocalRules rules;
};

struct Values {
  Values(const LocalGame& of, ValueArena& in) : game(of), arena(in) {}

  const LocalGame& game;
  ValueArena& arena;
  LocalValues values{game.rules, arena.arena};
};

// A search with values of its own: one that has become large makes room for a new one, and nobody else waits for it.
struct Search {
  struct Tables {
    explicit Tables(const LocalRules& rules) : values(rules, arena), search(rules, values, arena) {}

    cgt::Arena arena;
    LocalValues values;
    LocalSearch search;
  };

  explicit Search(const LocalGame& of) : game(of) {}

  template <class F>
  LocalSearch::Found run(const Limits& limits, F&& f) {
    const nb::gil_scoped_release released;
    const std::scoped_lock lock(mutex);
    if (tables->search.bytes() > limits.bytes / 2) tables = std::make_unique<Tables>(game.rules);
    return f(tables->search);
  }

  const LocalGame& game;
  std::unique_ptr<Tables> tables = std::make_unique<Tables>(game.rules);
  std::mutex mutex;
};

}  // namespace

void register_games(nb::module_& module) {
  fields(nb::class_<LocalSearch::Found>(module, "LocalFound"), "result", &LocalSearch::Found::result, "stopped",
         &LocalSearch::Found::stopped, "nodes", &LocalSearch::Found::nodes);

  nb::class_<LocalGame>(module, "LocalGame", "A game by local rules; cells are two numbers, one for each bit.")
      .def(nb::init<int, int, bool, bool, const std::vector<std::uint64_t>&, const nb::bytes&, const nb::bytes&>(),
           "rows"_a, "cols"_a, "translates"_a, "liberties"_a, "near"_a, "left"_a, "right"_a)
      .def_prop_ro("impartial", [](const LocalGame& game) { return game.rules.is_impartial(); })
      .def_prop_ro("symmetries", [](const LocalGame& game) { return game.rules.symmetries(); })
      .def(
          "parts",
          [](const LocalGame& game, const Words& words) {
            std::vector<Words> parts;
            game.rules.for_each_part(game.cells(words), [&](const Cells& part) { parts.emplace_back(part.a, part.b); });
            return parts;
          },
          "cells"_a, "The parts in which the game goes on by itself.")
      .def(
          "after",
          [](const LocalGame& game, const Words& words, bool right) {
            std::vector<Words> after;
            game.rules.for_each_move(right ? Side::RIGHT : Side::LEFT, game.cells(words),
                                     [&](const Cells& cells) { after.emplace_back(cells.a, cells.b); });
            return after;
          },
          "cells"_a, "right"_a, "The cells after each legal move.")
      .def(
          "allows", [](const LocalGame& game, const Words& words) { return game.rules.allows(game.cells(words)); },
          "cells"_a, "Whether every stone has the liberties that the game asks for.")
      .def(
          "canonical",
          [](const LocalGame& game, const Words& words) {
            const CanonicalPart part = game.rules.canonical(game.cells(words));
            return std::tuple(part.cells.a, part.cells.b, part.negated);
          },
          "part"_a, "The least image of a part, and whether the players are exchanged in it.")
      .def(
          "values", [](const LocalGame& game, ValueArena& arena) { return std::make_unique<Values>(game, arena); },
          "arena"_a, nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(), "Its values in an arena.")
      .def(
          "search", [](const LocalGame& game) { return std::make_unique<Search>(game); }, nb::keep_alive<0, 1>(),
          "A search with tables of its own.");

  nb::class_<Values>(module, "LocalValues", "Values of the positions of a game; parts are valued once.")
      .def(
          "value",
          [](Values& of, const Words& words) {
            const Cells cells = of.game.cells(words);
            return of.arena.run([&] { return of.values.value(cells); });
          },
          "cells"_a, "The id of the canonical value.")
      .def_prop_ro("bytes", [](const Values& of) { return of.values.bytes(); });

  nb::class_<Search>(module, "LocalSearch", "Who wins, and nimbers; the table serves all questions.")
      .def(
          "wins",
          [](Search& search, const Words& words, bool right, const Limits& limits) {
            const Cells cells = search.game.cells(words);
            const Side side = right ? Side::RIGHT : Side::LEFT;
            return search.run(limits, [&](LocalSearch& tables) { return tables.wins(cells, side, limits); });
          },
          "cells"_a, "right"_a, "limits"_a, "Whether the player to move wins: 1 or 0.")
      .def(
          "nimber",
          [](Search& search, const Words& words, const Limits& limits) {
            const Cells cells = search.game.cells(words);
            return search.run(limits, [&](LocalSearch& tables) { return tables.nimber(cells, limits); });
          },
          "cells"_a, "limits"_a);
}
