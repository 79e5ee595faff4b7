// A test program in a few lines: TEST(name) { CHECK(condition); } and a main that runs them all.
// Ours, because tests here ask about every subset of a board: an assertion of doctest takes 3.8 microseconds (94,402 of
// them 0.36 s) where an `if` takes nothing, and its header 4.8 s of compiling a program instead of none.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace check {

struct Case {
  const char* name;
  void (*run)();
};
inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}
inline int failures = 0;
inline bool add(const char* name, void (*run)()) {
  cases().push_back({name, run});
  return true;
}

}  // namespace check

inline const bool QUICK = std::getenv("ZERMELO_QUICK") != nullptr;            // under sanitizers: less of the same
inline const bool EXHAUSTIVE = std::getenv("ZERMELO_EXHAUSTIVE") != nullptr;  // for hours: more of it

#define TEST(name)                                          \
  static void name();                                       \
  static const bool name##_added = check::add(#name, name); \
  static void name()

#define CHECK(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "%s:%d: CHECK(%s) failed\n", __FILE__, __LINE__, #condition); \
      if (++check::failures > 20) std::exit(1);                                          \
    }                                                                                    \
  } while (false)

// Whether the work throws this.
template <class Error, class Work>
bool throws(Work&& work) {
  try {
    work();
  } catch (const Error&) {
    return true;
  }
  return false;
}

int main() {
  for (const check::Case& test : check::cases()) {
    const int before = check::failures;
    test.run();
    std::printf("%s %s\n", check::failures == before ? "ok  " : "FAIL", test.name);
  }
  return check::failures ? 1 : 0;
}
