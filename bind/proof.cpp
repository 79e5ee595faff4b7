#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cmath>

#include "base/files.hpp"
#include "domineering/proof/cover_proof.hpp"
#include "domineering/proof/domineering_proof.hpp"
#include "domineering/proof/proof_index.hpp"
#include "limits.hpp"
#include "maker_breaker.hpp"
#include "positional/proof/positional_proof.hpp"
#include "register.hpp"
#include "saved.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace zermelo;

namespace {

Lines lines_of(const std::vector<unsigned>& rows) {
  Lines lines{};
  if (rows.size() > lines.size()) throw std::invalid_argument("a strategy is walked on boards of at most 32 rows");
  std::copy(rows.begin(), rows.end(), lines.begin());
  return lines;
}

void register_strategy_index(nb::module_& module) {
  using Index = proof::ProofIndex;
  nb::class_<Index>(module, "ProofIndex", "Finds its way in a Domineering certificate's payload.")
      .def(
          "__init__",
          [](Index* self, const nb::bytes& payload, const Board& board, std::size_t at, bool loser_to_move) {
            new (self) Index({payload.c_str(), payload.size()}, board, at, loser_to_move);
          },
          nb::keep_alive<1, 2>(), "payload"_a, "board"_a, "at"_a, "loser_to_move"_a)
      .def(
          "build",
          [](Index& index, std::size_t memory, double seconds, const CancelToken* cancel) {
            const Limits limits = make_limits(Limits{}.nodes, seconds, cancel, {}, memory);
            nb::gil_scoped_release nogil;
            return index.build(limits);
          },
          "memory"_a, "seconds"_a, "cancel"_a.none() = nb::none(),
          "Read the proof once, and note the places that make every step short; FINISHED, or which limit was reached.")
      .def(
          "end_of",
          [](const Index& index, std::size_t at, const std::vector<unsigned>& rows, bool loser_to_move) {
            return index.end_of({at, lines_of(rows), loser_to_move});
          },
          "at"_a, "rows"_a, "loser_to_move"_a, "Where the node that begins there ends.")
      .def(
          "referred",
          [](const Index& index, std::size_t at,
             const std::vector<unsigned>& rows) -> std::optional<std::pair<std::size_t, std::vector<unsigned>>> {
            const auto place = index.referred({at, lines_of(rows), true});
            if (!place) return std::nullopt;
            const auto begin = place->rows.begin();
            return std::pair(place->at, std::vector<unsigned>(begin, begin + static_cast<std::ptrdiff_t>(rows.size())));
          },
          "at"_a, "rows"_a, "Where the position stands that a reference means, and its free squares.")
      .def_prop_ro("nodes", &Index::nodes);
}

std::vector<positional::Marks> marks_of(const std::vector<std::pair<std::vector<int>, std::vector<int>>>& positions) {
  std::vector<positional::Marks> marks;
  for (const auto& [maker, breaker] : positions) marks.push_back({maker, breaker});
  return marks;
}

}  // namespace

void register_proof(nb::module_& module) {
  register_strategy_index(module);
  using Stats = proof::DomineeringProofStats;
  nb::class_<Stats>(module, "DomineeringProofStats")
      .def_ro("stopped", &Stats::stopped)
      .def_ro("positions", &Stats::positions, "Positions with all answers written out.")
      .def_ro("references", &Stats::references)
      .def_ro("segments", &Stats::segments, "Parts written by any thread; 0 if one thread wrote everything.")
      .def_ro("bytes", &Stats::bytes);
  module.def(
      "write_domineering_proof",
      [](ComponentSearch& search, const Board& board, Player starter, Player winner, const std::string& path,
         std::size_t memory, double seconds, const CancelToken* cancel, int threads,
         std::function<void(const Progress&)> on_progress) {
        const Limits limits = make_limits(seconds, cancel, std::move(on_progress));
        nb::gil_scoped_release nogil;
        return proof::write_domineering_proof(search, board, starter, winner, path, {memory, threads}, limits);
      },
      "search"_a, "board"_a, "starter"_a, "winner"_a, "path"_a, "memory"_a, "seconds"_a, "cancel"_a.none(),
      "threads"_a = 1, "on_progress"_a.none() = nb::none(),
      "Write the proof, without the claim, of a claim that the search has found true.");
  module.def(
      "write_cover_proof",
      [](const Board& board, Player starter, Player winner, const std::string& path, std::size_t memory, double seconds,
         const CancelToken* cancel) {
        const Limits limits = make_limits(seconds, cancel);
        nb::gil_scoped_release nogil;
        const File file = create_file(path);
        return proof::write_cover_proof(board, starter, winner, memory, limits, file.get());
      },
      "board"_a, "starter"_a, "winner"_a, "path"_a, "memory"_a, "seconds"_a, "cancel"_a.none(),
      "Write the proof with covers of a true claim about any board.");

  using Written = proof::PositionalProofResult;
  nb::class_<Written>(module, "PositionalProofResult")
      .def_ro("winner", &Written::winner)
      .def_ro("nodes", &Written::nodes)
      .def_ro("records", &Written::records);
  using Cells = std::vector<int>;
  using Pairs = std::vector<std::pair<Cells, Cells>>;
  using proof::PositionalProver;
  nb::class_<PositionalProver>(module, "PositionalProver",
                               "A search that records its results, and writes proofs; threads may share it.")
      .def(nb::new_([](const positional::Hypergraph& graph, const std::array<int, 3>& size,
                       const positional::MakerBreakerOptions& options, std::uint64_t memory, const std::string& path) {
             return PositionalProver::make(graph, {size[0], size[1], size[2]}, options, memory, path);
           }),
           "graph"_a, "size"_a, "options"_a, "memory"_a, "path"_a)
      .def("load", &load_search<PositionalProver>, "saved"_a, "Take saved results as hints: which replies win.")
      .def("solve", &solve_maker_breaker<PositionalProver>, "maker"_a, "breaker"_a, "side"_a, "nodes"_a, "seconds"_a,
           "cancel"_a, "progress"_a.none() = nb::none(), "Solve; to prove the same then takes no second search.")
      .def(
          "prove",
          [](PositionalProver& prover, Cells maker, Cells breaker, positional::Side starter, const std::string& path,
             std::uint64_t nodes, double seconds, const CancelToken& cancel, bool alone) {
            const Limits limits = make_limits(nodes, seconds, &cancel);
            nb::gil_scoped_release nogil;
            const File payload = create_file(path);
            return prover.prove({std::move(maker), std::move(breaker)}, starter, limits, payload.get(), alone);
          },
          "maker"_a, "breaker"_a, "starter"_a, "path"_a, "nodes"_a, "seconds"_a, "cancel"_a, "alone"_a = false,
          "Solve, and write the proof, without the claim.")
      .def(
          "prove_all",
          [](PositionalProver& prover, const Pairs& positions, const std::string& path, std::uint64_t nodes,
             double seconds, const CancelToken& cancel) {
            const Limits limits = make_limits(nodes, seconds, &cancel);
            proof::BlockingBase base;
            {
              nb::gil_scoped_release nogil;
              const File payload = create_file(path);
              base = prover.prove_all(marks_of(positions), limits, payload.get());
            }
            std::vector<std::pair<std::uint64_t, int>> claims;
            for (const proof::NamedRecord& claim : base.claims) claims.emplace_back(claim.record, claim.symmetry);
            return std::make_tuple(base.complete, claims, base.nodes);
          },
          "positions"_a, "path"_a, "nodes"_a, "seconds"_a, "cancel"_a,
          "Write the records behind Breaker wins, Maker to move: whether all are there, a record and a symmetry each, "
          "nodes.");
}
