// What is known of the positions that groups of lanes search together: the table of answers, and the marks of what
// somebody is busy with. Both lie in the memory of the device, and are read and written without locks.
#pragma once

#include <cstdint>

#include "domineering/gpu/strip_margin.hpp"

namespace zermelo::gpu {

enum class Answer : std::uint8_t { UNKNOWN = 0, WIN = 1, LOSS = 2 };  // seen from the player to move

// All free squares that have a free neighbour, in the least of the four mirror images, and the player to move. With the
// answer that makes an entry of the table: 128 bits, always read and written as one, so what is found is exact.
struct Entry {
  std::uint64_t low, high;
};
inline constexpr int MAX_KEY_SQUARES = 121;
inline constexpr std::uint64_t KEY_PLAYER = std::uint64_t{1} << 57, KEY_MASK = 2 * KEY_PLAYER - 1;
inline constexpr int ANSWER_SHIFT = 58, WORK_SHIFT = 60;

ZERMELO_BOTH std::uint64_t hash_of(const Entry& key) {
  std::uint64_t hash = (key.low ^ key.high * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  hash ^= hash >> 32;
  hash = (hash ^ key.high) * 0xc4ceb9fe1a85ec53u;
  return hash ^ hash >> 29;
}

ZERMELO_BOTH Entry load_entry(const Entry* at) {
#if defined(__CUDA_ARCH__)
  Entry entry;
  asm volatile("{ .reg .b128 t; ld.relaxed.gpu.global.b128 t, [%2]; mov.b128 {%0, %1}, t; }"
               : "=l"(entry.low), "=l"(entry.high)
               : "l"(at)
               : "memory");
  return entry;
#else
  return *at;
#endif
}
ZERMELO_BOTH void store_entry(Entry* at, const Entry& entry) {
#if defined(__CUDA_ARCH__)
  asm volatile("{ .reg .b128 t; mov.b128 t, {%0, %1}; st.relaxed.gpu.global.b128 [%2], t; }"
               :
               : "l"(entry.low), "l"(entry.high), "l"(at)
               : "memory");
#else
  *at = entry;
#endif
}

ZERMELO_BOTH void put_row(Entry& key, std::uint64_t row, int shift) {
  if (shift < 64) {
    key.low |= row << shift;
    if (shift > 48) key.high |= row >> (64 - shift);
  } else {
    key.high |= row << (shift - 64);
  }
}
// The least of the four mirror images of what is alive of some rows after a change.
ZERMELO_BOTH_ONCE Entry least_image(const std::uint16_t* lines, int rows, int cols, const Change& change) {
  Entry image[4] = {};
  std::uint32_t before = 0, here = change.applied(lines[0], 0);
  ZERMELO_ROLLED
  for (int i = 0; i < rows; ++i) {
    const std::uint32_t behind = i + 1 < rows ? change.applied(lines[i + 1], i + 1) : 0u;
    const std::uint32_t row = here & (here << 1 | here >> 1 | before | behind);
    const std::uint32_t back = turned(row, cols);
    put_row(image[0], row, i * cols);
    put_row(image[1], row, (rows - 1 - i) * cols);
    put_row(image[2], back, i * cols);
    put_row(image[3], back, (rows - 1 - i) * cols);
    before = here, here = behind;
  }
  Entry least = image[0];
  for (int i = 1; i < 4; ++i)
    if (image[i].high < least.high || (image[i].high == least.high && image[i].low < least.low)) least = image[i];
  return least;
}

inline constexpr int GROUP = 4;  // entries a key may lie in
ZERMELO_BOTH_ONCE Answer answer_in(const Entry* at, const Entry& key) {
  Entry entry[GROUP];
  for (int i = 0; i < GROUP; ++i) entry[i] = load_entry(at + i);
  for (int i = 0; i < GROUP; ++i)
    if (entry[i].low == key.low && (entry[i].high & KEY_MASK) == key.high && entry[i].high >> ANSWER_SHIFT)
      return static_cast<Answer>(entry[i].high >> ANSWER_SHIFT & 3);
  return Answer::UNKNOWN;
}

struct AnswerTable {
  Entry* entries = nullptr;
  std::uint64_t groups = 0;  // a power of two

  ZERMELO_BOTH Entry* group(const Entry& key) const { return entries + GROUP * (hash_of(key) & (groups - 1)); }
  ZERMELO_BOTH Answer find(const Entry& key) const { return answer_in(group(key), key); }
  // `nodes`: what the answer cost. Where all entries are taken, the cheapest goes.
  ZERMELO_BOTH void keep(const Entry& key, Answer answer, std::uint64_t nodes) const {
    Entry* at = group(key);
    std::uint64_t work = 0;
    for (; nodes > 1 && work < 15; nodes >>= 2) ++work;
    int where = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (int i = 0; i < GROUP; ++i) {
      const Entry entry = load_entry(at + i);
      const bool same = entry.low == key.low && (entry.high & KEY_MASK) == key.high;
      const std::uint64_t price = same || !(entry.high >> ANSWER_SHIFT) ? 0 : 1 + (entry.high >> WORK_SHIFT);
      if (price < least) least = price, where = i;
      if (same) break;
    }
    store_entry(at + where,
                {key.low, key.high | static_cast<std::uint64_t>(answer) << ANSWER_SHIFT | work << WORK_SHIFT});
  }
};

// Few and forgetful, as on the processor (base/busy_marks.hpp): what is forgotten first is small and soon done.
struct BusyTable {
  std::uint32_t* marks = nullptr;
  std::uint32_t size = 0;  // a power of two

  static ZERMELO_BOTH std::uint32_t tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32) | 1u; }
  ZERMELO_BOTH volatile std::uint32_t* mark(std::uint64_t hash) const { return marks + (hash >> 8 & (size - 1)); }
  ZERMELO_BOTH bool contains(std::uint64_t hash) const { return *mark(hash) == tag(hash); }
  ZERMELO_BOTH void enter(std::uint64_t hash) const { *mark(hash) = tag(hash); }
  ZERMELO_BOTH void leave(std::uint64_t hash) const {
    if (contains(hash)) *mark(hash) = 0;
  }
};

}  // namespace zermelo::gpu
