// Games by their ids in one arena. The arena is locked for each call and the GIL released, so that Ctrl-C works
// and other threads run.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>

#include "cgt/heat.hpp"
#include "cgt/notation.hpp"
#include "domineering/board/board.hpp"
#include "domineering/values/database.hpp"
#include "domineering/values/database_builder.hpp"
#include "limits.hpp"
#include "register.hpp"
#include "value_arena.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace zermelo;
using namespace zermelo::cgt;

namespace {

using Ratio = std::pair<std::int64_t, int>;  // numerator, exponent of the denominator 2^k
Ratio ratio(const Dyadic& x) { return {x.numerator(), x.exponent()}; }

using Points = std::vector<std::pair<Ratio, Ratio>>;

Points points(const Wall& wall) {
  Points result;
  for (const Corner& corner : wall) result.emplace_back(ratio(corner.t), ratio(corner.value));
  return result;
}

// A method as Python calls it: the games among its arguments must be there.
template <class F, class Result, class... Args>
auto method(F f, Result (F::*)(ValueArena&, Args...) const) {
  return [f](ValueArena& a, Args... args) {
    return a.run([&] {
      (a.check(args), ...);
      return f(a, args...);
    });
  };
}
template <class F>
auto method(F f) {
  return method(f, &F::operator());
}

BuildReport build(const std::string& path, int squares, double seconds, std::size_t bytes,
                  const std::function<void(const BuildProgress&)>& on_progress) {
  const Limits limits = interruptible_limits(seconds, bytes);
  const nb::gil_scoped_release released;
  return build_database(path, squares, limits, on_progress);
}

void register_database(nb::module_& module) {
  nb::exception<DatabaseError>(module, "DatabaseError", PyExc_RuntimeError);

  nb::class_<ComponentDatabase>(module, "ComponentDatabase", "Values of all small components in one mapped file.")
      .def_static(
          "open", [](const std::string& path) { return ComponentDatabase::open(path); }, "path"_a)
      .def_prop_ro("max_squares", &ComponentDatabase::max_squares)
      .def_prop_ro("shapes", &ComponentDatabase::shapes)
      .def_prop_ro("games", &ComponentDatabase::games);

  fields(nb::class_<BuildProgress>(module, "BuildProgress"), "squares", &BuildProgress::squares, "done",
         &BuildProgress::done, "shapes", &BuildProgress::shapes);
  fields(nb::class_<BuildReport>(module, "BuildReport"), "resumed_from", &BuildReport::resumed_from, "squares",
         &BuildReport::squares, "shapes", &BuildReport::shapes, "games", &BuildReport::games, "bytes",
         &BuildReport::bytes);
  module.attr("MAX_DATABASE_SQUARES") = MAX_DATABASE_SQUARES;
  module.def("build_component_database", &build, "path"_a, "squares"_a, "seconds"_a, "bytes"_a,
             "on_progress"_a.none() = nb::none());
}

}  // namespace

void register_cgt(nb::module_& module) {
  nb::exception<LimitReached>(module, "LimitReached", PyExc_RuntimeError);
  register_database(module);

  using A = ValueArena;
  nb::class_<A>(module, "ValueArena", "Canonical values by id; equal values have equal ids.")
      .def(nb::init<>())
      .def("set_limits", &A::set_limits, "limits"_a, "for_each"_a = true,
           "Limits for each of the next calls, or for all of them together.")
      .def("number",
           method([](A& a, std::int64_t n, int exponent) { return a.arena.number(Dyadic::ratio(n, exponent)); }),
           "numerator"_a, "exponent"_a)
      .def("parse", method([](A& a, const std::string& text) { return parse_game(a.arena, a.thermographs, text); }),
           "text"_a)
      .def("parse_form", method([](A& a, const std::string& text) {
             Form form = parse_form(a.arena, a.thermographs, text);
             return std::pair(std::move(form.left), std::move(form.right));
           }),
           "text"_a, "Left and right options as they are written.")
      .def("text", method([](A& a, GameId id, std::size_t max_length) { return game_text(a.arena, id, max_length); }),
           "id"_a, "max_length"_a)
      .def("make", method([](A& a, const std::vector<GameId>& left, const std::vector<GameId>& right) {
             return a.arena.make(left, right);
           }),
           "left"_a, "right"_a)
      .def("negative", method([](A& a, GameId id) { return a.arena.negative(id); }), "id"_a)
      .def("add", method([](A& a, GameId x, GameId y) { return a.arena.add(x, y); }), "a"_a, "b"_a)
      .def("multiple", method([](A& a, GameId id, std::int64_t times) { return a.arena.multiple(id, times); }), "id"_a,
           "times"_a)
      .def("greater_or_equal", method([](A& a, GameId x, GameId y) { return a.arena.greater_or_equal(x, y); }), "a"_a,
           "b"_a)
      .def("left_options", method([](A& a, GameId id) { return a.arena.left_options(id); }), "id"_a)
      .def("right_options", method([](A& a, GameId id) { return a.arena.right_options(id); }), "id"_a)
      .def("is_number", method([](A& a, GameId id) { return a.arena.is_number(id); }), "id"_a)
      .def("birthday", method([](A& a, GameId id) { return a.arena.birthday(id); }), "id"_a)
      .def("stops", method([](A& a, GameId id) {
             return std::pair(ratio(a.arena.left_stop(id)), ratio(a.arena.right_stop(id)));
           }),
           "id"_a)
      .def("outcome",
           method([](A& a, GameId id) { return std::string(1, "VH12"[static_cast<int>(a.arena.outcome(id))]); }),
           "id"_a, "'V', 'H', '1' or '2': Left, Right, the first or the second player wins.")
      .def("thermograph", method([](A& a, GameId id) {
             const Thermograph& graph = a.thermographs.of(id);
             return std::tuple(points(graph.left), points(graph.right), ratio(graph.mean), ratio(graph.temperature));
           }),
           "id"_a, "Corners (t, value) of the left and the right wall, mean, temperature.")
      .def("cool", method([](A& a, GameId id, std::int64_t n, int exponent) {
             return cool(a.arena, a.thermographs, id, Dyadic::ratio(n, exponent));
           }),
           "id"_a, "numerator"_a, "exponent"_a)
      .def("heat", method([](A& a, GameId id, GameId t) { return heat(a.arena, id, t); }), "id"_a, "t"_a)
      .def("overheat", method([](A& a, GameId id, GameId s, GameId t) { return overheat(a.arena, id, s, t); }), "id"_a,
           "s"_a, "t"_a)
      .def("norton_product", method([](A& a, GameId id, GameId unit) { return norton_product(a.arena, id, unit); }),
           "id"_a, "unit"_a)
      .def("domineering_value", method([](A& a, const Board& board) { return a.domineering.value(board); }), "board"_a)
      .def("shapes",
           method([](A& a, const std::shared_ptr<const ComponentDatabase>& database, int least, int most,
                     const std::optional<std::vector<GameId>>& wanted) {
             ImportedGames games(a.arena, database);
             std::vector<std::tuple<std::uint64_t, int, GameId>> found;
             for (int frame = 0; frame < FRAMES; ++frame)
               for (std::size_t i = 0; i < database->keys(frame).size(); ++i) {
                 const std::uint64_t cells = database->keys(frame)[i];
                 if (std::popcount(cells) < least || std::popcount(cells) > most) continue;
                 const GameId id = games.game(database->value(frame, i));
                 if (!wanted || std::ranges::find(*wanted, id) != wanted->end())
                   found.emplace_back(cells, STRIDES[frame], id);
               }
             return found;
           }),
           "database"_a, "least"_a, "most"_a, "wanted"_a.none(),
           "The shapes of so many squares in a database, perhaps only those of some values: cells (bit row * stride + "
           "column), stride, value.")
      .def("use_database",
           method([](A& a, const std::shared_ptr<const ComponentDatabase>& database) { a.domineering.use(database); }),
           "database"_a.none())
      .def("sizes",
           method([](A& a) { return std::tuple(a.arena.size(), a.domineering.components(), a.arena.bytes()); }),
           "Games, Domineering components, bytes.");
}
