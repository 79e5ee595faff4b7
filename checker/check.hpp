// One function owns the verdict.
#pragma once

#include "positional.hpp"
#include "rectangles.hpp"

namespace zcheck {

struct Report {
  Verdict verdict = MALFORMED;
  std::string reason;
  Claim claim;
  std::uint64_t nodes = 0, bytes = 0;
  double seconds = 0;
};

inline Report check(Source& source, double seconds = 1e18, double mebibytes = 8192) {
  Report report;
  Budget budget(seconds, mebibytes);
  std::unique_ptr<Reader> reader;
  std::unique_ptr<Game> game;
  try {
    reader = std::make_unique<Reader>(source, budget);
    const int kind = reader->byte();
    if (kind == 1) {
      const DomineeringClaim claim = read_domineering_claim(*reader, report.claim);
      game = make_domineering(*reader, budget, claim);
      game->claim = report.claim;
    } else if (kind == 2 || kind == 3) {
      game = std::make_unique<Positional>(*reader, budget, kind == 2);
    } else if (kind == 4) {
      game = std::make_unique<Rectangles>(*reader, budget);
    } else {
      malformed("unknown game " + std::to_string(kind));
    }
    game->check();
    report.verdict = VERIFIED;
  } catch (const Stop& stop) {
    report.verdict = stop.verdict;
    report.reason = stop.reason;
  } catch (const std::bad_alloc&) {
    report.verdict = UNFINISHED;
    report.reason = "the memory of this machine was exhausted";
  }
  if (game) {
    report.claim = game->claim;
    report.nodes = game->nodes;
  }
  if (reader) report.bytes = reader->offset();
  report.seconds = budget.elapsed();
  return report;
}

}  // namespace zcheck
