// The flag that Python sets to stop a search that runs with the GIL released.
#pragma once

#include <atomic>

struct CancelToken {
  std::atomic<bool> flag{false};
};
