// Positional games: claims about edges and zones, each derived from earlier ones (FORMAT.md 6).
#pragma once

#include <map>

#include "domineering.hpp"

namespace zcheck {

inline constexpr int MAX_EDGES = 4096;

// A bit set of a size fixed at run time, up to MAX_EDGES. There are many for a moment only: no allocation.
class Row {
 public:
  explicit Row(std::size_t words = 0) : size_(words) { std::fill_n(word_.begin(), size_, 0); }
  Row(const Row& other) : size_(other.size_) { std::copy_n(other.word_.begin(), size_, word_.begin()); }
  Row& operator=(const Row& other) {
    size_ = other.size_;
    std::copy_n(other.word_.begin(), size_, word_.begin());
    return *this;
  }
  bool has(int bit) const { return word_[static_cast<std::size_t>(bit >> 6)] >> (bit & 63) & 1; }
  void add(int bit) { word_[static_cast<std::size_t>(bit >> 6)] |= std::uint64_t{1} << (bit & 63); }
  void drop(int bit) { word_[static_cast<std::size_t>(bit >> 6)] &= ~(std::uint64_t{1} << (bit & 63)); }
  bool empty() const {
    return std::all_of(begin(), end(), [](std::uint64_t w) { return !w; });
  }
  bool meets(const Row& other) const {
    for (std::size_t i = 0; i < size_; ++i)
      if (word_[i] & other.word_[i]) return true;
    return false;
  }
  bool inside(const Row& other) const {
    for (std::size_t i = 0; i < size_; ++i)
      if (word_[i] & ~other.word_[i]) return false;
    return true;
  }
  void keep(const Row& other) {
    for (std::size_t i = 0; i < size_; ++i) word_[i] &= other.word_[i];
  }
  void join(const Row& other) {
    for (std::size_t i = 0; i < size_; ++i) word_[i] |= other.word_[i];
  }
  void remove(const Row& other) {
    for (std::size_t i = 0; i < size_; ++i) word_[i] &= ~other.word_[i];
  }
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t i = 0; i < size_; ++i)
      for (std::uint64_t w = word_[i]; w; w &= w - 1) visit(static_cast<int>(64 * i) + std::countr_zero(w));
  }
  std::uint64_t* begin() { return word_.data(); }
  const std::uint64_t* begin() const { return word_.data(); }
  const std::uint64_t* end() const { return word_.data() + size_; }

 private:
  std::size_t size_;
  std::array<std::uint64_t, MAX_EDGES / 64> word_;  // the first `size_` of them
};

class Positional : public Game {
 public:
  Positional(Reader& reader, Budget& budget, bool mnk, int outcomes = 2) : reader_(reader), budget_(budget) {
    if (mnk) read_mnk();
    else read_hypergraph();
    cell_words_ = static_cast<std::size_t>(cells_ + 63) / 64;
    edge_words_ = (edges_.size() + 63) / 64;
    at_.assign(static_cast<std::size_t>(cells_), Row(edge_words_));
    within_.assign(edges_.size(), Row(cell_words_));
    every_edge_ = Row(edge_words_);
    for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
      every_edge_.add(static_cast<int>(edge));
      for (int cell : edges_[edge]) {
        at_[static_cast<std::size_t>(cell)].add(static_cast<int>(edge));
        within_[edge].add(cell);
      }
    }
    std::array<std::string, 2> lists;
    for (std::size_t player = 0; player < 2; ++player) {
      marks_[player] = Row(cell_words_);
      for (int count = reader.number(static_cast<std::uint64_t>(cells_) + 1, "number of marks"); count; --count) {
        const int cell = read_cell();
        if (marks_[player].has(cell)) malformed("a cell is marked twice");
        marks_[player].add(cell);
      }
      marks_[player].each(
          [&](int cell) { lists[player] += (lists[player].empty() ? "" : ", ") + std::to_string(cell); });
    }
    if (marks_[0].meets(marks_[1])) malformed("a cell is marked by both players");
    starter_ = reader.number(2, "starter");
    winner_ = reader.number(static_cast<std::uint64_t>(outcomes), "winner");
    claim.insert(claim.end(), {{"maker", "[" + lists[0] + "]"},
                               {"breaker", "[" + lists[1] + "]"},
                               {"starter", starter_ ? "\"breaker\"" : "\"maker\""},
                               {"winner", winner_ == 2 ? "\"draw\""
                                          : winner_    ? "\"breaker\""
                                                       : "\"maker\""}});
  }

  // Read claims until END; the last one must prove the certificate's claim (FORMAT.md 6.4).
  void check() override {
    const Derived last = read_records();
    reader_.end();
    conclude(last);
  }

 protected:
  enum Player { MAKER, BREAKER };
  // For Breaker: edges left alone, and zone; for Maker: cells already held, and zone.
  struct Derived {
    Row need, zone;
  };
  struct Image {
    std::vector<int> cells, edges;
  };

  // Claims until END.
  void read_claims() {
    claims_.clear();
    records_ = 0;
    need_words_ = winner_ == BREAKER ? edge_words_ : cell_words_;
    for (int tag; (tag = reader_.byte()) != END;) {
      ++nodes;
      budget_.tick();
      budget_.store(8 * (need_words_ + cell_words_));
      const Derived claimed = derive(tag);
      claims_.insert(claims_.end(), claimed.need.begin(), claimed.need.end());
      claims_.insert(claims_.end(), claimed.zone.begin(), claimed.zone.end());
      ++records_;
    }
  }

  Derived read_records() {
    read_claims();
    if (!records_) malformed("a proof without claims");
    Derived last = load(1);
    if (starter_ == winner_) before(last, read_cell());
    return last;
  }

  // The claim of a record, counted from 1, seen through a symmetry.
  Derived read_claim_of_base() {
    const std::uint64_t record = reader_.varint();
    if (record < 1 || record > records_) malformed("a reference to a claim that is not there");
    return through_symmetry(load(records_ - record + 1));
  }

  void conclude(Derived last) const {
    if (last.zone.meets(marks_[0]) || last.zone.meets(marks_[1])) reject("the zone holds a marked cell");
    if (winner_ == MAKER) last.need.remove(marks_[MAKER]);
    else marks_[BREAKER].each([&](int cell) { last.need.remove(at_[static_cast<std::size_t>(cell)]); });
    if (!last.need.empty()) reject("the last claim asks for more than the position has");
  }

  Reader& reader_;
  Budget& budget_;
  int cells_ = 0, starter_ = 0, winner_ = 0;
  std::vector<std::vector<int>> edges_;
  std::vector<Image> images_;
  std::array<Row, 2> marks_;

 private:
  enum Tag { END, PAIRS, EDGE, STEP, SUM, SWAP };

  int read_cell() { return reader_.number(static_cast<std::uint64_t>(cells_), "cell"); }

  // m columns, n rows, k in a row; the edges in the order of FORMAT.md 6.1, and the symmetries.
  void read_mnk() {
    const int m = reader_.number(MAX_CELLS + 1, "columns"), n = reader_.number(MAX_CELLS + 1, "rows"),
              k = reader_.number(MAX_CELLS + 1, "length");
    if (m * n < 1 || m * n > MAX_CELLS || !k) malformed("the board must have 1 to 256 cells and a line at least one");
    cells_ = m * n;
    static constexpr int STEPS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    std::map<std::vector<int>, int> index;
    for (int row = 0; row < n; ++row)
      for (int col = 0; col < m; ++col)
        for (int direction = 0; direction < (k > 1 ? 4 : 1); ++direction) {
          const int dc = STEPS[direction][0], dr = STEPS[direction][1];
          const int far = col + (k - 1) * dc;
          if (far < 0 || far >= m || row + (k - 1) * dr >= n) continue;
          std::vector<int> edge;
          for (int i = 0; i < k; ++i) edge.push_back((row + i * dr) * m + col + i * dc);
          std::sort(edge.begin(), edge.end());
          index[edge] = static_cast<int>(edges_.size());
          edges_.push_back(std::move(edge));
        }
    for (int image = 0; image < (m == n ? 8 : 4); ++image) {
      Image map;
      for (int row = 0; row < n; ++row)
        for (int col = 0; col < m; ++col) {
          const int c = image & 4 ? row : col, r = image & 4 ? col : row;
          map.cells.push_back((image & 2 ? n - 1 - r : r) * m + (image & 1 ? m - 1 - c : c));
        }
      for (const std::vector<int>& edge : edges_) {
        std::vector<int> moved;
        for (int cell : edge) moved.push_back(map.cells[static_cast<std::size_t>(cell)]);
        std::sort(moved.begin(), moved.end());
        map.edges.push_back(index.at(moved));
      }
      images_.push_back(std::move(map));
    }
    claim = {{"game", "\"mnk\""},
             {"spec", "\"" + std::to_string(m) + "," + std::to_string(n) + "," + std::to_string(k) + "\""}};
  }
  void read_hypergraph() {
    cells_ = reader_.number(MAX_CELLS + 1, "number of vertices");
    std::string spec;
    for (int count = reader_.number(MAX_EDGES + 1, "number of hyperedges"); count; --count) {
      std::vector<int> edge;
      for (int size = reader_.number(static_cast<std::uint64_t>(cells_) + 1, "size of a hyperedge"); size; --size) {
        const int cell = reader_.number(static_cast<std::uint64_t>(cells_), "vertex");
        if (std::find(edge.begin(), edge.end(), cell) != edge.end()) malformed("a vertex twice in a hyperedge");
        edge.push_back(cell);
      }
      if (edge.empty()) malformed("an empty hyperedge");
      std::sort(edge.begin(), edge.end());
      if (!edges_.empty()) spec += "; ";
      for (std::size_t i = 0; i < edge.size(); ++i) spec += (i ? " " : "") + std::to_string(edge[i]);
      edges_.push_back(std::move(edge));
    }
    images_.emplace_back();  // only the identity, which is never looked up
    claim = {{"game", "\"hypergraph\""}, {"spec", "\"" + spec + "\""}};
  }

  Derived load(std::uint64_t back) const {
    const std::size_t stride = need_words_ + cell_words_;
    const auto from = claims_.begin() + static_cast<std::ptrdiff_t>((records_ - back) * stride);
    Derived result{Row(need_words_), Row(cell_words_)};
    const auto middle = from + static_cast<std::ptrdiff_t>(need_words_);
    std::copy(from, middle, result.need.begin());
    std::copy(middle, middle + static_cast<std::ptrdiff_t>(cell_words_), result.zone.begin());
    return result;
  }

  // An earlier claim, seen through a symmetry.
  Derived reference() {
    const std::uint64_t back = reader_.varint();
    if (back < 1 || back > records_) malformed("a reference to a claim that does not come before");
    return through_symmetry(load(back));
  }
  Derived through_symmetry(Derived found) {
    const int image = reader_.number(images_.size(), "symmetry");
    if (!image) return found;
    const Image& map = images_[static_cast<std::size_t>(image)];
    Derived moved{Row(need_words_), Row(cell_words_)};
    found.zone.each([&](int cell) { moved.zone.add(map.cells[static_cast<std::size_t>(cell)]); });
    const std::vector<int>& wide = winner_ == BREAKER ? map.edges : map.cells;
    found.need.each([&](int item) { moved.need.add(wide[static_cast<std::size_t>(item)]); });
    return moved;
  }

  // The claim before the winner's move, from the claim after it.
  void before(Derived& derived, int move) const {
    if (winner_ == BREAKER) derived.need.remove(at_[static_cast<std::size_t>(move)]);
    else derived.need.drop(move);
    derived.zone.add(move);
  }

  Derived derive(int tag) {
    Derived result{Row(need_words_), Row(cell_words_)};
    if (tag == PAIRS && winner_ == BREAKER) {
      result.need = every_edge_;
      for (int count = reader_.number(static_cast<std::uint64_t>(cells_ / 2) + 1, "number of pairs"); count; --count) {
        const int one = read_cell(), two = read_cell();
        if (one == two || result.zone.has(one) || result.zone.has(two)) reject("the pairs overlap");
        result.zone.add(one);
        result.zone.add(two);
        Row both = at_[static_cast<std::size_t>(one)];
        both.keep(at_[static_cast<std::size_t>(two)]);
        result.need.remove(both);
      }
    } else if (tag == EDGE && winner_ == MAKER) {
      for (int cell : edges_[static_cast<std::size_t>(reader_.number(edges_.size(), "hyperedge"))])
        result.need.add(cell);
    } else if (tag == STEP) {
      const int count = reader_.number(MAX_CELLS + 1, "number of replies");
      Row common(cell_words_);
      for (int i = 0; i < count; ++i) {
        const int move = read_cell();
        Derived reply = reference();
        before(reply, move);
        if (i) common.keep(reply.zone);
        else common = reply.zone;
        result.need.join(reply.need);
        result.zone.join(reply.zone);
      }
      if (!count || !common.empty()) reject("the zones of a step have a cell in common");
      if (winner_ == MAKER && result.need.meets(result.zone)) reject("a cell is both held and free");
    } else if (tag == SUM && winner_ == BREAKER) {
      result.need = every_edge_;
      for (int count = reader_.number(MAX_CELLS + 1, "number of parts"); count; --count) {
        const Derived part = reference();
        if (result.zone.meets(part.zone)) reject("the zones of a sum overlap");
        result.need.keep(part.need);
        result.zone.join(part.zone);
      }
    } else if (tag == SWAP && winner_ == BREAKER) {
      result = reference();
      const int out = read_cell(), into = read_cell();
      if (!result.zone.has(out) || result.zone.has(into)) reject("a swap needs a cell of the zone and one outside");
      // An edge that `out` may have hit alone is lost, unless another edge is hit elsewhere inside it.
      Row lost = at_[static_cast<std::size_t>(out)], kept(need_words_);
      lost.remove(at_[static_cast<std::size_t>(into)]);
      lost.remove(result.need);
      std::vector<Row> others;  // the zone's cells on each edge that is hit without `out`
      Row hit = every_edge_;
      hit.remove(result.need);
      hit.remove(at_[static_cast<std::size_t>(out)]);
      hit.each([&](int edge) {
        others.push_back(within_[static_cast<std::size_t>(edge)]);
        others.back().keep(result.zone);
      });
      lost.each([&](int edge) {
        budget_.tick();
        const Row& whole = within_[static_cast<std::size_t>(edge)];
        if (std::any_of(others.begin(), others.end(), [&](const Row& other) { return other.inside(whole); }))
          kept.add(edge);
      });
      lost.remove(kept);
      result.need.join(lost);
      result.zone.drop(out);
      result.zone.add(into);
    } else {
      malformed("unknown tag " + std::to_string(tag));
    }
    return result;
  }

  std::size_t cell_words_ = 0, edge_words_ = 0, need_words_ = 0;
  std::vector<Row> at_, within_;  // the edges at a cell, the cells of an edge
  Row every_edge_;
  std::vector<std::uint64_t> claims_;
  std::uint64_t records_ = 0;
};

}  // namespace zcheck
