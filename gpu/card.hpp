// One graphics card: strip tables and a table of answers in its memory, and what it does with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "domineering/gpu/unit_search.hpp"

namespace zermelo::gpu {

// One strip table in the processor's memory.
struct HostTable {
  const std::uint16_t* number = nullptr;
  std::size_t patterns = 0;
  const PairWords* entry = nullptr;
  std::size_t entries = 0;
  int widest = 0;
};

// Lines of one player, to evaluate.
struct LinesToCut {
  std::uint16_t line[MAX_LINES];
  int count;
};
struct MarginPair {
  std::int16_t first, second;
  friend bool operator==(const MarginPair&, const MarginPair&) = default;
};

struct SearchOrder {
  int rows = 0, cols = 0;
  bool help = false;  // warps that find no fresh unit join others at theirs
  double seconds = 1e9;
};
struct SearchReport {
  std::vector<Answer> answers;
  Counters counters;
  double seconds = 0;
  int warps = 0;
  bool stopped = false;
};

// Throws std::runtime_error with a sentence that says what is wrong: no card, an old driver.
void find_card();

class Card {
 public:
  // Throws std::runtime_error if its memory is too small.
  Card(const HostTable (&tables)[MAX_HEIGHT + 1], std::size_t answer_bytes);
  ~Card();

  std::string name() const;
  // The margins of each, and the seconds that one pass over all of them took on the card.
  std::vector<MarginPair> evaluate(const std::vector<LinesToCut>& lines, double& seconds);
  SearchReport search(const std::vector<Unit>& units, const SearchOrder& order);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace zermelo::gpu
