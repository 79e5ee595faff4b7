// The limits of a Python caller in the form of the core.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <functional>
#include <utility>

#include "base/limits.hpp"

// The flag that Python sets to stop a search that runs with the GIL released.
struct CancelToken {
  std::atomic<bool> flag{false};
};

// For a search that runs without the GIL. Each call of on_progress takes it.
inline zermelo::Limits make_limits(std::uint64_t nodes, double seconds, const CancelToken* cancel,
                                   std::function<void(const zermelo::Progress&)> on_progress = {},
                                   std::size_t bytes = zermelo::Limits{}.bytes) {
  zermelo::Limits limits;
  limits.bytes = bytes;
  limits.nodes = nodes;
  limits.seconds = seconds;
  limits.cancel = cancel ? &cancel->flag : nullptr;
  if (on_progress)
    limits.on_progress = [report = std::move(on_progress)](const zermelo::Progress& progress) {
      nanobind::gil_scoped_acquire gil;
      report(progress);
    };
  return limits;
}
// For computations on the thread that asks: tests for Ctrl-C now and then, and throws.
inline zermelo::Limits interruptible(zermelo::Limits limits) {
  limits.on_progress = [report = std::move(limits.on_progress)](const zermelo::Progress& progress) {
    const nanobind::gil_scoped_acquire held;
    if (PyErr_CheckSignals()) throw nanobind::python_error();
    if (report) report(progress);
  };
  return limits;
}
inline zermelo::Limits interruptible_limits(double seconds, std::size_t bytes) {
  zermelo::Limits limits;
  limits.seconds = seconds;
  limits.bytes = bytes;
  return interruptible(std::move(limits));
}
