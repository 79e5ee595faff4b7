#include "domineering/proof/proof_index.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "base/bytes.hpp"
#include "domineering/proof/tags.hpp"

namespace zermelo::proof {

namespace {

constexpr std::size_t LARGE = 4096;  // bytes: smaller subtrees are read again when they are passed
constexpr std::uint64_t POLL = 1 << 12;

void take(Lines& rows, int row, unsigned squares) { rows[row] &= ~squares; }

// Horizontal's moves in a row, by their left squares; across the seam the left square is the last one.
unsigned across(const Board& board, unsigned squares) {
  unsigned moves = squares & squares >> 1;
  if (board.wraps_rows()) moves |= (squares & 1u) << (board.cols - 1) & squares;
  return moves;
}
void play_across(const Board& board, Lines& rows, int row, int col) {
  take(rows, row, 1u << col | 1u << (col + 1 == board.cols ? 0 : col + 1));
}

// Vertical's move number `index`; false if she has fewer.
bool play_down(const Board& board, Lines& rows, std::uint64_t index) {
  const int last = board.wraps_cols() ? board.rows : board.rows - 1;
  for (int row = 0; row < last; ++row) {
    const int below = row + 1 == board.rows ? 0 : row + 1;
    unsigned moves = rows[row] & rows[below];
    const auto count = static_cast<std::uint64_t>(std::popcount(moves));
    if (index >= count) {
      index -= count;
      continue;
    }
    for (; index; --index) moves &= moves - 1;
    const unsigned square = moves & -moves;
    take(rows, row, square);
    take(rows, below, square);
    return true;
  }
  return false;
}

// Every move of Horizontal that she has in these rows, by their left squares.
Lines all_across(const Board& board, const Lines& rows) {
  Lines moves{};
  for (int row = 0; row < board.rows; ++row) moves[row] = across(board, rows[row]);
  return moves;
}

// Whether answers to moves follow this tag of the loser's node, each in its place.
bool has_answers(unsigned tag) { return tag <= KEEP || tag > CUT; }
bool is_remembered(unsigned tag) { return tag == KEEP || tag > CUT_KEEP; }

[[noreturn]] void malformed(const char* what) { throw std::invalid_argument(what); }

}  // namespace

// Reads nodes one after the other, and can note their places in an index.
class ProofIndex::Reader {
 public:
  Reader(const ProofIndex& index, std::size_t at) : index_(index), board_(index.board_), at_(at) {}

  std::size_t at() const { return at_; }
  std::uint64_t nodes() const { return nodes_ + answered_; }

  void note_into(ProofIndex* target, Watch* watch) {
    target_ = target;
    watch_ = watch;
  }

  unsigned byte() { return take_byte(index_.payload_, at_); }
  std::uint64_t varint() { return take_varint(index_.payload_, at_); }

  // Passes over a node and everything below it.
  void pass(const Lines& rows, bool loser_to_move) {
    if (watch_ && (++nodes_ & (POLL - 1)) == 0) poll();
    const std::size_t begin = at_;
    if (loser_to_move) {
      const unsigned tag = byte();
      if (tag == REF) return;
      if (!has_answers(tag)) return pass_leaf(rows, tag);
      const Lines written = written_moves(rows, tag);
      for (int row = 0; row < board_.rows; ++row)
        for (unsigned moves = written[row]; moves; moves &= moves - 1) {
          Lines after = rows;
          play_across(board_, after, row, std::countr_zero(moves));
          pass(after, false);
        }
      if (target_ && is_remembered(tag)) {
        const Normal here = target_->normal(rows);
        target_->remembered_.push_back({here.key, here.number, begin});
      }
    } else {
      const std::uint64_t tag = varint();
      if (tag < FIRST_MOVE) return pass_leaf(rows, tag == CUT_WON ? unsigned{CUT} : static_cast<unsigned>(tag));
      Lines after = rows;
      if (!play_down(board_, after, tag - FIRST_MOVE)) malformed("the certificate plays a move that is not legal");
      pass(after, true);
    }
    if (target_ && at_ - begin >= LARGE) target_->large_.push_back({begin, at_});
  }

  // Behind the tag of the loser's node: her moves whose answers are in the file, by their left squares. The others are
  // answered by the cut that is passed here (FORMAT.md 4.4), and count as nodes.
  Lines written_moves(const Lines& rows, unsigned tag) {
    Lines moves = all_across(board_, rows);
    if (tag <= KEEP) return moves;
    if (tag > CUT_KEEP + MAX_CUTS || tag == CUT_KEEP) malformed("the certificate holds an unknown tag");
    for (unsigned cuts = tag % (MAX_CUTS + 1); cuts; --cuts) {
      pass_cut(rows);
      pass_answered(moves);
    }
    return moves;
  }

 private:
  // Takes the answered moves away.
  void pass_answered(Lines& moves) {
    unsigned answered = 0;
    int number = 0;
    for (int row = 0; row < board_.rows; ++row)
      for (unsigned rest = moves[row]; rest; rest &= rest - 1, ++number) {
        if (number % 8 == 0) answered = byte();
        if (!(answered >> number % 8 & 1u)) continue;
        take(moves, row, rest & -rest);
        ++answered_;
      }
  }

  // A leaf of the winner that is CUT_WON comes as CUT.
  void pass_leaf(const Lines& rows, unsigned tag) {
    if (tag == COVER) return pass_cover(rows);
    if (tag == CUT) return pass_cut(rows);
    malformed("the certificate holds an unknown tag");
  }

  void pass_bits(int count) {
    at_ += (count + 7) / 8;
    if (at_ > index_.payload_.size()) malformed("the certificate is truncated");
  }

  // One bit for each run of squares from a component's second row on (FORMAT.md 5.6).
  void pass_cut(const Lines& rows) {
    if (board_.wraps_rows() || board_.wraps_cols()) malformed("the certificate has strips on a ring");
    split(rows, Player::V, board_.rows, index_.components_);
    int runs = 0;
    for (const Component& c : index_.components_)
      for (int row = c.first[0] + 1; row < c.first[0] + c.count[0]; ++row)
        runs += std::popcount(c.lines[0][row] & ~(c.lines[0][row] << 1));
    pass_bits(runs);
  }

  void pass_cover(const Lines& rows) {
    for (std::uint64_t corners = varint(); corners; --corners) varint();
    int moves = 0;
    for (int row = 0; row < (board_.wraps_cols() ? board_.rows : board_.rows - 1); ++row)
      moves += std::popcount(rows[row] & rows[row + 1 == board_.rows ? 0 : row + 1]);
    pass_bits(moves);
  }

  void poll() const {
    const std::size_t bytes = target_->remembered_.size() * sizeof(Remembered) + target_->large_.size() * sizeof(Span);
    if (bytes > watch_->limits().bytes) watch_->stop(StopReason::MEMORY);
    if (watch_->look()) throw Stop{};
  }

  const ProofIndex& index_;
  const Board& board_;
  std::size_t at_;
  std::uint64_t nodes_ = 0, answered_ = 0;
  ProofIndex* target_ = nullptr;
  Watch* watch_ = nullptr;
};

ProofIndex::ProofIndex(std::string_view payload, const Board& board, std::size_t at, bool loser_to_move)
    : payload_(payload), board_(board), root_{at, {}, loser_to_move} {
  if (board.rows > MAX_LINES || board.cols > MAX_LINES)
    throw std::invalid_argument("a strategy is walked on boards with sides of at most " + std::to_string(MAX_LINES));
  root_.rows = rows_of(board);
}

StopReason ProofIndex::build(const Limits& limits) {
  large_.clear();
  remembered_.clear();
  Reader reader(*this, root_.at);
  Watch watch(limits);
  reader.note_into(this, &watch);
  try {
    reader.pass(root_.rows, root_.loser_to_move);
  } catch (const Stop&) {
    return watch.reason();
  }
  nodes_ = reader.nodes();
  std::sort(large_.begin(), large_.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::sort(remembered_.begin(), remembered_.end(),
            [](const Remembered& a, const Remembered& b) { return a.key != b.key ? a.key < b.key : a.at < b.at; });
  return StopReason::FINISHED;
}

std::size_t ProofIndex::end_of(const Place& place) const {
  const auto found = std::lower_bound(large_.begin(), large_.end(), place.at,
                                      [](const Span& span, std::size_t at) { return span.begin < at; });
  if (found != large_.end() && found->begin == place.at) return found->end;
  Reader reader(*this, place.at);
  reader.pass(place.rows, place.loser_to_move);
  return reader.at();
}

std::optional<ProofIndex::Place> ProofIndex::referred(const Place& place) const {
  const Normal here = normal(place.rows);
  auto entry_at = std::lower_bound(remembered_.begin(), remembered_.end(), here.key,
                                   [](const Remembered& entry, const NormalKey& key) { return entry.key < key; });
  for (; entry_at != remembered_.end() && entry_at->key == here.key && entry_at->at < place.at; ++entry_at)
    if (entry_at->number <= here.number) return place_at(entry_at->at);
  return std::nullopt;
}

Normal ProofIndex::normal(const Lines& rows) const {
  if (board_.wraps_rows() || board_.wraps_cols()) return ring_normal_form(with_rows(board_, rows));
  return normal_form(rows, board_.rows, components_);
}

// Goes down from the root, each time into the child that holds the target.
ProofIndex::Place ProofIndex::place_at(std::size_t target) const {
  Place place = root_;
  while (place.at != target) {
    Reader reader(*this, place.at);
    if (!place.loser_to_move) {
      const std::uint64_t tag = reader.varint();
      if (tag < FIRST_MOVE || !play_down(board_, place.rows, tag - FIRST_MOVE))
        malformed("the certificate plays a move that is not legal");
      place = {reader.at(), place.rows, true};
      continue;
    }
    const unsigned tag = reader.byte();
    if (!has_answers(tag)) malformed("the certificate is truncated");
    const Lines written = reader.written_moves(place.rows, tag);
    std::size_t at = reader.at();
    std::optional<Place> inside;
    for (int row = 0; row < board_.rows && !inside; ++row)
      for (unsigned moves = written[row]; moves; moves &= moves - 1) {
        Place child{at, place.rows, false};
        play_across(board_, child.rows, row, std::countr_zero(moves));
        at = end_of(child);
        if (target < at) {
          inside = child;
          break;
        }
      }
    if (!inside) malformed("the certificate is truncated");
    place = *inside;
  }
  return place;
}

}  // namespace zermelo::proof
