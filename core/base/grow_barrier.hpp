// All threads of a search stop at their next poll, one of them does something while the others stand still, and all go
// on: how a shared table grows without a lock on its probes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace zermelo {

class GrowBarrier {
 public:
  explicit GrowBarrier(int members) : members_(members) {}

  void call() { called_.store(true, std::memory_order_relaxed); }
  bool called() const { return called_.load(std::memory_order_relaxed); }

  // Waits for all members; the last to come runs `work` before anybody leaves.
  template <class Work>
  void attend(Work&& work) {
    std::unique_lock lock(mutex_);
    if (!called()) return;
    if (++present_ == members_) return finish(work);
    const auto round = round_;
    condition_.wait(lock, [&] { return round_ != round; });
  }
  // A member that will not poll again; it may be the one the others wait for.
  template <class Work>
  void resign(Work&& work) {
    const std::lock_guard lock(mutex_);
    if (--members_ > 0 && present_ == members_) finish(work);
  }

 private:
  template <class Work>
  void finish(Work&& work) {
    work();
    present_ = 0;
    ++round_;
    called_.store(false, std::memory_order_relaxed);
    condition_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable condition_;
  std::atomic<bool> called_{false};
  int members_, present_ = 0;
  unsigned round_ = 0;
};

}  // namespace zermelo
