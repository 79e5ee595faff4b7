#include "base/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace zermelo {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path) { throw std::runtime_error("cannot write " + path.string()); }

// A new file beside `path` of this process alone, open; `name` becomes its name. Negative if there cannot be one.
int open_beside(const std::filesystem::path& path, std::string& name) {
  static std::atomic<unsigned> count{0};
  for (;;) {
    name = path.string() + "." + std::to_string(getpid()) + "-" + std::to_string(++count) + ".tmp";
    const int file = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
}

}  // namespace

File create_file(const std::filesystem::path& path) {
  File file(std::fopen(path.c_str(), "w+b"));
  if (!file) throw std::invalid_argument("the file " + path.string() + " cannot be written");
  return file;
}

File create_unnamed_file(const std::filesystem::path& path) {
  std::string name;
  const int file = open_beside(path, name);
  if (file < 0)
    throw std::invalid_argument("no file can be made in " + std::filesystem::absolute(path).parent_path().string());
  unlink(name.c_str());
  return File(fdopen(file, "w+b"));
}

AtomicFile::AtomicFile(const std::filesystem::path& path) : path_(path), file_(-1) {
  // A name that stands for a device or a folder must not be taken away from it.
  std::error_code none;
  if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none))
    throw std::invalid_argument(path.string() + " is not a plain file");
  file_ = open_beside(path, temporary_);
  if (file_ < 0) fail(path_);  // nothing was made, and no destructor runs
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(const void* bytes, std::size_t count) {
  for (auto* from = static_cast<const char*>(bytes); count;) {
    const ssize_t done = ::write(file_, from, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail(path_);
    from += done;
    count -= static_cast<std::size_t>(done);
  }
}

void AtomicFile::commit() {
  if (fsync(file_) != 0) fail(path_);
  const int file = file_;
  file_ = -1;
  if (close(file) != 0 || rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_);
  temporary_.clear();
}

// Every step is invertible in the lane and the lanes are combined by invertible steps.
std::uint64_t checksum(const void* start, std::size_t count) {
  const auto* bytes = static_cast<const char*>(start);
  constexpr std::size_t LANES = 8, BLOCK = LANES * sizeof(std::uint64_t);
  std::uint64_t lane[LANES] = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto add = [&lane](const char* block) {
    std::uint64_t words[LANES];
    std::memcpy(words, block, BLOCK);
    for (std::size_t k = 0; k < LANES; ++k) lane[k] = (lane[k] ^ words[k]) * 0x9e3779b97f4a7c15ULL;
  };
  std::size_t at = 0;
  for (; at + BLOCK <= count; at += BLOCK) add(bytes + at);
  std::array<char, BLOCK> last{};
  std::memcpy(last.data(), bytes + at, count - at);
  add(last.data());
  std::uint64_t sum = count;
  for (const std::uint64_t l : lane) {
    sum = (sum ^ l) * 0xff51afd7ed558ccdULL;
    sum ^= sum >> 32;
  }
  return sum;
}

std::filesystem::path cache_folder() {
  const auto variable = [](const char* name) -> std::filesystem::path {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (const auto folder = variable("ZERMELO_CACHE"); !folder.empty()) return folder;
  if (const auto folder = variable("XDG_CACHE_HOME"); !folder.empty()) return folder / "zermelo";
  if (const auto folder = variable("HOME"); !folder.empty()) return folder / ".cache" / "zermelo";
  return {};
}

}  // namespace zermelo
