// The transposition table of the component search: shared by threads without locks, exact.
//
// An entry holds the whole key, so equal entry means equal position: no result is ever believed for another one. A
// reader takes the first word, the key, and the first word again; a writer marks the first word while it writes and
// leaves it with a new stamp. If both looks agree the key was not being written in between.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "domineering/search/component_position.hpp"
#include "domineering/search/result.hpp"

namespace zermelo {

class ComponentTable {
 public:
  explicit ComponentTable(std::size_t bytes);
  ComponentTable(const ComponentTable&) = delete;
  ComponentTable& operator=(const ComponentTable&) = delete;
  ~ComponentTable();

  struct Known {
    Verdict verdict = Verdict::UNKNOWN;
    int move = 0;  // the number of a move that wins (component_position.hpp), 0 if none is named
  };
  Known find(const ComponentKey& key) const;
  Verdict probe(const ComponentKey& key) const { return find(key).verdict; }
  // `work` is how many nodes the result cost: in a full group the cheapest entry makes room.
  void store(const ComponentKey& key, const Known& known, std::uint64_t work);
  void prefetch(const ComponentKey& key) const { __builtin_prefetch(&group_for(key)); }
  void clear();

 private:
  //   63..32      31..16   15       14..8            7..2      1..0
  //   key part    stamp    writing  winning move     work      verdict (0: empty)
  static constexpr std::uint64_t WRITING = 1 << 15;
  static constexpr std::uint64_t STAMP_ONE = 1 << 16;
  static constexpr std::uint64_t STAMP = 0xffff0000;
  struct Entry {
    std::array<std::atomic<std::uint64_t>, 4> word;
  };
  static_assert(ComponentKey::BYTES == 28 && sizeof(Entry) == 32, "the key fills the entry but for half of word 0");
  static constexpr std::size_t WAYS = 4;
  struct alignas(64) Group {
    std::array<Entry, WAYS> entry;
  };
  struct Words {
    std::uint32_t head;
    std::array<std::uint64_t, 3> tail;
  };
  static Words words_of(const ComponentKey& key) {
    Words words;
    std::memcpy(&words.head, key.bytes.data(), 4);
    std::memcpy(words.tail.data(), key.bytes.data() + 4, 24);
    return words;
  }
  Group& group_for(const ComponentKey& key) const {
    __extension__ using Wide = unsigned __int128;
    return groups_[static_cast<std::size_t>(static_cast<Wide>(key.hash) * count_ >> 64)];
  }

  std::size_t count_;
  Group* groups_;
};

}  // namespace zermelo
