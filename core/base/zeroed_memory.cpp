#include "base/zeroed_memory.hpp"

#include <sys/mman.h>

#include <new>

namespace zermelo {

ZeroedMemory::ZeroedMemory(std::size_t bytes) : bytes_(bytes) {
  data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data_ == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  // Probes are random: with small pages each one misses the page cache of the processor too. Advice, not a demand.
  madvise(data_, bytes, MADV_HUGEPAGE);
#endif
}

ZeroedMemory::~ZeroedMemory() { munmap(data_, bytes_); }

}  // namespace zermelo
