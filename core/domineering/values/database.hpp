// Values of all small connected positions in one memory-mapped file.
//
//   DatabaseHeader | keys, one sorted block of 64-bit cells per frame | values, a game index per key | games | options
//
// A key is the canonical form of shape.hpp, so mirrored, moved and transposed copies share one entry. A game's options
// come before it. The header has a checksum of the whole file; a file that fails a test is reported and not used.
// Byte order is the machine's; the magic word of another order is foreign.
//
// Complete for at most 15 squares. Of the larger shapes those are left out that fit no frame (8x9 and beyond).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/memory.hpp"
#include "cgt/arena.hpp"
#include "domineering/values/shape.hpp"

namespace zermelo::cgt {

// The file is not there, or is no sound database; the message names it and says why.
class DatabaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DatabaseHeader {
  static constexpr std::uint64_t MAGIC = 0x5a45524d434f4d50;  // "ZERMCOMP"
  static constexpr std::uint32_t VERSION = 2;

  std::uint64_t magic = MAGIC;
  std::uint32_t version = VERSION;
  std::uint32_t max_squares = 0;
  std::uint64_t shapes[FRAMES] = {};  // per frame, in the order of STRIDES
  std::uint64_t games = 0;
  std::uint64_t options = 0;
  std::uint64_t checksum = 0;  // of everything else; the field itself counts as 0
};
static_assert(sizeof(DatabaseHeader) == 88);

// A number, or a game with options.
struct StoredGame {
  std::int32_t numerator = 0, exponent = 0;
  std::uint32_t first_option = 0;
  std::uint16_t lefts = 0, rights = 0;

  bool is_number() const { return lefts == 0; }  // a game that is no number has options for both
};
static_assert(sizeof(StoredGame) == 16);

class ComponentDatabase {
 public:
  // Throws DatabaseError.
  static std::shared_ptr<const ComponentDatabase> open(const std::filesystem::path& path);

  int max_squares() const { return static_cast<int>(header_->max_squares); }
  std::size_t shapes() const { return std::accumulate(header_->shapes, header_->shapes + FRAMES, std::size_t{0}); }
  std::size_t games() const { return header_->games; }

  // Index of the shape's game (of the canonical form, not turned back).
  std::optional<std::uint32_t> find(const Shape& shape) const;
  const StoredGame& game(std::uint32_t index) const { return games_[index]; }
  std::span<const std::uint32_t> left_options(std::uint32_t index) const;
  std::span<const std::uint32_t> right_options(std::uint32_t index) const;
  std::span<const std::uint64_t> keys(int frame) const { return keys_[frame]; }
  std::uint32_t value(int frame, std::size_t index) const { return values_[frame][index]; }

 private:
  ComponentDatabase() = default;
  void check(const std::filesystem::path& path);

  MappedMemory memory_;
  const DatabaseHeader* header_ = nullptr;
  std::span<const std::uint64_t> keys_[FRAMES];
  const std::uint32_t* values_[FRAMES] = {};
  const StoredGame* games_ = nullptr;
  const std::uint32_t* options_ = nullptr;
};

// Games of a database as games of an arena, each made when it is first needed.
class ImportedGames {
 public:
  ImportedGames(Arena& arena, std::shared_ptr<const ComponentDatabase> database);
  const ComponentDatabase& database() const { return *database_; }
  // Nothing if the shape is not in the database.
  std::optional<GameId> value(const Shape& shape);
  // The game with this index in the database.
  GameId game(std::uint32_t index);

 private:
  Arena& arena_;
  std::shared_ptr<const ComponentDatabase> database_;
  std::vector<GameId> known_;
};

// Of a file in two blocks (base/files.hpp).
std::uint64_t checksum(DatabaseHeader header, std::span<const std::byte> body);

}  // namespace zermelo::cgt
