#include "check.hpp"

#include "cram.hpp"
#include "race.hpp"
#include "rectangles.hpp"
#include "strong.hpp"

namespace zcheck {

Report check(Source& source, Budget& budget, const Crew& crew, std::shared_ptr<Memory>& memory) {
  Report report;
  const double begin = budget.elapsed();
  std::unique_ptr<Reader> reader;
  std::unique_ptr<Game> game;
  try {
    reader = std::make_unique<Reader>(source, budget);
    try {
      const int kind = reader->byte();
      if (!memory && (kind == 1 || kind == 5)) memory = std::make_shared<Memory>(budget, crew);
      if (kind == 1) {
        const DomineeringClaim claim = read_domineering_claim(*reader, report.claim);
        game = make_domineering(*reader, *memory, claim);
        game->claim = report.claim;
      } else if (kind == 2 || kind == 3) {
        game = std::make_unique<Positional>(*reader, budget, kind == 2);
      } else if (kind == 4) {
        game = std::make_unique<Rectangles>(*reader, budget, crew);
      } else if (kind == 5) {
        game = make_cram(*reader, *memory);
      } else if (kind == 6 || kind == 7) {
        game = std::make_unique<Strong>(*reader, budget, kind == 6);
      } else if (kind == 8) {
        game = std::make_unique<Race>(*reader, budget);
      } else {
        malformed("unknown game " + std::to_string(kind));
      }
      game->check();
      report.verdict = VERIFIED;
    } catch (const Damaged&) {
      throw;
    } catch (const Stop& stop) {
      report.verdict = stop.verdict;
      report.reason = stop.reason;
      report.bytes = stop.bytes;
    }
    if (game) report.claim = game->claim, report.nodes = game->nodes;
    if (!report.bytes) report.bytes = reader->offset();
    if (report.verdict != UNFINISHED) reader->skip_rest();
  } catch (const Stop& stop) {  // the container is damaged, or its end is out of reach: nothing is said about the claim
    report = Report{};
    report.verdict = stop.verdict;
    report.reason = stop.reason;
  } catch (const std::bad_alloc&) {
    report.verdict = UNFINISHED;
    report.reason = "the memory of this machine was exhausted";
  }
  report.seconds = budget.elapsed() - begin;
  return report;
}

}  // namespace zcheck
