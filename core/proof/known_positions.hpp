// The positions of a certificate that may be referred to, shared by the threads that write it.
//
// A certificate is one stream, and REF may name only what is proved earlier in it. The stream is cut into segments that
// are written at the same time, so "earlier" is a number: what has been completed within segment i has order 2i, what
// ends between segments i and i + 1 (segment i as a whole, say) has order 2i + 1. It does not matter whether it has
// been written already: it will be, or there will be no certificate.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "proof/normal_form.hpp"

namespace zermelo::proof {

// Where a byte of the proof lies: in which thread's file, and where there.
struct Place {
  std::uint32_t file;
  std::uint64_t offset;
  friend auto operator<=>(const Place&, const Place&) = default;
};

class KnownPositions {
 public:
  explicit KnownPositions(std::size_t memory) : capacity_(memory / BYTES_PER_POSITION) {}

  bool has_room() const { return size_.load(std::memory_order_relaxed) < capacity_; }

  // Whether a writer at `order` may refer to the position.
  bool knows(const Normal& form, std::int32_t order) {
    Shard& shard = shard_of(form);
    const std::lock_guard<std::mutex> lock(shard.mutex);
    return usable(shard, form, order) != nullptr;
  }
  // The same, and it is referred to.
  bool refer(const Normal& form, std::int32_t order) {
    Shard& shard = shard_of(form);
    const std::lock_guard<std::mutex> lock(shard.mutex);
    Known* known = usable(shard, form, order);
    if (known) known->referred = true;
    return known != nullptr;
  }
  // Its KEEP is at this place. One proof of a position is remembered, that with the least integer, then the earliest.
  void remember(const Normal& form, std::int32_t order, Place place) {
    Shard& shard = shard_of(form);
    const std::lock_guard<std::mutex> lock(shard.mutex);
    const auto [entry, fresh] = shard.map.try_emplace(form.key, Known{place, order, form.number, false});
    if (fresh) {
      size_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    Known& known = entry->second;
    if (known.place == place) return;
    if (form.number < known.number || (form.number == known.number && order < known.order)) {
      if (!known.referred) shard.unused.push_back(known.place);
      known = {place, order, form.number, false};
    } else {
      shard.unused.push_back(place);
    }
  }
  // The KEEPs that nothing refers to, in order.
  std::vector<Place> unused() const;

 private:
  struct KeyHash {
    std::size_t operator()(const NormalKey& key) const noexcept { return key.one; }
  };
  struct Known {
    Place place;
    std::int32_t order;
    std::int32_t number;
    bool referred;
  };
  static constexpr std::size_t BYTES_PER_POSITION = 96;  // with what the map needs for itself
  static constexpr std::size_t SHARDS = 256;
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    std::unordered_map<NormalKey, Known, KeyHash> map;
    std::vector<Place> unused;
  };
  Shard& shard_of(const Normal& form) { return shards_[form.key.two % SHARDS]; }
  static Known* usable(Shard& shard, const Normal& form, std::int32_t order) {
    const auto found = shard.map.find(form.key);
    if (found == shard.map.end()) return nullptr;
    Known& known = found->second;
    return known.number <= form.number && known.order <= order ? &known : nullptr;
  }

  const std::size_t capacity_;
  std::atomic<std::size_t> size_ = 0;
  std::array<Shard, SHARDS> shards_;
};

}  // namespace zermelo::proof
