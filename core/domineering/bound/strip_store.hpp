// Storage of strip tables: built once, stored on disk, mapped into memory, shared by all searches of the process.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/files.hpp"
#include "base/memory.hpp"
#include "domineering/bound/strip_table.hpp"
#include "domineering/bound/wide_table.hpp"

namespace zermelo {

// Which patterns a table has: all subsets of height x width; or, if it continues a table of all subsets of the width
// `exact`, the wider ones that have no empty column.
struct StripShape {
  int height, width, exact = 0;
  std::size_t patterns() const {
    return exact ? wide_offset(height, exact, width + 1) : strip_table_patterns(height, width);
  }
  std::size_t bytes() const { return patterns() * sizeof(std::uint16_t); }
  auto operator<=>(const StripShape&) const = default;
};

// One table, read-only: a mapped file, or memory where there is no place to keep files.
class StripTable {
 public:
  // Maps the file of this table in `folder`. A file that is missing, cut short, of another version or shape, or whose
  // checksum is wrong is built again and replaced. An empty folder keeps the table in memory only. Returns null,
  // and writes nothing, if `stop` ended the building, or the wait for another process that builds it. `narrow` is the
  // table that it continues, if there is one: the new table begins with its entries.
  static std::shared_ptr<const StripTable> open(const StripShape& shape, const std::filesystem::path& folder,
                                                const StopCheck& stop = {}, const StripTable* narrow = nullptr);

  // The numbers of all patterns begin at this byte of the memory, `count` entries at that.
  StripTable(MappedMemory memory, std::size_t numbers, std::size_t entries, std::size_t count)
      : memory_(std::move(memory)), numbers_(numbers), entries_(entries), count_(count) {}
  const std::uint16_t* numbers() const { return memory_.as<std::uint16_t>(numbers_); }
  std::span<const StripPair> entries() const { return {memory_.as<StripPair>(entries_), count_}; }

 private:
  const MappedMemory memory_;
  const std::size_t numbers_, entries_, count_;
};

// Which tables serve the strips of both players on rows x cols boards: all subsets of at most `max_squares` squares,
// then wider strips of at most `max_wide` patterns, as many as the memory allows (small ones first). They take at most
// `memory` bytes, and at most twice that while one of them is built.
struct StripPlan {
  std::array<int, TALLEST_STRIP + 1> exact{}, widest{};  // of each height, 0 where there is no table
  std::size_t bytes = 0;

  StripPlan() = default;
  StripPlan(int rows, int cols, std::size_t memory, int max_squares = MAX_TABLE_SQUARES, int tallest = MAX_STRIP_HEIGHT,
            std::size_t max_wide = 0);
};

// The tables that a board can use.
class StripTables {
 public:
  // Null if it was stopped; tables that were ready by then stay for the next call.
  static std::shared_ptr<const StripTables> load(const StripPlan& plan, const StopCheck& stop = {},
                                                 const std::filesystem::path& folder = cache_folder());

  // Of this height (2..TALLEST_STRIP); its widest is 0 if there is none.
  const StripLookup& of(int height) const { return lookup_[height]; }
  bool has_tall() const { return of(MAX_STRIP_HEIGHT + 1).widest > 0; }

 private:
  std::array<StripLookup, TALLEST_STRIP + 1> lookup_{};
  std::vector<std::shared_ptr<const StripTable>> owned_;
};

}  // namespace zermelo
