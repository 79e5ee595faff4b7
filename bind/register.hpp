// The functions that register the types of one room each, and a helper of theirs.
#pragma once

#include <nanobind/nanobind.h>

// A class, with members that Python may read: names and members in turn.
template <class T>
nanobind::class_<T> fields(nanobind::class_<T> bound) {
  return bound;
}
template <class T, class Member, class... More>
nanobind::class_<T> fields(nanobind::class_<T> bound, const char* name, Member T::* member, More... more) {
  return fields(bound.def_ro(name, member), more...);
}

void register_board(nanobind::module_& module);
void register_bound(nanobind::module_& module);
void register_cgt(nanobind::module_& module);
void register_games(nanobind::module_& module);
void register_search(nanobind::module_& module);
void register_positional(nanobind::module_& module);
void register_race(nanobind::module_& module);
void register_proof(nanobind::module_& module);
