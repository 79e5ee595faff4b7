// Canonical values of Domineering positions, V being Left.
//
// A position is the sum of its components; equal components, also mirrored, moved or (negated) transposed ones, are
// valued once. Small components are one machine word (shape.hpp). Larger ones, and those that close
// around a ring, are valued through Board, which is slow, until they fall apart into small ones.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "cgt/arena.hpp"
#include "domineering/board/board.hpp"
#include "domineering/values/database.hpp"
#include "domineering/values/shape.hpp"

namespace zermelo::cgt {

class DomineeringValues {
 public:
  explicit DomineeringValues(Arena& arena) : arena_(arena) {}

  // Throws LimitReached as the arena does.
  GameId value(const Board& board);
  // The value of a canonical shape.
  GameId value(const Shape& shape);

  // Takes the values of small components from a database; nullptr for none.
  void use(std::shared_ptr<const ComponentDatabase> database);
  // States a known value, so that it is not computed again.
  void remember(const Shape& shape, GameId id) { memo(shape.stride).set({shape.cells, id}); }

  // Distinct components valued so far.
  std::size_t components() const {
    std::size_t all = large_.size();
    for (const FlatMap& some : by_stride_) all += some.size();
    return all;
  }

 private:
  // A part of a position that is being valued. Small ones have a place in a table; the others are canonical.
  struct Part {
    std::uint64_t cells;
    GameId value;
    std::uint16_t small;
    std::uint8_t stride;
    bool negated, last;  // the last of its position
  };

  // Between which numbers a position with these parts lies, in steps as Arena::low() has them.
  struct Range {
    std::int32_t low, high;
    std::uint32_t first, end;
  };

  using LargeKey = std::tuple<int, int, Topology, Bits<4>>;

  FlatMap& memo(int stride) { return by_stride_[frame_index(stride)]; }
  template <int STRIDE>
  GameId component_value(std::uint64_t cells);
  template <int STRIDE>
  void push_parts(std::uint64_t cells, std::uint64_t seeds);
  GameId part_value(const Part& part);
  void find_values(std::size_t base);
  std::span<const GameId> options(Player player, std::size_t base, std::size_t end);
  GameId large_value(const Board& component);

  static constexpr GameId UNKNOWN = 0xffffffff;

  Arena& arena_;
  std::optional<ImportedGames> imported_;
  std::vector<Part> parts_;  // a stack
  std::vector<Range> ranges_;
  std::vector<GameId> several_, options_[2];
  std::vector<GameId> small_ = std::vector<GameId>(1 << 16, UNKNOWN);  // by the squares of a 4x4 box
  FlatMap by_stride_[FRAMES];
  std::map<LargeKey, GameId> large_;
};

using Square = std::pair<int, int>;  // row and column
// The canonical shape of a connected set of squares, if a frame holds it.
std::optional<Shape> shape_of(std::span<const Square> squares);

}  // namespace zermelo::cgt
