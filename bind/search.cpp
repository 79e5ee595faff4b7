#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "cancel_token.hpp"
#include "register.hpp"
#include "search/result.hpp"

namespace nb = nanobind;
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
      .value("CANCELLED", StopReason::CANCELLED);

  nb::class_<CancelToken>(module, "CancelToken", "Stops a running search from another thread.")
      .def(nb::init<>())
      .def("cancel", [](CancelToken& token) { token.flag = true; }, "Ask every search that holds this token to stop.")
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
      .def_ro("seconds", &SearchResult::seconds);
}

}  // namespace

void register_search(nb::module_& module) { register_results(module); }
