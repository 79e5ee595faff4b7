#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "limits.hpp"
#include "positional/proof/positional_proof.hpp"
#include "positional/search/solver.hpp"
#include "register.hpp"
#include "saved.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace zermelo::positional;

namespace {

template <class Search>
MakerBreakerResult solve_maker_breaker(Search& search, std::vector<int> maker, std::vector<int> breaker, Side side,
                                       const zermelo::Limits& limits, TreeProgress* progress) {
  const nb::gil_scoped_release release;
  return search.solve({std::move(maker), std::move(breaker)}, side, limits, progress);
}

void register_prover(nb::module_& module) {
  using Written = zermelo::proof::PositionalProofResult;
  fields(nb::class_<Written>(module, "PositionalProofResult"), "winner", &Written::winner, "nodes", &Written::nodes,
         "records", &Written::records);
  using Cells = std::vector<int>;
  using Pairs = std::vector<std::pair<Cells, Cells>>;
  using zermelo::proof::PositionalProver;
  nb::class_<PositionalProver>(module, "PositionalProver",
                               "A search that records its results, and writes proofs; threads may share it.")
      .def(nb::new_(&PositionalProver::make), "graph"_a, "options"_a, "memory"_a, "path"_a)
      .def("load", &load_search<PositionalProver>, "saved"_a, "Take saved results as hints: which replies win.")
      .def("solve", &solve_maker_breaker<PositionalProver>, "maker"_a, "breaker"_a, "side"_a, "limits"_a,
           "progress"_a.none() = nb::none(), "Solve; to prove the same then takes no second search.")
      .def(
          "prove",
          [](PositionalProver& prover, Cells maker, Cells breaker, Side starter, const std::string& path,
             const zermelo::Limits& limits) {
            nb::gil_scoped_release nogil;
            const zermelo::File payload = zermelo::create_file(path);
            return prover.prove({std::move(maker), std::move(breaker)}, starter, limits, payload.get());
          },
          "maker"_a, "breaker"_a, "starter"_a, "path"_a, "limits"_a, "Solve, and write the proof, without the claim.")
      .def(
          "prove_all",
          [](PositionalProver& prover, const Pairs& positions, const std::string& path, const zermelo::Limits& limits) {
            zermelo::proof::BlockingBase base;
            {
              nb::gil_scoped_release nogil;
              const zermelo::File payload = zermelo::create_file(path);
              std::vector<Marks> marks;
              for (const auto& [maker, breaker] : positions) marks.push_back({maker, breaker});
              base = prover.prove_all(marks, limits, payload.get());
            }
            std::vector<std::pair<std::uint64_t, int>> claims;
            for (const zermelo::proof::NamedRecord& claim : base.claims)
              claims.emplace_back(claim.record, claim.symmetry);
            return std::make_tuple(base.complete, claims, base.nodes);
          },
          "positions"_a, "path"_a, "limits"_a,
          "Write the records behind Breaker wins, Maker to move: whether all are there, a record and a symmetry each, "
          "nodes.");
}

}  // namespace

void register_positional(nb::module_& module) {
  nb::enum_<Winner>(module, "PositionalWinner")
      .value("UNKNOWN", Winner::UNKNOWN)
      .value("MAKER", Winner::MAKER)
      .value("BREAKER", Winner::BREAKER);
  nb::enum_<Side>(module, "PositionalSide").value("MAKER", Side::MAKER).value("BREAKER", Side::BREAKER);

  nb::class_<Hypergraph>(module, "Hypergraph")
      .def_static("from_edges", &make_hypergraph, "vertices"_a, "edges"_a)
      .def_static("mnk", &make_mnk, "columns"_a, "rows"_a, "k"_a)
      .def_ro("vertices", &Hypergraph::vertices)
      .def_prop_ro("edges", [](const Hypergraph& graph) {
        std::vector<std::vector<int>> result;
        for (const VertexSet& edge : graph.edges) result.push_back(members(edge));
        return result;
      });

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
      .def_prop_ro("fraction", &TreeProgress::fraction, "A guess of the finished share of the tree.");
  fields(nb::class_<Reply>(module, "PositionalReply"), "vertex", &Reply::vertex, "by_pairing", &Reply::by_pairing,
         "pairs", &Reply::pairs);
  fields(nb::class_<MakerBreakerResult>(module, "MakerBreakerResult"), "winner", &MakerBreakerResult::winner, "nodes",
         &MakerBreakerResult::nodes, "reply", &MakerBreakerResult::reply, "maker_move", &MakerBreakerResult::maker_move,
         "pairs", &MakerBreakerResult::pairs, "by_pairing", &MakerBreakerResult::by_pairing)
      .def_prop_ro("zone", [](const MakerBreakerResult& result) { return members(result.zone); });
  fields(nb::class_<HsuResult>(module, "HsuResult"), "winner", &HsuResult::winner, "nodes", &HsuResult::nodes,
         "seconds", &HsuResult::seconds);
  nb::enum_<StrongAnswer>(module, "StrongAnswer")
      .value("UNKNOWN", StrongAnswer::UNKNOWN)
      .value("YES", StrongAnswer::YES)
      .value("NO", StrongAnswer::NO);
  fields(nb::class_<StrongResult>(module, "StrongResult"), "answer", &StrongResult::answer, "move", &StrongResult::move,
         "nodes", &StrongResult::nodes);
  nb::enum_<ThreatLevel>(module, "ThreatLevel")
      .value("FOURS", ThreatLevel::FOURS)
      .value("THREATS", ThreatLevel::THREATS)
      .value("QUIET", ThreatLevel::QUIET);
  fields(nb::class_<ThreatResult>(module, "ThreatResult", "A win by threats, or none found."), "won",
         &ThreatResult::won, "tried_all", &ThreatResult::tried_all, "promising", &ThreatResult::promising, "positions",
         &ThreatResult::positions, "move", &ThreatResult::move, "nodes", &ThreatResult::nodes)
      .def_prop_ro("zone", [](const ThreatResult& result) { return members(result.zones.at[0]); })
      .def_prop_ro("proof",
                   [](const ThreatResult& result) { return nb::bytes(result.proof.data(), result.proof.size()); });
  fields(nb::class_<Description>(module, "PositionalDescription"), "live", &Description::live, "beck",
         &Description::beck, "weights", &Description::weights, "pairs", &Description::pairs, "dominated",
         &Description::dominated, "redundant", &Description::redundant, "pairing", &Description::pairing, "has_pairing",
         &Description::has_pairing);

  nb::class_<Solver>(module, "PositionalSolver")
      .def(nb::new_(&Solver::make), "graph"_a, "options"_a, "memory"_a)
      .def("solve", &solve_maker_breaker<Solver>, "maker"_a, "breaker"_a, "side"_a, "limits"_a,
           "progress"_a.none() = nb::none())
      .def(
          "solve_as_published",
          [](const Solver& solver, std::vector<int> maker, std::vector<int> breaker, Side side, bool partial_pairing,
             bool domination, bool zones, int branching, const zermelo::Limits& limits) {
            const nb::gil_scoped_release release;
            return solver.solve_as_published({std::move(maker), std::move(breaker)}, side,
                                             {partial_pairing, domination, zones, branching}, limits);
          },
          "maker"_a, "breaker"_a, "side"_a, "partial_pairing"_a, "domination"_a, "zones"_a, "branching"_a, "limits"_a)
      .def(
          "solve_strong",
          [](Solver& solver, std::vector<int> attacker, std::vector<int> defender, bool attacker_to_move,
             const zermelo::Limits& limits) {
            const nb::gil_scoped_release release;
            return solver.solve_strong({std::move(attacker), std::move(defender)},
                                       attacker_to_move ? Side::MAKER : Side::BREAKER, limits);
          },
          "attacker"_a, "defender"_a, "attacker_to_move"_a, "limits"_a)
      .def(
          "solve_threats",
          [](Solver& solver, std::vector<int> attacker, std::vector<int> defender, bool attacker_to_move,
             ThreatLevel level, zermelo::Limits limits, TreeProgress* progress) {
            const nb::gil_scoped_release release;
            if (progress)
              limits.on_progress = [progress, before = progress->nodes.load()](const zermelo::Progress& now) {
                progress->nodes = before + now.nodes;
              };
            return solver.solve_threats({std::move(attacker), std::move(defender)},
                                        attacker_to_move ? Side::MAKER : Side::BREAKER, level, limits);
          },
          "attacker"_a, "defender"_a, "attacker_to_move"_a, "level"_a, "limits"_a, "progress"_a.none() = nb::none())
      .def("save", &save_search<Solver>, "most"_a, "The results that cost most, also while a search runs.")
      .def("load", &load_search<Solver>, "saved"_a, "Know saved results again; returns their number.")
      .def(
          "describe",
          [](const Solver& solver, std::vector<int> maker, std::vector<int> breaker) {
            return solver.describe({std::move(maker), std::move(breaker)});
          },
          "maker"_a, "breaker"_a);
  register_prover(module);
}
