// Any bytes are loaded as results of a search, or refused with one sentence. Bytes that load may be wrong (the file
// around them has a checksum), so the answers are not tested.
#include <cstring>
#include <memory>
#include <stdexcept>

#include "../cpp/boards.hpp"
#include "domineering/search/component_search.hpp"
#include "driver.hpp"
#include "positional/search/solver.hpp"

using namespace zermelo;

namespace {

std::unique_ptr<ComponentSearch> component_search() {
  ComponentOptions options;
  options.memory = std::size_t{1} << 20;
  options.table_squares = 8;
  return std::make_unique<ComponentSearch>(4, 5, options);
}

std::unique_ptr<positional::Solver> solver() {
  return positional::Solver::make(positional::make_mnk(4, 3, 3), {}, 1 << 20);
}

std::string text_of(const SavedWords& words) { return {reinterpret_cast<const char*>(words.data()), 8 * words.size()}; }

const Board BOARD = board_of("4x5");
const Limits LIMITS{.nodes = 2000};

}  // namespace

std::vector<std::string> seeds() {
  const auto components = component_search();
  components->solve(BOARD, Player::V);
  const auto lines = solver();
  lines->solve({}, positional::Side::MAKER, LIMITS, nullptr);
  lines->solve_strong({}, positional::Side::MAKER, LIMITS);
  return {text_of(components->save(20)), text_of(lines->save(20))};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SavedWords words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, 8 * words.size());
  const auto loads = [&](auto& search) {
    try {
      search.load(words);
      return true;
    } catch (const std::invalid_argument&) {
      return false;
    }
  };
  if (const auto components = component_search(); loads(*components)) components->solve(BOARD, Player::V, LIMITS);
  if (const auto lines = solver(); loads(*lines)) {
    lines->solve({}, positional::Side::MAKER, LIMITS, nullptr);
    lines->solve_strong({}, positional::Side::MAKER, LIMITS);
  }
  return 0;
}
