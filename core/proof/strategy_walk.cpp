#include "proof/strategy_walk.hpp"

#include <bit>
#include <stdexcept>

#include "search/component_table.hpp"

namespace zermelo::proof {

namespace {

enum Tag { ALL, KEEP, REF };
constexpr std::uint64_t FIRST_MOVE = 8;
constexpr std::size_t PARTS = 512;
constexpr int NEAR_MISS = 64;  // in 1/64: so much the ranking may be below the bound of the true components
constexpr std::size_t BUFFER = std::size_t{1} << 18;
constexpr std::uint64_t FIRST_BUDGET = 256;  // nodes to look for a forgotten winning move, for each that may be one

std::uint16_t& line(Lines& rows, int row) { return rows[static_cast<std::size_t>(row)]; }
unsigned line(const Lines& rows, int row) { return rows[static_cast<std::size_t>(row)]; }

// Vertical's domino on rows row, row + 1, and Horizontal's on columns col, col + 1.
Lines after_vertical(Lines rows, int row, int col) {
  line(rows, row) &= static_cast<std::uint16_t>(~(1u << col));
  line(rows, row + 1) &= static_cast<std::uint16_t>(~(1u << col));
  return rows;
}
Lines after_horizontal(Lines rows, int row, int col) {
  line(rows, row) &= static_cast<std::uint16_t>(~(3u << col));
  return rows;
}

// Vertical's moves are numbered by their upper square.
std::string move_tag(const Lines& rows, const StripLeaves::Ranked& move) {
  std::uint64_t index = 0;
  for (int row = 0; row < move.row; ++row)
    index += static_cast<std::uint64_t>(std::popcount(line(rows, row) & line(rows, row + 1)));
  const unsigned before = (1u << move.col) - 1;
  index += static_cast<std::uint64_t>(std::popcount(line(rows, move.row) & line(rows, move.row + 1) & before));
  return varint(FIRST_MOVE + index);
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
  won(rows, killers, 0);
}

void StrategyWalk::handed_over(const Lines& rows, std::int32_t order, bool kept) {
  order_ = order;
  if (task_.known.refer(form_of(rows), order)) {
    ++stats_.references;
    return put(REF);
  }
  put(kept ? KEEP : ALL);
  write_replies(rows, 0);
}

// The loser is to move, and loses.
void StrategyWalk::lost(const Lines& rows, int depth, bool no_leaf) {
  poll();
  std::string leaf;
  if (!no_leaf && leaves_.find(rows, task_.rows, false, leaf)) {
    ++stats_.leaves;
    return put(leaf);
  }
  const Normal here = form_of(rows);
  if (task_.known.refer(here, order_)) {
    ++stats_.references;
    return put(REF);
  }
  if (depth == cut_depth_) {
    order_ = hand_over_(rows, here);
    return;
  }
  const Place begin = place();
  const bool keep = task_.known.has_room();
  put(keep ? KEEP : ALL);
  write_replies(rows, depth);
  if (keep) task_.known.remember(here, hand_over_ ? order_ - 1 : order_, begin);
}

void StrategyWalk::write_replies(const Lines& rows, int depth) {
  ++stats_.positions;
  Killers killers{};
  for (int row = 0; row < task_.rows; ++row)
    for (unsigned moves = line(rows, row) & line(rows, row) >> 1; moves; moves &= moves - 1)
      won(after_horizontal(rows, row, std::countr_zero(moves)), killers, depth);
}

// The winner is to move.
void StrategyWalk::won(const Lines& rows, Killers& killers, int depth) {
  std::string leaf;
  if (leaves_.find(rows, task_.rows, true, leaf)) {
    ++stats_.leaves;
    return put(leaf);
  }
  // 1. A move after which the bound decides: one that did so after another move of the loser, or the best by its rank.
  const auto decides = [&](const StripLeaves::Ranked& move) {
    leaf.clear();
    if (!leaves_.find(after_vertical(rows, move.row, move.col), task_.rows, false, leaf)) return false;
    ++stats_.leaves;
    put(move_tag(rows, move) + leaf);
    return true;
  };
  for (std::size_t i = 0; i < killers.size(); ++i) {
    const StripLeaves::Ranked move = killers[i];
    const unsigned both = line(rows, move.row) & line(rows, move.row + 1);
    if (!(both >> move.col & 1) || !decides(move)) continue;
    std::swap(killers[i], killers[0]);
    return;
  }
  leaf.clear();
  leaves_.find(rows, task_.rows, true, leaf);  // once more, for the ranking
  const std::vector<StripLeaves::Ranked> moves = leaves_.ranked_moves();
  for (const StripLeaves::Ranked& move : moves) {
    if (move.margin < -NEAR_MISS) break;
    if (!decides(move)) continue;
    killers[1] = killers[0];
    killers[0] = move;
    return;
  }
  // 2. One that has been proved. 3. One that the search knows, or finds.
  const StripLeaves::Ranked move = winning_move(rows, moves);
  put(move_tag(rows, move));
  lost(after_vertical(rows, move.row, move.col), depth + 1, false);
}

StripLeaves::Ranked StrategyWalk::winning_move(const Lines& rows, const std::vector<StripLeaves::Ranked>& moves) {
  for (const StripLeaves::Ranked& move : moves)
    if (task_.known.knows(form_of(after_vertical(rows, move.row, move.col)), order_)) return move;
  for (const StripLeaves::Ranked& move : moves)
    if (known_verdict(after_vertical(rows, move.row, move.col)) == Verdict::LOSS) return move;
  // One good move is enough, and a bad one may be dear to refute: all get a little time, then all get more.
  std::vector<StripLeaves::Ranked> open = moves;
  for (std::uint64_t budget = FIRST_BUDGET; !open.empty(); budget *= 8) {
    std::vector<StripLeaves::Ranked> still_open;
    for (const StripLeaves::Ranked& move : open) {
      const Verdict verdict = searched_verdict(after_vertical(rows, move.row, move.col), budget);
      if (verdict == Verdict::LOSS) return move;
      if (verdict == Verdict::UNKNOWN) still_open.push_back(move);
    }
    open.swap(still_open);
  }
  throw std::logic_error("the claim to be proved is false");
}

Normal StrategyWalk::form_of(const Lines& rows) { return normal_form(rows, task_.rows, components_); }

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
