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

template <int W>
struct Matching {
  static constexpr int MAX_SLOTS = 2 * Game<W>::MAX_E + 2 * Game<W>::MAX_V;
  static constexpr std::int16_t NONE = -1;

  int slots = 0;
  int unmatched = 0;  // of the active slots
  Vertices<W> used;
  std::array<std::int16_t, Game<W>::MAX_V> slot_of;
  std::array<std::int16_t, MAX_SLOTS> vertex_of;
  std::array<std::uint16_t, MAX_SLOTS> line;
  std::array<bool, MAX_SLOTS> active;
  std::array<Vertices<W>, MAX_SLOTS> core;
  std::array<Vertices<W>, MAX_SLOTS> liked;  // taken first where open: a hint, part of the core or empty

  Matching() { clear(); }
  Matching(const Matching& other) { *this = other; }
  // Copies what is in use, not the whole arrays.
  Matching& operator=(const Matching& other) {
    assign_state(other);
    std::copy_n(other.line.begin(), other.slots, line.begin());
    std::copy_n(other.core.begin(), other.slots, core.begin());
    std::copy_n(other.liked.begin(), other.slots, liked.begin());
    return *this;
  }
  // The same, for a copy whose slots 0 .. other.slots-1 already have the other's lines and cores.
  void assign_state(const Matching& other) {
    slots = other.slots;
    unmatched = other.unmatched;
    used = other.used;
    slot_of = other.slot_of;
    std::copy_n(other.vertex_of.begin(), other.slots, vertex_of.begin());
    std::copy_n(other.active.begin(), other.slots, active.begin());
  }

  void clear() {
    slots = unmatched = 0;
    used = {};
    slot_of.fill(NONE);
  }

  // Copies all slots but those of one line. Every slot of `other` must be active and matched.
  void assign_without(const Matching& other, int left_out) {
    slots = unmatched = 0;
    used = {};
    for (std::size_t s = 0; s < static_cast<std::size_t>(other.slots); ++s) {
      if (other.line[s] == left_out) continue;
      const auto to = static_cast<std::size_t>(slots);
      core[to] = other.core[s];
      liked[to] = other.liked[s];
      line[to] = other.line[s];
      active[to] = true;
      take(static_cast<std::int16_t>(slots++), other.vertex_of[s]);
    }
  }

  void add_pair(int on_line, const Vertices<W>& vertices, const Vertices<W>& hint = {}) {
    for (int i = 0; i < 2; ++i) {
      const auto s = static_cast<std::size_t>(slots++);
      core[s] = vertices;
      liked[s] = hint;
      line[s] = static_cast<std::uint16_t>(on_line);
      vertex_of[s] = NONE;
      active[s] = true;
      ++unmatched;
    }
  }

  // Takes the slots first .. last-1 out.
  void remove(int first, int last) {
    for (std::size_t s = static_cast<std::size_t>(first); s < static_cast<std::size_t>(last); ++s) {
      active[s] = false;
      if (vertex_of[s] == NONE) {
        --unmatched;
        continue;
      }
      used.reset(vertex_of[s]);
      vertex_of[s] = NONE;
    }
  }

  // Finds a vertex for an unmatched slot, moving others along. `visited` holds the vertices that must not be used, and
  // grows by those reached: on failure they and their slots violate Hall's condition.
  bool augment(int slot, Vertices<W>& visited) {
    if (!place(static_cast<std::int16_t>(slot), visited)) return false;
    --unmatched;
    return true;
  }

 private:
  bool place(std::int16_t slot, Vertices<W>& visited) {
    const auto s = static_cast<std::size_t>(slot);
    const Vertices<W> open = core[s] & ~visited & ~used;
    if (open.any()) {
      take(slot, open.meets(liked[s]) ? (open & liked[s]).lowest() : open.lowest());
      return true;
    }
    for (Vertices<W> left = core[s] & ~visited; left.any(); left &= ~visited) {
      const int v = left.lowest();
      visited.set(v);
      if (place(slot_of[static_cast<std::size_t>(v)], visited)) {
        take(slot, v);
        return true;
      }
    }
    return false;
  }
  void take(std::int16_t slot, int v) {
    vertex_of[static_cast<std::size_t>(slot)] = static_cast<std::int16_t>(v);
    slot_of[static_cast<std::size_t>(v)] = slot;
    used.set(v);
  }
};

}  // namespace zermelo::positional
