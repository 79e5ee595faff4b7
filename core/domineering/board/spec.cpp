#include "domineering/board/spec.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

namespace zermelo {

namespace {

constexpr int MAX_SIDE = 1'000'000;
constexpr std::size_t MAX_TEXT = 16'384;

[[noreturn]] void fail(const std::string& message) { throw std::invalid_argument(message); }

// Only what is safe to echo: a terminal must not be driven by a hostile spec.
std::string shown(std::string_view text) {
  std::string result;
  for (char c : text.substr(0, 40)) result += c >= ' ' && c <= '~' ? c : '?';
  return "'" + result + (text.size() > 40 ? "...'" : "'");
}

// Reads digits at the front of `text` and removes them; false if there are none or the number is too large.
bool take_number(std::string_view& text, int& value) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value > MAX_SIDE) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// The sign between rows and columns: x, X or the times sign, with blanks around it or not.
bool take_times(std::string_view& text) {
  while (take_prefix(text, " ")) {
  }
  if (!take_prefix(text, "x") && !take_prefix(text, "X") && !take_prefix(text, "\u00d7")) return false;
  while (take_prefix(text, " ")) {
  }
  return true;
}

void parse_size(std::string_view text, Spec& spec) {
  std::string_view rest = text;
  if (!take_number(rest, spec.rows) || !take_times(rest) || !take_number(rest, spec.cols) || !rest.empty())
    fail("board " + shown(text) +
         " is not understood: write rows x columns as 8x8 (up to 1000000), or rows of . and # as ..#./....");
  if (spec.rows < 1 || spec.cols < 1) fail("board " + shown(text) + " has no squares: both sides must be at least 1");
}

void parse_grid(std::string_view text, Spec& spec) {
  spec.is_size = false;
  std::size_t width = 0, begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '.' || text[i] == '#')) {
      spec.grid += text[i];
      continue;
    }
    if (i < text.size() && text[i] != '/' && text[i] != '|')
      fail("board " + shown(text) + " has " + shown(text.substr(i, 1)) +
           " in it: rows are made of . (free) and # (blocked)");
    const std::size_t length = i - begin;
    ++spec.rows;
    if (length == 0) fail("board " + shown(text) + ": row " + std::to_string(spec.rows) + " is empty");
    if (spec.rows == 1) width = length;
    if (length != width)
      fail("board " + shown(text) + ": row " + std::to_string(spec.rows) + " has " + std::to_string(length) +
           " squares, row 1 has " + std::to_string(width) + "; all rows must be as long");
    begin = i + 1;
  }
  spec.cols = static_cast<int>(width);
}

void parse_moves(std::string_view text, Spec& spec) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    std::string_view one = text.substr(0, end);
    const std::string_view whole = one;
    Move move{};
    int row = 0, col = 0;
    const bool vertical = take_prefix(one, "V");
    if ((!vertical && !take_prefix(one, "H")) || !take_number(one, row) || !take_prefix(one, ",") ||
        !take_number(one, col) || !one.empty() || row < 1 || col < 1)
      fail("move " + shown(whole) +
           " is not understood: write V1,2 or H3,4 (row,column of the upper or left square, from 1)");
    move.player = vertical ? Player::V : Player::H;
    move.row = row - 1;
    move.col = col - 1;
    spec.moves.push_back(move);
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
    if (text.empty()) fail("the moves end with ';': another move should follow, or the ';' go");
  }
}

}  // namespace

Board Spec::board() const {
  Board board = Board::empty(rows, cols, topology);
  for (std::size_t i = 0; i < grid.size(); ++i)
    if (grid[i] == '#') board.free.reset(static_cast<int>(i));
  for (const Move& move : moves) play(board, move);
  return board;
}

Spec parse_spec(std::string_view text) {
  if (text.empty()) fail("an empty board spec: write for example 8x8");
  if (text.size() > MAX_TEXT) fail("the board spec is longer than " + std::to_string(MAX_TEXT) + " characters");
  Spec spec;
  std::string_view rest = text;
  if (take_prefix(rest, "torus:")) spec.topology = Topology::TORUS;
  else if (take_prefix(rest, "hcylinder:")) spec.topology = Topology::HCYLINDER;
  else if (take_prefix(rest, "vcylinder:")) spec.topology = Topology::VCYLINDER;
  const std::size_t colon = rest.find(':');
  const std::string_view body = rest.substr(0, colon);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (colon != std::string_view::npos && !body.empty() && std::ranges::all_of(body, is_letter))
    fail("board shape " + shown(body) + " is not known: torus, hcylinder or vcylinder");
  if (!body.empty() && (body.front() == '.' || body.front() == '#')) parse_grid(body, spec);
  else parse_size(body, spec);
  if (colon != std::string_view::npos) {
    const std::string_view moves = rest.substr(colon + 1);
    if (moves.empty()) fail("no move follows the ':' in " + shown(text));
    parse_moves(moves, spec);
  }
  // A drawn board or one with moves is meant to be searched: its size and its moves are checked here, at the door.
  if (!spec.is_size || !spec.moves.empty()) spec.board();
  return spec;
}

std::string grid_text(const Board& board, char separator) {
  std::string result;
  for (int row = 0; row < board.rows; ++row) {
    if (row) result += separator;
    for (int col = 0; col < board.cols; ++col) result += board.is_free(row, col) ? '.' : '#';
  }
  return result;
}

}  // namespace zermelo
