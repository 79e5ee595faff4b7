// Hash tables in one piece of memory. A checker mostly looks up pieces, and each lookup costs a cache miss.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "limits.hpp"

namespace zcheck {

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9fb21c651e98df25ULL;
  return hash ^ (hash >> 29);
}

// Keys and values are plain; Key{} is never stored. At least half of the places are empty, and probing is linear.
template <class Key, class Value, class Hash>
class FlatMap {
 public:
  explicit FlatMap(Budget& budget) : budget_(budget), entries_(16) {}

  const Value* find(const Key& key) const {
    const Entry& entry = entries_[place(key)];
    return entry.key == key ? &entry.value : nullptr;
  }
  // The key must be new.
  void insert(const Key& key, const Value& value) {
    if (2 * ++used_ > entries_.size()) grow();
    entries_[place(key)] = {key, value};
  }

 private:
  struct Entry {
    Key key{};
    Value value{};
  };
  std::size_t place(const Key& key) const {
    std::size_t at = Hash()(key) & (entries_.size() - 1);
    while (!(entries_[at].key == key) && !(entries_[at].key == Key{})) at = (at + 1) & (entries_.size() - 1);
    return at;
  }
  void grow() {
    budget_.store(2 * entries_.size() * sizeof(Entry));  // the old ones stay counted: both are there for a moment
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old)
      if (!(entry.key == Key{})) entries_[place(entry.key)] = entry;
  }

  Budget& budget_;
  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

// Lists of numbers, numbered from 0 as they come; equal lists have one number.
class ListTable {
 public:
  using List = std::span<const std::uint32_t>;
  explicit ListTable(Budget& budget) : budget_(budget), slots_(16) {}

  std::uint32_t number(List list) {
    std::uint64_t mixed = list.size();
    for (std::uint32_t item : list) mixed = mix(mixed, item);
    const auto hash = static_cast<std::uint32_t>(mixed);
    std::size_t at = hash;
    for (;; ++at) {
      const Slot& slot = slots_[at &= slots_.size() - 1];
      if (!slot.next) break;
      if (slot.hash == hash && std::ranges::equal((*this)[slot.next - 1], list)) return slot.next - 1;
    }
    budget_.store(2 * (sizeof(Place) + list.size_bytes()));  // vectors may have twice the room they need
    const std::size_t begin = items_.size();
    items_.insert(items_.end(), list.begin(), list.end());
    places_.push_back({begin, list.size()});
    const auto next = static_cast<std::uint32_t>(places_.size());
    slots_[at] = {hash, next};
    if (2 * places_.size() > slots_.size()) grow();
    return next - 1;
  }
  // Good until the next list is numbered.
  List operator[](std::uint32_t number) const {
    return List(items_).subspan(places_[number].begin, places_[number].size);
  }

 private:
  struct Slot {
    std::uint32_t hash = 0, next = 0;  // 1 + the number of the list; 0: empty
  };
  struct Place {
    std::size_t begin, size;
  };
  void grow() {
    budget_.store(2 * slots_.size() * sizeof(Slot));
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (!slot.next) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].next) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  Budget& budget_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> items_;
  std::vector<Place> places_;
};

}  // namespace zcheck
