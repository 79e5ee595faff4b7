#include "base/memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

namespace zermelo {

MappedMemory MappedMemory::zeroed(std::size_t bytes, [[maybe_unused]] Pages pages) {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  // Probes are random: with small pages each one misses the page cache of the processor too. Advice, not a demand.
  if (pages == Pages::LARGE) madvise(data, bytes, MADV_HUGEPAGE);
#endif
  return {data, bytes};
}

MappedMemory MappedMemory::of_file(const std::filesystem::path& path, bool read_ahead) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  int flags = MAP_PRIVATE;
#ifdef MAP_POPULATE
  if (read_ahead) flags |= MAP_POPULATE;
#endif
  struct stat status{};
  void* data = MAP_FAILED;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    data = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, flags, file, 0);
  close(file);
  if (data == MAP_FAILED) return {};
  return {data, static_cast<std::size_t>(status.st_size)};
}

void MappedMemory::shrink(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t kept = (bytes + page - 1) / page * page;
  if (kept >= size_ || munmap(static_cast<char*>(data_) + kept, size_ - kept) != 0) return;
  size_ = kept;
}

MappedMemory::~MappedMemory() {
  if (data_) munmap(data_, size_);
}

}  // namespace zermelo
