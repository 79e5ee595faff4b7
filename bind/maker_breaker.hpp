// What all searches of Maker-Breaker games are asked alike.
#pragma once

#include <nanobind/nanobind.h>

#include "limits.hpp"
#include "positional/search/solver.hpp"

template <class Search>
zermelo::positional::MakerBreakerResult solve_maker_breaker(Search& search, std::vector<int> maker,
                                                            std::vector<int> breaker, zermelo::positional::Side side,
                                                            std::uint64_t nodes, double seconds,
                                                            const CancelToken& cancel,
                                                            zermelo::positional::TreeProgress* progress) {
  const nanobind::gil_scoped_release release;
  return search.solve({std::move(maker), std::move(breaker)}, side, make_limits(nodes, seconds, &cancel), progress);
}
