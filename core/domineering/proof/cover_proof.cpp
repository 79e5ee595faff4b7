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

// Do the areas decide, with the winner to move (`first`) or not?
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
    for (int image = 0; image < IMAGES; ++image) {
      const Areas areas = packed_areas(frame(WINNER), position.image[at(WINNER)][image], image);
      if (!cover_decides(here, areas, first)) continue;
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
