// The progress of a running search: its nodes, and a guess of the finished share of the tree.
//
// The share is Knuth's estimate reversed. The whole tree weighs 1; a Maker position shares its weight evenly among
// the moves that need a search; a move's weight counts as done when it is answered, or when its position is. Only the
// first plies are followed. It is a guess (moves differ in work, the hardest come first), but it moves forward only,
// ends at 1, and threads that work on the same move do not count it twice.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace zermelo::positional {

class TreeProgress {
 public:
  static constexpr int PLIES = 3;

  struct Step {  // a Maker move and its weight
    std::uint8_t move = 0;
    double weight = 0;
  };
  using Path = std::array<Step, PLIES>;

  std::atomic<std::uint64_t> nodes{0};

  // The last of the first `length` moves of the path is answered.
  void finish(const Path& path, int length) {
    const std::lock_guard lock(mutex_);
    std::array<Credit*, PLIES> credit{};
    std::uint32_t key = 0;
    for (int i = 0; i < length; ++i) {
      key = key << 8 | path[i].move;
      credit[i] = &credit_[key << 2 | static_cast<std::uint32_t>(i)];
      if (i + 1 < length && credit[i]->done) return;
    }
    Credit& own = *credit[length - 1];
    if (own.done) return;
    double gain = path[length - 1].weight - own.given;
    own.done = true;
    for (int i = length - 2; i >= 0; --i) {
      gain = std::min(gain, path[i].weight - credit[i]->given);
      credit[i]->given += gain;
    }
    if (gain > 0) done_ += gain;
  }

  // The search has its answer; the rest of the tree does not matter.
  void finish() {
    const std::lock_guard lock(mutex_);
    done_ = 1;
  }

  double fraction() const {
    const std::lock_guard lock(mutex_);
    return std::min(done_, 1.0);
  }

 private:
  struct Credit {
    double given = 0;
    bool done = false;
  };
  mutable std::mutex mutex_;
  std::unordered_map<std::uint32_t, Credit> credit_;  // per path
  double done_ = 0;
};

}  // namespace zermelo::positional
