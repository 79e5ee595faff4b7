// Domineering: the strategy, read in the order in which it is played (FORMAT.md 4).
#pragma once

#include <memory>
#include <unordered_map>

#include "cover.hpp"
#include "leaves.hpp"

namespace zcheck {

struct Game {
  virtual ~Game() = default;
  virtual void check() = 0;  // the whole payload
  virtual void prove() {}    // the proof alone; more may follow
  Claim claim;
  std::uint64_t nodes = 0;
};

// The claim as it stands in the file.
struct DomineeringClaim {
  int topology, rows, cols, starter, winner;
  std::vector<bool> free;
};
inline DomineeringClaim read_domineering_claim(Reader& reader, Claim& claim) {
  DomineeringClaim c;
  c.topology = reader.number(4, "topology");
  c.rows = reader.number(MAX_CELLS + 1, "rows");
  c.cols = reader.number(MAX_CELLS + 1, "columns");
  const int squares = c.rows * c.cols;
  if (squares < 1 || squares > MAX_CELLS) malformed("the board must have 1 to 256 squares");
  bool full = true;
  for (int i = 0; i < (squares + 7) / 8; ++i) {
    const int byte = reader.byte();
    for (int bit = 0; bit < 8; ++bit) {
      if (8 * i + bit < squares) {
        c.free.push_back(byte >> bit & 1);
        full = full && c.free.back();
      } else if (byte >> bit & 1) {
        c.free.push_back(true);  // outside the board: said below, when all bytes are read
      }
    }
  }
  if (static_cast<int>(c.free.size()) != squares) malformed("free squares outside the board");
  c.starter = reader.number(2, "starter");
  c.winner = reader.number(2, "winner");
  std::string spec = std::to_string(c.rows) + "x" + std::to_string(c.cols);
  if (!full) {
    spec.clear();
    for (int i = 0; i < squares; ++i) {
      if (i && i % c.cols == 0) spec += '/';
      spec += c.free[static_cast<std::size_t>(i)] ? '.' : '#';
    }
  }
  static const char* const NAMES[] = {"", "hcylinder:", "vcylinder:", "torus:"};
  claim = {{"game", "\"domineering\""},
           {"spec", "\"" + (NAMES[c.topology] + spec) + "\""},
           {"starter", c.starter ? "\"H\"" : "\"V\""},
           {"winner", c.winner ? "\"H\"" : "\"V\""}};
  return c;
}

template <int W>
class Domineering : public Game {
 public:
  Domineering(Reader& reader, Memory& memory, const DomineeringClaim& c)
      : reader_(reader),
        budget_(memory.budget),
        leaves_(memory),
        rows_(c.rows),
        cols_(c.cols),
        starts_(c.starter == c.winner) {
    // Turn the board so that the winner plays vertically.
    int topology = c.topology;
    if (c.winner) {
      std::swap(rows_, cols_);
      topology = (topology & 1) << 1 | topology >> 1;
    }
    plain_ = topology == 0;
    ring_rows_ = (topology & 1) && cols_ >= 3;
    ring_cols_ = (topology & 2) && rows_ >= 3;
    lines_.resize(static_cast<std::size_t>(rows_));
    columns_.resize(static_cast<std::size_t>(cols_));
    for (int row = 0; row < rows_; ++row)
      for (int col = 0; col < cols_; ++col) {
        const int square = row * cols_ + col;
        if (c.free[static_cast<std::size_t>(c.winner ? col * c.cols + row : square)])
          free_ = free_ | Squares::single(square);
        Squares &line = lines_[static_cast<std::size_t>(row)], &column = columns_[static_cast<std::size_t>(col)];
        line = line | Squares::single(square);
        column = column | Squares::single(square);
        if (col + 1 < cols_ || ring_rows_)
          across_.push_back(Squares::single(square) | Squares::single(row * cols_ + (col + 1) % cols_));
        if (row + 1 < rows_ || ring_cols_)
          down_.push_back(Squares::single(square) | Squares::single((row + 1) % rows_ * cols_ + col));
      }
  }

  void check() override {
    prove();
    reader_.end();
  }
  void prove() override {
    try {
      if (starts_) winner_moves(free_);
      else loser_moves(free_);
    } catch (const Damaged&) {
      throw;
    } catch (const Stop&) {
      leaves_.finish(nodes);  // an earlier leaf may have failed, too
      throw;
    }
    leaves_.finish(nodes);
  }

 private:
  using Squares = Set<W>;
  enum Tag { ALL, KEEP, REF, STRIPS };
  static constexpr int ANSWERS = 8, ANSWERS_KEEP = 12, LAST_TAG = 15;
  static constexpr std::uint64_t COVER = 7, FIRST_MOVE = 8;
  static constexpr int BENT = 16, BENT_KEEP = 24, BENT_WON = 0, MOST_CUTS = 7;
  static constexpr int COVER_VERSION = 2, ANSWERS_VERSION = 3, BENT_VERSION = 7;

  // Horizontal is to move, and Vertical wins: G >= 0.
  void loser_moves(const Squares& free) {
    budget_.tick();
    ++nodes;
    const int tag = reader_.byte();
    const bool is_cut = tag >= ANSWERS && tag <= LAST_TAG && reader_.version() >= ANSWERS_VERSION;
    const int bent = tag >= BENT && tag <= BENT_KEEP + MOST_CUTS && reader_.version() >= BENT_VERSION ? tag % 8 : 0;
    if (tag <= KEEP || is_cut || bent) {
      // One after the other, for the place where they are kept is shared: this is as deep as the game is long.
      const std::size_t begin = moves_.size();
      for (const Squares& domino : across_)
        if (free.contains(domino)) moves_.push_back(domino);
      if (is_cut) answers(cut(free, tag % (MAX_HEATS + 1)), begin);
      for (int i = 0; i < bent; ++i) answers(bend(free), begin);
      for (std::size_t i = begin; i < moves_.size(); ++i) {
        const Squares after = free - moves_[i];
        winner_moves(after);
      }
      moves_.resize(begin);
      if (tag == KEEP || (is_cut && tag >= ANSWERS_KEEP) || (bent && tag > BENT_KEEP)) {
        std::int64_t number;
        std::string key = normal(free, number);
        budget_.store(96 + key.size());
        const auto [place, fresh] = known_.emplace(std::move(key), number);
        if (!fresh) place->second = std::min(place->second, number);
      }
    } else if (tag == REF) {
      std::int64_t number;
      const auto found = known_.find(normal(free, number));
      if (found == known_.end() || found->second > number) reject("a reference to a position that was not proved");
    } else {
      leaf(free, static_cast<std::uint64_t>(tag), false);
    }
  }

  // Vertical is to move, and wins: G |> 0.
  void winner_moves(const Squares& free) {
    ++nodes;
    const std::uint64_t tag = reader_.varint();
    if (tag >= FIRST_MOVE) {
      std::uint64_t index = tag - FIRST_MOVE;
      for (const Squares& domino : down_)
        if (free.contains(domino) && index-- == 0) return loser_moves(free - domino);
      reject("a move that is not legal");
    }
    leaf(free, tag, true);
  }

  void leaf(const Squares& free, std::uint64_t tag, bool first) {
    if (tag >= STRIPS && tag <= STRIPS + MAX_HEATS) return strips(cut(free, static_cast<int>(tag) - STRIPS), first);
    if (tag == static_cast<std::uint64_t>(first ? BENT_WON : BENT) && reader_.version() >= BENT_VERSION)
      return strips(bend(free), first);
    if (tag != COVER || reader_.version() < COVER_VERSION) malformed("unknown tag " + std::to_string(tag));
    std::vector<Squares> moves;
    for (const Squares& domino : down_)
      if (free.contains(domino)) moves.push_back(domino);
    Cover<W>(rows_, cols_, ring_rows_, ring_cols_).check(reader_, free, moves, first);
  }

  // Calls visit(part) for the connected parts, the one with the smallest square first. Boards without rings only.
  template <class Visit>
  void each_part(Squares rest, Visit&& visit) const {
    const Squares first = columns_.front(), last = columns_.back();
    while (!rest.empty()) {
      Squares part, grown = Squares::single(rest.lowest());
      do {  // each step starts from what the one before has reached: fewer rounds
        part = grown;
        grown = grown | (grown.up(cols_) & rest);
        grown = grown | ((grown - last).up(1) & rest);
        grown = grown | ((grown - first).down(1) & rest);
        grown = grown | (grown.down(cols_) & rest);
      } while (grown != part);
      visit(part);
      rest = rest - part;
    }
  }

  struct Frame {
    int top, bottom, left, right;
  };
  Frame frame(const Squares& part) const {
    Frame f{part.lowest() / cols_, part.highest() / cols_, 0, cols_ - 1};
    while (!part.meets(columns_[static_cast<std::size_t>(f.left)])) ++f.left;
    while (!part.meets(columns_[static_cast<std::size_t>(f.right)])) --f.right;
    return f;
  }

  // What a reference compares (FORMAT.md 4.3): shapes up to mirror images and place, and an integer.
  std::string normal(const Squares& free, std::int64_t& number) const {
    number = 0;
    if (!plain_) return least_turn(free);
    std::vector<std::string> shapes;
    each_part(free, [&](const Squares& part) {
      const Frame f = frame(part);
      if (f.left == f.right) number += (f.bottom - f.top + 1) / 2;
      else if (f.top == f.bottom) number -= (f.right - f.left + 1) / 2;
      else shapes.push_back(least_image(part, f));
    });
    std::sort(shapes.begin(), shapes.end());
    std::string key;
    for (const std::string& shape : shapes) key += shape;
    return key;
  }
  // On a ring: the least image of all turns around the rings; in version 1 of the format rings were not turned.
  std::string least_turn(const Squares& free) const {
    const bool turns = reader_.version() >= COVER_VERSION;
    std::string least;
    for (int down = 0; down < (turns && ring_cols_ ? rows_ : 1); ++down)
      for (int along = 0; along < (turns && ring_rows_ ? cols_ : 1); ++along) {
        Squares turned;
        free.each([&](int square) {
          const int row = (square / cols_ + down) % rows_, col = (square % cols_ + along) % cols_;
          turned.word[static_cast<std::size_t>((row * cols_ + col) >> 6)] |= std::uint64_t{1}
                                                                             << ((row * cols_ + col) & 63);
        });
        std::string text = least_image(turned, {0, rows_ - 1, 0, cols_ - 1});
        if (least.empty() || text < least) least = std::move(text);
      }
    return least;
  }
  // Height, width and squares of the least mirror image: one shape can never be read as the beginning of another.
  std::string least_image(const Squares& part, const Frame& f) const {
    const int height = f.bottom - f.top + 1, width = f.right - f.left + 1;
    std::array<Squares, 4> image;
    part.each([&](int square) {
      const int row = square / cols_ - f.top, col = square % cols_ - f.left;
      const int low = height - 1 - row, back = width - 1 - col;
      const std::array<int, 4> places = {row * width + col, row * width + back, low * width + col, low * width + back};
      for (std::size_t i = 0; i < 4; ++i)
        image[i].word[static_cast<std::size_t>(places[i] >> 6)] |= std::uint64_t{1} << (places[i] & 63);
    });
    const Squares least = *std::min_element(image.begin(), image.end());
    std::string text;
    text += static_cast<char>(height - 1);
    text += static_cast<char>(width - 1);
    for (int byte = 0; byte < (height * width + 7) / 8; ++byte)
      text += static_cast<char>(least.word[static_cast<std::size_t>(byte / 8)] >> (byte % 8 * 8) & 255);
    return text;
  }

  // What the pieces of strips_ are worth is enough, or the leaf is rejected (FORMAT.md 5).
  void strips(const Heats& heats, bool first) {
    boxes_.clear();
    for (const Strip& strip : strips_) add_pieces(strip, strip.squares, boxes_);
    leaves_.add(boxes_, heats, first, nodes, reader_.offset());
  }

  // Moves of Horizontal that the cut into strips_ answers (FORMAT.md 4.4) are checked and leave the list, which begins
  // at `begin`.
  void answers(const Heats& heats, std::size_t begin) {
    const std::size_t count = moves_.size() - begin;
    answered_.assign(count, false);
    for (std::size_t i = 0; i < count; i += 8) {
      const int byte = reader_.byte();
      for (std::size_t bit = 0; bit < 8 && byte >> bit; ++bit) {
        if (!(byte >> bit & 1)) continue;
        if (i + bit >= count) malformed("an answer to a move that does not exist");
        answered_[i + bit] = true;
      }
    }
    nodes += static_cast<std::uint64_t>(std::count(answered_.begin(), answered_.end(), true));
    boxes_.clear();
    for (Strip& strip : strips_) {
      strip.boxes = boxes_.size();
      add_pieces(strip, strip.squares, boxes_);
    }
    for (std::size_t number = 0; number < strips_.size(); ++number) {
      const Strip& strip = strips_[number];
      bool any = false;
      for (std::size_t i = 0; i < count; ++i) {
        if (!answered_[i] || !strip.squares.contains(moves_[begin + i])) continue;
        if (!any) {
          const std::size_t end = number + 1 < strips_.size() ? strips_[number + 1].boxes : boxes_.size();
          others_.assign(boxes_.begin(), boxes_.begin() + static_cast<std::ptrdiff_t>(strip.boxes));
          others_.insert(others_.end(), boxes_.begin() + static_cast<std::ptrdiff_t>(end), boxes_.end());
          leaves_.add_family(others_, heats, nodes, reader_.offset());
          any = true;
        }
        changed_.clear();
        add_pieces(strip, strip.squares - moves_[begin + i], changed_);
        leaves_.add_member(changed_);
      }
    }
    leaves_.added();
    std::size_t left = begin;
    for (std::size_t i = 0; i < count; ++i)
      if (!answered_[i]) moves_[left++] = moves_[begin + i];
    moves_.resize(left);
  }

  // Reads temperatures and cuts; strips_ are the strips.
  Heats cut(const Squares& free, int temperatures) {
    if (!plain_) reject("strips are for boards without rings");
    Heats heats{temperatures};
    for (int i = 0; i < temperatures; ++i) heats.at[static_cast<std::size_t>(i)] = reader_.byte();
    for (std::size_t i = 1; i < static_cast<std::size_t>(temperatures); ++i)
      if (heats.at[i - 1] <= heats.at[i]) malformed("the temperatures must fall");
    strips_.clear();
    each_part(free, [&](const Squares& part) {
      const Frame f = frame(part);
      const int gaps = f.bottom - f.top;
      std::array<std::uint8_t, 32> cuts{};
      for (int i = 0; i < (gaps + 7) / 8; ++i) cuts[static_cast<std::size_t>(i)] = reader_.byte();
      if (gaps % 8 && cuts[static_cast<std::size_t>(gaps / 8)] >> (gaps % 8)) malformed("a cut below the component");
      Squares squares;
      int start = f.top;
      for (int row = f.top; row <= f.bottom; ++row) {
        squares = squares | (part & lines_[static_cast<std::size_t>(row)]);
        const int gap = row - f.top;
        if (row < f.bottom && !(cuts[static_cast<std::size_t>(gap / 8)] >> (gap % 8) & 1)) continue;
        strips_.push_back({squares, start, row, f.left, f.right, 0});
        squares = {};
        start = row + 1;
      }
    });
    return heats;
  }

  struct Strip {
    Squares squares;
    int top, bottom, left, right;
    std::size_t boxes;  // where its pieces begin among those of the whole cut
  };

  // Reads a cut that steps between runs of squares in a row (FORMAT.md 5.6); strips_ are the strips.
  Heats bend(const Squares& free) {
    if (!plain_) reject("strips are for boards without rings");
    strips_.clear();
    int bit = 8, byte = 0;
    each_part(free, [&](const Squares& part) {
      const Frame f = frame(part);
      std::size_t current = strips_.size();
      strips_.push_back({part & lines_[static_cast<std::size_t>(f.top)], f.top, f.top, f.left, f.right, 0});
      for (int row = f.top + 1; row <= f.bottom; ++row) {
        for (int col = f.left; col <= f.right; ++col) {
          if (!part.has(row * cols_ + col)) continue;
          Squares run;
          for (; col <= f.right && part.has(row * cols_ + col); ++col) run = run | Squares::single(row * cols_ + col);
          if (bit == 8) bit = 0, byte = reader_.byte();
          const bool below = byte >> bit++ & 1;
          if (below && current + 1 == strips_.size()) strips_.push_back({{}, row, row, f.left, f.right, 0});
          Strip& strip = strips_[current + below];
          strip.squares = strip.squares | run;
          strip.bottom = row;
        }
        current = strips_.size() - 1;
      }
    });
    if (bit < 8 && byte >> bit) malformed("a cut below the last run");
    return {3, {5 * UNIT / 4, UNIT, 0}, true};
  }

  // Every maximal run of columns that are not all blocked is a piece.
  void add_pieces(const Strip& strip, const Squares& squares, std::vector<Box>& boxes) const {
    const auto open = [&](int col) { return squares.meets(columns_[static_cast<std::size_t>(col)]); };
    const int height = strip.bottom - strip.top + 1;
    for (int col = strip.left; col <= strip.right; ++col) {
      if (!open(col)) continue;
      int width = 1;
      while (col + width <= strip.right && open(col + width)) ++width;
      if (height * width > MAX_PIECE) reject("a piece larger than 64 squares");
      Box box{height, width, 0};
      for (int row = 0; row < height; ++row)
        box.bits |= (squares.window((strip.top + row) * cols_ + col) & ~std::uint64_t{0} >> (64 - width))
                    << (row * width);
      boxes.push_back(box);
      col += width;
    }
  }

  Reader& reader_;
  Budget& budget_;
  Leaves leaves_;
  int rows_, cols_;
  bool starts_, plain_ = true, ring_rows_ = false, ring_cols_ = false;
  Squares free_;
  std::vector<Squares> across_, down_, lines_, columns_;
  std::vector<Squares> moves_;  // of Horizontal, on the way here
  std::vector<Strip> strips_;   // of the cut that is read
  std::vector<Box> boxes_, others_, changed_;
  std::vector<bool> answered_;
  std::unordered_map<std::string, std::int64_t> known_;
};

inline std::unique_ptr<Game> make_domineering(Reader& reader, Memory& memory, const DomineeringClaim& claim) {
  const int squares = claim.rows * claim.cols;
  if (squares <= 64) return std::make_unique<Domineering<1>>(reader, memory, claim);
  if (squares <= 128) return std::make_unique<Domineering<2>>(reader, memory, claim);
  return std::make_unique<Domineering<4>>(reader, memory, claim);
}

}  // namespace zcheck
