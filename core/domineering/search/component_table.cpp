#include "domineering/search/component_table.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

namespace zermelo {

// Fresh pages are zero, which is an empty table, and cost nothing until they are used.
ComponentTable::ComponentTable(std::size_t bytes) : count_(std::max<std::size_t>(1, bytes / sizeof(Group))) {
  void* pages = mmap(nullptr, count_ * sizeof(Group), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
  madvise(pages, count_ * sizeof(Group), MADV_HUGEPAGE);
#endif
  groups_ = static_cast<Group*>(pages);
}

ComponentTable::~ComponentTable() { munmap(groups_, count_ * sizeof(Group)); }

void ComponentTable::clear() {
  for (std::size_t i = 0; i < count_; ++i)
    for (Entry& entry : groups_[i].entry) entry.word[0].store(0, std::memory_order_relaxed);
}

ComponentTable::Known ComponentTable::find(const ComponentKey& key) const {
  if (!key.fits) return {};
  const Words words = words_of(key);
  for (const Entry& entry : group_for(key).entry) {
    const std::uint64_t first = entry.word[0].load(std::memory_order_acquire);
    if ((first & 3) == 0 || (first & WRITING) || static_cast<std::uint32_t>(first >> 32) != words.head) continue;
    bool same = true;
    for (std::size_t i = 0; i < 3; ++i) same &= entry.word[i + 1].load(std::memory_order_relaxed) == words.tail[i];
    std::atomic_thread_fence(std::memory_order_acquire);
    if (same && entry.word[0].load(std::memory_order_relaxed) == first)
      return {static_cast<Verdict>(first & 3), static_cast<int>(first >> 8 & LAST_MOVE_NUMBER)};
  }
  return {};
}

void ComponentTable::store(const ComponentKey& key, const Known& known, std::uint64_t work) {
  if (!key.fits || known.verdict == Verdict::UNKNOWN) return;
  const Words words = words_of(key);
  const std::uint64_t grade = static_cast<std::uint64_t>(std::min(63, 2 * static_cast<int>(std::bit_width(work))));
  Entry* target = nullptr;
  std::uint64_t found = 0, least = 64;
  for (Entry& entry : group_for(key).entry) {
    const std::uint64_t first = entry.word[0].load(std::memory_order_relaxed);
    if (first & WRITING) continue;
    const std::uint64_t value = (first & 3) ? first >> 2 & 63 : 0;
    if (!target || value < least) {
      target = &entry;
      found = first;
      least = value;
    }
  }
  if (!target) return;
  std::uint64_t expected = found;
  if (!target->word[0].compare_exchange_strong(expected, found | WRITING, std::memory_order_acquire)) return;
  std::atomic_thread_fence(std::memory_order_release);
  for (std::size_t i = 0; i < 3; ++i) target->word[i + 1].store(words.tail[i], std::memory_order_relaxed);
  const std::uint64_t stamp = (found + STAMP_ONE) & STAMP;
  const std::uint64_t value =
      static_cast<std::uint64_t>(known.move) << 8 | grade << 2 | static_cast<std::uint64_t>(known.verdict);
  target->word[0].store(std::uint64_t{words.head} << 32 | stamp | value, std::memory_order_release);
}

}  // namespace zermelo
