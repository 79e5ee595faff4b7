// Where strip tables live: built once, kept on disk, mapped into memory, shared by everybody in the process.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/memory.hpp"
#include "domineering/bound/strip_table.hpp"

namespace zermelo {

// One table, read-only: a mapped file, or memory where there is no place to keep files.
class StripTable {
 public:
  // Maps the file of this table in `folder`. A file that is missing, cut short, of another version or shape, or whose
  // checksum is wrong is built again and replaced. An empty folder keeps the table in memory only. Null, and nothing
  // kept, if the building or the waiting for another process that builds it was stopped.
  static std::shared_ptr<const StripTable> open(int height, int width, const std::filesystem::path& folder,
                                                const StopCheck& stop = {});

  // The numbers of all patterns begin at this byte of the memory, the entries so many bytes behind.
  StripTable(MappedMemory memory, std::size_t numbers, std::size_t number_bytes)
      : memory_(std::move(memory)),
        view_{memory_.as<std::uint16_t>(numbers), memory_.as<StripPair>(numbers + number_bytes)} {}
  StripLookup view() const { return view_; }

 private:
  const MappedMemory memory_;
  const StripLookup view_;
};

inline constexpr int MAX_TABLE_WIDTH = 15;

// ZERMELO_CACHE, else XDG_CACHE_HOME/zermelo, else HOME/.cache/zermelo, else empty: keep no files.
std::filesystem::path cache_folder();

// Which tables serve the strips of both players on rows x cols boards: patterns of at most `max_squares` squares, as
// many as the memory allows (small ones first). They take at most `memory` bytes, and at most twice that while one of
// them is built.
struct StripPlan {
  std::array<int, TALLEST_STRIP + 1> widest{};  // of each height, 0 where there is no table
  std::size_t bytes = 0;

  StripPlan() = default;
  StripPlan(int rows, int cols, std::size_t memory, int max_squares = 24, int tallest = MAX_STRIP_HEIGHT);
};

// The tables that a board can use.
class StripTables {
 public:
  // Null if it was stopped; what was ready by then is kept for the next time.
  static std::shared_ptr<const StripTables> load(const StripPlan& plan, const StopCheck& stop = {},
                                                 const std::filesystem::path& folder = cache_folder());

  // The widest patterns of this height (1..TALLEST_STRIP) that have a table; 0 if there is none.
  int widest(int height) const { return plan_.widest[static_cast<std::size_t>(height)]; }
  StripLookup view(int height) const { return view_[static_cast<std::size_t>(height)]; }
  // False where there is no table of this height and width.
  StripLookup table(int height, int width) const { return width <= widest(height) ? view(height) : StripLookup{}; }
  bool has_tall() const { return widest(MAX_STRIP_HEIGHT + 1) > 0; }
  std::size_t bytes() const { return plan_.bytes; }

 private:
  StripPlan plan_;
  std::array<StripLookup, TALLEST_STRIP + 1> view_{};
  std::vector<std::shared_ptr<const StripTable>> kept_;
};

}  // namespace zermelo
