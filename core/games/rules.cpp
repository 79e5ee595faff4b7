#include "games/rules.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace zermelo::games {

namespace {

// The cells that must not be dead.
std::uint64_t alive(const LocalMove& move) { return move.want.a | move.want.b; }

std::vector<LocalMove> sorted(std::vector<LocalMove> moves) {
  std::ranges::sort(moves);
  moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
  return moves;
}

}  // namespace

LocalRules::LocalRules(Frame frame, std::vector<LocalMove> left, std::vector<LocalMove> right)
    : frame_(std::move(frame)) {
  if (frame_.rows < 1 || frame_.cols < 1 || frame_.rows > 64 || frame_.cols > 64 || cells() > 64)
    throw std::invalid_argument("a board has 1 to 64 cells");
  if (std::cmp_not_equal(frame_.near.size(), cells()))
    throw std::invalid_argument("each cell has a set of cells near it");
  left = sorted(std::move(left));
  right = sorted(std::move(right));
  impartial_ = left == right;
  find_symmetries(left, right);
  for (int side = 0; side < 2; ++side) {
    Moves& moves = moves_[side];
    moves.list = side == 0 ? std::move(left) : std::move(right);
    const auto anchor = [](const LocalMove& move) { return std::countr_zero(alive(move)); };
    for (const LocalMove& move : moves.list) check(move);
    std::ranges::stable_sort(moves.list, {}, anchor);
    std::uint32_t at = 0;
    for (int cell = 0; cell <= 64; ++cell) {
      moves.first[cell] = at;
      while (at < moves.list.size() && anchor(moves.list[at]) == cell) ++at;
    }
  }
}

void LocalRules::check(const LocalMove& move) const {
  const std::uint64_t board = cells() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << cells()) - 1;
  const std::uint64_t held = alive(move), looks = move.care.a | move.care.b, changes = move.lose.a | move.lose.b;
  const auto refuse = [](const char* why) { throw std::invalid_argument(why); };
  if (((looks | changes | move.set.a | move.set.b) & ~board) || (move.want.a & ~move.care.a) ||
      (move.want.b & ~move.care.b))
    refuse("a move looks at bits that are not there");
  if (!held) refuse("a move must look at a cell that is not dead");
  if ((move.set.a | move.set.b) & ~held) refuse("a move revives a cell that may be dead");
  if (flood(held & -held, held) != held) refuse("the cells of a move must be near each other");
  std::uint64_t reach = held;
  for (std::uint64_t rest = held; rest; rest &= rest - 1) reach |= frame_.near[std::countr_zero(rest)];
  if ((looks | changes) & ~reach) refuse("the cells of a move must be near each other");
}

// Step by step towards the first row and the first column.
Cells LocalRules::to_corner(const Cells& cells) const {
  if (!frame_.translates) return cells;
  const std::uint64_t any = cells.a | cells.b;
  const int stride = frame_.cols;
  const int down = std::countr_zero(any) / stride * stride;
  std::uint64_t shadow = any;
  for (int by = stride; by < 64; by *= 2) shadow |= shadow >> by;
  if (stride < 64) shadow &= (std::uint64_t{1} << stride) - 1;
  const int shift = down + std::countr_zero(shadow);
  return {cells.a >> shift, cells.b >> shift};
}

Cells LocalRules::image(const Symmetry& symmetry, const Cells& cells) {
  Cells result;
  std::uint64_t a = cells.a, b = cells.b;
  for (std::size_t byte = 0; a | b; ++byte, a >>= 8, b >>= 8) {
    result.a |= symmetry.image[byte][a & 0xff];
    result.b |= symmetry.image[byte][b & 0xff];
  }
  if (symmetry.swaps) std::swap(result.a, result.b);
  return result;
}

CanonicalPart LocalRules::canonical(const Cells& part) const {
  CanonicalPart best{to_corner(part), false};
  for (const Symmetry& symmetry : symmetries_) {
    const Cells turned = to_corner(image(symmetry, part));
    if (turned < best.cells) best = {turned, symmetry.exchanges};
  }
  return best;
}

bool LocalRules::all_have_liberties(const Cells& cells) const {
  const std::uint64_t free = cells.a & cells.b;
  for (const std::uint64_t stones : {cells.a & ~free, cells.b & ~free})
    for (std::uint64_t rest = stones; rest;) {
      const std::uint64_t group = flood(rest & -rest, stones);
      rest &= ~group;
      std::uint64_t reach = 0;
      for (std::uint64_t g = group; g && !(reach & free); g &= g - 1) reach |= frame_.near[std::countr_zero(g)];
      if (!(reach & free)) return false;
    }
  return true;
}

void LocalRules::find_symmetries(const std::vector<LocalMove>& left, const std::vector<LocalMove>& right) {
  const int rows = frame_.rows, cols = frame_.cols;
  for (int turn = 0; turn < (rows == cols ? 8 : 4); ++turn) {
    const auto to = [&](int cell) {
      int row = cell / cols, col = cell % cols;
      if (turn & 1) col = cols - 1 - col;
      if (turn & 2) row = rows - 1 - row;
      if (turn & 4) std::swap(row, col);
      return row * cols + col;
    };
    Symmetry symmetry;
    symmetry.image.resize((cells() + 7) / 8);
    for (int cell = 0; cell < cells(); ++cell)
      for (int byte = 0; byte < 256; ++byte)
        if (byte >> (cell % 8) & 1) symmetry.image[cell / 8][byte] |= std::uint64_t{1} << to(cell);
    // Whether the images of one list are the other: both have no move twice, and an image has one origin.
    const auto maps = [&](const std::vector<LocalMove>& from, const std::vector<LocalMove>& into) {
      const auto found = [&](const LocalMove& move) {
        return std::ranges::binary_search(into, LocalMove{image(symmetry, move.care), image(symmetry, move.want),
                                                          image(symmetry, move.lose), image(symmetry, move.set)});
      };
      return from.size() == into.size() && std::ranges::all_of(from, found);
    };
    bool near_too = true;
    for (int cell = 0; cell < cells(); ++cell)
      near_too = near_too && image(symmetry, {frame_.near[cell], 0}).a == frame_.near[to(cell)];
    if (!near_too) continue;
    if (turn != 0 && maps(left, left) && maps(right, right)) symmetries_.push_back(symmetry);
    symmetry.exchanges = true;
    for (const bool swaps : {true, false}) {
      symmetry.swaps = swaps;
      if (impartial_ || !maps(left, right) || !maps(right, left)) continue;
      symmetries_.push_back(symmetry);
      break;  // the other way has the same images where it counts
    }
  }
}

}  // namespace zermelo::games
