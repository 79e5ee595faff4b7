#include "domineering/board/board.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "domineering/board/lines.hpp"

namespace zermelo {

namespace {

std::string text(const Move& move) {
  return std::string(1, letter(move.player)) + std::to_string(move.row + 1) + "," + std::to_string(move.col + 1);
}

}  // namespace

Board Board::empty(int rows, int cols, Topology topology) {
  if (rows < 1 || cols < 1 || rows > MAX_SQUARES || cols > MAX_SQUARES || rows * cols > MAX_SQUARES)
    throw std::invalid_argument("a board of " + std::to_string(rows) + "x" + std::to_string(cols) +
                                " cannot be searched: it must have 1 to " + std::to_string(MAX_SQUARES) + " squares");
  Board board;
  board.rows = rows;
  board.cols = cols;
  board.topology = topology;
  board.free = Bits<4>::first(rows * cols);
  return board;
}

Bits<4> domino(const Board& board, const Move& move) {
  if (move.row < 0 || move.col < 0 || move.row >= board.rows || move.col >= board.cols) return {};
  int row = move.row, col = move.col;
  if (move.player == Player::V) {
    if (++row == board.rows) {
      if (!board.wraps_cols()) return {};
      row = 0;
    }
  } else {
    if (++col == board.cols) {
      if (!board.wraps_rows()) return {};
      col = 0;
    }
  }
  return Bits<4>::single(board.square(move.row, move.col)) | Bits<4>::single(board.square(row, col));
}

bool is_legal(const Board& board, const Move& move) {
  const Bits<4> squares = domino(board, move);
  return squares.any() && board.free.contains(squares);
}

std::vector<Move> legal_moves(const Board& board, Player player) {
  std::vector<Move> moves;
  for (int row = 0; row < board.rows; ++row)
    for (int col = 0; col < board.cols; ++col)
      if (const Move move{player, row, col}; is_legal(board, move)) moves.push_back(move);
  return moves;
}

void play(Board& board, const Move& move) {
  const Bits<4> squares = domino(board, move);
  if (squares.none()) throw std::invalid_argument("move " + text(move) + " does not fit on the board");
  if (!board.free.contains(squares))
    throw std::invalid_argument("move " + text(move) + " covers a square that is taken");
  board.free ^= squares;
}

Board mirrored(const Board& board, int image) {
  Board result = board;
  result.free = {};
  for_each(board.free, [&](int square) {
    const int row = square / board.cols, col = square % board.cols;
    result.free.set(result.square(image & 2 ? board.rows - 1 - row : row, image & 1 ? board.cols - 1 - col : col));
  });
  return result;
}

Move mirrored(const Board& board, const Move& move, int image) {
  // The domino's far end becomes its near end; on a ring that may step over the seam.
  Move result = move;
  const int down = move.player == Player::V, right = move.player == Player::H;
  if (image & 2) result.row = (2 * board.rows - 1 - move.row - down) % board.rows;
  if (image & 1) result.col = (2 * board.cols - 1 - move.col - right) % board.cols;
  return result;
}

Board transposed(const Board& board) {
  Board result = board;
  result.rows = board.cols;
  result.cols = board.rows;
  if (board.topology == Topology::HCYLINDER) result.topology = Topology::VCYLINDER;
  if (board.topology == Topology::VCYLINDER) result.topology = Topology::HCYLINDER;
  result.free = {};
  for_each(board.free, [&](int square) { result.free.set(result.square(square % board.cols, square / board.cols)); });
  return result;
}

Bits<4> least_image(const Board& board) {
  Bits<4> best = board.free;
  for (int image = 0; image < IMAGES; ++image) {
    const Bits<4> squares = mirrored(board, image).free;
    for (int down = 0; down < (board.wraps_cols() ? board.rows : 1); ++down)
      for (int right = 0; right < (board.wraps_rows() ? board.cols : 1); ++right) {
        Bits<4> turned;
        for_each(squares, [&](int square) {
          turned.set(
              board.square((square / board.cols + down) % board.rows, (square % board.cols + right) % board.cols));
        });
        best = std::min(best, turned);
      }
  }
  return best;
}

std::vector<Bits<4>> components(const Board& board) {
  const int cols = board.cols, down = (board.rows - 1) * cols;
  Bits<4> first;  // squares of the first column
  for (int row = 0; row < board.rows; ++row) first.set(board.square(row, 0));
  const Bits<4> last = first << (cols - 1);
  const auto spread = [&](const Bits<4>& set) {
    Bits<4> wider = set | (set & ~last) << 1 | (set & ~first) >> 1 | set << cols | set >> cols;
    if (board.wraps_rows()) wider |= (set & first) << (cols - 1) | (set & last) >> (cols - 1);
    if (board.wraps_cols()) wider |= set << down | set >> down;
    return wider;
  };
  std::vector<Bits<4>> found;
  for (Bits<4> left = board.free; left.any(); left &= ~found.back())
    found.push_back(flooded(Bits<4>::single(left.lowest()), board.free, spread));
  return found;
}

std::uint64_t perft(const Board& board, Player to_move, int depth) {
  if (depth <= 0) return 1;
  const std::vector<Move> moves = legal_moves(board, to_move);
  if (depth == 1) return moves.size();
  std::uint64_t total = 0;
  for (const Move& move : moves) {
    Board next = board;
    play(next, move);
    total += perft(next, other(to_move), depth - 1);
  }
  return total;
}

}  // namespace zermelo
