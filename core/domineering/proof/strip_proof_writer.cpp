#include "domineering/proof/strip_proof_writer.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "domineering/bound/board_words.hpp"
#include "domineering/search/component_table.hpp"

namespace zermelo::proof {

namespace {

// A cut that answers a single move is shorter as a leaf after it.
constexpr std::ptrdiff_t LEAST_ANSWERED = 2;
// If the search has named a move, so many other moves are tried: does the bound decide after them? Only those whose
// estimate, in 1/64, misses by no more than NEAR_MISS. On large boards all are tried, also for leading to a position
// that is proved already:
// 10x10 then has 4.5 million positions instead of 6.4, and is written in 128 s instead of 106 on 16 threads.
constexpr std::size_t TRIED_MOVES = 16;
constexpr int NEAR_MISS = 64, NEAR_MISS_OF_LARGE = 256;
constexpr int LARGE_BOARD = 65;              // squares
constexpr std::uint64_t FIRST_BUDGET = 256;  // nodes to look for a forgotten winning move, for each that may be one

}  // namespace

StripProofWriter::StripProofWriter(StrategyTask& task, const std::string& path, std::uint32_t number)
    : task_(task),
      number_(number),
      file_(create_unnamed_file(path)),
      out_(file_.get()),
      cut_(other(task.loser), task.search.tables()) {}

void StripProofWriter::won(const Lines& rows) {
  Position& position = position_at(0);
  position.start(rows);
  if (is_leaf(position, true)) out_.text(leaf_);
  else won(position, 0);
}

void StripProofWriter::lost(const Lines& rows) {
  Position& position = position_at(0);
  position.start(rows);
  lost(position, 0);
}

void StripProofWriter::handed_over(const Lines& rows, std::int32_t order, bool keep) {
  order_ = order;
  Position& position = position_at(0);
  position.start(rows);
  if (is_known(position.normal_form())) return out_.byte(REF);
  write_replies(position, keep, 0);
}

// The loser is to move, and loses.
void StripProofWriter::lost(Position& position, int depth) {
  if (is_leaf(position, false)) return out_.text(leaf_);
  const Normal here = position.normal_form();
  if (is_known(here)) out_.byte(REF);
  else expand(position, here, depth);
}

// The same where neither a bound nor a reference is enough.
void StripProofWriter::expand(Position& position, const Normal& here, int depth) {
  poll();
  if (depth == cut_depth_) {
    order_ = hand_over_(position.rows(), here);
    return;
  }
  const Place begin = place();
  // Positions handed over in between have an order of their own, so the order of the end is known only at the end.
  const bool keep = task_.known.begin(here, hand_over_ ? KnownPositions::UNDECIDED : order_ + 1, begin);
  write_replies(position, keep, depth);
  if (keep) task_.known.complete(here, hand_over_ ? order_ - 1 : order_, begin);
}

// All replies: those that cuts answer first, then the others one by one.
void StripProofWriter::write_replies(Position& position, bool keep, int depth) {
  ++positions_written_;
  // 1. Cuts that answer many moves: the best one, then those that answer the first move that is left.
  std::vector<Reply> left;
  for (int row = 0; row < task_.rows; ++row)
    for (unsigned moves = position.rows()[row] & position.rows()[row] >> 1; moves; moves &= moves - 1)
      left.push_back({row, std::countr_zero(moves), {}});
  std::string body;
  unsigned cuts = 0;
  const auto answer = [&] {
    std::vector<bool> answered;
    for (const Reply& reply : left) answered.push_back(cut_.answers(reply.row, reply.col));
    const auto count = std::count(answered.begin(), answered.end(), true);
    if (count < (cuts ? LEAST_ANSWERED : 1)) return;
    cut_.write(body);
    put_bits(body, static_cast<int>(left.size()), [&](int i) { return answered[i]; });
    std::size_t i = 0;
    std::erase_if(left, [&](const Reply&) { return answered[i++]; });
    ++cuts;
  };
  cut_.find_nearest(position);
  answer();
  Position& child = position_at(2 * depth + 1);
  const auto follow = [&](const Reply& reply) { child.follow(position, reply.row, reply.col, false); };
  for (std::size_t i = 0; i < left.size();) {
    const Reply reply = left[i];
    const std::size_t before = left.size();
    if (cuts < MAX_CUTS && cut_.find_answer(position, reply.row, reply.col)) answer();
    if (left.size() < before) continue;  // the later ones have moved up
    follow(reply);
    if (!cut_.has_failed_on(child) && is_leaf(child, true)) left[i].leaf = leaf_;
    ++i;
  }
  out_.byte(cuts ? (keep ? CUT_KEEP : CUT) + static_cast<int>(cuts) : keep ? KEEP : ALL);
  out_.text(body);

  // 2. The others.
  for (const Reply& reply : left) {
    if (!reply.leaf.empty()) {
      out_.text(reply.leaf);
      continue;
    }
    follow(reply);
    won(child, depth);
  }
}

// The winner is to move.
void StripProofWriter::won(Position& position, int depth) {
  // 1. The move that the search has found leads to a proved position, or the bound decides after it.
  std::optional<Candidate> move = table_move(position);
  Position& child = position_at(2 * depth + 2);
  const auto follow = [&](const Candidate& next) { child.follow(position, next.row, next.col, true); };
  const auto ends = [&](const Candidate& last) {
    if (!is_leaf(child, false)) return false;
    put_move(position.rows(), last);
    out_.text(leaf_);
    return true;
  };
  Normal there;
  if (move) {
    follow(*move);
    there = child.normal_form();
    if (is_known(there)) {
      put_move(position.rows(), *move);
      return out_.byte(REF);
    }
    if (ends(*move)) return;
  }

  // 2. The bound decides after another move in a component that is no number: most likely one that has done so lately.
  // A domino on squares that the loser cannot use is left out: it gives up 1, so it wins only where other moves win
  // more easily.
  if (moves_.size() <= std::size_t(depth)) moves_.resize(depth + 1);
  std::vector<Candidate>& moves = moves_[depth];
  moves.clear();
  each_move(position.sum(), other(task_.loser), false, [&](int part, int row, int col, bool) {
    moves.push_back(candidate(part, row, col));
    return true;
  });
  std::sort(moves.begin(), moves.end(), [](const Candidate& a, const Candidate& b) { return a.used > b.used; });
  const bool large = task_.rows * task_.cols >= LARGE_BOARD;
  const std::size_t tried = move && !large ? std::min(moves.size(), TRIED_MOVES) : moves.size();
  for (std::size_t i = 0; i < tried; ++i) {
    const Candidate& next = moves[i];
    const int margin = position.margin_after(next.part, next.row, next.col, other(task_.loser));
    if (margin < -(large ? NEAR_MISS_OF_LARGE : NEAR_MISS)) continue;
    follow(next);
    if (!ends(next)) continue;
    last_used_[next.row][next.col] = ++clock_;
    return;
  }

  // 3. Another move leads to a proved position.
  for (std::size_t i = 0; large && i < moves.size(); ++i) {
    follow(moves[i]);
    if (!is_known(child.normal_form())) continue;
    put_move(position.rows(), moves[i]);
    return out_.byte(REF);
  }

  // 4. The way is longer.
  const Candidate longer = move ? *move : winning_move(position, moves, child);
  put_move(position.rows(), longer);
  follow(longer);
  if (move) expand(child, there, depth + 1);
  else lost(child, depth + 1);
}

StripProofWriter::Candidate StripProofWriter::winning_move(const Position& position,
                                                           const std::vector<Candidate>& moves, Position& child) {
  const Lines& rows = position.rows();
  for (const Candidate& move : moves) {
    child.follow(position, move.row, move.col, true);
    if (task_.search.table().probe(key_of(child.sum(), task_.loser)) == Verdict::LOSS) return move;
  }

  // One good move is enough, and a bad one may be expensive to refute: all get a little time, then all get more. Moves
  // that were left out may be needed where everything is a number.
  std::vector<Candidate> open = moves;
  for (int row = 0; row + 1 < task_.rows; ++row)
    for (unsigned bits = rows[row] & rows[row + 1]; bits; bits &= bits - 1) {
      const int col = std::countr_zero(bits);
      const auto same = [&](const Candidate& move) { return move.row == row && move.col == col; };
      if (std::none_of(moves.begin(), moves.end(), same)) open.push_back(candidate(0, row, col));
    }
  for (std::uint64_t budget = FIRST_BUDGET; !open.empty(); budget *= 8) {
    std::vector<Candidate> still_open;
    for (const Candidate& move : open) {
      const Verdict verdict = searched_verdict(without_domino(rows, move.row, move.col, true), budget);
      if (verdict == Verdict::LOSS) return move;
      if (verdict == Verdict::UNKNOWN) still_open.push_back(move);
    }
    open.swap(still_open);
  }
  throw std::logic_error("the claim to be proved is false");
}

Position& StripProofWriter::position_at(int ply) {
  while (positions_.size() <= std::size_t(ply))
    positions_.emplace_back(other(task_.loser), task_.rows, task_.search.tables());
  return positions_[ply];
}

bool StripProofWriter::is_leaf(const Position& position, bool winner_to_move) {
  if (!cut_.find(position, winner_to_move)) return false;
  leaf_.assign(1, static_cast<char>(winner_to_move ? CUT_WON : CUT));
  cut_.write(leaf_);
  return true;
}

// If so, write REF.
bool StripProofWriter::is_known(const Normal& form) {
  const bool known = task_.known.refer(form, order_);
  references_ += known;
  return known;
}

// The winner's move that the search's table names, if it does.
std::optional<StripProofWriter::Candidate> StripProofWriter::table_move(const Position& position) const {
  const Player winner = other(task_.loser);
  const ComponentTable::Known known = task_.search.table().find(key_of(position.sum(), winner));
  const auto move = known.verdict == Verdict::WIN ? numbered_move(position.sum(), winner, known.move) : std::nullopt;
  return move ? std::optional(candidate(0, move->line, move->bit)) : std::nullopt;
}

// UNKNOWN if it takes more nodes.
Verdict StripProofWriter::searched_verdict(const Lines& rows, std::uint64_t nodes) {
  Limits limits = task_.watch.rest();
  limits.nodes = nodes;
  limits.on_progress = {};
  const Board board = with_rows(Board::empty(task_.rows, task_.cols), rows);
  const SearchResult result = task_.search.solve_alone(task_.turned ? transposed(board) : board, task_.loser, limits);
  ticks_ |= 255;
  poll();
  return result.verdict;
}

StripProofWriter::Candidate StripProofWriter::candidate(int part, int row, int col) const {
  const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
  return {last_used_[row][col], byte(part), byte(row), byte(col)};
}

// Vertical's moves are numbered by their upper square.
void StripProofWriter::put_move(const Lines& rows, const Candidate& move) {
  int index = 0;
  for (int row = 0; row < move.row; ++row) index += count(Word64{rows[row] & rows[row + 1]});
  const unsigned before = (1u << move.col) - 1;
  index += count(Word64{rows[move.row] & rows[move.row + 1] & before});
  out_.number(FIRST_MOVE + static_cast<std::uint64_t>(index));
}

// Now and then: limits, and the first walk tells how far all have come.
void StripProofWriter::poll() {
  if ((++ticks_ & 255) != 0) return;
  task_.watch.add(positions_written_ - reported_);
  reported_ = positions_written_;
  if (task_.watch.look()) throw WalkStopped{};
  if (number_ == 0) task_.watch.report();
}

}  // namespace zermelo::proof
