// Games by their ids in one arena. The arena is locked for each call and the GIL released, so that Ctrl-C works
// and other threads run.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <mutex>

#include "cgt/arena.hpp"
#include "cgt/heat.hpp"
#include "cgt/notation.hpp"
#include "cgt/thermograph.hpp"
#include "domineering/board/board.hpp"
#include "domineering/values/values.hpp"
#include "limits.hpp"
#include "register.hpp"

namespace nb = nanobind;
using namespace zermelo;
using namespace zermelo::cgt;

namespace {

using Ratio = std::pair<std::int64_t, int>;  // numerator, exponent of the denominator 2^k
using Points = std::vector<std::pair<Ratio, Ratio>>;

Ratio ratio(const Dyadic& x) { return {x.numerator(), x.exponent()}; }

Points points(const Wall& wall) {
  Points result;
  for (const Corner& corner : wall) result.emplace_back(ratio(corner.t), ratio(corner.value));
  return result;
}

struct GameArena {
  std::mutex mutex;
  Arena arena;
  Thermographs thermographs{arena};
  DomineeringValues domineering{arena};
  Limits limits = interruptible_limits(Limits{}.seconds, Limits{}.bytes);

  // Runs f with the arena locked, the GIL released and the clock started.
  template <class F>
  auto run(F&& f) {
    const nb::gil_scoped_release released;
    const std::scoped_lock lock(mutex);
    arena.set_limits(limits);
    return f();
  }
  void check(GameId id) const {
    if (id >= arena.size()) throw std::invalid_argument("there is no game with this id");
  }
};

}  // namespace

void register_cgt(nb::module_& module) {
  nb::exception<LimitReached>(module, "LimitReached", PyExc_RuntimeError);

  using A = GameArena;
  nb::class_<A>(module, "GameArena", "Canonical games by id; equal games have equal ids.")
      .def(nb::init<>())
      .def(
          "set_limits",
          [](A& a, double seconds, std::size_t bytes) {
            a.run([&] {
              a.limits.seconds = seconds;
              a.limits.bytes = bytes;
            });
          },
          nb::arg("seconds"), nb::arg("bytes"))
      .def(
          "number",
          [](A& a, std::int64_t n, int exponent) {
            return a.run([&] { return a.arena.number(Dyadic::ratio(n, exponent)); });
          },
          nb::arg("numerator"), nb::arg("exponent"))
      .def(
          "parse",
          [](A& a, const std::string& text) {
            return a.run([&] { return parse_game(a.arena, a.thermographs, text); });
          },
          nb::arg("text"))
      .def(
          "text",
          [](A& a, GameId id, std::size_t max_length) {
            return a.run([&] {
              a.check(id);
              return game_text(a.arena, id, max_length);
            });
          },
          nb::arg("id"), nb::arg("max_length"))
      .def(
          "make",
          [](A& a, const std::vector<GameId>& left, const std::vector<GameId>& right) {
            return a.run([&] {
              for (GameId id : left) a.check(id);
              for (GameId id : right) a.check(id);
              return a.arena.make(left, right);
            });
          },
          nb::arg("left"), nb::arg("right"))
      .def(
          "negative",
          [](A& a, GameId id) {
            return a.run([&] {
              a.check(id);
              return a.arena.negative(id);
            });
          },
          nb::arg("id"))
      .def(
          "add",
          [](A& a, GameId x, GameId y) {
            return a.run([&] {
              a.check(x);
              a.check(y);
              return a.arena.add(x, y);
            });
          },
          nb::arg("a"), nb::arg("b"))
      .def(
          "multiple",
          [](A& a, GameId id, std::int64_t times) {
            return a.run([&] {
              a.check(id);
              return a.arena.multiple(id, times);
            });
          },
          nb::arg("id"), nb::arg("times"))
      .def(
          "greater_or_equal",
          [](A& a, GameId x, GameId y) {
            return a.run([&] {
              a.check(x);
              a.check(y);
              return a.arena.greater_or_equal(x, y);
            });
          },
          nb::arg("a"), nb::arg("b"))
      .def(
          "left_options",
          [](A& a, GameId id) {
            return a.run([&] {
              a.check(id);
              return a.arena.left_options(id);
            });
          },
          nb::arg("id"))
      .def(
          "right_options",
          [](A& a, GameId id) {
            return a.run([&] {
              a.check(id);
              return a.arena.right_options(id);
            });
          },
          nb::arg("id"))
      .def(
          "is_number",
          [](A& a, GameId id) {
            return a.run([&] {
              a.check(id);
              return a.arena.is_number(id);
            });
          },
          nb::arg("id"))
      .def(
          "birthday",
          [](A& a, GameId id) {
            return a.run([&] {
              a.check(id);
              return a.arena.birthday(id);
            });
          },
          nb::arg("id"))
      .def(
          "stops",
          [](A& a, GameId id) {
            return a.run([&] {
              a.check(id);
              return std::pair(ratio(a.arena.left_stop(id)), ratio(a.arena.right_stop(id)));
            });
          },
          nb::arg("id"))
      .def(
          "outcome",
          [](A& a, GameId id) {
            return a.run([&] {
              a.check(id);
              return std::string(1, "VH12"[static_cast<int>(a.arena.outcome(id))]);
            });
          },
          nb::arg("id"), "'V', 'H', '1' or '2': Left, Right, the first or the second player wins.")
      .def(
          "thermograph",
          [](A& a, GameId id) {
            return a.run([&] {
              a.check(id);
              const Thermograph& graph = a.thermographs.of(id);
              return std::tuple(points(graph.left), points(graph.right), ratio(graph.mean), ratio(graph.temperature));
            });
          },
          nb::arg("id"), "Corners (t, value) of the left and the right wall, mean, temperature.")
      .def(
          "cool",
          [](A& a, GameId id, std::int64_t n, int exponent) {
            return a.run([&] {
              a.check(id);
              return cool(a.arena, a.thermographs, id, Dyadic::ratio(n, exponent));
            });
          },
          nb::arg("id"), nb::arg("numerator"), nb::arg("exponent"))
      .def(
          "heat",
          [](A& a, GameId id, GameId t) {
            return a.run([&] {
              a.check(id);
              a.check(t);
              return heat(a.arena, id, t);
            });
          },
          nb::arg("id"), nb::arg("t"))
      .def(
          "overheat",
          [](A& a, GameId id, GameId s, GameId t) {
            return a.run([&] {
              a.check(id);
              a.check(s);
              a.check(t);
              return overheat(a.arena, id, s, t);
            });
          },
          nb::arg("id"), nb::arg("s"), nb::arg("t"))
      .def(
          "domineering_value",
          [](A& a, const Board& board) { return a.run([&] { return a.domineering.value(board); }); }, nb::arg("board"))
      .def(
          "use_database",
          [](A& a, std::shared_ptr<const ComponentDatabase> database) {
            a.run([&] { a.domineering.use(std::move(database)); });
          },
          nb::arg("database").none())
      .def(
          "sizes",
          [](A& a) {
            return a.run([&] { return std::tuple(a.arena.size(), a.domineering.components(), a.arena.bytes()); });
          },
          "Games, Domineering components, bytes.");
}
