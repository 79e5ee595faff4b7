// Every computation with games may grow without warning, so every one of them can be told when to give up. Giving up is
// an exception with a name, never a wrong value and never a hang.
#pragma once

#include <stdexcept>

#include "base/limits.hpp"

namespace zermelo::cgt {

// A limit on time, memory, size or depth was reached, or the caller cancelled: there is no answer.
class LimitReached : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace zermelo::cgt
