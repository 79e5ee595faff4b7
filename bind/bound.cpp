#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "domineering/bound/cover.hpp"
#include "domineering/search/cut.hpp"
#include "limits.hpp"
#include "register.hpp"

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
  module.def("cache_folder", [] { return cache_folder().string(); }, "The folder of the tables; empty: none.");
}

}  // namespace

void register_bound(nb::module_& module) {
  nb::class_<CoverSwitches>(
      module, "CoverSwitches",
      "One switch for each enhancement of the cover bound. The defaults are the paper's settings.")
      .def(nb::init<>())
      .def_rw("vulnerable", &CoverSwitches::vulnerable, "Vulnerable areas at all.")
      .def_rw("protective", &CoverSwitches::protective, "Protective areas.")
      .def_rw("type1", &CoverSwitches::type1, "Tell vulnerable areas of type 1 from type 2.")
      .def_rw("options", &CoverSwitches::options, "Option areas of types 1 to 3.")
      .def_rw("protected_squares", &CoverSwitches::protected_squares, "Protected squares in vulnerable areas.")
      .def_rw("unavailable", &CoverSwitches::unavailable, "Squares outside the cover that the opponent cannot use.")
      .def_rw("parity", &CoverSwitches::parity, "The cases f and g for left-over areas.")
      .def_rw("odd_protective", &CoverSwitches::odd_protective, "An odd protective area counts as two vulnerable ones.")
      .def_rw("free_move", &CoverSwitches::free_move, "The player on turn first plays one area.")
      .def_rw("real_cap", &CoverSwitches::real_cap, "Cap the opponent by real(opponent). Newer than the papers.")
      .def_rw("four_packings", &CoverSwitches::four_packings, "Pack all four mirror images. Newer than the papers.")
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"));

  fields(nb::class_<CoverCounts>(module, "CoverCounts", "A cover, counted in the papers' words."), "prot",
         &CoverCounts::prot, "vuln2", &CoverCounts::vuln2, "vuln1", &CoverCounts::vuln1, "vuln2_p",
         &CoverCounts::vuln2_p, "vuln1_p", &CoverCounts::vuln1_p, "safe", &CoverCounts::safe, "op1", &CoverCounts::op1,
         "op2", &CoverCounts::op2, "op3", &CoverCounts::op3, "unavail", &CoverCounts::unavail, "squares",
         &CoverCounts::squares);

  nb::class_<CoverBound>(module, "CoverBound", "Both formulas of the cover bound, evaluated.")
      .def_ro("moves", &CoverBound::moves, "Alpha makes at least so many moves, her free move included.")
      .def_ro("unplayable", &CoverBound::unplayable, "Squares of the cover that neither player will use.")
      .def_ro("opponent", &CoverBound::opponent, "The opponent makes at most so many moves.")
      .def_ro("wins", &CoverBound::wins)
      .def_ro("used", &CoverBound::used,
              "The counts the formulas were evaluated for: after the free move, an odd protective area split.");

  nb::enum_<AreaKind>(module, "AreaKind")
      .value("PROTECTIVE", AreaKind::PROTECTIVE)
      .value("VULNERABLE2", AreaKind::VULNERABLE2)
      .value("VULNERABLE1", AreaKind::VULNERABLE1)
      .value("SAFE", AreaKind::SAFE)
      .value("OPTION1", AreaKind::OPTION1)
      .value("OPTION2", AreaKind::OPTION2)
      .value("OPTION3", AreaKind::OPTION3)
      .value("UNAVAILABLE", AreaKind::UNAVAILABLE);
  nb::class_<CoverArea>(module, "CoverArea", "One area of a cover.")
      .def_ro("kind", &CoverArea::kind)
      .def_ro("has_protected_square", &CoverArea::has_protected_square, "Of a vulnerable area.")
      .def_ro("squares", &CoverArea::squares,
              "row * cols + col, ascending; of an option the square beyond its safe area.");

  fields(
      nb::class_<CoverWitness>(module, "CoverWitness", "The cover behind a bound: everything that makes it checkable."),
      "areas", &CoverWitness::areas, "counts", &CoverWitness::counts, "bound", &CoverWitness::bound);

  module.def(
      "cover_witness", &cover_witness, "board"_a, "alpha"_a, "on_turn"_a, "switches"_a = CoverSwitches{},
      "Bound alpha's moves from below and the opponent's from above, with the areas that prove it. bound.wins is "
      "a proof; its absence is not.");
  module.def("real_moves", &real_moves, "board"_a, "player"_a,
             "How many dominoes the player could place if the opponent placed none.");
  module.def("safe_moves", &safe_moves, "board"_a, "player"_a,
             "How many dominoes the player can place on squares that the opponent cannot use.");
  register_strip_witness(module);
}
