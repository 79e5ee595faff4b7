// Builds the database of components, square count by square count. The file is complete after each count, so an
// interrupted build goes on from the last one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "base/limits.hpp"

namespace zermelo::cgt {

struct BuildProgress {
  int squares = 0;           // the count being built
  std::uint64_t done = 0;    // shapes of that count valued
  std::uint64_t shapes = 0;  // shapes of that count in all
};

struct BuildReport {
  int resumed_from = 0;  // square count of the sound file that was there; 0 for none
  int squares = 0;
  std::uint64_t shapes = 0, games = 0, bytes = 0;
};

inline constexpr int MAX_DATABASE_SQUARES = 18;

// Makes the file at `path` hold all shapes with at most `squares` squares. A sound smaller file is extended, a larger
// one left alone, a broken one replaced. Throws std::invalid_argument, LimitReached (the counts finished so far stay),
// or DatabaseError if the file cannot be written.
BuildReport build_database(const std::filesystem::path& path, int squares, const Limits& limits,
                           const std::function<void(const BuildProgress&)>& on_progress);

}  // namespace zermelo::cgt
