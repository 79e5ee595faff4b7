// Cram: Domineering in which both players may place every domino; its strategies have no leaves (FORMAT.md 8).
#pragma once

#include "domineering.hpp"

namespace zcheck {

class Cram : public Domineering<MAX_CELLS / 64> {
 public:
  Cram(Reader& reader, Memory& memory, const DomineeringClaim& c) : Domineering(reader, memory, c) {
    down_.clear();
    for (int square = 0; square < rows_ * cols_; ++square) {
      if ((square + 1) % cols_) down_.push_back(Squares::single(square) | Squares::single(square + 1));
      if (square + cols_ < rows_ * cols_) down_.push_back(Squares::single(square) | Squares::single(square + cols_));
    }
    across_ = down_;
  }

 private:
  void leaf(const Squares&, std::uint64_t tag, bool) override { malformed("unknown tag " + std::to_string(tag)); }
  void read_cut(const Squares&) override { malformed("Cram has no cuts"); }

  // References compare the least image of the squares that a domino can still cover.
  std::string normal(const Squares& free, std::int64_t& number) const override {
    number = 0;
    Squares useful, turned;
    for (const Squares& domino : down_)
      if (free.contains(domino)) useful = useful | domino;
    useful.each([&](int square) { turned = turned | Squares::single(square % cols_ * rows_ + square / cols_); });
    const Frame board{0, rows_ - 1, 0, cols_ - 1};
    const std::string image = least_image(useful, board);
    return rows_ == cols_ ? std::min(image, least_image(turned, board)) : image;
  }
};

inline std::unique_ptr<Game> make_cram(Reader& reader, Memory& memory) {
  DomineeringClaim claim{read_board(reader), 0, 0, 0};
  const int starter = reader.number(2, "starter"), winner = reader.number(2, "winner");
  claim.starter = starter != winner;  // the winner is player 0 of Domineering, who plays without turning the board
  auto game = std::make_unique<Cram>(reader, memory, claim);
  game->claim = claim_about("cram", claim.spec, "AB"[starter], "AB"[winner]);
  return game;
}

}  // namespace zcheck
