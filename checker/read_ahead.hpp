// Unpacking by a thread of its own, a little ahead of the reader.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "inflate.hpp"

namespace zcheck {

class ReadAhead {
 public:
  using Chunks = std::function<std::span<const std::uint8_t>()>;  // none at the end

  explicit ReadAhead(Chunks chunks) : chunks_(std::move(chunks)), thread_([this] { work(); }) {}
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ~ReadAhead() {
    {
      const std::lock_guard<std::mutex> alone(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  // The next chunk, good until the next call. An exception of the unpacking is thrown at its place.
  std::span<const std::uint8_t> more() {
    std::unique_lock<std::mutex> alone(mutex_);
    changed_.wait(alone, [&] { return !ready_.empty() || ended_; });
    if (ready_.empty()) {
      if (failure_) std::rethrow_exception(failure_);
      return {};
    }
    current_ = std::move(ready_.front());
    ready_.pop_front();
    changed_.notify_all();
    return current_;
  }

 private:
  static constexpr std::size_t READY = 16;

  void work() {
    std::exception_ptr failure;
    try {
      while (true) {
        const std::span<const std::uint8_t> bytes = chunks_();
        if (bytes.empty()) break;
        std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
        std::unique_lock<std::mutex> alone(mutex_);
        changed_.wait(alone, [&] { return ready_.size() < READY || closing_; });
        if (closing_) return;
        ready_.push_back(std::move(copy));
        changed_.notify_all();
      }
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard<std::mutex> alone(mutex_);
    failure_ = failure;
    ended_ = true;
    changed_.notify_all();
  }

  Chunks chunks_;
  std::mutex mutex_;  // guards the members below, but not `current_`, which is the reader's
  std::condition_variable changed_;
  std::deque<std::vector<std::uint8_t>> ready_;
  std::vector<std::uint8_t> current_;
  std::exception_ptr failure_;
  bool ended_ = false, closing_ = false;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace zcheck
