// Limits and progress of every computation of the core. Reaching a limit is a
// result with a name (UNKNOWN, a StopReason, LimitReached), never a guess and never a hang.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

namespace zermelo {

enum class StopReason : std::uint8_t { FINISHED, NODES, TIME, CANCELLED, MEMORY };

// A snapshot for the progress display.
struct Progress {
  std::uint64_t nodes = 0;
  double seconds = 0;
  int root_moves_done = 0;
  int root_moves = 0;
};

struct Limits {
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t bytes = std::size_t{2} << 30;          // of its table, unless the table exists already
  const std::atomic<bool>* cancel = nullptr;         // set by another thread
  std::function<void(const Progress&)> on_progress;  // called about ten times a second; may throw to stop a lone thread
};

// The limits of one computation, its clock and its nodes, shared by its threads.
class Watch {
 public:
  explicit Watch(Limits limits = {}) : limits_(std::move(limits)) {}

  const Limits& limits() const { return limits_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  // The rest of the time, for one part of the computation.
  Limits rest() const {
    Limits left = limits_;
    left.seconds -= seconds();
    return left;
  }

  // Adds nodes of this thread to those of all. Returns the new sum.
  std::uint64_t add(std::uint64_t nodes) { return nodes_.fetch_add(nodes, std::memory_order_relaxed) + nodes; }
  std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

  // Counts a node and looks at the limits now and then; true: stop. For searches whose nodes take microseconds.
  bool tick() {
    const std::uint64_t total = add(1);
    return total >= limits_.nodes || total % NODES_PER_LOOK == 0 ? look() : stopped();
  }
  // Looks at all limits; true: stop. It asks the clock, so not at every node.
  bool look() {
    if (nodes() >= limits_.nodes) stop(StopReason::NODES);
    if (limits_.cancel && limits_.cancel->load(std::memory_order_relaxed)) stop(StopReason::CANCELLED);
    if (seconds() >= limits_.seconds) stop(StopReason::TIME);
    return stopped();
  }
  // All threads shall stop. FINISHED: one of them has the answer. The first other reason stays.
  void stop(StopReason reason = StopReason::FINISHED) {
    StopReason none = StopReason::FINISHED;
    reason_.compare_exchange_strong(none, reason);
    stopped_ = true;
  }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  StopReason reason() const { return reason_; }

  // Tells how far it has come, if it is time. For one thread only.
  void report(int root_moves_done = 0, int root_moves = 0) {
    if (!limits_.on_progress) return;
    const double now = seconds();
    if (now - reported_ < REPORT_INTERVAL) return;
    reported_ = now;
    limits_.on_progress({nodes(), now, root_moves_done, root_moves});
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double REPORT_INTERVAL = 0.1;
  static constexpr std::uint64_t NODES_PER_LOOK = 16;

  const Limits limits_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<std::uint64_t> nodes_{0};
  std::atomic<bool> stopped_{false};
  std::atomic<StopReason> reason_{StopReason::FINISHED};
  double reported_ = 0;
};

}  // namespace zermelo
