#include "bound/strip_store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace zermelo {

namespace {

// The first bytes of a table file. The entries follow at HEADER_BYTES, in the byte order of the machine, which the
// magic word tells apart.
struct FileHeader {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t height;
  std::uint32_t width;
  std::uint32_t hot;
  std::uint32_t warm;
  std::uint32_t cool;
  std::uint64_t entries;
  std::uint64_t checksum;
};
constexpr std::uint64_t MAGIC = 0x5a45524d53545250;  // "ZERMSTRP"
constexpr std::uint32_t VERSION = 1;
constexpr std::size_t HEADER_BYTES = 4096;

// Below this size building is quicker than opening a file.
constexpr std::size_t SMALLEST_FILE = std::size_t{1} << 15;

// Every step is invertible in the lane and the lanes are combined by invertible steps, so a change of one entry always
// shows; anything else that breaks a file shows with probability 1 - 2^-64. Memory speed.
std::uint64_t checksum(const StripEntry* entries, std::size_t count) {
  constexpr std::size_t LANES = 8;
  std::uint64_t lane[LANES] = {1, 2, 3, 4, 5, 6, 7, 8};
  std::size_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (std::size_t k = 0; k < LANES; ++k) lane[k] = (lane[k] ^ entries[i + k].bits) * 0x9e3779b97f4a7c15ULL;
  for (; i < count; ++i) lane[0] = (lane[0] ^ entries[i].bits) * 0x9e3779b97f4a7c15ULL;
  std::uint64_t sum = count;
  for (const std::uint64_t l : lane) {
    sum = (sum ^ l) * 0xff51afd7ed558ccdULL;
    sum ^= sum >> 32;
  }
  return sum;
}

FileHeader header_for(int height, int width, const StripEntry* entries) {
  const std::size_t count = strip_table_entries(height, width);
  FileHeader header{};
  header.magic = MAGIC;
  header.version = VERSION;
  header.height = static_cast<std::uint32_t>(height);
  header.width = static_cast<std::uint32_t>(width);
  header.hot = HOT;
  header.warm = WARM;
  header.cool = COOL;
  header.entries = count;
  header.checksum = checksum(entries, count);
  return header;
}

std::filesystem::path file_name(const std::filesystem::path& folder, int height, int width) {
  return folder / ("strips-" + std::to_string(height) + "x" + std::to_string(width) + ".zst" + std::to_string(VERSION));
}

std::shared_ptr<const StripTable> map_file(int height, int width, const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  const std::size_t count = strip_table_entries(height, width);
  const std::size_t bytes = HEADER_BYTES + count * sizeof(StripEntry);
  struct stat status{};
  void* mapping = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size == static_cast<off_t>(bytes)) {
#if defined(MAP_POPULATE)
    mapping = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
#else
    mapping = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
#endif
  }
  close(file);
  if (mapping == MAP_FAILED) return nullptr;
  const auto* entries = reinterpret_cast<const StripEntry*>(static_cast<const char*>(mapping) + HEADER_BYTES);
  auto table = std::make_shared<const StripTable>(mapping, bytes, entries);
  const FileHeader expected = header_for(height, width, entries);
  return std::memcmp(mapping, &expected, sizeof expected) == 0 ? table : nullptr;
}

// Writes a temporary file and renames it, so that nobody ever sees half a table. Failing to write is no failure: the
// table in memory is as good.
void write_file(int height, int width, const StripEntry* entries, const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  std::string temporary = path.string() + ".XXXXXX";
  const int file = mkstemp(temporary.data());
  if (file < 0) return;
  std::array<char, HEADER_BYTES> head{};
  const FileHeader header = header_for(height, width, entries);
  std::memcpy(head.data(), &header, sizeof header);
  const auto put = [file](const char* from, std::size_t left) {
    while (left) {
      const ssize_t done = ::write(file, from, left);
      if (done <= 0) return false;
      from += done;
      left -= static_cast<std::size_t>(done);
    }
    return true;
  };
  const bool written = put(head.data(), head.size()) && put(reinterpret_cast<const char*>(entries),
                                                            strip_table_entries(height, width) * sizeof(StripEntry));
  const bool closed = close(file) == 0;
  if (!written || !closed || rename(temporary.c_str(), path.c_str()) != 0) unlink(temporary.c_str());
}

// Processes that start together build a table once: the others wait and map it. A lock that cannot be had is no failure.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder) {
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    file_ = ::open((folder / "strips.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ >= 0) flock(file_, LOCK_EX);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (file_ >= 0) close(file_);
  }

 private:
  int file_;
};

std::shared_ptr<const StripTable> build_in_memory(int height, int width) {
  const std::size_t bytes = strip_table_entries(height, width) * sizeof(StripEntry);
  void* mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
  madvise(mapping, bytes, MADV_HUGEPAGE);
#endif
  auto* entries = static_cast<StripEntry*>(mapping);
  auto table = std::make_shared<const StripTable>(mapping, bytes, entries);
  build_strip_table(height, width, entries);
  return table;
}

}  // namespace

StripTable::~StripTable() { munmap(mapping_, mapped_); }

std::shared_ptr<const StripTable> StripTable::open(int height, int width, const std::filesystem::path& folder) {
  const bool keep = !folder.empty() && strip_table_entries(height, width) >= SMALLEST_FILE;
  if (!keep) return build_in_memory(height, width);
  const std::filesystem::path path = file_name(folder, height, width);
  if (auto table = map_file(height, width, path)) return table;
  const FolderLock lock(folder);
  if (auto table = map_file(height, width, path)) return table;
  auto table = build_in_memory(height, width);
  write_file(height, width, table->entries(), path);
  // The pages of a file are shared with other processes, those of memory are not.
  if (auto mapped = map_file(height, width, path)) return mapped;
  return table;
}

std::shared_ptr<const StripTables> StripTables::load(int rows, int cols, std::size_t memory, int max_squares) {
  return load(rows, cols, memory, max_squares, cache_folder());
}

std::shared_ptr<const StripTables> StripTables::load(int rows, int cols, std::size_t memory, int max_squares,
                                                     const std::filesystem::path& folder) {
  // Tables are immutable, so one copy serves every search of the process.
  static std::mutex mutex;
  static std::map<std::pair<int, int>, std::shared_ptr<const StripTable>> opened;

  std::vector<std::pair<int, int>> wanted;
  for (int height = 2; height <= MAX_STRIP_HEIGHT; ++height)
    for (int width = 1; width <= MAX_TABLE_WIDTH && height * width <= std::min(max_squares, MAX_TABLE_SQUARES); ++width)
      if ((height <= rows && width <= cols) || (height <= cols && width <= rows)) wanted.emplace_back(height, width);
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](auto a, auto b) { return a.first * a.second < b.first * b.second; });

  auto tables = std::make_shared<StripTables>();
  const std::lock_guard<std::mutex> lock(mutex);
  for (const auto& [height, width] : wanted) {
    const std::size_t bytes = strip_table_entries(height, width) * sizeof(StripEntry);
    // Building takes two more such tables' room for a while.
    if (tables->bytes_ + bytes > memory || tables->bytes_ + 3 * bytes > 2 * memory) break;
    auto& table = opened[{height, width}];
    if (!table) table = StripTable::open(height, width, folder);
    tables->table_[static_cast<std::size_t>(height)][static_cast<std::size_t>(width)] = table->entries();
    tables->kept_.push_back(table);
    tables->bytes_ += bytes;
  }
  return tables;
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
