// Cram: a strategy without leaves, read in the order in which it is played (FORMAT.md 8).
#pragma once

#include <unordered_set>

#include "domineering.hpp"

namespace zcheck {

class Cram : public Game {
 public:
  Cram(Reader& reader, Budget& budget) : reader_(reader), budget_(budget) {
    const BoardClaim board = read_board(reader);
    const int rows = board.rows, cols = board.cols, squares = rows * cols;
    for (int square = 0; square < squares; ++square)
      if (board.free[static_cast<std::size_t>(square)]) free_ = free_ | Squares::single(square);
    const int starter = reader.number(2, "starter"), winner = reader.number(2, "winner");
    starts_ = starter == winner;
    claim = claim_about("cram", board.spec, "AB"[starter], "AB"[winner]);
    for (int square = 0; square < squares; ++square) {
      const int row = square / cols, col = square % cols, low = rows - 1 - row, back = cols - 1 - col;
      if (col + 1 < cols) dominoes_.push_back(Squares::single(square) | Squares::single(square + 1));
      if (row + 1 < rows) dominoes_.push_back(Squares::single(square) | Squares::single(square + cols));
      images_.push_back({row * cols + col, row * cols + back, low * cols + col, low * cols + back});
      if (rows == cols)
        for (int across : {col, back})
          for (int down : {row, low}) images_.back().push_back(across * cols + down);
    }
  }

  void check() override {
    if (starts_) winner_moves(free_);
    else loser_moves(free_);
    reader_.end();
  }

 private:
  using Squares = Set<MAX_CELLS / 64>;
  enum Tag { ALL, KEEP, REF, FIRST_MOVE = 8 };

  std::vector<Squares> moves(const Squares& free) const {
    std::vector<Squares> found;
    for (const Squares& domino : dominoes_)
      if (free.contains(domino)) found.push_back(domino);
    return found;
  }

  // The loser is to move: every move must be answered. The recursion is as deep as the game is long.
  void loser_moves(const Squares& free) {
    budget_.tick();
    ++nodes;
    const int tag = reader_.byte();
    if (tag > REF) malformed("unknown tag " + std::to_string(tag));
    if (tag == REF) {
      if (!known_.contains(normal(free))) reject("a reference to a position that was not proved");
      return;
    }
    for (const Squares& domino : moves(free)) winner_moves(free - domino);
    if (tag == KEEP && known_.insert(normal(free)).second) budget_.store(96 + images_.size() / 8);
  }

  // The winner is to move: one move is enough.
  void winner_moves(const Squares& free) {
    ++nodes;
    const std::uint64_t tag = reader_.varint();
    if (tag < FIRST_MOVE) malformed("unknown tag " + std::to_string(tag));
    const std::vector<Squares> all = moves(free);
    if (tag - FIRST_MOVE >= all.size()) reject("a move that is not legal");
    loser_moves(free - all[tag - FIRST_MOVE]);
  }

  // References compare the least image of the squares that a domino can still cover.
  std::string normal(const Squares& free) const {
    Squares useful;
    for (const Squares& domino : moves(free)) useful = useful | domino;
    std::string least;
    for (std::size_t way = 0; way < images_.front().size(); ++way) {
      std::string image(images_.size() / 8 + 1, '\0');
      useful.each([&](int square) {
        const int place = images_[static_cast<std::size_t>(square)][way];
        image[static_cast<std::size_t>(place / 8)] |= static_cast<char>(1 << (place % 8));
      });
      if (!way || image < least) least = std::move(image);
    }
    return least;
  }

  Reader& reader_;
  Budget& budget_;
  bool starts_ = false;
  Squares free_;
  std::vector<Squares> dominoes_;
  std::vector<std::vector<int>> images_;  // of each square, in each image of the board
  std::unordered_set<std::string> known_;
};

}  // namespace zcheck
