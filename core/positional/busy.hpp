// How threads share the positions near the root: each announces what it searches, the others take something else first.
#pragma once

#include <mutex>
#include <unordered_map>

#include "positional/game.hpp"

namespace zermelo::positional {

template <int W>
struct PositionHash {
  std::size_t operator()(const Position<W>& at) const { return at.free.hash() ^ (at.live.hash() << 1); }
};

// Breaker positions near the root that some thread is searching: others take the remaining moves first.
template <int W>
class Busy {
 public:
  // Announces the position; true when another thread had done so before.
  bool enter(const Position<W>& at) {
    const std::lock_guard lock(mutex_);
    return count_[at]++ > 0;
  }
  bool is_busy(const Position<W>& at) {
    const std::lock_guard lock(mutex_);
    return count_.contains(at);
  }
  void leave(const Position<W>& at) {
    const std::lock_guard lock(mutex_);
    const auto found = count_.find(at);
    if (--found->second == 0) count_.erase(found);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<Position<W>, int, PositionHash<W>> count_;
};

}  // namespace zermelo::positional
