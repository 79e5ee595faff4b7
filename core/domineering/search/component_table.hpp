// The transposition table of the component search: exact, shared by threads without locks (base/exact_table.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/exact_table.hpp"
#include "base/saved_entries.hpp"
#include "domineering/search/component_position.hpp"
#include "domineering/search/result.hpp"

namespace zermelo {

class ComponentTable {
 public:
  explicit ComponentTable(std::size_t bytes)
      : groups_(std::max<std::size_t>(1, bytes / GROUP_BYTES)), table_(4 * groups_, MappedMemory::Pages::LARGE) {}

  struct Known {
    Verdict verdict = Verdict::UNKNOWN;
    int move = 0;  // the number of a move that wins (component_position.hpp), 0 if none is named
  };
  Known find(const ComponentKey& key) const {
    if (!key.fits) return {};
    const std::uint64_t content = table_.find(group_for(key), tail_of(key), tag_of(key));
    return {static_cast<Verdict>(content >> 6 & 3), static_cast<int>(content >> 8 & LAST_MOVE_NUMBER)};
  }
  Verdict probe(const ComponentKey& key) const { return find(key).verdict; }
  // `work` is how many nodes the result cost.
  void store(const ComponentKey& key, const Known& known, std::uint64_t work) {
    if (!key.fits || known.verdict == Verdict::UNKNOWN) return;
    const auto grade = static_cast<std::uint64_t>(std::min(63, 2 * static_cast<int>(std::bit_width(work))));
    table_.store(group_for(key), tail_of(key),
                 tag_of(key) | static_cast<std::uint64_t>(known.move) << 8 |
                     static_cast<std::uint64_t>(known.verdict) << 6 | grade);
  }
  void clear() { table_.clear(); }

  // Appends the results that cost most, at most about so many (base/saved_entries.hpp).
  void save(SavedWords& words, std::size_t most) const {
    save_entries(
        words, SECTION, most, [&](const auto& visit) { table_.each(visit); },
        [](std::uint64_t content) { return static_cast<int>(content & 63); });
  }
  // Stores what save() has written, and takes it off `words`. Returns the number of results. Throws
  // std::invalid_argument if it is damaged.
  std::size_t load(std::span<const std::uint64_t>& words) {
    return load_entries<Table::Key, Table::Value>(
        words, SECTION, [&](const Table::Key& tail, std::uint64_t content, const Table::Value&) {
          if (content >> 47 || (content >> 6 & 3) - 1 > 1) throw std::invalid_argument("a saved result is damaged");
          ComponentKey key;
          const auto start = static_cast<std::uint32_t>(content >> 15);
          std::memcpy(key.bytes.data(), &start, 4);
          std::memcpy(key.bytes.data() + 4, tail.data(), sizeof tail);
          key.hash_bytes();
          table_.store(group_for(key), tail, content);
        });
  }

 private:
  //   46..15             14..8          7..6      5..0
  //   start of the key   winning move   verdict   work
  static constexpr std::uint64_t SECTION = 0x101;  // kind and version: the version grows when the words change
  static constexpr std::uint64_t START = std::uint64_t{0xffffffff} << 15;
  using Table = ExactTable<3, 0, 47, START, 6>;
  static_assert(ComponentKey::BYTES == 28 && sizeof(Table::Entry) == 32);
  static constexpr std::size_t GROUP_BYTES = Table::WAYS * sizeof(Table::Entry);  // two cache lines

  static std::uint64_t tag_of(const ComponentKey& key) {
    std::uint32_t start;
    std::memcpy(&start, key.bytes.data(), 4);
    return std::uint64_t{start} << 15;
  }
  static Table::Key tail_of(const ComponentKey& key) {
    Table::Key tail;
    std::memcpy(tail.data(), key.bytes.data() + 4, sizeof tail);
    return tail;
  }
  std::size_t group_for(const ComponentKey& key) const {
    __extension__ using Wide = unsigned __int128;
    return Table::WAYS * static_cast<std::size_t>(static_cast<Wide>(key.hash) * groups_ >> 64);
  }

  std::size_t groups_;
  Table table_;
};

}  // namespace zermelo
