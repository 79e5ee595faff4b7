// What stops a computation with games: every one of them may grow without warning, so every one of them can be told
// when to give up. Giving up is an exception with a name, never a wrong value and never a hang.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace zermelo::cgt {

// A limit on time, memory, size or depth was reached, or the caller cancelled: there is no answer.
class LimitReached : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Limits {
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t bytes = std::size_t{2} << 30;   // of all games and memos of the arena together
  const std::atomic<bool>* cancel = nullptr;  // set by another thread
  std::function<void()> on_poll;              // called about twenty times a second; may throw to stop
};

// Counts steps and looks at the clock only now and then.
class Watch {
 public:
  explicit Watch(Limits limits) : limits_(std::move(limits)), start_(Clock::now()), last_poll_(start_) {}

  // Call once per unit of work (about a microsecond); `bytes` is what the arena holds now.
  void step(std::size_t bytes) {
    if (++steps_ % STEPS_PER_LOOK == 0) look(bytes);
  }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t STEPS_PER_LOOK = 1024;

  void look(std::size_t bytes) {
    if (bytes > limits_.bytes)
      throw LimitReached("the memory limit of " + std::to_string(limits_.bytes >> 20) + " MiB was reached");
    if (limits_.cancel && limits_.cancel->load(std::memory_order_relaxed)) throw LimitReached("cancelled");
    const Clock::time_point now = Clock::now();
    if (std::chrono::duration<double>(now - start_).count() > limits_.seconds)
      throw LimitReached("the time limit was reached");
    if (limits_.on_poll && now - last_poll_ > std::chrono::milliseconds(50)) {
      last_poll_ = now;
      limits_.on_poll();
    }
  }

  Limits limits_;
  Clock::time_point start_, last_poll_;
  std::uint64_t steps_ = 0;
};

}  // namespace zermelo::cgt
