// What every binding file shares: nanobind, and the list of rooms.
#pragma once

#include <nanobind/nanobind.h>

void register_board(nanobind::module_& module);
void register_bound(nanobind::module_& module);
void register_cgt(nanobind::module_& module);
void register_cgt_database(nanobind::module_& module);
void register_search(nanobind::module_& module);
void register_strip(nanobind::module_& module);
void register_positional(nanobind::module_& module);
void register_proof(nanobind::module_& module);
