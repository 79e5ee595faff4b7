// Checks a certificate and reports the verdict.
#pragma once

#include <memory>

#include "inflate.hpp"

namespace zcheck {

struct Report {
  Verdict verdict = MALFORMED;
  std::string reason;
  Claim claim;
  std::uint64_t nodes = 0, bytes = 0;
  double seconds = 0;
};

struct Memory;  // values of pieces, kept from one proof to the next

Report check(Source& source, Budget& budget, const Crew& crew, std::shared_ptr<Memory>& memory);

inline Report check(Source& source, double seconds = 1e18, double mebibytes = 8192, const Crew& crew = {}) {
  Budget budget(seconds, mebibytes);
  std::shared_ptr<Memory> memory;
  return check(source, budget, crew, memory);
}

}  // namespace zcheck
