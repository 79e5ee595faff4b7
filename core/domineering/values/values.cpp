#include "domineering/values/values.hpp"

#include <algorithm>

namespace zermelo::cgt {

namespace {

// The bounding box of a component, cut open where a ring has an empty line: then nothing reaches across it.
Board unrolled(const Board& board) {
  std::vector<bool> row_used(static_cast<std::size_t>(board.rows)), col_used(static_cast<std::size_t>(board.cols));
  for_each(board.free, [&](int square) {
    row_used[static_cast<std::size_t>(square / board.cols)] = true;
    col_used[static_cast<std::size_t>(square % board.cols)] = true;
  });
  // The longest run of used lines after an empty one; a component has exactly one such run, perhaps over the seam.
  const auto run = [](const std::vector<bool>& used, bool wraps) {
    const int n = static_cast<int>(used.size());
    const auto at = [&](int i) { return static_cast<bool>(used[static_cast<std::size_t>(i % n)]); };
    int first = 0, length = 0;
    if (std::ranges::find(used, false) == used.end()) return std::tuple{0, n, wraps};
    while (!at(first) || at(first + n - 1)) ++first;
    if (!wraps)
      for (first = 0; !at(first);) ++first;
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

template <int STRIDE>
std::uint64_t frame_cells(const Board& board) {
  std::uint64_t cells = 0;
  for_each(board.free,
           [&](int square) { cells |= std::uint64_t{1} << (square / board.cols * STRIDE + square % board.cols); });
  return cells;
}

bool fits(const Board& board, int stride) { return board.rows <= 64 / stride && board.cols <= stride; }

}  // namespace

GameId DomineeringValues::value(const Board& board) {
  std::vector<GameId> parts;
  for (const Bits<4>& squares : zermelo::components(board)) {
    Board component = board;
    component.free = squares;
    parts.push_back(large_value(unrolled(component)));
  }
  return sum(parts);
}

void DomineeringValues::use(std::shared_ptr<const ComponentDatabase> database) {
  imported_.reset();
  if (database) imported_.emplace(arena_, std::move(database));
}

GameId DomineeringValues::value(const Shape& shape) {
  switch (shape.stride) {
    case 8:
      return component_value<8>(shape.cells);
    case 16:
      return component_value<16>(shape.cells);
    default:
      return component_value<32>(shape.cells);
  }
}

// The sum of the parts: numbers first, since they cost nothing; the rest in order of their ids, so that equal
// multisets share partial sums.
GameId DomineeringValues::sum(std::vector<GameId>& parts) {
  Dyadic number;
  std::erase_if(parts, [&](GameId part) {
    if (!arena_.is_number(part)) return false;
    number = number + arena_.value(part);
    return true;
  });
  std::ranges::sort(parts);
  GameId total = Arena::ZERO;
  for (GameId part : parts) total = arena_.add(total, part);
  return arena_.add(total, arena_.number(number));
}

template <int STRIDE>
GameId DomineeringValues::cells_value(std::uint64_t cells) {
  // Most positions are one component; the list is made only for more.
  GameId first = Arena::ZERO;
  std::vector<GameId> parts;
  while (cells) {
    const std::uint64_t part = Frame<STRIDE>::component(cells, cells & -cells);
    cells ^= part;
    if ((part & (part - 1)) == 0) continue;
    const Shape shape = canonical_shape<STRIDE>(part);
    const GameId canonical = value(shape), id = shape.negated ? arena_.negative(canonical) : canonical;
    if (first == Arena::ZERO) {
      first = id;
      continue;
    }
    if (parts.empty()) parts.push_back(first);
    parts.push_back(id);
  }
  return parts.empty() ? first : sum(parts);
}

template <int STRIDE>
GameId DomineeringValues::component_value(std::uint64_t cells) {
  if (const std::uint32_t* known = memo(STRIDE).find(cells)) return *known;
  arena_.step();
  if (imported_)
    if (const std::optional<GameId> stored = imported_->value({cells, STRIDE, false})) {
      memo(STRIDE).set(cells, *stored);
      return *stored;
    }
  std::vector<GameId> left, right;
  for (std::uint64_t moves = Frame<STRIDE>::vertical(cells); moves; moves &= moves - 1) {
    const std::uint64_t square = moves & -moves;
    left.push_back(cells_value<STRIDE>(cells ^ (square | square << STRIDE)));
  }
  for (std::uint64_t moves = Frame<STRIDE>::horizontal(cells); moves; moves &= moves - 1) {
    const std::uint64_t square = moves & -moves;
    right.push_back(cells_value<STRIDE>(cells ^ (square | square << 1)));
  }
  const GameId result = arena_.make(left, right);
  memo(STRIDE).set(cells, result);
  return result;
}

GameId DomineeringValues::large_value(const Board& component) {
  // Step 1: the word-sized frames, lying or standing.
  if (component.topology == Topology::RECTANGLE) {
    if (fits(component, 8)) return cells_value<8>(frame_cells<8>(component));
    if (fits(component, 16)) return cells_value<16>(frame_cells<16>(component));
    if (fits(component, 32)) return cells_value<32>(frame_cells<32>(component));
    const Board turned = transposed(component);
    if (fits(turned, 16)) return arena_.negative(cells_value<16>(frame_cells<16>(turned)));
    if (fits(turned, 32)) return arena_.negative(cells_value<32>(frame_cells<32>(turned)));
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

std::optional<Shape> component_shape(const Board& board) {
  if (board.topology != Topology::RECTANGLE || board.free.count() < 2 || zermelo::components(board).size() != 1)
    return std::nullopt;
  const Board box = unrolled(board);
  if (fits(box, 8)) return canonical_shape<8>(frame_cells<8>(box));
  if (fits(box, 16)) return canonical_shape<16>(frame_cells<16>(box));
  if (fits(box, 32)) return canonical_shape<32>(frame_cells<32>(box));
  const Board turned = transposed(box);
  std::optional<Shape> shape;
  if (fits(turned, 16)) shape = canonical_shape<16>(frame_cells<16>(turned));
  else if (fits(turned, 32)) shape = canonical_shape<32>(frame_cells<32>(turned));
  if (shape) shape->negated = !shape->negated;
  return shape;
}

}  // namespace zermelo::cgt
