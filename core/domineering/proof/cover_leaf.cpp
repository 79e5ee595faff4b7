#include "domineering/proof/cover_leaf.hpp"

#include <array>
#include <functional>
#include <utility>

#include "base/bytes.hpp"
#include "domineering/proof/tags.hpp"

namespace zermelo::proof {

namespace {

constexpr int MOVE = 4, SQUARE = 1;  // weights of the bound

// Neighbours to the left and right, -1 beyond the edge.
int beside(const Board& board, int square, int step) {
  const int row = square / board.cols, col = square % board.cols + step;
  if (board.wraps_rows()) return row * board.cols + (col + board.cols) % board.cols;
  return col < 0 || col >= board.cols ? -1 : row * board.cols + col;
}
int below(const Board& board, int square) {
  return (square / board.cols + 1) % board.rows * board.cols + square % board.cols;
}

int every(const std::vector<int>& terms, std::size_t from, std::size_t step) {
  int sum = 0;
  for (std::size_t i = from; i < terms.size(); i += step) sum += terms[i];
  return sum;
}

}  // namespace

bool cover_decides(const Board& board, const Areas& areas, bool first) {
  constexpr int NONE = -1;
  const auto is_free = [&](int square) { return square >= 0 && board.free.test(square); };
  const auto is_quiet = [&](int square) {
    return !is_free(beside(board, square, -1)) && !is_free(beside(board, square, 1));
  };

  // 1. Which open area each square belongs to; safe areas count at once.
  std::array<int, MAX_SQUARES> owner;
  std::array<bool, MAX_SQUARES> covered{};
  owner.fill(NONE);
  std::vector<std::vector<int>> open;
  int total = 0;
  const auto add = [&](std::vector<int> area) {
    bool safe = true;
    for (int square : area) {
      covered[square] = true;
      safe = safe && is_quiet(square);
    }
    if (safe) {
      total += MOVE;
      return;
    }
    for (int square : area) owner[square] = static_cast<int>(open.size());
    open.push_back(std::move(area));
  };
  for (int corner : areas.corners) {
    const int right = beside(board, corner, 1);
    add({corner, right, below(board, corner), below(board, right)});
  }
  for (int upper : areas.dominoes) add({upper, below(board, upper)});

  // 2. The gain of playing an open area before it is hit.
  std::vector<int> alone, close;
  for (std::size_t i = 0; i < open.size(); ++i) {
    int left_over = 0;
    bool touched = false;
    for (int square : open[i]) {
      left_over += is_quiet(square) ? SQUARE : 0;
      for (int step : {-1, 1}) {
        const int next = beside(board, square, step);
        if (next < 0) continue;
        const int other = owner[next];
        touched = touched || (other != NONE && other != static_cast<int>(i));
      }
    }
    total += left_over;
    (touched ? close : alone).push_back((open[i].size() == 4 ? 2 * MOVE : MOVE) - left_over);
  }
  std::sort(alone.begin(), alone.end(), std::greater<>());
  std::sort(close.begin(), close.end(), std::greater<>());

  // 3. A square is left over of every odd run outside the areas.
  for (int row = 0; row < board.rows; ++row) {
    const auto at = [&](int col) { return row * board.cols + (col + board.cols) % board.cols; };
    int start = 0;  // on a ring runs begin behind a square that is not free
    if (board.wraps_rows())
      while (start < board.cols && is_free(at(start))) ++start;
    int length = 0;
    bool clear = true;
    for (int i = 0; i <= board.cols; ++i) {
      const int square = at(start + i);
      if (i < board.cols && is_free(square)) {
        ++length;
        clear = clear && !covered[square];
      } else {
        total += length % 2 && clear ? SQUARE : 0;
        length = 0;
        clear = true;
      }
    }
  }

  // 4. The condition.
  int best = every(alone, 1, 2) + every(close, 2, 3);
  if (first) best = std::max(every(alone, 0, 2) + every(close, 2, 3), every(alone, 1, 2) + every(close, 0, 3));
  return total + best >= board.free.count() + (first ? 1 : -1);
}

std::string cover_text(const Board& board, const Areas& areas) {
  std::string out = varint(COVER) + varint(areas.corners.size());
  for (int corner : areas.corners) put_varint(out, static_cast<std::uint64_t>(corner));
  std::vector<int> moves;  // by upper square
  for (int square = 0; square < board.rows * board.cols; ++square)
    if ((square / board.cols + 1 < board.rows || board.wraps_cols()) && board.free.test(square) &&
        board.free.test(below(board, square)))
      moves.push_back(square);
  put_bits(out, static_cast<int>(moves.size()),
           [&](int i) { return std::binary_search(areas.dominoes.begin(), areas.dominoes.end(), moves[i]); });
  return out;
}

}  // namespace zermelo::proof
