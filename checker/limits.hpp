// How checking stops: verdicts, and limits of time and memory.
//
// This directory shares no code with the rest of the repository, and needs nothing but the C++ standard library.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace zcheck {

using Claim = std::vector<std::pair<std::string, std::string>>;  // names and JSON values

enum Verdict { VERIFIED = 0, REJECTED = 1, MALFORMED = 2, UNFINISHED = 3 };

// Checking ends here, with this verdict and this reason.
struct Stop {
  Verdict verdict;
  std::string reason;
  std::uint64_t bytes = 0;  // where in the payload, if not where the reader is
};
[[noreturn]] inline void reject(const std::string& reason) { throw Stop{REJECTED, reason}; }
[[noreturn]] inline void malformed(const std::string& reason) { throw Stop{MALFORMED, reason}; }

// How many threads check, and how many leaves they take at a time.
struct Crew {
  int threads = 1;
  std::size_t batch = 256;
};

// Time and memory, of all threads together. Memory counts the bytes that the checker stores.
class Budget {
 public:
  Budget(double seconds, double mebibytes)
      : start_(std::chrono::steady_clock::now()),
        seconds_(seconds),
        bytes_(static_cast<std::int64_t>(std::min(mebibytes, 1e12) * 1048576.0)) {}
  void begin_anew() { start_ = std::chrono::steady_clock::now(); }  // the time; what is stored stays counted
  void tick() const {
    thread_local std::uint32_t ticks = 0;
    if ((++ticks & 1023) == 0) look();
  }
  void look() const {
    if (elapsed() > seconds_) throw Stop{UNFINISHED, "the time limit was reached"};
  }
  void store(std::size_t bytes) {
    const auto taken = static_cast<std::int64_t>(bytes);
    if (bytes_.fetch_sub(taken, std::memory_order_relaxed) < taken)
      throw Stop{UNFINISHED, "the memory limit was reached"};
  }
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_;
  double seconds_;
  std::atomic<std::int64_t> bytes_;
};

}  // namespace zcheck
