// Saving and loading the results of a search, as bytes.
#pragma once

#include <nanobind/nanobind.h>

#include <cstring>
#include <stdexcept>

#include "base/saved_entries.hpp"

template <class Search>
nanobind::bytes save_search(const Search& search, std::size_t most) {
  zermelo::SavedWords words;
  {
    const nanobind::gil_scoped_release nogil;
    words = search.save(most);
  }
  return nanobind::bytes(words.data(), 8 * words.size());
}

template <class Search>
auto load_search(Search& search, const nanobind::bytes& saved) {
  if (saved.size() % 8) throw std::invalid_argument("the saved entries are damaged");
  zermelo::SavedWords words(saved.size() / 8);
  std::memcpy(words.data(), saved.c_str(), saved.size());
  const nanobind::gil_scoped_release nogil;
  return search.load(words);
}
