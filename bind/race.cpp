#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "limits.hpp"
#include "positional/race/race_search.hpp"
#include "register.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace zermelo::positional;

void register_race(nb::module_& module) {
  using Numbers = std::vector<int>;
  nb::class_<RaceGoal>(module, "RaceGoal", "Winning sets, or a graph with two ends to join.")
      .def(
          "__init__",
          [](RaceGoal* goal, std::vector<Numbers> sets, std::vector<Numbers> neighbours, Numbers first, Numbers last) {
            new (goal) RaceGoal{std::move(sets), std::move(neighbours), std::move(first), std::move(last)};
          },
          "sets"_a = std::vector<Numbers>{}, "neighbours"_a = std::vector<Numbers>{}, "first"_a = Numbers{},
          "last"_a = Numbers{});
  nb::enum_<RaceAnswer>(module, "RaceAnswer")
      .value("UNKNOWN", RaceAnswer::UNKNOWN)
      .value("YES", RaceAnswer::YES)
      .value("NO", RaceAnswer::NO);
  fields(nb::class_<RaceResult>(module, "RaceResult"), "answer", &RaceResult::answer, "within", &RaceResult::within,
         "move", &RaceResult::move, "carrier", &RaceResult::carrier, "nodes", &RaceResult::nodes);
  nb::class_<RaceProof>(module, "RaceProof", "A proof, as the certificate has it after the claim.")
      .def_prop_ro("wins", [](const RaceProof& proof) { return proof.answer == RaceAnswer::YES; })
      .def_prop_ro("bytes", [](const RaceProof& proof) { return nb::bytes(proof.bytes.data(), proof.bytes.size()); })
      .def_ro("records", &RaceProof::records)
      .def_ro("nodes", &RaceProof::nodes);
  nb::class_<RaceSolver>(module, "RaceSolver", "Whether a player completes a goal in time; its table stays.")
      .def(nb::new_([](int vertices, RaceGoal attacker, RaceGoal defender, std::vector<std::uint8_t> prefix,
                       std::vector<std::uint8_t> cycle, std::uint64_t memory) {
             return RaceSolver::make(vertices, std::move(attacker), std::move(defender),
                                     {std::move(prefix), std::move(cycle)}, memory);
           }),
           "vertices"_a, "attacker"_a, "defender"_a, "prefix"_a, "cycle"_a, "memory"_a)
      .def(
          "solve",
          [](RaceSolver& solver, Numbers attacker, Numbers defender, int phase, int within, Numbers first,
             std::uint64_t nodes, double seconds, const CancelToken& cancel, TreeProgress* progress) {
            const nb::gil_scoped_release release;
            return solver.solve({std::move(attacker), std::move(defender), phase, within, std::move(first)},
                                make_limits(nodes, seconds, &cancel), progress);
          },
          "attacker"_a, "defender"_a, "phase"_a, "within"_a, "first"_a, "nodes"_a, "seconds"_a, "cancel"_a,
          "progress"_a.none() = nb::none(), "Ask about marks, the place in the order of turns, and a number of moves.")
      .def(
          "prove",
          [](RaceSolver& solver, Numbers attacker, Numbers defender, int phase, int within, Numbers first,
             std::uint64_t nodes, double seconds, const CancelToken& cancel, TreeProgress* progress) {
            const nb::gil_scoped_release release;
            return solver.prove({std::move(attacker), std::move(defender), phase, within, std::move(first)},
                                make_limits(nodes, seconds, &cancel), progress);
          },
          "attacker"_a, "defender"_a, "phase"_a, "within"_a, "first"_a, "nodes"_a, "seconds"_a, "cancel"_a,
          "progress"_a.none() = nb::none(), "The proof of the answer to the same question.");
}
