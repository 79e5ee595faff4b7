// The positions of a certificate that may be referred to, shared by the threads that write it.
//
// A certificate is one stream, and REF may name only an earlier proof in it. The stream is cut into segments that
// are written at the same time, so "earlier" is a number: a proof that ends within segment i has order 2i there, and
// for others 2i + 1, the order of the end of segment i. It does not matter whether it has been written already: it will
// be, or there will be no certificate. So a position is known to later segments from the moment when its proof is
// begun.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "domineering/proof/normal_form.hpp"

namespace zermelo::proof {

// Where a byte of the proof lies: in which thread's file, and where there.
struct Place {
  std::uint32_t file;
  std::uint64_t offset;
  friend auto operator<=>(const Place&, const Place&) = default;
};

class KnownPositions {
 public:
  static constexpr std::int32_t UNDECIDED = std::numeric_limits<std::int32_t>::max();

  explicit KnownPositions(std::size_t memory) : capacity_(memory / BYTES_PER_POSITION) {}

  // Whether a writer at `order` may refer to the position; if so, it is referred to.
  bool refer(const Normal& form, std::int32_t order);
  // A proof is begun, and can be referred to from `order` on. Its KEEP will be at this place. False if there is no
  // room: then it is not remembered.
  bool begin(const Normal& form, std::int32_t order, Place place);
  // It is complete, and can be referred to from this earlier order on.
  void complete(const Normal& form, std::int32_t order, Place place);
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
  static constexpr std::size_t BYTES_PER_POSITION = 96;  // with the overhead of the map
  static constexpr std::size_t SHARDS = 256;
  // A position may be known by several proofs: with different integers, or in different segments.
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    std::unordered_multimap<NormalKey, Known, KeyHash> map;
    std::vector<Place> unused;
  };
  Shard& shard_of(const Normal& form) { return shards_[form.key.two % SHARDS]; }

  const std::size_t capacity_;
  std::atomic<std::size_t> size_ = 0;
  std::array<Shard, SHARDS> shards_;
};

}  // namespace zermelo::proof
