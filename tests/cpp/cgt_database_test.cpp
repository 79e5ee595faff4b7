// The database of components: every entry against a fresh computation, every kind of damage refused.
#include "check.hpp"
#include "domineering/values/database_builder.hpp"
#include "domineering/values/values.hpp"
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

// Free polyominoes with n cells (OEIS A000105), n = 2, 3, ...
constexpr std::size_t POLYOMINOES[] = {1, 2, 5, 12, 35, 108, 369, 1285, 4655};

}  // namespace

TEST(database_holds_every_polyomino_with_its_value) {
  const Folder folder;
  const int squares = QUICK ? 7 : 9;
  const BuildReport report = build_database(folder.file(), squares, Limits{}, nullptr);
  std::size_t expected = 0;
  for (int n = 2; n <= squares; ++n) expected += POLYOMINOES[n - 2];
  CHECK(report.shapes == expected && report.squares == squares && report.resumed_from == 0);

  const auto database = ComponentDatabase::open(folder.file());
  Arena arena;
  DomineeringValues values(arena);
  ImportedGames imported(arena, database);
  std::size_t seen = 0;
  for (int frame = 0; frame < 3; ++frame)
    for (std::uint64_t cells : database->keys(frame)) {
      for (bool negated : {false, true}) {
        const GameId id = values.value(Shape{cells, STRIDES[frame], false});
        CHECK(imported.value({cells, STRIDES[frame], negated}) == (negated ? arena.negative(id) : id));
      }
      ++seen;
    }
  CHECK(seen == expected);
  CHECK(!imported.value({0xffff, 8, false}));
}

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

TEST(bad_requests_are_refused) {
  const Folder folder;
  const auto build = [](const std::filesystem::path& path, int squares) {
    build_database(path, squares, Limits{}, nullptr);
  };
  for (int squares : {-1, 0, 1, MAX_DATABASE_SQUARES + 1})
    CHECK(throws<std::invalid_argument>([&] { build(folder.file(), squares); }));
  CHECK(throws<DatabaseError>([&] { build(folder.path / "no" / "such" / "folder" / "x", 3); }));
}
