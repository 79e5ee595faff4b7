// The transposition table: exact answers, the replacement schemes' choices, and readers beside writers.
#include "domineering/obsequi/table.hpp"

#include <thread>

#include "check.hpp"

using namespace zermelo;

namespace {

// An asymmetric position whose four images are told apart by their two highest bits.
template <class W>
std::array<W, IMAGES> images(std::uint64_t n) {
  std::array<W, IMAGES> result{};
  for (int i = 0; i < IMAGES; ++i) result[i] = W(n) | W(static_cast<std::uint64_t>(i)) << 61;
  return result;
}

template <class W>
void check_finds_what_was_stored(Replacement scheme) {
  Table<W> table(1 << 20, scheme, false);
  for (std::uint64_t n = 0; n < 50; ++n) table.store(table.key(images<W>(n), Player::V), Player::V, n % 2, n + 1, 3);
  int found = 0;
  for (std::uint64_t n = 0; n < 100; ++n) {
    auto turned = images<W>(n);
    std::swap(turned[0], turned[3]);
    std::swap(turned[1], turned[2]);
    const auto known = table.find(table.key(turned, Player::V), Player::V);
    if (known) CHECK(n < 50 && *known == (n % 2 != 0));
    found += known.has_value();
    CHECK(!table.find(table.key(turned, Player::H), Player::H));
  }
  CHECK(found >= 48);  // two of 50 may meet in one slot of so large a table
}

constexpr Replacement SCHEMES[] = {Replacement::NEW,       Replacement::DEEP,    Replacement::BIG,
                                   Replacement::TWO_DEEP,  Replacement::TWO_BIG, Replacement::FIND_FIRST,
                                   Replacement::FIND_WORST};

}  // namespace

TEST(table_finds_mirror_images_of_what_was_stored) {
  for (const Replacement scheme : SCHEMES) {
    check_finds_what_was_stored<Word64>(scheme);
    check_finds_what_was_stored<Word128>(scheme);
    check_finds_what_was_stored<Word256>(scheme);
  }
}

TEST(table_keeps_what_the_scheme_prefers) {
  // Sixteen slots and many positions: count which of them survive.
  const auto survivors = [](Replacement scheme, bool rising) {
    Table<Word64> table(0, scheme, false);
    const std::uint64_t count = 400;
    for (std::uint64_t n = 0; n < count; ++n) {
      const std::uint64_t size = rising ? n + 1 : count - n;
      table.store(table.key(images<Word64>(n), Player::H), Player::H, true, size, static_cast<int>(size / 2));
    }
    std::array<int, 2> kept{};  // of the first and of the last hundred stored
    for (std::uint64_t n = 0; n < 100; ++n) {
      kept[0] += table.find(table.key(images<Word64>(n), Player::H), Player::H).has_value();
      kept[1] += table.find(table.key(images<Word64>(count - 1 - n), Player::H), Player::H).has_value();
    }
    return kept;
  };
  CHECK(survivors(Replacement::NEW, false)[0] == 0 && survivors(Replacement::NEW, false)[1] > 10);
  for (const Replacement scheme :
       {Replacement::BIG, Replacement::DEEP, Replacement::FIND_FIRST, Replacement::FIND_WORST}) {
    CHECK(survivors(scheme, false)[0] > 10 && survivors(scheme, false)[1] == 0);
    CHECK(survivors(scheme, true)[0] == 0 && survivors(scheme, true)[1] > 10);
  }
  for (const Replacement scheme : {Replacement::TWO_BIG, Replacement::TWO_DEEP}) {
    const auto kept = survivors(scheme, false);  // one slot for the large, one for the new
    CHECK(kept[0] > 5 && kept[1] > 5);
  }
}

// Two writers and two readers fight over sixteen entries of 256-bit keys whose four words must belong together: the
// verdict stored is a function of the key, so a torn entry would show as a wrong verdict or an impossible key.
TEST(table_shared_by_threads_is_never_torn) {
  Table<Word256> table(0, Replacement::NEW, true);
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> found{0}, wrong{0};
  const auto position = [](std::uint64_t n) {
    Word256 key;
    for (std::size_t i = 0; i < 4; ++i) key.word[i] = n * (0x9e3779b97f4a7c15ULL + 2 * i);
    return std::array<Word256, IMAGES>{key, key, key, key};
  };
  const auto write = [&](std::uint64_t seed) {
    for (std::uint64_t n = seed; !stop; n = (n * 5 + 1) % 64)
      table.store(table.key(position(n), Player::V), Player::V, n % 2, 1, 1);
  };
  const auto read = [&] {
    for (std::uint64_t n = 0, rounds = 0; rounds < 400000; n = (n * 5 + 1) % 64, ++rounds) {
      const auto known = table.find(table.key(position(n), Player::V), Player::V);
      found += known.has_value();
      wrong += known && *known != (n % 2 != 0);
    }
  };
  {
    std::jthread first_writer(write, 1), second_writer(write, 2);
    {
      std::jthread first_reader(read), second_reader(read);
    }
    stop = true;
  }
  CHECK(found > 0);
  CHECK(wrong == 0);
}
