// Brute force for positional games on few vertices. It shares nothing with core/positional: plain masks, a memo over
// all 3^n markings, no pruning beyond the end of the game.
#pragma once

#include <bit>
#include <cstdint>
#include <set>
#include <vector>

namespace oracle {

using Mask = std::uint64_t;

class Markings {
 public:
  // `strong`: the first player to own a whole hyperedge wins. Otherwise only the owner (Maker) wants one.
  // Vertices outside `open` are marked from the beginning.
  Markings(int vertices, std::vector<Mask> edges, bool strong, Mask open = ~Mask{0})
      : n_(vertices), edges_(std::move(edges)), strong_(strong) {
    std::size_t states = 1;
    for (int v = 0; v < n_; ++v) {
      power_.push_back(open >> v & 1 ? states : 0);
      if (open >> v & 1) states *= 3;
    }
    memo_.assign(2 * states, 0);
  }

  // Does the owner of `own` get a whole hyperedge?
  bool wins(Mask own, Mask other, bool to_move) {
    std::size_t index = 0;
    for (int v = 0; v < n_; ++v) index += power_[v] * ((own >> v & 1) + 2 * (other >> v & 1));
    return solve(own, other, to_move, index);
  }

 private:
  bool solve(Mask own, Mask other, bool to_move, std::size_t index) {
    std::uint8_t& known = memo_[2 * index + (to_move ? 1 : 0)];
    if (known) return known == 1;
    bool won = false, lost = false, open = false;
    for (Mask edge : edges_) {
      won = won || (edge & ~own) == 0;
      lost = lost || (strong_ && (edge & ~other) == 0);
      open = open || (edge & other) == 0;
    }
    const Mask free = ((Mask{1} << n_) - 1) & ~own & ~other;
    bool result = won;
    if (!won && !lost && open && free) {
      result = !to_move;
      for (int v = 0; v < n_ && result != to_move; ++v) {
        if (!(free >> v & 1)) continue;
        result = to_move ? solve(own | Mask{1} << v, other, false, index + power_[v])
                         : solve(own, other | Mask{1} << v, true, index + 2 * power_[v]);
      }
    }
    memo_[2 * index + (to_move ? 1 : 0)] = result ? 1 : 2;
    return result;
  }

  int n_;
  std::vector<Mask> edges_;
  bool strong_;
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

// Hyperedges of mostly two to four vertices.
inline std::vector<std::vector<int>> random_edges(Random& random, int vertices) {
  std::vector<std::vector<int>> edges(1 + random.below(std::uint32_t(vertices) * 2));
  for (std::vector<int>& edge : edges) {
    const std::uint32_t size = 2 + random.below(3) + (random.below(6) == 0 ? 1 : 0) - (random.below(40) == 0 ? 1 : 0);
    std::set<int> chosen;
    while (chosen.size() < std::min<std::size_t>(size, std::size_t(vertices)))
      chosen.insert(int(random.below(std::uint32_t(vertices))));
    edge.assign(chosen.begin(), chosen.end());
  }
  return edges;
}

}  // namespace oracle
