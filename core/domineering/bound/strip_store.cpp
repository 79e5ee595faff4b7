#include "domineering/bound/strip_store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/files.hpp"

namespace zermelo {

namespace {

// The first bytes of a table file. The numbers of all patterns follow at HEADER_BYTES, then the entries, all in the
// byte order of the machine, which the magic word tells apart.
struct FileHeader {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t height;
  std::uint32_t width;
  std::uint32_t hot;
  std::uint32_t warm;
  std::uint32_t cool;
  std::uint64_t patterns;
  std::uint64_t entries;
  std::uint64_t checksum;
};
constexpr std::uint64_t MAGIC = 0x5a45524d53545250;  // "ZERMSTRP"
constexpr std::uint32_t VERSION = 2;
constexpr std::size_t HEADER_BYTES = 4096;

// Below this number of patterns building is quicker than opening a file.
constexpr std::size_t SMALLEST_FILE = std::size_t{1} << 15;

// Every step is invertible in the lane and the lanes are combined by invertible steps, so a change of one word always
// shows; anything else that breaks a file shows with probability 1 - 2^-64. Memory speed.
std::uint64_t checksum(const char* bytes, std::size_t count) {
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

constexpr std::size_t number_bytes(int height, int width) {
  return strip_table_patterns(height, width) * sizeof(std::uint16_t);
}

FileHeader header_for(int height, int width, std::size_t entries, std::uint64_t sum) {
  FileHeader header{};
  header.magic = MAGIC;
  header.version = VERSION;
  header.height = static_cast<std::uint32_t>(height);
  header.width = static_cast<std::uint32_t>(width);
  header.hot = HOT;
  header.warm = WARM;
  header.cool = COOL;
  header.patterns = strip_table_patterns(height, width);
  header.entries = entries;
  header.checksum = sum;
  return header;
}

std::filesystem::path file_name(const std::filesystem::path& folder, int height, int width) {
  return folder / ("strips-" + std::to_string(height) + "x" + std::to_string(width) + ".zst" + std::to_string(VERSION));
}

std::shared_ptr<const StripTable> map_file(int height, int width, const std::filesystem::path& path) {
  MappedMemory memory = MappedMemory::of_file(path, true);
  const std::size_t least = HEADER_BYTES + number_bytes(height, width);
  if (memory.size() <= least || memory.size() > least + MAX_STRIP_ENTRIES * sizeof(StripPair)) return nullptr;
  const FileHeader expected = header_for(height, width, (memory.size() - least) / sizeof(StripPair),
                                         checksum(memory.as<const char>(HEADER_BYTES), memory.size() - HEADER_BYTES));
  if (std::memcmp(memory.as<char>(), &expected, sizeof expected) != 0) return nullptr;
  return std::make_shared<const StripTable>(std::move(memory), HEADER_BYTES, number_bytes(height, width));
}

// Failing to write is no failure: the table in memory is as good.
void write_file(const char* bytes, std::size_t count, const std::filesystem::path& path) {
  try {
    std::filesystem::create_directories(path.parent_path());
    AtomicFile file(path);
    file.write(bytes, count);
    file.commit();
  } catch (const std::runtime_error&) {
  }
}

constexpr std::chrono::milliseconds WAIT{10};  // between two looks at a lock that somebody else has

// Processes that start together build a table once: the others wait and map it. A lock that cannot be had is no
// failure, and one that is not waited for to the end neither.
class FolderLock {
 public:
  FolderLock(const std::filesystem::path& folder, const StopCheck& stop) {
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    file_ = ::open((folder / "strips.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    while (file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK && !(stop && stop()))
      std::this_thread::sleep_for(WAIT);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (file_ >= 0) close(file_);
  }

 private:
  int file_;
};

// In memory just as it would be in a file; `path` is where to keep a copy, if anywhere. Null if it was stopped.
std::shared_ptr<const StripTable> build_in_memory(int height, int width, const std::filesystem::path& path,
                                                  const StopCheck& stop) {
  // Room for 32-bit numbers while it is built.
  const std::size_t most = HEADER_BYTES + 2 * number_bytes(height, width) + MAX_STRIP_ENTRIES * sizeof(StripPair);
  MappedMemory memory = MappedMemory::zeroed(most, MappedMemory::Pages::SMALL);
  char* const content = memory.as<char>(HEADER_BYTES);
  const std::vector<StripPair> built = build_strip_table(height, width, memory.as<std::uint32_t>(HEADER_BYTES), stop);
  if (built.empty()) return nullptr;
  const std::size_t bytes = number_bytes(height, width) + built.size() * sizeof(StripPair);
  std::copy(built.begin(), built.end(), memory.as<StripPair>(HEADER_BYTES + number_bytes(height, width)));
  memory.shrink(HEADER_BYTES + bytes);
  if (!path.empty()) {
    const FileHeader header = header_for(height, width, built.size(), checksum(content, bytes));
    std::memcpy(memory.as<char>(), &header, sizeof header);
    write_file(memory.as<char>(), HEADER_BYTES + bytes, path);
  }
  return std::make_shared<const StripTable>(std::move(memory), HEADER_BYTES, number_bytes(height, width));
}

}  // namespace

std::shared_ptr<const StripTable> StripTable::open(int height, int width, const std::filesystem::path& folder,
                                                   const StopCheck& stop) {
  const bool keep = !folder.empty() && strip_table_patterns(height, width) >= SMALLEST_FILE;
  if (!keep) return build_in_memory(height, width, {}, stop);
  const std::filesystem::path path = file_name(folder, height, width);
  if (auto table = map_file(height, width, path)) return table;
  const FolderLock lock(folder, stop);
  if (auto table = map_file(height, width, path)) return table;
  auto table = build_in_memory(height, width, path, stop);
  if (!table) return nullptr;
  // The pages of a file are shared with other processes, those of memory are not.
  if (auto mapped = map_file(height, width, path)) return mapped;
  return table;
}

// The widest table of each height serves all widths. They grow in turn, by size, until the memory is full.
StripPlan::StripPlan(int rows, int cols, std::size_t memory, int max_squares, int tallest) {
  std::vector<std::pair<int, int>> wanted;
  for (int height = 2; height <= tallest; ++height)
    for (int width = 1; width <= MAX_TABLE_WIDTH && height * width <= std::min(max_squares, MAX_TABLE_SQUARES); ++width)
      if ((height <= rows && width <= cols) || (height <= cols && width <= rows)) wanted.emplace_back(height, width);
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](auto a, auto b) { return a.first * a.second < b.first * b.second; });
  for (const auto& [height, width] : wanted) {
    int& before = widest[static_cast<std::size_t>(height)];
    const std::size_t narrower = before ? number_bytes(height, before) : 0;
    if (bytes - narrower + number_bytes(height, width) > memory) break;
    bytes += number_bytes(height, width) - narrower;
    before = width;
  }
}

std::shared_ptr<const StripTables> StripTables::load(const StripPlan& plan, const StopCheck& stop,
                                                     const std::filesystem::path& folder) {
  // Tables are immutable, so one copy serves every search of the process.
  static std::timed_mutex mutex;
  static std::map<std::pair<int, int>, std::shared_ptr<const StripTable>> opened;

  std::unique_lock lock(mutex, std::defer_lock);
  while (!lock.try_lock_for(WAIT))
    if (stop && stop()) return nullptr;
  auto tables = std::make_shared<StripTables>();
  tables->plan_ = plan;
  for (int height = 2; height <= TALLEST_STRIP; ++height) {
    const int width = tables->widest(height);
    if (!width) continue;
    auto& table = opened[{height, width}];
    if (!table) table = StripTable::open(height, width, folder, stop);
    if (!table) return nullptr;
    tables->view_[static_cast<std::size_t>(height)] = table->view();
    tables->kept_.push_back(table);
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
