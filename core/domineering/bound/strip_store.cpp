#include "domineering/bound/strip_store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace zermelo {

namespace {

// The first bytes of a table file. The numbers of all patterns follow at HEADER_BYTES, then the entries, all in the
// byte order of the machine, which the magic word tells apart.
struct FileHeader {
  std::uint64_t magic;
  std::uint32_t version, height, width, hot, warm, cool;
  std::uint64_t patterns, entries, checksum, exact;
};
constexpr std::uint64_t MAGIC = 0x5a45524d53545250;  // "ZERMSTRP"
constexpr std::uint32_t VERSION = 2;
constexpr std::size_t HEADER_BYTES = 4096;

// Below this number of patterns building is quicker than opening a file.
constexpr std::size_t SMALLEST_FILE = std::size_t{1} << 15;

FileHeader header_for(const StripShape& shape, std::size_t entries, std::uint64_t sum) {
  const auto height = static_cast<std::uint32_t>(shape.height), width = static_cast<std::uint32_t>(shape.width);
  const auto exact = static_cast<std::uint64_t>(shape.exact);
  return {MAGIC, VERSION, height, width, HOT, WARM, COOL, shape.patterns(), entries, sum, exact};
}

// "2x12" has all subsets, "2x13-16" the widths from 13 to 16.
std::filesystem::path file_name(const std::filesystem::path& folder, const StripShape& shape) {
  const std::string width = std::to_string(shape.width);
  return folder /
         ("strips-" + std::to_string(shape.height) + "x" +
          (shape.exact ? std::to_string(shape.exact + 1) + "-" + width : width) + ".zst" + std::to_string(VERSION));
}

// Entries lie at a multiple of their size.
std::size_t entries_at(const StripShape& shape) {
  return HEADER_BYTES + (shape.bytes() + sizeof(StripPair) - 1) / sizeof(StripPair) * sizeof(StripPair);
}

std::shared_ptr<const StripTable> map_file(const StripShape& shape, const std::filesystem::path& path,
                                           const StripTable* narrow) {
  MappedMemory memory = MappedMemory::of_file(path, true);
  const std::size_t least = entries_at(shape);
  if (memory.size() <= least || memory.size() > least + MAX_STRIP_ENTRIES * sizeof(StripPair)) return nullptr;
  const std::size_t count = (memory.size() - least) / sizeof(StripPair);
  const FileHeader expected =
      header_for(shape, count, checksum(memory.as<const char>(HEADER_BYTES), memory.size() - HEADER_BYTES));
  if (std::memcmp(memory.as<char>(), &expected, sizeof expected) != 0) return nullptr;
  if (narrow) {
    const auto first = narrow->entries();
    if (count < first.size() || std::memcmp(memory.as<char>(least), first.data(), first.size_bytes()) != 0)
      return nullptr;
  }
  return std::make_shared<const StripTable>(std::move(memory), HEADER_BYTES, least, count);
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

constexpr std::chrono::milliseconds WAIT{10};  // between two tries to take a lock

// Processes that start together build a table once: the others wait and map it. If there can be no
// lock, or the wait is stopped, this process builds the table too.
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
std::shared_ptr<const StripTable> build_in_memory(const StripShape& shape, const std::filesystem::path& path,
                                                  const StopCheck& stop, const StripTable* narrow) {
  // Room for 32-bit numbers while it is built.
  const std::size_t least = entries_at(shape);
  const std::size_t most = least + shape.bytes() + MAX_STRIP_ENTRIES * sizeof(StripPair);
  MappedMemory memory = MappedMemory::zeroed(most, MappedMemory::Pages::SMALL);
  char* const content = memory.as<char>(HEADER_BYTES);
  auto* const numbers = memory.as<std::uint32_t>(HEADER_BYTES);
  const std::vector<StripPair> built = narrow ? build_wide_table(shape.height, shape.exact, shape.width,
                                                                 narrow->numbers(), narrow->entries(), numbers, stop)
                                              : build_strip_table(shape.height, shape.width, numbers, stop);
  if (built.empty()) return nullptr;
  const std::size_t bytes = least - HEADER_BYTES + built.size() * sizeof(StripPair);
  std::fill(memory.as<char>(HEADER_BYTES + shape.bytes()), memory.as<char>(least), '\0');
  std::copy(built.begin(), built.end(), memory.as<StripPair>(least));
  memory.shrink(HEADER_BYTES + bytes);
  if (!path.empty()) {
    const FileHeader header = header_for(shape, built.size(), checksum(content, bytes));
    std::memcpy(memory.as<char>(), &header, sizeof header);
    write_file(memory.as<char>(), HEADER_BYTES + bytes, path);
  }
  return std::make_shared<const StripTable>(std::move(memory), HEADER_BYTES, least, built.size());
}

}  // namespace

std::shared_ptr<const StripTable> StripTable::open(const StripShape& shape, const std::filesystem::path& folder,
                                                   const StopCheck& stop, const StripTable* narrow) {
  const bool keep = !folder.empty() && shape.patterns() >= SMALLEST_FILE;
  if (!keep) return build_in_memory(shape, {}, stop, narrow);
  const std::filesystem::path path = file_name(folder, shape);
  if (auto table = map_file(shape, path, narrow)) return table;
  const FolderLock lock(folder, stop);
  if (auto table = map_file(shape, path, narrow)) return table;
  auto table = build_in_memory(shape, path, stop, narrow);
  if (!table) return nullptr;
  // The pages of a file are shared with other processes, those of memory are not.
  if (auto mapped = map_file(shape, path, narrow)) return mapped;
  return table;
}

// The widest table of each height serves all widths. They grow in turn, by size, until the memory is full.
StripPlan::StripPlan(int rows, int cols, std::size_t memory, int max_squares, int tallest, std::size_t max_wide) {
  const auto fits = [&](int height, int width) {
    return (height <= rows && width <= cols) || (height <= cols && width <= rows);
  };
  const auto grow = [&](std::vector<StripShape> wanted, auto& width_of) {
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const auto& a, const auto& b) { return a.patterns() < b.patterns(); });
    for (const StripShape& shape : wanted) {
      int& before = width_of[shape.height];
      const std::size_t narrower =
          before > shape.exact ? StripShape{shape.height, before, shape.exact}.bytes() : std::size_t{0};
      if (bytes - narrower + shape.bytes() > memory) break;
      bytes += shape.bytes() - narrower;
      before = shape.width;
    }
  };
  const int squares = std::min(max_squares, MAX_TABLE_SQUARES);
  std::vector<StripShape> wanted;
  for (int height = 2; height <= tallest; ++height)
    for (int width = 1; width <= MAX_TABLE_WIDTH && height * width <= squares; ++width)
      if (fits(height, width)) wanted.push_back({height, width});
  grow(wanted, exact);
  widest = exact;
  wanted.clear();
  for (int height = 2; height <= std::min(tallest, MAX_STRIP_HEIGHT); ++height) {
    const int from = exact[height];
    if (!from || from != squares / height) continue;  // the board, or the memory, ends before
    for (int width = from + 1; width <= MAX_TABLE_WIDTH && height * width <= MAX_WIDE_SQUARES && fits(height, width);
         ++width)
      if (wide_patterns(height, width) <= max_wide) wanted.push_back({height, width, from});
  }
  grow(wanted, widest);
}

std::shared_ptr<const StripTables> StripTables::load(const StripPlan& plan, const StopCheck& stop,
                                                     const std::filesystem::path& folder) {
  // Tables are immutable, so one copy serves every search of the process.
  static std::timed_mutex mutex;
  static std::map<StripShape, std::shared_ptr<const StripTable>> cache;

  std::unique_lock lock(mutex, std::defer_lock);
  while (!lock.try_lock_for(WAIT))
    if (stop && stop()) return nullptr;
  auto tables = std::make_shared<StripTables>();
  const auto open = [&](const StripShape& shape, const StripTable* narrow) -> const StripTable* {
    auto& table = cache[shape];
    if (!table) table = StripTable::open(shape, folder, stop, narrow);
    if (table) tables->owned_.push_back(table);
    return table.get();
  };
  for (int height = 2; height <= TALLEST_STRIP; ++height) {
    const int exact = plan.exact[height], widest = plan.widest[height];
    if (!exact) continue;
    StripLookup& lookup = tables->lookup_[height];
    const StripTable* const narrow = open({height, exact}, nullptr);
    if (!narrow) return nullptr;
    lookup = {narrow->numbers(), narrow->entries().data(), height, exact, widest, {}};
    if (widest == exact) continue;
    const StripTable* const wide = open({height, widest, exact}, narrow);
    if (!wide) return nullptr;
    lookup.entry = wide->entries().data();
    for (int width = exact + 1; width <= widest; ++width)
      lookup.wide[width] = wide->numbers() + wide_offset(height, exact, width);
  }
  return tables;
}

}  // namespace zermelo
