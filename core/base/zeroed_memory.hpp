// A large block of zeroed memory that costs nothing until it is touched.
#pragma once

#include <cstddef>

namespace zermelo {

class ZeroedMemory {
 public:
  // Throws std::bad_alloc if the system refuses.
  explicit ZeroedMemory(std::size_t bytes);
  ~ZeroedMemory();
  ZeroedMemory(const ZeroedMemory&) = delete;
  ZeroedMemory& operator=(const ZeroedMemory&) = delete;

  void* data() const { return data_; }

 private:
  void* data_;
  std::size_t bytes_;
};

}  // namespace zermelo
