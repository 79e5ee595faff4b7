#include "proof/strategy_walk.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "bound/word.hpp"
#include "search/component_table.hpp"

namespace zermelo::proof {

namespace {

enum Tag { ALL, KEEP, REF };
constexpr std::uint64_t FIRST_MOVE = 8;
constexpr std::size_t PARTS = 512;
constexpr int NEAR_MISS = 64;  // in 1/64: so much the ranking may be below the bound of the true components
constexpr int FAR = -16;       // from a win by the bound: seldom decided by one move
constexpr std::size_t BUFFER = std::size_t{1} << 18;
constexpr std::uint64_t FIRST_BUDGET = 256;  // nodes to look for a forgotten winning move, for each that may be one

std::uint16_t& line(Lines& rows, int row) { return rows[static_cast<std::size_t>(row)]; }
unsigned line(const Lines& rows, int row) { return rows[static_cast<std::size_t>(row)]; }

// With Vertical's domino on rows row, row + 1.
Lines after_vertical(Lines rows, int row, int col) {
  line(rows, row) &= static_cast<std::uint16_t>(~(1u << col));
  line(rows, row + 1) &= static_cast<std::uint16_t>(~(1u << col));
  return rows;
}

}  // namespace

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value > 127; value >>= 7) out += static_cast<char>((value & 127) | 128);
  return out + static_cast<char>(value);
}

PieceFile::PieceFile(const std::string& path, std::uint32_t number) {
  const std::string name = path + "." + std::to_string(number);
  file_.reset(std::fopen(name.c_str(), "w+b"));
  if (!file_) throw std::invalid_argument("the file " + name + " cannot be written");
  std::remove(name.c_str());
}

StrategyWalk::StrategyWalk(StrategyTask& task, const std::string& path, std::uint32_t number)
    : task_(task), number_(number), file_(path, number), leaves_(task.search.tables()), parts_(PARTS) {}

void StrategyWalk::won(const Lines& rows) {
  Killers killers{};
  Position& position = position_at(0);
  position.start(rows, task_.rows);
  won(position, killers, 0);
}

void StrategyWalk::lost(const Lines& rows) {
  Position& position = position_at(0);
  position.start(rows, task_.rows);
  lost(position, 0);
}

void StrategyWalk::handed_over(const Lines& rows, std::int32_t order, bool kept) {
  order_ = order;
  Position& position = position_at(0);
  position.start(rows, task_.rows);
  if (refer(normal_form(position.components))) return;
  put(kept ? KEEP : ALL);
  write_replies(position, 0);
}

// The loser is to move, and loses.
void StrategyWalk::lost(const Position& position, int depth) {
  poll();
  if (is_leaf(position, false)) return put(leaf_);
  const Normal here = normal_form(position.components);
  if (refer(here)) return;
  if (depth == cut_depth_) {
    order_ = hand_over_(position.rows, here);
    return;
  }
  const Place begin = place();
  // What is given away in between is not here yet, so that only the end knows where the end is.
  const bool keep = task_.known.begin(here, hand_over_ ? KnownPositions::UNDECIDED : order_ + 1, begin);
  put(keep ? KEEP : ALL);
  write_replies(position, depth);
  if (keep) task_.known.complete(here, hand_over_ ? order_ - 1 : order_, begin);
}

void StrategyWalk::write_replies(const Position& position, int depth) {
  ++stats_.positions;
  Killers killers{};
  Position& child = position_at(2 * depth + 1);
  for (int row = 0; row < task_.rows; ++row)
    for (unsigned moves = line(position.rows, row) & line(position.rows, row) >> 1; moves; moves &= moves - 1) {
      child.follow(position, row, std::countr_zero(moves), false, task_.rows, components_);
      won(child, killers, depth);
    }
}

// The winner is to move.
void StrategyWalk::won(const Position& position, Killers& killers, int depth) {
  // 1. The bound decides.
  if (is_leaf(position, true)) return put(leaf_);

  // 2. It decides after a move: one that did so after another move of the loser, or any.
  Position& child = position_at(2 * depth + 2);
  const auto decides = [&](const Candidate& move) {
    child.follow(position, move.row, move.col, true, task_.rows, components_);
    if (!is_leaf(child, false)) return false;
    put_move(position.rows, move);
    put(leaf_);
    return true;
  };
  const auto go_on_with = [&](const Candidate& move) {
    put_move(position.rows, move);
    child.follow(position, move.row, move.col, true, task_.rows, components_);
    lost(child, depth + 1);
  };
  const auto remember = [&](const Candidate& move, std::size_t from) {
    for (std::size_t i = from; i > 0; --i) killers[i] = killers[i - 1];
    killers[0] = move;
  };
  StripView& view = view_at(depth, position);
  for (std::size_t i = 0; i < killers.size(); ++i) {
    Candidate move = killers[i];
    const int part = view.open_at(move.row, move.col);
    if (part < 0 || !(view.open(part).rows[move.row + 1u] >> move.col & 1)) continue;
    move.part = static_cast<std::uint8_t>(part);
    move.margin = view.after_vertical(part, move.row, move.col);
    if ((move.margin >= 0 || may_be_better(view, move)) && decides(move)) return remember(move, i);
  }

  // 3. Any move after which it decides, or one that has been proved to win, whichever is likely to be found sooner.
  list_moves(view, depth);
  std::vector<Candidate>& moves = moves_[static_cast<std::size_t>(depth)];
  const bool likely_known = view.margin() < FAR;
  const Candidate* known = likely_known ? known_move(view, moves) : nullptr;
  for (Candidate& move : moves) {
    if (known) break;
    move.margin = view.after_vertical(move.part, move.row, move.col);
    if (move.margin >= 0 && decides(move)) return remember(move, killers.size() - 1);
  }
  if (!known && !likely_known) known = known_move(view, moves);
  if (known) return go_on_with(*known);
  std::stable_sort(moves.begin(), moves.end(),
                   [](const Candidate& a, const Candidate& b) { return a.margin > b.margin; });
  for (const Candidate& move : moves) {
    if (move.margin < -NEAR_MISS) break;
    if (move.margin < 0 && may_be_better(view, move) && decides(move)) return remember(move, killers.size() - 1);
  }

  // 4. A move that the search knows, or finds.
  go_on_with(winning_move(position.rows, moves));
}

// The moves in components that are no numbers. A domino on squares that the loser cannot use is left out: it gives up
// 1, so it wins only where other moves win more easily.
void StrategyWalk::list_moves(const StripView& view, int depth) {
  if (moves_.size() <= static_cast<std::size_t>(depth)) moves_.resize(static_cast<std::size_t>(depth) + 1);
  std::vector<Candidate>& moves = moves_[static_cast<std::size_t>(depth)];
  moves.clear();
  for (int part = 0; part < view.open_count(); ++part) {
    const Component& c = view.open(part);
    const auto contested = [&](int row) {
      return line(c.rows, row) & (line(c.rows, row) << 1 | line(c.rows, row) >> 1);
    };
    for (int row = c.top; row < c.bottom; ++row)
      for (unsigned bits = line(c.rows, row) & line(c.rows, row + 1) & (contested(row) | contested(row + 1)); bits;
           bits &= bits - 1)
        moves.push_back({0, static_cast<std::uint8_t>(part), static_cast<std::uint8_t>(row),
                         static_cast<std::uint8_t>(std::countr_zero(bits))});
  }
}

// One after which a reference is enough.
const StrategyWalk::Candidate* StrategyWalk::known_move(StripView& view, const std::vector<Candidate>& moves) {
  int part = -1;
  Normal others;
  for (const Candidate& move : moves) {
    if (move.part != part) others = view.normal_without(part = move.part);
    Normal there = others;
    split_after(view.open(part), move.row, move.col, true, task_.rows, components_);
    for (const Component& c : components_) there.add(c);
    if (task_.known.knows(there, order_)) return &move;
  }
  return nullptr;
}

// Whether the bound of what the move leaves may be better than that of the component with a hole: not if it is still
// one component that only strips know.
bool StrategyWalk::may_be_better(const StripView& view, const Candidate& move) {
  if (move.margin < -NEAR_MISS) return false;
  split_after(view.open(move.part), move.row, move.col, true, task_.rows, components_);
  return components_.size() != 1 || components_[0].width() <= MAX_STRIP_HEIGHT;
}

StrategyWalk::Candidate StrategyWalk::winning_move(const Lines& rows, const std::vector<Candidate>& moves) {
  for (const Candidate& move : moves)
    if (known_verdict(after_vertical(rows, move.row, move.col)) == Verdict::LOSS) return move;

  // One good move is enough, and a bad one may be dear to refute: all get a little time, then all get more. Moves that
  // were left out may be needed where everything is a number.
  std::vector<Candidate> open = moves;
  for (int row = 0; row + 1 < task_.rows; ++row)
    for (unsigned bits = line(rows, row) & line(rows, row + 1); bits; bits &= bits - 1) {
      const int col = std::countr_zero(bits);
      const auto same = [&](const Candidate& move) { return move.row == row && move.col == col; };
      if (std::none_of(moves.begin(), moves.end(), same))
        open.push_back({0, 0, static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(col)});
    }
  for (std::uint64_t budget = FIRST_BUDGET; !open.empty(); budget *= 8) {
    std::vector<Candidate> still_open;
    for (const Candidate& move : open) {
      const Verdict verdict = searched_verdict(after_vertical(rows, move.row, move.col), budget);
      if (verdict == Verdict::LOSS) return move;
      if (verdict == Verdict::UNKNOWN) still_open.push_back(move);
    }
    open.swap(still_open);
  }
  throw std::logic_error("the claim to be proved is false");
}

StripView& StrategyWalk::view_at(int depth, const Position& position) {
  while (views_.size() <= static_cast<std::size_t>(depth)) views_.emplace_back(task_.search.tables());
  StripView& view = views_[static_cast<std::size_t>(depth)];
  view.look(position.components);
  return view;
}

Position& StrategyWalk::position_at(int ply) {
  while (positions_.size() <= static_cast<std::size_t>(ply)) positions_.emplace_back();
  return positions_[static_cast<std::size_t>(ply)];
}

bool StrategyWalk::is_leaf(const Position& position, bool winner_to_move) {
  leaf_.clear();
  const bool found = leaves_.find(position.components, winner_to_move, leaf_);
  if (found) ++stats_.leaves;
  return found;
}

bool StrategyWalk::refer(const Normal& form) {
  if (!task_.known.refer(form, order_)) return false;
  ++stats_.references;
  put(REF);
  return true;
}

Board StrategyWalk::board_of(const Lines& rows) const {
  Board board = Board::empty(task_.turned ? task_.cols : task_.rows, task_.turned ? task_.rows : task_.cols);
  board.free = {};
  for (int row = 0; row < task_.rows; ++row)
    for (unsigned rest = line(rows, row); rest; rest &= rest - 1) {
      const int col = std::countr_zero(rest);
      board.free.set(task_.turned ? board.square(col, row) : board.square(row, col));
    }
  return board;
}

// What the search's table says of the position with the loser to move, without searching.
Verdict StrategyWalk::known_verdict(const Lines& rows) {
  Lines upright = rows;
  if (task_.turned) {
    upright = {};
    for (int row = 0; row < task_.rows; ++row)
      for (unsigned rest = line(rows, row); rest; rest &= rest - 1)
        line(upright, std::countr_zero(rest)) |= static_cast<std::uint16_t>(1u << row);
  }
  ComponentPosition position;
  add_parts(position, upright, task_.turned ? task_.cols : task_.rows, parts_, task_.search.tables());
  const Verdict verdict = task_.search.table().probe(key_of(position, task_.loser));
  parts_.shrink(0);
  return verdict;
}

// UNKNOWN if it takes more nodes.
Verdict StrategyWalk::searched_verdict(const Lines& rows, std::uint64_t nodes) {
  Limits limits;
  limits.nodes = nodes;
  limits.cancel = task_.limits.cancel;
  limits.seconds = task_.limits.seconds - task_.seconds();
  const SearchResult result = task_.search.solve_alone(board_of(rows), task_.loser, limits);
  stats_.searched += result.nodes;
  ticks_ |= 255;
  poll();
  return result.verdict;
}

void StrategyWalk::put(const std::string& bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= BUFFER) flush();
}

// Vertical's moves are numbered by their upper square.
void StrategyWalk::put_move(const Lines& rows, const Candidate& move) {
  int index = 0;
  for (int row = 0; row < move.row; ++row) index += count(Word64{line(rows, row) & line(rows, row + 1)});
  const unsigned before = (1u << move.col) - 1;
  index += count(Word64{line(rows, move.row) & line(rows, move.row + 1) & before});
  put(varint(FIRST_MOVE + static_cast<std::uint64_t>(index)));
}

void StrategyWalk::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size())
    throw std::runtime_error("the proof file cannot be written: is the disk full?");
  written_ += buffer_.size();
  buffer_.clear();
}

// Now and then: limits, and the first walk tells how far all have come.
void StrategyWalk::poll() {
  if ((++ticks_ & 255) != 0) return;
  if (task_.stop.load(std::memory_order_relaxed)) throw WalkStopped{StopReason::CANCELLED};
  const Limits& limits = task_.limits;
  if (limits.cancel && limits.cancel->load(std::memory_order_relaxed)) throw WalkStopped{StopReason::CANCELLED};
  const double seconds = task_.seconds();
  if (seconds > limits.seconds) throw WalkStopped{StopReason::TIME};
  const std::uint64_t total = task_.written += stats_.positions - told_;
  told_ = stats_.positions;
  if (number_ == 0 && limits.on_progress) limits.on_progress({total, seconds, 0, 0});
}

}  // namespace zermelo::proof
