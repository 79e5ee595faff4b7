// Slots that each want a vertex of their own, and the augmenting paths that give it to them (on bitsets).
//
// A pair of a pairing strategy is two slots with the same core: the vertices that lie on all hyperedges the pair is to
// block. Slots 2i and 2i + 1 belong together.
#pragma once

#include <algorithm>
#include <array>

#include "positional/board/game.hpp"

namespace zermelo::positional {

// The description of the slots. Matchings that differ in their last slots only share one of these.
template <int W, int MOST = 2 * Game<W>::MAX_ON_LINES + 2 * Game<W>::MAX_V>
struct Slots {
  static constexpr int MAX = MOST;

  std::array<std::uint16_t, MAX> line;
  std::array<Vertices<W>, MAX> core;
  std::array<Vertices<W>, MAX> liked;                 // taken first where open: a hint, part of the core or empty
  std::array<Vertices<W>, Game<W>::MAX_V + 1> layer;  // room for Matching::augment, which cannot afford to clear it
};

// The vertex of each slot. A copy takes time for the slots in use only, not for the whole arrays.
template <int W, int MOST = Slots<W>::MAX>
struct Matching {
  static constexpr std::int16_t NONE = -1;  // no vertex yet
  static constexpr std::int16_t GONE = -2;  // the slot was taken out

  int slots = 0;
  int unmatched = 0;  // of the slots that are not gone
  Vertices<W> used;
  std::array<std::int16_t, Game<W>::MAX_V> slot_of;  // of a used vertex
  std::array<std::int16_t, MOST> vertex_of;

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

  void add_pair(Slots<W, MOST>& of, int on_line, const Vertices<W>& vertices, const Vertices<W>& hint = {}) {
    for (int i = 0; i < 2; ++i) {
      const int s = slots++;
      of.core[s] = vertices;
      of.liked[s] = hint;
      of.line[s] = static_cast<std::uint16_t>(on_line);
      vertex_of[s] = NONE;
    }
    unmatched += 2;
  }

  // Takes the slots first .. last-1 out.
  void remove(int first, int last) {
    for (int s = first; s < last; ++s) {
      if (vertex_of[s] == NONE) --unmatched;
      else used.reset(vertex_of[s]);
      vertex_of[s] = GONE;
    }
  }

  void give(int slot, int v) {
    used.set(v);
    slot_of[v] = static_cast<std::int16_t>(slot);
    vertex_of[slot] = static_cast<std::int16_t>(v);
    --unmatched;
  }
  // Takes a used vertex away from its slot, which is returned.
  int take(int v) {
    const int slot = slot_of[v];
    used.reset(v);
    vertex_of[slot] = NONE;
    ++unmatched;
    return slot;
  }

  // Finds a vertex for an unmatched slot, moving others along on a shortest path. `visited` holds the vertices that
  // must not be used; on failure it grows by those reached: they and their slots violate Hall's condition.
  bool augment(Slots<W, MOST>& of, int slot, Vertices<W>& visited) {
    // 1. Layer by layer, whole sets at a time: most searches fail, and then no path is needed.
    const Vertices<W> unused = ~used;
    Vertices<W> seen = visited, next = of.core[slot] & ~seen;
    std::size_t depth = 0;
    for (; !next.meets(unused); ++depth) {
      if (next.none()) {
        visited = seen;
        return false;
      }
      of.layer[depth] = next;
      seen |= next;
      Vertices<W> reached;
      for (Vertices<W> left = next; left.any();) reached |= core_of(of, left.pop_lowest());
      next = reached & ~seen;
    }
    // 2. The path back from an unused vertex, from layer to layer.
    Vertices<W> goal = next & unused;
    --unmatched;
    for (bool last = true;; last = false) {
      const int from = depth > 0 ? first_towards(of, of.layer[depth - 1], goal) : -1;
      const std::int16_t taker = depth > 0 ? slot_of[from] : static_cast<std::int16_t>(slot);
      if (last) {
        goal &= of.core[taker];
        if (goal.meets(of.liked[taker])) goal &= of.liked[taker];
      }
      const int v = goal.lowest();
      used.set(v);
      vertex_of[taker] = static_cast<std::int16_t>(v);
      slot_of[v] = taker;
      if (depth-- == 0) return true;
      goal = Vertices<W>::single(from);
    }
  }

 private:
  // The vertices that the slot of v could have instead.
  const Vertices<W>& core_of(const Slots<W, MOST>& of, int v) const { return of.core[slot_of[v]]; }
  // The first vertex of a layer whose slot could have a vertex of `goal` instead; there is one.
  int first_towards(const Slots<W, MOST>& of, Vertices<W> layer, const Vertices<W>& goal) const {
    for (;;)
      if (const int v = layer.pop_lowest(); core_of(of, v).meets(goal)) return v;
  }
};

}  // namespace zermelo::positional
