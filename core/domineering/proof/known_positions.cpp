#include "domineering/proof/known_positions.hpp"

#include <algorithm>

namespace zermelo::proof {

bool KnownPositions::refer(const Normal& form, std::int32_t order) {
  Shard& shard = shard_of(form);
  const std::lock_guard<std::mutex> lock(shard.mutex);
  const auto [first, last] = shard.map.equal_range(form.key);
  const auto usable = [&](const auto& entry) {
    return entry.second.number <= form.number && entry.second.order <= order;
  };
  const auto found = std::find_if(first, last, usable);
  if (found == last) return false;
  return found->second.referred = true;
}

bool KnownPositions::begin(const Normal& form, std::int32_t order, Place place) {
  if (size_.fetch_add(1, std::memory_order_relaxed) >= capacity_) {
    size_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  Shard& shard = shard_of(form);
  const std::lock_guard<std::mutex> lock(shard.mutex);
  shard.map.emplace(form.key, Known{place, order, form.number, false});
  return true;
}

void KnownPositions::complete(const Normal& form, std::int32_t order, Place place) {
  Shard& shard = shard_of(form);
  const std::lock_guard<std::mutex> lock(shard.mutex);
  const auto [first, last] = shard.map.equal_range(form.key);
  const auto own = std::find_if(first, last, [&](const auto& entry) { return entry.second.place == place; });
  if (own == last) return;  // a better proof has come in the meantime
  own->second.order = order;
  for (auto entry = first; entry != last;) {
    const Known& known = entry->second;
    if (entry != own && known.number >= form.number && known.order >= order && known.order != UNDECIDED) {
      // Earlier references to it stay valid.
      if (!known.referred) shard.unused.push_back(known.place);
      entry = shard.map.erase(entry);
      size_.fetch_sub(1, std::memory_order_relaxed);
    } else {
      ++entry;
    }
  }
}

std::vector<Place> KnownPositions::unused() const {
  std::vector<Place> places;
  for (const Shard& shard : shards_) {
    const std::lock_guard<std::mutex> lock(shard.mutex);
    places.insert(places.end(), shard.unused.begin(), shard.unused.end());
    for (const auto& [key, known] : shard.map)
      if (!known.referred) places.push_back(known.place);
  }
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace zermelo::proof
