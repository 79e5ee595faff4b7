#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "domineering/obsequi/obsequi.hpp"
#include "domineering/search/component_search.hpp"
#include "limits.hpp"
#include "register.hpp"
#include "saved.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace zermelo;

namespace {

// The limits and the results that all searches share.
void register_results(nb::module_& module) {
  nb::enum_<Verdict>(module, "Verdict", "Seen from the player to move.")
      .value("UNKNOWN", Verdict::UNKNOWN)
      .value("WIN", Verdict::WIN)
      .value("LOSS", Verdict::LOSS);
  nb::enum_<StopReason>(module, "StopReason")
      .value("FINISHED", StopReason::FINISHED)
      .value("NODES", StopReason::NODES)
      .value("TIME", StopReason::TIME)
      .value("CANCELLED", StopReason::CANCELLED)
      .value("MEMORY", StopReason::MEMORY);

  nb::class_<CancelToken>(module, "CancelToken", "Stops a running search from another thread.")
      .def(nb::init<>())
      .def(
          "cancel", [](CancelToken& token) { token.flag = true; }, "Ask every search that holds this token to stop.")
      .def_prop_ro("cancelled", [](const CancelToken& token) { return token.flag.load(); });

  fields(nb::class_<Progress>(module, "Progress", "A snapshot of a running search."), "nodes", &Progress::nodes,
         "seconds", &Progress::seconds, "root_moves_done", &Progress::root_moves_done, "root_moves",
         &Progress::root_moves);

  nb::class_<Limits>(module, "Limits", "on_progress is called about ten times a second.")
      .def(
          "__init__",
          [](Limits* limits, std::optional<std::uint64_t> nodes, std::optional<double> seconds, std::size_t bytes,
             const CancelToken* cancel, std::function<void(const Progress&)> on_progress) {
            new (limits) Limits(make_limits(nodes.value_or(Limits{}.nodes), seconds.value_or(Limits{}.seconds), cancel,
                                            std::move(on_progress), bytes));
          },
          nb::keep_alive<1, 5>(), "nodes"_a.none() = nb::none(), "seconds"_a.none() = nb::none(),
          "bytes"_a = Limits{}.bytes, "cancel"_a.none() = nb::none(), "on_progress"_a.none() = nb::none());

  fields(nb::class_<SearchResult>(module, "SearchResult"), "verdict", &SearchResult::verdict, "stopped",
         &SearchResult::stopped, "seconds", &SearchResult::seconds)
      .def_ro("move", &SearchResult::move, "A winning move when the verdict is WIN.")
      .def_ro("nodes", &SearchResult::nodes, "Positions entered, also those decided at once.")
      .def_ro("evaluations", &SearchResult::evaluations, "Evaluations of one player's bound.")
      .def_ro("nodes_per_ply", &SearchResult::nodes_per_ply, "Positions after one move, two moves, ...");
}

void register_obsequi(nb::module_& module) {
  nb::enum_<Replacement>(module, "Replacement", "Replacement schemes of the transposition table.")
      .value("NEW", Replacement::NEW)
      .value("DEEP", Replacement::DEEP)
      .value("BIG", Replacement::BIG)
      .value("TWO_DEEP", Replacement::TWO_DEEP)
      .value("TWO_BIG", Replacement::TWO_BIG)
      .value("FIND_FIRST", Replacement::FIND_FIRST)
      .value("FIND_WORST", Replacement::FIND_WORST);

  nb::class_<ObsequiSettings>(module, "ObsequiSettings",
                              "The search of the papers; the defaults are OBSEQUI as published.")
      .def(nb::init<>())
      .def_rw("real", &ObsequiSettings::real, "Cut off by real and safe moves (DOMI).")
      .def_rw("cover", &ObsequiSettings::cover, "Cut off by the cover bound (OBSEQUI).")
      .def_rw("switches", &ObsequiSettings::switches, "Enhancements of the cover bound.")
      .def_rw("replacement", &ObsequiSettings::replacement)
      .def_rw("order_primary", &ObsequiSettings::order_primary, "Order moves by the change of real and safe moves.")
      .def_rw("order_symmetry", &ObsequiSettings::order_symmetry, "Prefer moves whose mirror image was played early.")
      .def_rw("order_positional", &ObsequiSettings::order_positional, "Break ties by a value per square.")
      .def_rw("skip_safe_moves", &ObsequiSettings::skip_safe_moves, "Never play a move the opponent cannot prevent.")
      .def_rw("table_bytes", &ObsequiSettings::table_bytes, "Memory of the transposition table.")
      .def_rw("threads", &ObsequiSettings::threads);

  module.def("obsequi_solve", &obsequi_search, "board"_a, "first"_a, "settings"_a, "limits"_a,
             nb::call_guard<nb::gil_scoped_release>(), "Who wins if `first` starts? Releases the GIL.");
}

void register_component_search(nb::module_& module) {
  nb::class_<ComponentOptions>(module, "ComponentOptions")
      .def(nb::init<>())
      .def_rw("memory", &ComponentOptions::memory, "Bytes for strip tables and transposition table together.")
      .def_rw("threads", &ComponentOptions::threads)
      .def_rw("table_squares", &ComponentOptions::table_squares, "Squares of the largest strip patterns with a table.")
      .def_rw("wide_patterns", &ComponentOptions::wide_patterns, "Of wider strips: as many may have a table.")
      .def_rw("always_flexible", &ComponentOptions::always_flexible, "Whether they may on every board.")
      .def_rw("tall", &ComponentOptions::tall, "Whether narrow boards have strips of more than four lines.");

  nb::class_<ComponentSearch>(
      module, "ComponentSearch",
      "Keeps its table: asking again about related positions is cheap. Several threads may ask at once.")
      .def(nb::init<int, int, const ComponentOptions&>(), "rows"_a, "cols"_a, "options"_a = ComponentOptions{},
           nb::call_guard<nb::gil_scoped_release>())
      .def("solve", &ComponentSearch::solve, "board"_a, "first"_a, "limits"_a, "want_move"_a = true,
           nb::call_guard<nb::gil_scoped_release>(), "Who wins if `first` starts? Releases the GIL.")
      .def("winning_move", &ComponentSearch::winning_move, "board"_a, "first"_a, "limits"_a,
           nb::call_guard<nb::gil_scoped_release>(), "A winning move, or None if there is none or a limit was reached.")
      .def("save", &save_search<ComponentSearch>, "most"_a, "The results that cost most, also while a search runs.")
      .def("load", &load_search<ComponentSearch>, "saved"_a, "Know saved results again; returns their number.");
}

}  // namespace

void register_search(nb::module_& module) {
  register_results(module);
  register_obsequi(module);
  register_component_search(module);
}
