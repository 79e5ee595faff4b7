// What a Python caller may limit a search by, as the core takes it.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <utility>

#include "cancel_token.hpp"
#include "domineering/search/result.hpp"

// The limits are for a search that runs without the GIL; it is taken for each call of on_progress.
inline zermelo::Limits search_limits(std::uint64_t nodes, double seconds, const CancelToken* cancel,
                                     std::function<void(const zermelo::Progress&)> on_progress = {}) {
  zermelo::Limits limits;
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
