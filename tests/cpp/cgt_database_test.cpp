// The database of components: builds that go on, every kind of damage refused.
#include "check.hpp"
#include "domineering/values/database.hpp"
#include "domineering/values/database_builder.hpp"
#include "folder.hpp"

using namespace zermelo;
using namespace zermelo::cgt;

namespace {

struct Folder : TemporaryFolder {
  std::filesystem::path file() const { return path / "components.zdb"; }
};

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

bool refused(const std::filesystem::path& path) {
  return throws<DatabaseError>([&] { ComponentDatabase::open(path); });
}

}  // namespace

TEST(build_resumes_and_leaves_larger_files_alone) {
  const Folder folder;
  build_database(folder.file(), 5, Limits{}, nullptr);
  int lowest = 99;
  const auto note = [&](const BuildProgress& progress) { lowest = std::min(lowest, progress.squares); };
  const BuildReport longer = build_database(folder.file(), 7, Limits{}, note);
  CHECK(longer.resumed_from == 5 && longer.squares == 7 && lowest == 6);
  CHECK(build_database(folder.file(), 4, Limits{}, nullptr).squares == 7);
  std::filesystem::remove(folder.file());
  const BuildReport fresh = build_database(folder.file(), 7, Limits{}, nullptr);
  CHECK(fresh.shapes == longer.shapes && fresh.games == longer.games && fresh.bytes == longer.bytes);
}

TEST(interrupted_build_keeps_what_was_finished) {
  const Folder folder;
  struct Stop {};
  const auto stop = [](const BuildProgress& progress) {
    if (progress.squares == 7) throw Stop{};
  };
  CHECK(throws<Stop>([&] { build_database(folder.file(), 9, Limits{}, stop); }));
  CHECK(ComponentDatabase::open(folder.file())->max_squares() == 6);
  CHECK(build_database(folder.file(), 8, Limits{}, nullptr).resumed_from == 6);
}

TEST(every_damage_is_refused_and_repaired_by_a_build) {
  const Folder folder;
  build_database(folder.file(), 6, Limits{}, nullptr);
  const std::string sound = content(folder.file());
  CHECK(!refused(folder.file()));
  for (std::size_t at = 0; at < sound.size(); at += at < 80 ? 1 : 7) {
    std::string broken = sound;
    broken[at] = static_cast<char>(broken[at] ^ (1 << (at % 8)));
    write(folder.file(), broken);
    CHECK(refused(folder.file()));
  }
  for (std::size_t length :
       {std::size_t{0}, std::size_t{10}, sizeof(DatabaseHeader), sound.size() - 1, sound.size() - 4}) {
    write(folder.file(), sound.substr(0, length));
    CHECK(refused(folder.file()));
  }
  write(folder.file(), sound + "x");
  CHECK(refused(folder.file()));
  write(folder.file(), "PK\x03\x04 something else entirely, but long enough to hold a header of the right size");
  CHECK(refused(folder.file()));
  CHECK(refused(folder.path));
  CHECK(refused(folder.path / "missing"));
  CHECK(build_database(folder.file(), 6, Limits{}, nullptr).resumed_from == 0);
  CHECK(content(folder.file()) == sound);
}
