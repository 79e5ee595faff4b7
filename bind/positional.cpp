#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "limits.hpp"
#include "maker_breaker.hpp"
#include "register.hpp"
#include "saved.hpp"

namespace nb = nanobind;
using namespace zermelo::positional;

void register_positional(nb::module_& module) {
  nb::enum_<Winner>(module, "PositionalWinner")
      .value("UNKNOWN", Winner::UNKNOWN)
      .value("MAKER", Winner::MAKER)
      .value("BREAKER", Winner::BREAKER);
  nb::enum_<Side>(module, "PositionalSide").value("MAKER", Side::MAKER).value("BREAKER", Side::BREAKER);

  nb::class_<Hypergraph>(module, "Hypergraph")
      .def_static("from_edges", &make_hypergraph, nb::arg("vertices"), nb::arg("edges"))
      .def_static("mnk", &make_mnk, nb::arg("columns"), nb::arg("rows"), nb::arg("k"))
      .def_ro("vertices", &Hypergraph::vertices)
      .def_prop_ro("edges",
                   [](const Hypergraph& graph) {
                     std::vector<std::vector<int>> result;
                     for (const VertexSet& edge : graph.edges) result.push_back(members(edge));
                     return result;
                   })
      .def_ro("lines", &Hypergraph::lines, "Hyperedges by line of an m,n,k board, in order along the line.")
      .def_ro("symmetries", &Hypergraph::symmetries,
              "Vertex permutations that keep the hyperedges, the identity first.");

  nb::class_<MakerBreakerOptions> options(module, "MakerBreakerOptions",
                                          "The switches of the full search; none may change a winner.");
  options.def(nb::init<>()).def_rw("threads", &MakerBreakerOptions::threads);
  std::vector<std::string> names;
  for (const auto& [name, member] : MAKER_BREAKER_SWITCHES) {
    options.def_rw(name, member);
    names.emplace_back(name);
  }
  module.def("maker_breaker_switches", [names] { return names; });

  nb::class_<TreeProgress>(module, "PositionalProgress", "How far a search has come; read it from another thread.")
      .def(nb::init<>())
      .def_prop_ro("nodes", [](const TreeProgress& progress) { return progress.nodes.load(); })
      .def_prop_ro("fraction", &TreeProgress::fraction, "A guess of the finished share of the tree.")
      .def_prop_ro("root_moves", &TreeProgress::roots, "The first moves answered by search, and their nodes.");
  nb::class_<Reply>(module, "PositionalReply")
      .def_ro("vertex", &Reply::vertex)
      .def_ro("by_pairing", &Reply::by_pairing)
      .def_ro("pairs", &Reply::pairs);
  nb::class_<MakerBreakerResult>(module, "MakerBreakerResult")
      .def_ro("winner", &MakerBreakerResult::winner)
      .def_prop_ro("zone", [](const MakerBreakerResult& result) { return members(result.zone); })
      .def_ro("nodes", &MakerBreakerResult::nodes)
      .def_ro("reply", &MakerBreakerResult::reply)
      .def_ro("maker_move", &MakerBreakerResult::maker_move)
      .def_ro("pairs", &MakerBreakerResult::pairs)
      .def_ro("by_pairing", &MakerBreakerResult::by_pairing);
  nb::class_<HsuResult>(module, "HsuResult")
      .def_ro("winner", &HsuResult::winner)
      .def_ro("nodes", &HsuResult::nodes)
      .def_ro("seconds", &HsuResult::seconds);
  nb::enum_<StrongAnswer>(module, "StrongAnswer")
      .value("UNKNOWN", StrongAnswer::UNKNOWN)
      .value("YES", StrongAnswer::YES)
      .value("NO", StrongAnswer::NO);
  nb::class_<StrongResult>(module, "StrongResult")
      .def_ro("answer", &StrongResult::answer)
      .def_ro("move", &StrongResult::move)
      .def_ro("nodes", &StrongResult::nodes);
  nb::class_<Description>(module, "PositionalDescription")
      .def_ro("live", &Description::live)
      .def_ro("beck", &Description::beck)
      .def_ro("weights", &Description::weights)
      .def_ro("pairs", &Description::pairs)
      .def_ro("dominated", &Description::dominated)
      .def_ro("redundant", &Description::redundant)
      .def_ro("pairing", &Description::pairing)
      .def_ro("has_pairing", &Description::has_pairing);

  nb::class_<Solver>(module, "PositionalSolver")
      .def(nb::new_(&Solver::make), nb::arg("graph"), nb::arg("options"), nb::arg("memory"))
      .def("solve", &solve_maker_breaker<Solver>, nb::arg("maker"), nb::arg("breaker"), nb::arg("side"),
           nb::arg("nodes"), nb::arg("seconds"), nb::arg("cancel"), nb::arg("progress").none() = nb::none())
      .def(
          "solve_as_published",
          [](const Solver& solver, std::vector<int> maker, std::vector<int> breaker, Side side, bool partial_pairing,
             bool domination, bool zones, int branching, std::uint64_t nodes, double seconds, std::uint64_t memory,
             const CancelToken& cancel) {
            const nb::gil_scoped_release release;
            return solver.solve_as_published({std::move(maker), std::move(breaker)}, side,
                                             {partial_pairing, domination, zones, branching, true},
                                             make_limits(nodes, seconds, &cancel, {}, memory));
          },
          nb::arg("maker"), nb::arg("breaker"), nb::arg("side"), nb::arg("partial_pairing"), nb::arg("domination"),
          nb::arg("zones"), nb::arg("branching"), nb::arg("nodes"), nb::arg("seconds"), nb::arg("memory"),
          nb::arg("cancel"))
      .def(
          "solve_strong",
          [](Solver& solver, std::vector<int> attacker, std::vector<int> defender, bool attacker_to_move,
             std::uint64_t nodes, double seconds, std::uint64_t memory, const CancelToken& cancel) {
            const nb::gil_scoped_release release;
            return solver.solve_strong({std::move(attacker), std::move(defender)},
                                       attacker_to_move ? Side::MAKER : Side::BREAKER,
                                       make_limits(nodes, seconds, &cancel, {}, memory));
          },
          nb::arg("attacker"), nb::arg("defender"), nb::arg("attacker_to_move"), nb::arg("nodes"), nb::arg("seconds"),
          nb::arg("memory"), nb::arg("cancel"))
      .def("save", &save_search<Solver>, nb::arg("most"), "The results that cost most, also while a search runs.")
      .def("load", &load_search<Solver>, nb::arg("saved"), "Know saved results again; returns their number.")
      .def(
          "describe",
          [](const Solver& solver, std::vector<int> maker, std::vector<int> breaker) {
            return solver.describe({std::move(maker), std::move(breaker)});
          },
          nb::arg("maker"), nb::arg("breaker"));
}
