#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "base/files.hpp"
#include "domineering/proof/cover_proof.hpp"
#include "domineering/proof/domineering_proof.hpp"
#include "domineering/proof/proof_index.hpp"
#include "limits.hpp"
#include "register.hpp"

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
      .def("build", &Index::build, "limits"_a, nb::call_guard<nb::gil_scoped_release>(),
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

}  // namespace

void register_proof(nb::module_& module) {
  register_strategy_index(module);
  using Stats = proof::DomineeringProofStats;
  fields(nb::class_<Stats>(module, "DomineeringProofStats"), "stopped", &Stats::stopped, "references",
         &Stats::references, "bytes", &Stats::bytes)
      .def_ro("positions", &Stats::positions, "Positions with all answers written out.")
      .def_ro("segments", &Stats::segments, "Parts written by any thread; 0 if one thread wrote everything.");
  module.def(
      "write_domineering_proof",
      [](ComponentSearch& search, const Board& board, Player starter, Player winner, const std::string& path,
         std::size_t memory, int threads, const Limits& limits) {
        return proof::write_domineering_proof(search, board, starter, winner, path, {memory, threads}, limits);
      },
      "search"_a, "board"_a, "starter"_a, "winner"_a, "path"_a, "memory"_a, "threads"_a, "limits"_a,
      nb::call_guard<nb::gil_scoped_release>(),
      "Write the proof, without the claim, of a claim that the search has found true.");
  module.def(
      "write_cover_proof",
      [](const Board& board, Player starter, Player winner, const std::string& path, std::size_t memory,
         const Limits& limits) {
        const File file = create_file(path);
        return proof::write_cover_proof(board, starter, winner, memory, limits, file.get());
      },
      "board"_a, "starter"_a, "winner"_a, "path"_a, "memory"_a, "limits"_a, nb::call_guard<nb::gil_scoped_release>(),
      "Write the proof with covers of a true claim about any board.");
}
