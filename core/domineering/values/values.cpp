#include "domineering/values/values.hpp"

#include <algorithm>

namespace zermelo::cgt {

namespace {

// The bounding box of a component, cut open where a ring has an empty line: then nothing reaches across it.
Board unrolled(const Board& board) {
  std::vector<bool> row_used(static_cast<std::size_t>(board.rows)), col_used(static_cast<std::size_t>(board.cols));
  for_each(board.free, [&](int square) {
    row_used[square / board.cols] = true;
    col_used[square % board.cols] = true;
  });
  // The longest run of used lines after an empty one; a component has exactly one such run, perhaps over the seam.
  const auto run = [](const std::vector<bool>& used, bool wraps) {
    const int n = static_cast<int>(used.size());
    const auto at = [&](int i) { return static_cast<bool>(used[i % n]); };
    int first = 0, length = 0;
    if (std::ranges::find(used, false) == used.end()) return std::tuple{0, n, wraps};
    while (!at(first) || at(first + n - 1)) ++first;
    while (length < n && at(first + length)) ++length;
    return std::tuple{first, length, false};
  };
  const auto [first_row, rows, ring_of_rows] = run(row_used, board.wraps_cols());
  const auto [first_col, cols, ring_of_cols] = run(col_used, board.wraps_rows());
  Board result;
  result.rows = rows;
  result.cols = cols;
  result.topology = ring_of_rows ? (ring_of_cols ? Topology::TORUS : Topology::VCYLINDER)
                                 : (ring_of_cols ? Topology::HCYLINDER : Topology::RECTANGLE);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col)
      if (board.is_free((first_row + row) % board.rows, (first_col + col) % board.cols))
        result.free.set(result.square(row, col));
  return result;
}

std::vector<Square> squares_of(const Board& board) {
  std::vector<Square> squares;
  for_each(board.free, [&](int square) { squares.emplace_back(square / board.cols, square % board.cols); });
  return squares;
}

constexpr std::uint64_t SMALL_BOX = 0x0f0f0f0f;  // 4x4 in the frame of stride 8

}  // namespace

GameId DomineeringValues::value(const Board& board) {
  std::vector<GameId> parts;
  for (const Bits<4>& squares : zermelo::components(board)) {
    if (squares.count() == 1) continue;
    Board component = board;
    component.free = squares;
    parts.push_back(large_value(unrolled(component)));
  }
  return arena_.sum(parts);
}

void DomineeringValues::use(std::shared_ptr<const ComponentDatabase> database) {
  imported_.reset();
  if (database) imported_.emplace(arena_, std::move(database));
}

GameId DomineeringValues::value(const Shape& shape) {
  return with_frame(shape.stride, [&]<int STRIDE>() { return component_value<STRIDE>(shape.cells); });
}

// Takes the parts of a position onto the stack, without single squares; each has one of the seeds. Prefetches their
// table entries.
template <int STRIDE>
void DomineeringValues::push_parts(std::uint64_t cells, std::uint64_t seeds) {
  const std::size_t base = parts_.size();
  while (seeds) {
    const std::uint64_t part = Frame<STRIDE>::component(cells, seeds);
    cells ^= part;
    seeds &= cells;
    if ((part & (part - 1)) == 0) continue;
    if (STRIDE == 8) {
      const std::uint64_t corner = Frame<8>::to_corner(part);
      if ((corner & ~SMALL_BOX) == 0) {
        const std::uint64_t pairs = (corner | corner >> 4) & 0x00ff00ff;
        const auto place = static_cast<std::uint16_t>(pairs | pairs >> 8);
        __builtin_prefetch(&small_[place]);
        parts_.push_back({corner, UNKNOWN, place, 0, false, false});
        continue;
      }
    }
    const Shape shape = canonical_shape<STRIDE>(part);
    memo(shape.stride).prefetch(shape.cells);
    parts_.push_back({shape.cells, UNKNOWN, 0, static_cast<std::uint8_t>(shape.stride), shape.negated, false});
  }
  if (parts_.size() == base) parts_.push_back({0, Arena::ZERO, 0, 0, false, false});
  parts_.back().last = true;
}

GameId DomineeringValues::part_value(const Part& part) {
  if (part.value != UNKNOWN) return part.value;
  if (part.stride == 0) {
    if (const GameId known = small_[part.small]; known != UNKNOWN) return known;
    const Shape shape = canonical_shape<8>(part.cells);
    const std::uint16_t place = part.small;  // the part may move while its value is found
    const GameId canonical = value(shape), id = shape.negated ? arena_.negative(canonical) : canonical;
    return small_[place] = id;
  }
  const bool negated = part.negated;
  const ValueSlot* const known = memo(part.stride).find(part.cells);
  const GameId canonical = known ? known->value : value({part.cells, part.stride, false});
  return negated ? arena_.negative(canonical) : canonical;
}

// Finds the values of all parts on the stack from `base` on.
void DomineeringValues::find_values(std::size_t base) {
  const std::size_t end = parts_.size();
  for (std::size_t i = base; i < end; ++i) {
    const GameId id = part_value(parts_[i]);  // the stack may move meanwhile
    parts_[i].value = id;
    arena_.prefetch(id);
  }
}

// The values of positions on the stack that a player can move to, without those that numbers show to be dominated:
// they are a large half, and are never added up. No part of 64 squares is worth more than 32, so the ends are true.
std::span<const GameId> DomineeringValues::options(Player player, std::size_t base, std::size_t end) {
  std::vector<GameId>& result = options_[player == Player::H];
  result.clear();
  // Step 1: a sum lies between the sums of the ends. H's are turned round, so that more is better.
  ranges_.clear();
  std::size_t best = 0;
  for (std::size_t i = base; i < end;) {
    Range range{0, 0, static_cast<std::uint32_t>(i), 0};
    do {
      range.low += arena_.low(parts_[i].value);
      range.high += arena_.high(parts_[i].value);
    } while (!parts_[i++].last);
    range.end = static_cast<std::uint32_t>(i);
    if (player == Player::H) range = {-range.high, -range.low, range.first, range.end};
    ranges_.push_back(range);
    if (range.low > ranges_[best].low) best = ranges_.size() - 1;
  }
  // Step 2: leave out the options that are no better than the one with the greatest low end.
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const Range& range = ranges_[i];
    if (range.high <= ranges_[best].low && i != best) continue;
    if (range.end - range.first == 1) {
      result.push_back(parts_[range.first].value);
      continue;
    }
    several_.clear();
    for (std::uint32_t part = range.first; part < range.end; ++part) several_.push_back(parts_[part].value);
    result.push_back(arena_.sum(several_));
  }
  return result;
}

template <int STRIDE>
GameId DomineeringValues::component_value(std::uint64_t cells) {
  if (const ValueSlot* known = memo(STRIDE).find(cells)) return known->value;
  arena_.step();
  if (imported_)
    if (const std::optional<GameId> stored = imported_->value({cells, STRIDE, false})) {
      memo(STRIDE).set({cells, *stored});
      return *stored;
    }
  std::uint64_t loose = Frame<STRIDE>::template loose_part<STRIDE, 1>(cells);
  if (!loose) loose = Frame<STRIDE>::template loose_part<1, STRIDE>(cells);
  if (loose) {
    const auto worth = [&](std::uint64_t part) {
      const Shape shape = canonical_shape<STRIDE>(part);
      const GameId canonical = value(shape);
      return shape.negated ? arena_.negative(canonical) : canonical;
    };
    const GameId one = worth(loose), result = arena_.add(one, worth(cells ^ loose));
    memo(STRIDE).set({cells, result});
    return result;
  }
  const std::size_t base = parts_.size();
  const auto push_moves = [&](std::uint64_t moves, int by) {
    for (; moves; moves &= moves - 1) {
      const std::uint64_t square = moves & -moves, domino = square | square << by;
      push_parts<STRIDE>(cells ^ domino, Frame<STRIDE>::spread(domino) & cells & ~domino);
    }
  };
  push_moves(Frame<STRIDE>::template moves<STRIDE, 1>(cells), STRIDE);
  const std::size_t middle = parts_.size();
  push_moves(Frame<STRIDE>::template moves<1, STRIDE>(cells), 1);
  find_values(base);
  const GameId result = arena_.make(options(Player::V, base, middle), options(Player::H, middle, parts_.size()));
  parts_.resize(base);
  memo(STRIDE).set({cells, result});
  return result;
}

GameId DomineeringValues::large_value(const Board& component) {
  // Step 1: the word-sized frames, lying or standing.
  if (component.topology == Topology::RECTANGLE) {
    parts_.clear();  // an exception may have left some
    if (const std::optional<Shape> shape = shape_of(squares_of(component)))
      return shape->negated ? arena_.negative(value(*shape)) : value(*shape);
    // Step 2: a single line has no choices in it.
    if (component.rows == 1) return arena_.number(-(component.cols / 2));
    if (component.cols == 1) return arena_.number(component.rows / 2);
  }
  // Step 3: the general case.
  const LargeKey key{component.rows, component.cols, component.topology, least_image(component)};
  if (const auto known = large_.find(key); known != large_.end()) return known->second;
  arena_.step();
  std::vector<GameId> left, right;
  for (const Player player : {Player::V, Player::H})
    for (const Move& move : legal_moves(component, player)) {
      Board next = component;
      play(next, move);
      (player == Player::V ? left : right).push_back(value(next));
    }
  const GameId result = arena_.make(left, right);
  large_.emplace(key, result);
  return result;
}

std::optional<Shape> shape_of(std::span<const Square> squares) {
  int top = squares[0].first, bottom = top, left = squares[0].second, right = left;
  for (const auto& [row, col] : squares) {
    top = std::min(top, row), bottom = std::max(bottom, row);
    left = std::min(left, col), right = std::max(right, col);
  }
  int rows = bottom - top + 1, cols = right - left + 1;
  const bool stands = rows > cols;
  if (stands) std::swap(rows, cols);
  for (int stride : STRIDES) {
    if (cols > stride || rows > 64 / stride) continue;
    std::uint64_t cells = 0;
    for (const auto& [row, col] : squares)
      cells |= std::uint64_t{1} << (stands ? (col - left) * stride + row - top : (row - top) * stride + col - left);
    Shape shape = with_frame(stride, [&]<int STRIDE>() { return canonical_shape<STRIDE>(cells); });
    shape.negated ^= stands;
    return shape;
  }
  return std::nullopt;
}

}  // namespace zermelo::cgt
