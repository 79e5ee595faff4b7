// Brute force for Maker-Breaker games on up to 14 vertices. It shares nothing with core/positional: plain masks, a memo
// over all 3^n markings, no pruning beyond the end of the game.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace oracle {

using Mask = std::uint32_t;

class MakerBreaker {
 public:
  MakerBreaker(int vertices, std::vector<Mask> edges) : n_(vertices), edges_(std::move(edges)) {
    std::size_t states = 1;
    for (int v = 0; v < n_; ++v) {
      power_.push_back(states);
      states *= 3;
    }
    memo_.assign(2 * states, 0);
  }

  // Does Maker win when the vertices of `maker` and `breaker` are marked?
  bool maker_wins(Mask maker, Mask breaker, bool maker_to_move) {
    std::size_t index = 0;
    for (int v = 0; v < n_; ++v) index += power_[std::size_t(v)] * ((maker >> v & 1) + 2 * (breaker >> v & 1));
    return solve(maker, breaker, maker_to_move, index);
  }

 private:
  bool solve(Mask maker, Mask breaker, bool maker_to_move, std::size_t index) {
    std::uint8_t& known = memo_[2 * index + (maker_to_move ? 1 : 0)];
    if (known) return known == 1;
    bool open = false, won = false;
    for (Mask edge : edges_) {
      if (edge & breaker) continue;
      open = true;
      if ((edge & ~maker) == 0) won = true;
    }
    const Mask free = ((Mask{1} << n_) - 1) & ~maker & ~breaker;
    bool result = won;
    if (!won && open && free) {
      result = !maker_to_move;
      for (int v = 0; v < n_ && result != maker_to_move; ++v) {
        if (!(free >> v & 1)) continue;
        result = maker_to_move ? solve(maker | Mask{1} << v, breaker, false, index + power_[std::size_t(v)])
                               : solve(maker, breaker | Mask{1} << v, true, index + 2 * power_[std::size_t(v)]);
      }
    }
    memo_[2 * index + (maker_to_move ? 1 : 0)] = result ? 1 : 2;
    return result;
  }

  int n_;
  std::vector<Mask> edges_;
  std::vector<std::size_t> power_;
  std::vector<std::uint8_t> memo_;
};

// A small fast generator, the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  std::uint32_t below(std::uint32_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>((state_ >> 20) % bound);
  }

 private:
  std::uint64_t state_;
};

}  // namespace oracle
