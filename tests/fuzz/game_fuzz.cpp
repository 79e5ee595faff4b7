// Any text is a game that prints and parses back, one sentence of refusal, or a limit.
#include <cstdlib>
#include <memory>

#include "cgt/notation.hpp"
#include "driver.hpp"

using namespace zermelo;
using namespace zermelo::cgt;

std::vector<std::string> seeds() {
  return {"{2|0||-1/2|-2}",
          "+-1",
          "*2 + ^3 - v*",
          "tiny(2) - miny(+-{2|1})",
          "1/2 - 3.(1/4 + heat(*,3/4)) + overheat(7/8,1/2,1/2*)",
          "cool({4|0||-2},1)",
          "{0,*,{1|-1}|||3||2|1}",
          "+-(1,{2|0}) + v[3]* - ^<2>",
          "norton(1/2,^) + 2+Tiny(2)"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::unique_ptr<Arena> arena;
  static std::unique_ptr<Thermographs> thermographs;
  if (!arena || arena->bytes() > std::size_t{64} << 20) {
    thermographs.reset();
    arena = std::make_unique<Arena>();
    thermographs = std::make_unique<Thermographs>(*arena);
  }
  Limits limits;
  limits.seconds = 0.2;
  limits.bytes = std::size_t{128} << 20;
  arena->set_limits(limits);
  try {
    const std::string_view typed{reinterpret_cast<const char*>(data), size};
    const GameId game = parse_game(*arena, *thermographs, typed);
    const Form form = parse_form(*arena, *thermographs, typed);
    if (arena->make(form.left, form.right) != game) std::abort();
    const std::string text = game_text(*arena, game, 10000);
    if (parse_game(*arena, *thermographs, text) != game) std::abort();
  } catch (const std::invalid_argument&) {
  } catch (const LimitReached&) {
  }
  return 0;
}
