// The values of a process: one arena, locked for each call.
#pragma once

#include <nanobind/nanobind.h>

#include <mutex>
#include <stdexcept>
#include <vector>

#include "cgt/arena.hpp"
#include "cgt/thermograph.hpp"
#include "domineering/values/values.hpp"
#include "limits.hpp"

struct ValueArena {
  std::mutex mutex;
  zermelo::cgt::Arena arena;
  zermelo::cgt::Thermographs thermographs{arena};
  zermelo::cgt::DomineeringValues domineering{arena};
  zermelo::Limits limits = interruptible(zermelo::Limits{});
  bool for_each = true;  // whether the clock starts anew with each call

  void set_limits(zermelo::Limits next, bool each) {
    next = interruptible(std::move(next));
    const nanobind::gil_scoped_release released;
    const std::scoped_lock lock(mutex);
    std::swap(limits, next);
    for_each = each;
    arena.set_limits(limits);
  }
  // Runs f with the arena locked, the GIL released and the clock started.
  template <class F>
  auto run(F&& f) {
    const nanobind::gil_scoped_release released;
    const std::scoped_lock lock(mutex);
    if (for_each) arena.set_limits(limits);
    return f();
  }
  void check(zermelo::cgt::GameId id) const {
    if (id >= arena.size()) throw std::invalid_argument("there is no game with this id");
  }
  void check(const std::vector<zermelo::cgt::GameId>& ids) const {
    for (zermelo::cgt::GameId id : ids) check(id);
  }
  template <class Other>
  void check(const Other&) const {}  // no game
};
