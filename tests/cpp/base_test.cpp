// The base of every search: limits, threads, bytes, files.
#include <stdexcept>
#include <string>

#include "base/bytes.hpp"
#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/threads.hpp"
#include "check.hpp"
#include "domineering/board/board.hpp"
#include "folder.hpp"

using namespace zermelo;
namespace fs = std::filesystem;

namespace {

auto files_in(const TemporaryFolder& folder) {
  return std::distance(fs::directory_iterator(folder.path), fs::directory_iterator());
}

}  // namespace

TEST(numbers_are_read_as_they_were_written) {
  std::string bytes;
  const std::uint64_t values[] = {0, 1, 127, 128, 16383, 16384, (std::uint64_t{1} << 63) - 1};
  for (const std::uint64_t value : values) put_varint(bytes, value);
  std::size_t at = 0;
  for (const std::uint64_t value : values) CHECK(take_varint(bytes, at) == value);
  CHECK(at == bytes.size());
  CHECK(throws<std::invalid_argument>([&] { take_varint(bytes, at); }));
  at = 0;
  CHECK(throws<std::invalid_argument>([&] { take_varint(std::string(10, '\xff'), at); }));
  bytes.clear();
  put_bits(bytes, 11, [](int i) { return i % 3 == 0; });
  CHECK(bytes == "\x49\x02");
}

TEST(atomic_files_appear_whole_or_not_at_all) {
  const TemporaryFolder folder;
  const fs::path path = folder.path / "table";
  {
    AtomicFile file(path);
    file.write("half", 4);
  }
  CHECK(files_in(folder) == 0);
  std::ofstream(path) << "old";
  {
    AtomicFile first(path), second(path);
    first.write("first", 5);
    second.write("second", 6);
    CHECK(content(path) == "old");
    first.commit();
    CHECK(content(path) == "first");
    second.commit();
  }
  CHECK(content(path) == "second");
  CHECK(files_in(folder) == 1);
  CHECK(throws<std::runtime_error>([&] { AtomicFile(folder.path / "no" / "such"); }));
  CHECK(throws<std::invalid_argument>([&] { AtomicFile("/dev/null").commit(); }));  // a device stays one
  CHECK(fs::is_character_file("/dev/null"));
  {
    const File unnamed = create_unnamed_file(path);
    CHECK(std::fputs("unseen", unnamed.get()) >= 0);
    CHECK(files_in(folder) == 1);
  }
  CHECK(content(path) == "second");
}

TEST(a_watch_keeps_the_first_reason) {
  std::atomic<bool> cancel{false};
  Watch watch({.nodes = 10, .cancel = &cancel});
  CHECK(!watch.look());
  watch.add(9);
  CHECK(!watch.look());
  CHECK(watch.tick());
  cancel = true;
  CHECK(watch.look());
  CHECK(watch.reason() == StopReason::NODES);
  Watch finished;
  finished.stop();
  CHECK(finished.stopped() && finished.reason() == StopReason::FINISHED);
  CHECK(Watch({.seconds = -1}).look());
}

TEST(the_first_exception_of_a_thread_is_thrown_again) {
  std::atomic<bool> stop{false};
  std::atomic<int> ended{0};
  const auto work = [&](int number) {
    if (number == 1) throw std::length_error("this one");
    while (!stop) std::this_thread::yield();
    ++ended;
  };
  CHECK(throws<std::length_error>([&] { run_threads(3, work, [&] { stop = true; }); }));
  CHECK(ended == 2);
}

TEST(images_of_a_board_have_one_least_image) {
  Board board = Board::empty(4, 5, Topology::TORUS);
  for (const int square : {0, 1, 7, 13}) board.free.reset(square);
  Board turned = mirrored(board, 3);
  Board moved = turned;
  moved.free = {};
  for_each(turned.free, [&](int square) { moved.free.set((square / 5 + 2) % 4 * 5 + (square % 5 + 3) % 5); });
  CHECK(least_image(board) == least_image(moved));
  turned.topology = board.topology = Topology::HCYLINDER;
  CHECK(least_image(board) == least_image(turned));
  board.free.reset(19);
  CHECK(least_image(board) != least_image(turned));
}
