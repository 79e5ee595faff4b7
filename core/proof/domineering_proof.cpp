#include "proof/domineering_proof.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <stdexcept>

#include "search/component_position.hpp"
#include "search/component_table.hpp"

namespace zermelo::proof {

namespace {

enum Tag { ALL, KEEP, REF };
constexpr std::uint64_t FIRST_MOVE = 8;
constexpr std::size_t PARTS = 512;
constexpr int NEAR_MISS = 64;  // in 1/64: so much the ranking may be below the bound of the true components
constexpr std::size_t BYTES_PER_KNOWN = 64;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value > 127; value >>= 7) out += static_cast<char>((value & 127) | 128);
  return out + static_cast<char>(value);
}

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

}  // namespace

DomineeringProofWriter::DomineeringProofWriter(ComponentSearch& search, std::FILE* file,
                                               const DomineeringProofOptions& options)
    : search_(search),
      file_(file),
      leaves_(search.tables()),
      parts_(PARTS),
      capacity_(options.memory / BYTES_PER_KNOWN) {}

DomineeringProofStats DomineeringProofWriter::write(const Board& board, Player starter, Player winner,
                                                    const Limits& limits) {
  if (board.topology != Topology::RECTANGLE)
    throw std::invalid_argument("proofs of cylinders and tori cannot be written yet");
  start_ = now();
  limits_ = &limits;
  turned_ = winner == Player::H;
  loser_ = other(winner);
  rows_ = turned_ ? board.cols : board.rows;
  cols_ = turned_ ? board.rows : board.cols;

  std::string claim = varint(1) + varint(0) + varint(static_cast<std::uint64_t>(board.rows)) +
                      varint(static_cast<std::uint64_t>(board.cols));
  for (int i = 0; i < board.rows * board.cols; i += 8) {
    int byte = 0;
    for (int bit = 0; bit < 8 && i + bit < board.rows * board.cols; ++bit)
      if (board.free.test(i + bit)) byte |= 1 << bit;
    claim += static_cast<char>(byte);
  }
  put(claim + varint(static_cast<std::uint64_t>(starter)) + varint(static_cast<std::uint64_t>(winner)));

  Lines rows{};
  for_each(board.free, [&](int square) {
    const int row = square / board.cols, col = square % board.cols;
    line(rows, turned_ ? col : row) |= static_cast<std::uint16_t>(1u << (turned_ ? row : col));
  });
  try {
    Killers killers{};
    if (starter == winner) won(rows, killers);
    else lost(rows);
  } catch (const Cancelled& cancelled) {
    stats_.stopped = cancelled.reason;
  }
  flush();
  for (const auto& [key, known] : known_)
    if (!known.referred) unused_.push_back(known.offset);
  std::sort(unused_.begin(), unused_.end());
  for (std::uint64_t offset : unused_) {
    if (std::fseek(file_, static_cast<long>(offset), SEEK_SET))
      throw std::runtime_error("the proof file cannot be written");
    std::fputc(ALL, file_);
  }
  if (std::fflush(file_)) throw std::runtime_error("the proof file cannot be written: is the disk full?");
  stats_.bytes = written_;
  stats_.seconds = now() - start_;
  return stats_;
}

// The loser is to move, and loses.
void DomineeringProofWriter::lost(const Lines& rows) {
  poll();
  std::string leaf;
  if (leaves_.find(rows, rows_, false, leaf)) {
    ++stats_.leaves;
    return put(leaf);
  }
  const Normal here = normal_form(rows, rows_, components_);
  if (refer(here)) return;
  const std::uint64_t offset = written_ + buffer_.size();
  const bool keep = known_.size() < capacity_;
  put(keep ? KEEP : ALL);
  ++stats_.positions;
  Killers killers{};
  for (int row = 0; row < rows_; ++row)
    for (unsigned moves = line(rows, row) & line(rows, row) >> 1; moves; moves &= moves - 1)
      won(after_horizontal(rows, row, std::countr_zero(moves)), killers);
  if (!keep) return;
  const auto [place, fresh] = known_.try_emplace(here.key, Known{offset, here.number, false});
  if (fresh) return;
  // Known with a larger integer: this proof is the better one from now on.
  if (!place->second.referred) unused_.push_back(place->second.offset);
  place->second = {offset, here.number, false};
}

// The winner is to move.
void DomineeringProofWriter::won(const Lines& rows, Killers& killers) {
  std::string leaf;
  if (leaves_.find(rows, rows_, true, leaf)) {
    ++stats_.leaves;
    return put(leaf);
  }
  // 1. A move after which the bound decides: one that did so after another move of the loser, or the best by its rank.
  const auto decides = [&](const StripLeaves::Ranked& move) {
    leaf.clear();
    if (!leaves_.find(after_vertical(rows, move.row, move.col), rows_, false, leaf)) return false;
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
  leaves_.find(rows, rows_, true, leaf);  // once more, for the ranking
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
  lost(after_vertical(rows, move.row, move.col));
}

StripLeaves::Ranked DomineeringProofWriter::winning_move(const Lines& rows,
                                                         const std::vector<StripLeaves::Ranked>& moves) {
  for (const StripLeaves::Ranked& move : moves) {
    const Normal there = normal_form(after_vertical(rows, move.row, move.col), rows_, components_);
    const auto found = known_.find(there.key);
    if (found != known_.end() && found->second.number <= there.number) return move;
  }
  for (const StripLeaves::Ranked& move : moves)
    if (known_verdict(after_vertical(rows, move.row, move.col)) == Verdict::LOSS) return move;
  for (const StripLeaves::Ranked& move : moves)
    if (searched_verdict(after_vertical(rows, move.row, move.col)) == Verdict::LOSS) return move;
  throw std::logic_error("the claim to be proved is false");
}

// Vertical's moves are numbered by their upper square.
std::string DomineeringProofWriter::move_tag(const Lines& rows, const StripLeaves::Ranked& move) {
  std::uint64_t index = 0;
  for (int row = 0; row < move.row; ++row)
    index += static_cast<std::uint64_t>(std::popcount(line(rows, row) & line(rows, row + 1)));
  const unsigned before = (1u << move.col) - 1;
  index += static_cast<std::uint64_t>(std::popcount(line(rows, move.row) & line(rows, move.row + 1) & before));
  return varint(FIRST_MOVE + index);
}

bool DomineeringProofWriter::refer(const Normal& normal) {
  const auto found = known_.find(normal.key);
  if (found == known_.end() || found->second.number > normal.number) return false;
  found->second.referred = true;
  ++stats_.references;
  put(REF);
  return true;
}

Board DomineeringProofWriter::board_of(const Lines& rows) const {
  Board board = Board::empty(turned_ ? cols_ : rows_, turned_ ? rows_ : cols_);
  board.free = {};
  for (int row = 0; row < rows_; ++row)
    for (unsigned rest = line(rows, row); rest; rest &= rest - 1) {
      const int col = std::countr_zero(rest);
      board.free.set(turned_ ? board.square(col, row) : board.square(row, col));
    }
  return board;
}

// What the search's table says of the position with the loser to move, without searching.
Verdict DomineeringProofWriter::known_verdict(const Lines& rows) {
  Lines upright = rows;
  if (turned_) {
    upright = {};
    for (int row = 0; row < rows_; ++row)
      for (unsigned rest = line(rows, row); rest; rest &= rest - 1)
        line(upright, std::countr_zero(rest)) |= static_cast<std::uint16_t>(1u << row);
  }
  ComponentPosition position;
  add_parts(position, upright, turned_ ? cols_ : rows_, parts_, search_.tables());
  const Verdict verdict = search_.table().probe(key_of(position, loser_));
  parts_.shrink(0);
  return verdict;
}

Verdict DomineeringProofWriter::searched_verdict(const Lines& rows) {
  Limits limits;
  limits.cancel = limits_->cancel;
  limits.seconds = limits_->seconds - (now() - start_);
  const SearchResult result = search_.solve(board_of(rows), loser_, limits);
  stats_.searched += result.nodes;
  if (result.verdict == Verdict::UNKNOWN) throw Cancelled{result.stopped};
  return result.verdict;
}

void DomineeringProofWriter::put(const std::string& bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= std::size_t{1} << 20) flush();
}

void DomineeringProofWriter::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size())
    throw std::runtime_error("the proof file cannot be written: is the disk full?");
  written_ += buffer_.size();
  buffer_.clear();
}

void DomineeringProofWriter::poll() {
  if ((++ticks_ & 255) != 0) return;
  if (limits_->cancel && limits_->cancel->load(std::memory_order_relaxed)) throw Cancelled{StopReason::CANCELLED};
  if (now() - start_ > limits_->seconds) throw Cancelled{StopReason::TIME};
}

}  // namespace zermelo::proof
