#include "proof/known_positions.hpp"

#include <algorithm>

namespace zermelo::proof {

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
