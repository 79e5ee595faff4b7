// Files that are whole or not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace zermelo {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// Empties or makes the file and opens it for writing and reading. Throws std::invalid_argument if that cannot be.
File create_file(const std::filesystem::path& path);
// A file without a name in the folder of `path`: it is gone when it is closed. Throws std::invalid_argument.
File create_unnamed_file(const std::filesystem::path& path);

// A file that appears under its name whole or not at all: written under a name of its own in the same folder, brought
// to the disk, renamed. Whatever is not committed is removed; no other file is touched.
class AtomicFile {
 public:
  // Throws std::invalid_argument if the name is taken by something else than a plain file, std::runtime_error if no
  // file can be made there.
  explicit AtomicFile(const std::filesystem::path& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Both throw std::runtime_error if the disk is full or fails.
  void write(const void* bytes, std::size_t count);
  void commit();

 private:
  const std::filesystem::path path_;
  std::string temporary_;  // empty once it has its name
  int file_;
};

// Of a file's content, at memory speed: a change of one word always shows, anything else that breaks a file with
// probability 1 - 2^-64.
std::uint64_t checksum(const void* start, std::size_t count);

// The folder of files that can be made again: ZERMELO_CACHE, else XDG_CACHE_HOME/zermelo, else HOME/.cache/zermelo,
// else empty: nowhere.
std::filesystem::path cache_folder();

}  // namespace zermelo
