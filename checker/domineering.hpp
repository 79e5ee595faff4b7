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

// A claim as the report shows it.
inline Claim claim_about(const std::string& game, const std::string& spec, char starter, char winner) {
  const auto player = [](char letter) { return std::string("\"") + letter + "\""; };
  return {{"game", "\"" + game + "\""},
          {"spec", "\"" + spec + "\""},
          {"starter", player(starter)},
          {"winner", player(winner)}};
}

// The board and the free squares of a claim.
struct BoardClaim {
  int rows, cols;
  std::vector<bool> free;
  std::string spec;
};
inline BoardClaim read_board(Reader& reader) {
  BoardClaim board;
  board.rows = reader.number(MAX_CELLS + 1, "rows");
  board.cols = reader.number(MAX_CELLS + 1, "columns");
  const int squares = board.rows * board.cols;
  if (squares < 1 || squares > MAX_CELLS) malformed("the board must have 1 to 256 squares");
  for (int byte = 0, square = 0; square < (squares + 7) / 8 * 8; ++square) {
    if (square % 8 == 0) byte = reader.byte();
    board.free.push_back(byte >> (square % 8) & 1);
  }
  if (std::find(board.free.begin() + squares, board.free.end(), true) != board.free.end())
    malformed("free squares outside the board");
  board.free.resize(static_cast<std::size_t>(squares));
  if (std::find(board.free.begin(), board.free.end(), false) == board.free.end())
    board.spec = std::to_string(board.rows) + "x" + std::to_string(board.cols);
  else
    for (int square = 0; square < squares; ++square)
      board.spec += std::string(square && square % board.cols == 0 ? "/" : "") +
                    (board.free[static_cast<std::size_t>(square)] ? '.' : '#');
  return board;
}

struct DomineeringClaim : BoardClaim {
  int topology, starter, winner;
};
inline DomineeringClaim read_domineering_claim(Reader& reader, Claim& claim) {
  static const char* const NAMES[] = {"", "hcylinder:", "vcylinder:", "torus:"};
  const int topology = reader.number(4, "topology");
  DomineeringClaim c{read_board(reader), topology, 0, 0};
  c.starter = reader.number(2, "starter");
  c.winner = reader.number(2, "winner");
  claim = claim_about("domineering", NAMES[topology] + c.spec, "VH"[c.starter], "VH"[c.winner]);
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

 protected:
  using Squares = Set<W>;
  enum Tag { ALL, KEEP, REF };
  static constexpr std::uint64_t COVER = 7, FIRST_MOVE = 8;
  static constexpr int CUT = 16, CUT_KEEP = 24, CUT_WON = 0, MAX_CUTS = 7;

  // Horizontal is to move, and Vertical wins: G >= 0.
  void loser_moves(const Squares& free) {
    budget_.tick();
    ++nodes;
    const int tag = reader_.byte();
    const int cuts = tag >= CUT && tag <= CUT_KEEP + MAX_CUTS ? tag % (MAX_CUTS + 1) : 0;
    if (tag <= KEEP || cuts) {
      // The moves of all nodes on the way here share one vector.
      const std::size_t begin = moves_.size();
      for (const Squares& domino : across_)
        if (free.contains(domino)) moves_.push_back(domino);
      for (int i = 0; i < cuts; ++i) {
        read_cut(free);
        read_answered(begin);
      }
      for (std::size_t i = begin; i < moves_.size(); ++i) winner_moves(free - moves_[i]);
      moves_.resize(begin);
      if (tag == KEEP || tag > CUT_KEEP) {
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

  virtual void leaf(const Squares& free, std::uint64_t tag, bool first) {
    if (tag == static_cast<std::uint64_t>(first ? CUT_WON : CUT)) {
      read_cut(free);
      boxes_.clear();
      for (const Strip& strip : strips_) add_pieces(strip, strip.squares, boxes_);
      return leaves_.add(boxes_, first, nodes, reader_.offset());
    }
    if (tag != COVER) malformed("unknown tag " + std::to_string(tag));
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
      do {  // each step starts from the squares of the step before: fewer rounds
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

  // References compare shapes up to mirror images and place, and an integer (FORMAT.md 4.3).
  virtual std::string normal(const Squares& free, std::int64_t& number) const {
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
  // On a ring: the least image of all turns around the rings.
  std::string least_turn(const Squares& free) const {
    std::string least;
    for (int down = 0; down < (ring_cols_ ? rows_ : 1); ++down)
      for (int along = 0; along < (ring_rows_ ? cols_ : 1); ++along) {
        Squares turned;
        free.each([&](int square) {
          const int row = (square / cols_ + down) % rows_, col = (square % cols_ + along) % cols_;
          turned = turned | Squares::single(row * cols_ + col);
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
    std::string text = {static_cast<char>(height - 1), static_cast<char>(width - 1)};
    for (int byte = 0; byte < (height * width + 7) / 8; ++byte)
      text += static_cast<char>(least.word[static_cast<std::size_t>(byte / 8)] >> (byte % 8 * 8) & 255);
    return text;
  }

  // Reads which moves of Horizontal the cut into strips_ answers, checks them (FORMAT.md 4.4), and takes them off the
  // list, which begins at `begin`.
  void read_answered(std::size_t begin) {
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
          leaves_.add_family(others_, nodes, reader_.offset());
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

  struct Strip {
    Squares squares;
    int top, bottom, left, right;
    std::size_t boxes;  // where its pieces begin among those of the whole cut
  };

  // Reads a cut into strips_ (FORMAT.md 5.6).
  virtual void read_cut(const Squares& free) {
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
