// What every binding file shares: nanobind, and the list of rooms.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "cgt/dyadic.hpp"

using Ratio = std::pair<std::int64_t, int>;  // numerator, exponent of the denominator 2^k
inline Ratio ratio(const zermelo::cgt::Dyadic& x) { return {x.numerator(), x.exponent()}; }

// A set of squares or vertices as Python sees it.
template <class Set>
std::vector<int> members(const Set& set) {
  std::vector<int> result;
  zermelo::for_each(set, [&](int member) { result.push_back(member); });
  return result;
}

void register_board(nanobind::module_& module);
void register_bound(nanobind::module_& module);
void register_cgt(nanobind::module_& module);
void register_cgt_database(nanobind::module_& module);
void register_search(nanobind::module_& module);
void register_strip(nanobind::module_& module);
void register_positional(nanobind::module_& module);
void register_proof(nanobind::module_& module);
