// Slots that each want a vertex of their own, and the augmenting paths that give it to them (Kuhn's algorithm on
// bitsets).
//
// A pair of a pairing strategy is two slots with the same core: the vertices that lie on all hyperedges the pair is to
// block. Slots 2i and 2i + 1 belong together.
#pragma once

#include <algorithm>
#include <array>

#include "positional/game.hpp"

namespace zermelo::positional {

// What the slots are. Matchings that differ in their last slots only share one of these.
template <int W>
struct Slots {
  static constexpr int MAX = 2 * Game<W>::MAX_E + 2 * Game<W>::MAX_V;

  std::array<std::uint16_t, MAX> line;
  std::array<Vertices<W>, MAX> core;
  std::array<Vertices<W>, MAX> liked;  // taken first where open: a hint, part of the core or empty
};

// Which vertex each slot has. Copying costs what is in use, not the whole arrays.
template <int W>
struct Matching {
  static constexpr std::int16_t NONE = -1;  // no vertex yet
  static constexpr std::int16_t GONE = -2;  // the slot was taken out

  int slots = 0;
  int unmatched = 0;  // of the slots that are not gone
  Vertices<W> used;
  std::array<std::int16_t, Game<W>::MAX_V> slot_of;  // of a used vertex
  std::array<std::int16_t, Slots<W>::MAX> vertex_of;

  Matching() = default;
  Matching(const Matching& other) { *this = other; }
  Matching& operator=(const Matching& other) {
    slots = other.slots;
    unmatched = other.unmatched;
    used = other.used;
    slot_of = other.slot_of;
    std::copy_n(other.vertex_of.begin(), other.slots, vertex_of.begin());
    return *this;
  }

  void clear() {
    slots = unmatched = 0;
    used = {};
  }

  void add_pair(Slots<W>& of, int on_line, const Vertices<W>& vertices, const Vertices<W>& hint = {}) {
    for (int i = 0; i < 2; ++i) {
      const auto s = static_cast<std::size_t>(slots++);
      of.core[s] = vertices;
      of.liked[s] = hint;
      of.line[s] = static_cast<std::uint16_t>(on_line);
      vertex_of[s] = NONE;
    }
    unmatched += 2;
  }

  // Takes the slots first .. last-1 out.
  void remove(int first, int last) {
    for (std::size_t s = static_cast<std::size_t>(first); s < static_cast<std::size_t>(last); ++s) {
      if (vertex_of[s] == NONE) --unmatched;
      else used.reset(vertex_of[s]);
      vertex_of[s] = GONE;
    }
  }

  // Finds a vertex for an unmatched slot, moving others along. `visited` holds the vertices that must not be used, and
  // grows by those reached: on failure they and their slots violate Hall's condition.
  bool augment(const Slots<W>& of, int slot, Vertices<W>& visited) {
    std::array<std::int16_t, Game<W>::MAX_V + 1> path_slot, path_vertex;  // each step reaches a new vertex
    Vertices<W> seen = visited;
    auto s = static_cast<std::size_t>(slot);
    for (std::size_t depth = 0;;) {
      const Vertices<W> left = of.core[s] & ~seen;
      if (const Vertices<W> open = left & ~used; open.any()) {
        int v = open.meets(of.liked[s]) ? (open & of.liked[s]).lowest() : open.lowest();
        used.set(v);
        for (;; v = path_vertex[--depth], s = static_cast<std::size_t>(path_slot[depth])) {
          vertex_of[s] = static_cast<std::int16_t>(v);
          slot_of[static_cast<std::size_t>(v)] = static_cast<std::int16_t>(s);
          if (depth == 0) break;
        }
        visited = seen;
        --unmatched;
        return true;
      }
      if (left.any()) {
        const int v = left.lowest();
        seen.set(v);
        path_slot[depth] = static_cast<std::int16_t>(s);
        path_vertex[depth++] = static_cast<std::int16_t>(v);
        s = static_cast<std::size_t>(slot_of[static_cast<std::size_t>(v)]);
      } else if (depth > 0) {
        s = static_cast<std::size_t>(path_slot[--depth]);
      } else {
        visited = seen;
        return false;
      }
    }
  }
};

}  // namespace zermelo::positional
