#include "domineering/bound/strip_numbering.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace zermelo {

namespace {

constexpr std::size_t MOST_DESCRIPTIONS = std::size_t{1} << 20;
constexpr std::uint32_t EMPTY = ~std::uint32_t{0};

using Words = std::array<std::uint64_t, 2>;  // of an entry: whole and moved

Words words_of(StripLanes lanes) { return std::bit_cast<Words>(lanes); }

}  // namespace

Descriptions::Descriptions(std::size_t patterns)
    : slots_(std::bit_ceil(4 * std::min(patterns, MOST_DESCRIPTIONS))), list_(new Description[MOST_DESCRIPTIONS]) {
  for (auto& slot : slots_) slot.store(EMPTY, std::memory_order_relaxed);
}

std::uint32_t Descriptions::number_of(const StripPair& pair, StripLanes work) {
  const auto entry = std::bit_cast<StripLanes>(pair);
  const auto e = words_of(entry), w = words_of(work);
  std::uint64_t hash = (e[0] ^ w[0] * 0x9e3779b97f4a7c15ULL ^ std::rotl(w[1], 29)) * 0xff51afd7ed558ccdULL;
  hash = (hash ^ hash >> 32 ^ e[1]) * 0xc4ceb9fe1a85ec53ULL;
  hash ^= hash >> 32;
  const auto find = [&](std::size_t& at) {
    for (at = hash % slots_.size();; at = (at + 1) % slots_.size()) {
      const std::uint32_t number = slots_[at].load(std::memory_order_acquire);
      if (number == EMPTY) return EMPTY;
      const Description& known = list_[number];
      if (words_of(known.entry) == e && words_of(known.work) == w) return number;
    }
  };
  std::size_t at;
  if (const std::uint32_t number = find(at); number != EMPTY) return number;
  const std::lock_guard lock(mutex_);
  if (const std::uint32_t number = find(at); number != EMPTY) return number;  // another thread was quicker
  if (size_ == MOST_DESCRIPTIONS) throw std::length_error("a strip table has too many different entries");
  list_[size_] = {entry, work};
  slots_[at].store(size_, std::memory_order_release);
  return size_++;
}

// A number has 16 bits: if there are more entries, the rarest share one for each `whole`, with the least of what their
// moves make: a floor that is lower than it need be claims less, never more (4x7: 148,810 different entries, of which
// 19,427 differ in the whole).
std::vector<StripPair> number_anew(const Descriptions& known, std::uint32_t* numbers, std::size_t count,
                                   std::size_t most, std::size_t fixed) {
  // 1. How often each entry is used.
  std::vector<std::uint64_t> uses(known.size());
  for (std::size_t index = 0; index < count; ++index) ++uses[numbers[index]];
  std::map<Words, std::uint64_t> uses_of_entry;
  for (std::size_t i = fixed; i < known.size(); ++i) uses_of_entry[words_of(known[i].entry)] += uses[i];

  // 2. Which numbers they get.
  std::map<Words, std::uint16_t> rank;
  std::vector<StripPair> entries;
  for (std::size_t i = 0; i < fixed; ++i) {
    rank[words_of(known[i].entry)] = static_cast<std::uint16_t>(i);
    entries.push_back(known[i].pair());
  }
  std::vector<Words> by_use;
  std::set<std::uint64_t> wholes;
  for (const auto& [words, times] : uses_of_entry) {
    if (rank.contains(words)) continue;
    by_use.push_back(words);
    wholes.insert(words[0]);
  }
  std::stable_sort(by_use.begin(), by_use.end(),
                   [&](const Words& a, const Words& b) { return uses_of_entry[a] > uses_of_entry[b]; });
  const std::size_t room = most - std::min(most, fixed);
  const std::size_t own = by_use.size() <= room ? by_use.size() : room - std::min(room, wholes.size());
  std::map<std::uint64_t, std::uint16_t> shared;  // by whole
  for (std::size_t i = 0; i < by_use.size(); ++i) {
    const Words& words = by_use[i];
    const auto fresh = static_cast<std::uint16_t>(entries.size());
    const auto [at, is_new] = i < own ? std::pair{shared.end(), true} : shared.try_emplace(words[0], fresh);
    if (is_new && entries.size() == most) throw std::length_error("a strip table has too many different entries");
    if (is_new) {
      entries.push_back({{words[0]}, {words[1]}});
      rank[words] = fresh;
      continue;
    }
    rank[words] = at->second;
    StripPair& entry = entries[at->second];
    entry = std::bit_cast<StripPair>(minimum(std::bit_cast<StripLanes>(entry), std::bit_cast<StripLanes>(words)));
  }

  // 3. In place, from the front, a piece at a time.
  std::vector<std::uint16_t> renumbered(known.size());
  for (std::size_t i = 0; i < known.size(); ++i) renumbered[i] = rank[words_of(known[i].entry)];
  std::array<std::uint16_t, 1024> piece;
  for (std::size_t begin = 0; begin < count; begin += piece.size()) {
    const std::size_t size = std::min(piece.size(), count - begin);
    for (std::size_t i = 0; i < size; ++i) piece[i] = renumbered[numbers[begin + i]];
    std::memcpy(reinterpret_cast<char*>(numbers) + begin * sizeof piece[0], piece.data(), size * sizeof piece[0]);
  }
  return entries;
}

}  // namespace zermelo
