// Laws of the fast checker: any bytes give a verdict, in bounded time and memory, the same with any number of threads.
// tests/python/proof/test_mutants.py tests that verified claims are true.
#include <filesystem>

#include "../../checker/check.hpp"
#include "../cpp/folder.hpp"
#include "driver.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto check = [&](const zcheck::Crew& crew) {
    zcheck::Source source(data, size);
    return zcheck::check(source, 0.5, 32, crew).verdict;
  };
  const zcheck::Verdict alone = check({});
  if (size % 16) return 0;  // starting threads takes ten times as long as checking a small input
  const zcheck::Verdict together = check({2, 1});
  if (alone != together && alone != zcheck::UNFINISHED && together != zcheck::UNFINISHED) std::abort();
  return 0;
}

std::vector<std::string> seeds() {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(ZERMELO_SAMPLES))
    if (entry.file_size() < 1000) result.push_back(content(entry.path()));
  // 2x2, V starts and wins, as one zlib stream.
  result.push_back(std::string("ZCERT\x01\x01\0x\xda", 10) +
                   std::string("\x63\x64\x60\x62\xe2\x67\x60\xe0\x60\x00\x00\x00\x87\x00\x1d", 15));
  return result;
}
