// The functions that register the types of one room each.
#pragma once

#include <nanobind/nanobind.h>

void register_board(nanobind::module_& module);
void register_bound(nanobind::module_& module);
void register_cgt(nanobind::module_& module);
void register_search(nanobind::module_& module);
void register_positional(nanobind::module_& module);
void register_proof(nanobind::module_& module);
