// Work that several threads do together.
#pragma once

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace zermelo {

// Runs work(0), ..., work(count - 1) at the same time, work(0) on the calling thread, and returns when all have ended.
// If one throws, stop_others() is called and, in the end, the first exception thrown again.
template <class Work, class StopOthers>
void run_threads(int count, Work&& work, StopOthers&& stop_others) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&](int number) {
    try {
      work(number);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      stop_others();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < count; ++i) others.emplace_back(guarded, i);
    guarded(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace zermelo
