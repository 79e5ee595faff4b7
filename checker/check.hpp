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

// The values may be shared by many certificates: what a piece is worth depends on the piece only.
inline Report check(Source& source, Budget& budget, std::unique_ptr<Values>& values) {
  Report report;
  const double begin = budget.elapsed();
  std::unique_ptr<Reader> reader;
  std::unique_ptr<Game> game;
  try {
    reader = std::make_unique<Reader>(source, budget);
    const int kind = reader->byte();
    if (kind == 1) {
      const DomineeringClaim claim = read_domineering_claim(*reader, report.claim);
      if (!values) values = std::make_unique<Values>(budget);
      game = make_domineering(*reader, budget, *values, claim);
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
  report.seconds = budget.elapsed() - begin;
  return report;
}

inline Report check(Source& source, double seconds = 1e18, double mebibytes = 8192) {
  Budget budget(seconds, mebibytes);
  std::unique_ptr<Values> values;
  return check(source, budget, values);
}

}  // namespace zcheck
