#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "domineering/search/component_search.hpp"
#include "domineering/search/cut.hpp"
#include "limits.hpp"
#include "register.hpp"
#include "saved.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace zermelo;

namespace {

void register_strip_witness(nb::module_& module) {
  module.attr("STRIP_UNIT") = STRIP_UNIT;
  nb::class_<StripPiece>(module, "StripPiece", "A piece X of a cut board, the cutting player as Left, in 1/64.")
      .def_prop_ro("squares", [](const StripPiece& piece) { return members(piece.squares); })
      .def_ro("is_switch", &StripPiece::is_switch, "X >= value +- temperature, else X >= value.")
      .def_ro("temperature", &StripPiece::temperature)
      .def_ro("value", &StripPiece::value);
  nb::class_<StripWitness>(module, "StripWitness", "Why the strip bound says that a player wins.")
      .def_ro("pieces", &StripWitness::pieces)
      .def_ro("sum", &StripWitness::sum, "Of all values, in 1/64.")
      .def_ro("unpaired", &StripWitness::unpaired, "Temperatures of the switches that do not cancel, in 1/64.");
  module.def(
      "strip_witness",
      [](const Board& board, Player player, Player to_move, std::size_t memory, std::size_t most_wide,
         const CancelToken* cancel) -> std::optional<StripWitness> {
        nb::gil_scoped_release nogil;
        const StripPlan plan(board.rows, board.cols, memory, MAX_TABLE_SQUARES, MAX_STRIP_HEIGHT, most_wide);
        const auto tables = StripTables::load(plan, [&] { return cancel && cancel->flag; });
        return tables ? strip_witness(board, player, to_move, *tables) : std::nullopt;
      },
      "board"_a, "player"_a, "to_move"_a, "memory"_a, "wide_patterns"_a, "cancel"_a.none() = nb::none(),
      "The cut that proves that `player` wins when `to_move` starts, or None; also None if it was cancelled.");
  module.def("cache_folder", [] { return cache_folder().string(); }, "Where tables are kept; empty: nowhere.");
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
      .def(
          "solve",
          [](ComponentSearch& search, const Board& board, Player first, std::uint64_t nodes, double seconds,
             const CancelToken* cancel, std::function<void(const Progress&)> on_progress, bool want_move) {
            const Limits limits = make_limits(nodes, seconds, cancel, std::move(on_progress));
            nb::gil_scoped_release nogil;
            return search.solve(board, first, limits, want_move);
          },
          "board"_a, "first"_a, "nodes"_a = std::numeric_limits<std::uint64_t>::max(),
          "seconds"_a = std::numeric_limits<double>::infinity(), "cancel"_a.none() = nb::none(),
          "on_progress"_a.none() = nb::none(), "want_move"_a = true,
          "Who wins if `first` starts? Releases the GIL; on_progress is called about ten times a second.")
      .def(
          "winning_move",
          [](ComponentSearch& search, const Board& board, Player first, double seconds, const CancelToken* cancel) {
            const Limits limits = make_limits(seconds, cancel);
            nb::gil_scoped_release nogil;
            return search.winning_move(board, first, limits);
          },
          "board"_a, "first"_a, "seconds"_a = std::numeric_limits<double>::infinity(), "cancel"_a.none() = nb::none(),
          "A winning move, or None if there is none or a limit was reached.")
      .def("save", &save_search<ComponentSearch>, "most"_a, "The results that cost most, also while a search runs.")
      .def("load", &load_search<ComponentSearch>, "saved"_a, "Know saved results again; returns their number.");
}

}  // namespace

void register_strip(nb::module_& module) {
  register_strip_witness(module);
  register_component_search(module);
}
