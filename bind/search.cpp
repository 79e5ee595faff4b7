#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "domineering/obsequi/obsequi.hpp"
#include "limits.hpp"
#include "register.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace zermelo;

namespace {

// What every search of the core takes and gives.
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

  nb::class_<Progress>(module, "Progress", "A snapshot of a running search.")
      .def_ro("nodes", &Progress::nodes)
      .def_ro("seconds", &Progress::seconds)
      .def_ro("root_moves_done", &Progress::root_moves_done)
      .def_ro("root_moves", &Progress::root_moves);

  nb::class_<SearchResult>(module, "SearchResult")
      .def_ro("verdict", &SearchResult::verdict)
      .def_ro("stopped", &SearchResult::stopped)
      .def_ro("move", &SearchResult::move, "A winning move when the verdict is WIN.")
      .def_ro("nodes", &SearchResult::nodes, "Positions entered, also those decided at once.")
      .def_ro("evaluations", &SearchResult::evaluations, "Evaluations of one player's bound.")
      .def_ro("nodes_per_ply", &SearchResult::nodes_per_ply, "Positions after one move, two moves, ...")
      .def_ro("seconds", &SearchResult::seconds);
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

  module.def(
      "obsequi_solve",
      [](const Board& board, Player first, const ObsequiSettings& settings, std::uint64_t nodes, double seconds,
         const CancelToken* cancel, std::function<void(const Progress&)> on_progress) {
        const Limits limits = make_limits(nodes, seconds, cancel, std::move(on_progress));
        nb::gil_scoped_release nogil;
        return obsequi_search(board, first, settings, limits);
      },
      "board"_a, "first"_a, "settings"_a = ObsequiSettings{}, "nodes"_a = std::numeric_limits<std::uint64_t>::max(),
      "seconds"_a = std::numeric_limits<double>::infinity(), "cancel"_a.none() = nb::none(),
      "on_progress"_a.none() = nb::none(),
      "Who wins if `first` starts? Releases the GIL; on_progress is called about ten times a second.");
}

}  // namespace

void register_search(nb::module_& module) {
  register_results(module);
  register_obsequi(module);
}
