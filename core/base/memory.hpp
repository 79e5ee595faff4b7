// Memory straight from the system: zeroed, and free of charge until it is touched; or the content of a file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>

namespace zermelo {

class MappedMemory {
 public:
  // Large pages suit tables that will fill up; of small ones only those that are touched cost anything (7,7,5 touches a
  // thousandth of its table: 0.03 s instead of 0.3).
  enum class Pages : bool { SMALL, LARGE };
  // Zeroed. Throws std::bad_alloc if the system refuses.
  static MappedMemory zeroed(std::size_t bytes, Pages pages);
  // The whole of a regular file, read-only, read in advance if wanted. Empty if there is none.
  static MappedMemory of_file(const std::filesystem::path& path, bool read_ahead = false);

  MappedMemory() = default;
  MappedMemory(MappedMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedMemory& operator=(MappedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MappedMemory();

  std::size_t size() const { return size_; }
  // Gives back the memory behind the first so many bytes, in whole pages.
  void shrink(std::size_t bytes);
  template <class T>
  T* as(std::size_t offset = 0) const {
    return reinterpret_cast<T*>(static_cast<char*>(data_) + offset);
  }

 private:
  MappedMemory(void* data, std::size_t size) : data_(data), size_(size) {}

  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace zermelo
