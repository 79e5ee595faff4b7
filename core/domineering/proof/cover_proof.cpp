#include "domineering/proof/cover_proof.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "domineering/bound/cover_pack.hpp"
#include "domineering/obsequi/mirrored_position.hpp"
#include "domineering/obsequi/order.hpp"
#include "domineering/proof/tags.hpp"

namespace zermelo::proof {

namespace {

// Cover leaves (FORMAT.md 5.5): areas of the winner, who plays vertically, and their bound. The areas come from the
// packing of bound/cover_pack.hpp. The bound is the format's, which leaves out options and parities: a weaker one, but
// with a proof of one page.

// Areas by their upper left squares, row * cols + col.
struct Areas {
  std::vector<int> corners;   // protective areas, rising
  std::vector<int> dominoes;  // rising
};

constexpr int MOVE = 4, SQUARE = 1;  // weights of the bound

// The left and right neighbours of a set; `column` is the first column.
template <int W>
Bits<W> beside(const Board& board, const Bits<W>& set, const Bits<W>& column) {
  const Bits<W> first = set & column, last = set & column << (board.cols - 1);
  const Bits<W> result = (set ^ first) >> 1 | (set ^ last) << 1;
  return board.wraps_rows() ? result | first << (board.cols - 1) | last >> (board.cols - 1) : result;
}
int below(const Board& board, int square) {
  return (square / board.cols + 1) % board.rows * board.cols + square % board.cols;
}

// The sum of the terms at `from`, `from` + `step`, ... when the largest come first.
int every(std::vector<int>& terms, std::size_t from, std::size_t step) {
  std::sort(terms.begin(), terms.end(), std::greater<>());
  int sum = 0;
  for (std::size_t i = from; i < terms.size(); i += step) sum += terms[i];
  return sum;
}

// Do the areas decide, with the winner to move (`first`) or not?
template <int W>
bool cover_decides(const Board& board, const Areas& areas, bool first) {
  using Squares = Bits<W>;
  // 1. The areas as sets. The loser can hit those that are open.
  Squares column, covered, open;
  for (int row = 0; row < board.rows; ++row) column.set(row * board.cols);
  const Squares free = board.free.resize<W>();
  const Squares quiet = free & ~beside(board, free, column);
  std::vector<Squares> all;
  const auto standing = [&](int upper) { return Squares::single(upper) | Squares::single(below(board, upper)); };
  for (int corner : areas.corners)
    all.push_back(standing(corner) |
                  standing(corner / board.cols * board.cols + (corner % board.cols + 1) % board.cols));
  for (int upper : areas.dominoes) all.push_back(standing(upper));
  for (const Squares& area : all) {
    covered |= area;
    if (!quiet.contains(area)) open |= area;
  }

  // 2. Safe areas count at once; of open ones the gain of playing them before they are hit.
  int total = 0;
  std::vector<int> alone, close;
  for (const Squares& area : all) {
    if (quiet.contains(area)) {
      total += MOVE;
      continue;
    }
    const int left_over = SQUARE * (area & quiet).count();
    total += left_over;
    const bool touched = beside(board, area, column).meets(open & ~area);
    (touched ? close : alone).push_back((area.count() == 4 ? 2 * MOVE : MOVE) - left_over);
  }

  // 3. The condition; a square is left over of every odd run that meets no area.
  int best = every(alone, 1, 2) + every(close, 2, 3);
  if (first) best = std::max(every(alone, 0, 2) + every(close, 2, 3), every(alone, 1, 2) + every(close, 0, 3));
  const int missing = free.count() + (first ? 1 : -1) - total - best;
  if (missing <= 0) return true;
  for (Squares met; met != covered; covered |= beside(board, met, column) & free) met = covered;
  Board rest = board;
  rest.free &= ~covered.template resize<4>();
  const int count = rest.free.count();
  return missing <= SQUARE * count && missing <= SQUARE * (count - 2 * real_moves(rest, Player::H));
}

// The leaf as the format writes it.
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

// The packing of one mirror image, in squares of the board itself.
template <class W, bool RINGS>
Areas packed_areas(const Frame<W, RINGS>& frame, const W& x, int image) {
  const int rows = frame.length, cols = frame.lines;
  const Packing<W> packing = pack_cover(frame, x, CoverSwitches{});
  Areas areas;
  const auto collect = [&](W lows, int width, std::vector<int>& into) {
    for (; any(lows); lows ^= bit<W>(lowest(lows))) {
      int col = lowest(lows) / rows, row = lowest(lows) % rows;
      if (image & 2) row = rows - 2 - row;
      if (image & 1) col = (cols - width - col + cols) % cols;
      into.push_back(row * cols + col);
    }
    std::sort(into.begin(), into.end());
  };
  collect(packing.protective, 2, areas.corners);
  collect(packing.safe | packing.vulnerable, 1, areas.dominoes);
  return areas;
}

constexpr Player WINNER = Player::V, LOSER = Player::H;  // on the turned board

struct Stopped {};

template <class W>
struct WordHash {
  std::size_t operator()(const W& word) const { return mixed(word); }
};

template <class W, bool RINGS>
class CoverWriter {
 public:
  CoverWriter(const Board& turned, std::size_t memory, const Limits& limits, std::FILE* file)
      : board_(turned), rules_(turned), watch_(limits), out_(file) {
    capacity_ = memory / 3 / (sizeof(W) + 48);  // two tables and the remembered positions
  }

  DomineeringProofStats write(bool winner_starts) {
    try {
      const Position root = mirrored_position<W>(board_);
      if (winner_starts) won(root);
      else lost(root);
    } catch (const Stopped&) {
      stats_.stopped = watch_.reason();
    }
    out_.flush();
    stats_.bytes = out_.size();
    return stats_;
  }

 private:
  using Position = MirroredPosition<W>;

  void poll() {
    if ((++ticks_ & 1023) == 0 && watch_.look()) throw Stopped{};
  }
  const Frame<W, RINGS>& frame(Player player) const { return rules_.frame[at(player)]; }
  Position after(const Position& position, Player player, int square) const {
    return rules_.after(position, player, square);
  }

  // Moves by their lower squares in the mover's numbering; those that leave the rival least first.
  std::vector<int> ordered(const Position& position, Player player) const {
    const Frame<W, RINGS>& f = frame(player);
    std::vector<std::pair<int, int>> scored;
    for (W moves = f.moves(position.squares(player)); any(moves); moves ^= bit<W>(lowest(moves))) {
      const int square = lowest(moves);
      const int primary = rules_.counts(after(position, player, square), player).primary();
      scored.emplace_back(-combined_score(primary, 0, positional_value(f, square)), square);
    }
    std::sort(scored.begin(), scored.end());
    std::vector<int> result;
    for (const auto& [score, square] : scored) result.push_back(square);
    return result;
  }

  // Does the player to move win?
  bool wins(const Position& position, Player me) {
    poll();
    const Player rival = other(me);
    const auto real = [&](Player player) { return frame(player).dominoes(position.squares(player)); };
    if (cover_wins(frame(me), position.image[at(me)], true, real(rival), switches_)) return true;
    if (cover_wins(frame(rival), position.image[at(rival)], false, real(me), switches_)) return false;
    auto& table = table_[at(me)];
    W key = position.squares(Player::H);
    for (const W& image : position.keys()) key = std::min(key, frame(Player::H).least_turn(image));
    if (const auto found = table.find(key); found != table.end()) return found->second;
    bool result = false;
    for (int square : ordered(position, me))
      if (!wins(after(position, me, square), rival)) {
        result = true;
        break;
      }
    if (table.size() < capacity_) table.emplace(key, result);
    return result;
  }

  // A cover that decides, from any of the four mirror images.
  bool leaf(const Position& position, bool first, std::string& text) {
    const Board here = board_of(position);
    const bool small = here.rows * here.cols <= 64;
    for (int image = 0; image < IMAGES; ++image) {
      const Areas areas = packed_areas(frame(WINNER), position.image[at(WINNER)][image], image);
      if (!(small ? cover_decides<1> : cover_decides<4>)(here, areas, first)) continue;
      text = cover_text(here, areas);
      return true;
    }
    return false;
  }

  // The loser is to move, and loses.
  void lost(const Position& position) {
    poll();
    std::string text;
    if (leaf(position, false, text)) return out_.text(text);
    const Bits<4> key = least_image(position);
    if (known_.count(key)) {
      ++stats_.references;
      return out_.number(REF);
    }
    const bool keep = known_.size() < capacity_;
    out_.number(keep ? KEEP : ALL);
    ++stats_.positions;
    for (W moves = frame(LOSER).moves(position.squares(LOSER)); any(moves); moves ^= bit<W>(lowest(moves)))
      won(after(position, LOSER, lowest(moves)));
    if (keep) known_.insert(key);
  }

  // The winner is to move: a leaf here or after a move, a move to a proved position, or one that the search finds.
  void won(const Position& position) {
    std::string text;
    if (leaf(position, true, text)) return out_.text(text);
    const std::vector<int> moves = ordered(position, WINNER);
    for (int square : moves) {
      if (!leaf(after(position, WINNER, square), false, text)) continue;
      out_.number(move_tag(position, square));
      return out_.text(text);
    }
    int best = -1;
    for (std::size_t i = 0; i < moves.size() && best < 0; ++i)
      if (known_.count(least_image(after(position, WINNER, moves[i])))) best = moves[i];
    for (std::size_t i = 0; i < moves.size() && best < 0; ++i)
      if (!wins(after(position, WINNER, moves[i]), LOSER)) best = moves[i];
    if (best < 0) throw std::logic_error("the claim to be proved is false");
    out_.number(move_tag(position, best));
    lost(after(position, WINNER, best));
  }

  // The winner's moves are numbered by their upper squares, row by row; here they are named column by column.
  std::uint64_t move_tag(const Position& position, int wanted) const {
    const auto place = [&](int square) { return square % board_.rows * board_.cols + square / board_.rows; };
    std::uint64_t index = 0;
    for (W moves = frame(WINNER).moves(position.squares(WINNER)); any(moves); moves ^= bit<W>(lowest(moves)))
      index += place(lowest(moves)) < place(wanted);
    return FIRST_MOVE + index;
  }

  Board board_of(const Position& position) const {
    Board board = board_;
    board.free = {};
    for (W rest = position.squares(LOSER); any(rest); rest ^= bit<W>(lowest(rest))) board.free.set(lowest(rest));
    return board;
  }
  // References compare this (FORMAT.md 4.3).
  Bits<4> least_image(const Position& position) const { return zermelo::least_image(board_of(position)); }

  const Board board_;
  const MoveMasks<W, RINGS> rules_;
  Watch watch_;
  ByteWriter out_;
  const CoverSwitches switches_{.real_cap = true, .four_packings = true};
  std::size_t capacity_ = 0;
  std::array<std::unordered_map<W, bool, WordHash<W>>, 2> table_;  // does the player to move win?
  std::unordered_set<Bits<4>, WordHash<Bits<4>>> known_;
  DomineeringProofStats stats_;
  std::uint64_t ticks_ = 0;
};

}  // namespace

DomineeringProofStats write_cover_proof(const Board& board, Player starter, Player winner, std::size_t memory,
                                        const Limits& limits, std::FILE* file) {
  const Board turned = winner == Player::H ? transposed(board) : board;
  return with_word(turned, [&]<class W, bool RINGS>() {
    return CoverWriter<W, RINGS>(turned, memory, limits, file).write(starter == winner);
  });
}

}  // namespace zermelo::proof
