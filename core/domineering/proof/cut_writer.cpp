#include "domineering/proof/cut_writer.hpp"

#include <algorithm>
#include <bit>

#include "base/bytes.hpp"

namespace zermelo::proof {

namespace {

constexpr int MISS = STRIP_UNIT;  // a straight cut that misses by more is not bent: that hardly ever helps
constexpr std::size_t NONE = ~std::size_t{0};

// Calls visit(run) for the runs of a line, from the left.
template <class Visit>
void each_run(unsigned line, Visit&& visit) {
  while (line) {
    const unsigned run = line & ~(line + (line & (~line + 1)));
    visit(run);
    line &= ~run;
  }
}

}  // namespace

// The parts that are no numbers, but for one term.
std::vector<Part*> CutWriter::open_parts(const Position& position, std::size_t except) const {
  std::vector<Part*> parts;
  for (std::size_t i = 0; i < position.terms().size(); ++i)
    if (i != except && !position.terms()[i].number) parts.push_back(position.terms()[i].part);
  return parts;
}

bool CutWriter::find(const Position& position, bool winner_to_move) {
  const ComponentPosition& sum = position.sum();
  const int number = sum.number_for(winner_);
  // One part that a table knows exactly needs no cut.
  is_whole_ = winner_to_move && sum.count == 1 && sum.part[0]->exact() && sum.part[0]->ceiling(winner_) + number > 0;
  if (!is_whole_) {
    const auto margin = [&] {
      const MoveSum floors = sum.sum_for(winner_);
      return winner_to_move ? floors.margin_first() : floors.margin_second();
    };
    if (margin() < -MISS) return false;
    const std::vector<Part*> parts = open_parts(position, NONE);
    for (Part* part : parts) part->bent(winner_);  // from now on the sum includes the cuts that bend
    if (margin() < 0) return false;
    if (winner_to_move) finder_.find(parts, winner_, MoveSum::needs().plus(number));
    else finder_.find(parts, winner_, StripSum::needs().plus(number));
  }
  return collect(position, NONE);
}

void CutWriter::find_nearest(const Position& position) {
  is_whole_ = false;
  finder_.find(open_parts(position, NONE), winner_, MoveSum::needs().plus(position.sum().number_for(winner_)));
  collect(position, NONE);
  add_up();
}

bool CutWriter::find_answer(Position& position, int row, int col) {
  is_whole_ = failed_ = false;
  place_ = position.term_at(row, col);
  const Position::Term& term = position.terms()[place_];
  Part& part = *term.part;
  const std::size_t p = index_of(winner_);
  terms_ = position.terms().size();
  rest_ = without_domino(part.lines[p], row, col, false);
  changed_ = part.cornered(winner_);
  changed_[row - part.first[p]] &= static_cast<Line>(~(3u << (col - part.first[1 - p])));
  if (!term.number && position.margin_after(term.open, row, col, other(winner_)) < -MISS) {
    failed_ = true;
    return false;
  }
  const std::vector<Part*> others = open_parts(position, place_);
  int number = position.sum().number_for(winner_);
  if (term.number) number -= winner_ == Player::V ? *term.number : -*term.number;
  MoveSum needs = MoveSum::needs().plus(number);
  MoveSum rest = needs;
  for (Part* other : others) {
    other->bent(winner_);
    rest = rest.plus(other->sum(winner_));
  }
  profile_.build(changed_, part.count[p], tables_);
  profile_.find_behind(rest, behind_);
  const MoveSum sum = profile_.find_cut<MoveSum>(behind_, changed_strips_);
  failed_ = sum.margin_with(rest) < 0;
  if (failed_) return false;
  finder_.find(others, winner_, needs.plus(sum));
  return collect(position, place_) && add_up() && answers(row, col);
}

// True if the rest of the part is connected, was cut as it is now, and no table knows more of it.
bool CutWriter::has_failed_on(const Position& child) const {
  if (!failed_ || place_ >= child.terms().size() || child.terms().size() != terms_) return false;
  const Position::Term& term = child.terms()[place_];
  return !term.number && !term.part->exact() && term.part->lines[index_of(winner_)] == rest_;
}

// All pieces and bits. False if bits cannot say the cut of the part that the loser's domino changes.
bool CutWriter::collect(const Position& position, std::size_t changed) {
  pieces_.clear();
  bits_.clear();
  std::size_t next = 0;
  for (std::size_t i = 0; i < position.terms().size(); ++i) {
    const Position::Term& term = position.terms()[i];
    const Part& part = *term.part;
    if (i == changed) {
      if (!add_strips(part, changed_, changed_strips_)) return false;
      continue;
    }
    static const std::vector<CutStrip> WHOLE;
    const std::vector<CutStrip>& strips = term.number || is_whole_ ? WHOLE : finder_.of(next);
    next += !term.number;
    if (strips.empty()) add_whole(term);
    else add_strips(part, part.cornered(winner_), strips);
  }
  return true;
}

void CutWriter::add_whole(const Position::Term& term) {
  const Part& part = *term.part;
  const int height = part.count[index_of(winner_)], width = part.count[1 - index_of(winner_)];
  const Lines lines = part.cornered(winner_);
  for (int i = 1; i < height; ++i) each_run(lines[i], [&](unsigned) { bits_ += '\0'; });
  Piece piece{{}, &part, height > MAX_STRIP_HEIGHT || (height > 1 && width > tables_.of(height).exact), 0};
  if (!piece.is_fixed) {
    piece.strip.height = height;
    std::copy_n(lines.begin(), height, piece.strip.lines.begin());
  } else if (term.number) {
    piece.number = winner_ == Player::V ? *term.number : -*term.number;
  } else {
    piece.number = *part.floor_by_rival(winner_);
  }
  pieces_.push_back(piece);
}

// The strips with all squares of the part, and a bit for each run from the second line on: whether it goes to the next
// strip. `left` are its squares where strips were looked for: a missing domino may part a run, whose squares then may
// go to two strips; and where a run is missing, bits may not be able to say the cut. Then this is false.
bool CutWriter::add_strips(const Part& part, const Lines& left, const std::vector<CutStrip>& strips) {
  const Lines whole = part.cornered(winner_);
  const std::size_t begin = pieces_.size();
  for (const CutStrip& strip : strips) pieces_.push_back({{strip.start, strip.height, {}}, &part, false, 0});
  std::size_t current = 0;
  bool good = true;
  for (int i = 0; i < part.count[index_of(winner_)] && good; ++i) {
    std::size_t next = current;
    each_run(whole[i], [&](unsigned run) {
      std::size_t at = current;
      while (at < strips.size() && !(strips[at].line(i) & run)) ++at;
      if (at == strips.size()) at = current + (i >= strips[current].end());  // nothing is left of the run
      good = good && at < strips.size() && at <= current + (i > 0) && i < strips[at].end() && i >= strips[at].start &&
             (strips[at].line(i) & run) == (left[i] & run);
      if (!good) return;
      if (i > 0) bits_ += static_cast<char>(at - current);
      CutStrip& strip = pieces_[begin + at].strip;
      strip.lines[i - strip.start] |= static_cast<Line>(run);
      next = std::max(next, at);
    });
    current = next;
  }
  return good && current + 1 == strips.size();
}

void CutWriter::write(std::string& out) const {
  put_bits(out, static_cast<int>(bits_.size()), [&](int i) { return bits_[i] != 0; });
}

bool CutWriter::add(MoveSum& sum, const Piece& piece) const {
  if (!piece.is_fixed) return add_strip(sum, piece.strip, tables_);
  sum = sum.plus(piece.number);
  return true;
}

// For each piece, the sum of those before it and of those behind it. False if one has no table.
bool CutWriter::add_up() {
  MoveSum sum = MoveSum::zero();
  for (Piece& piece : pieces_) {
    piece.before = sum;
    if (!add(sum, piece)) return false;
  }
  sum = MoveSum::needs();
  for (std::size_t i = pieces_.size(); i-- > 0;) {
    pieces_[i].behind = sum;
    add(sum, pieces_[i]);
  }
  return true;
}

bool CutWriter::answers(int row, int col) const {
  const std::size_t p = index_of(winner_);
  for (const Piece& piece : pieces_) {
    if (!piece.part->has(winner_, row, col)) continue;
    const int line = row - piece.part->first[p], bit = col - piece.part->first[1 - p];
    if (!piece.is_fixed && !(piece.strip.line(line) >> bit & 1)) continue;
    MoveSum sum = piece.before;
    return !piece.is_fixed && add_strip(sum, piece.strip.without(line, 3u << bit), tables_) &&
           sum.margin_with(piece.behind) >= 0;
  }
  return false;
}

}  // namespace zermelo::proof
