// Runs a fuzz target without a fuzzing engine: seeds, then seeded random mutations of them, a fixed number of times.
//
// A target defines LLVMFuzzerTestOneInput and seeds(). Built with clang's -fsanitize=fuzzer (ZERMELO_FUZZER=ON) the
// engine drives it, guided by coverage; built with any other compiler this main does, so that every CI run mutates.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
std::vector<std::string> seeds();

#ifndef ZERMELO_FUZZER
#include <cstdio>

inline std::string mutated(const std::vector<std::string>& corpus, std::mt19937_64& random) {
  std::string text = corpus[random() % corpus.size()];
  for (int edits = 1 + static_cast<int>(random() % 6); edits > 0; --edits) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    switch (random() % 6) {
      case 0:
        text.insert(at, 1, static_cast<char>(random()));
        break;
      case 1:
        if (!text.empty()) text.erase(at, 1 + random() % 4);
        break;
      case 2:
        if (!text.empty()) text[at] = static_cast<char>(random());
        break;
      case 3:
        if (!text.empty()) text[at] = text[random() % text.size()];
        break;
      case 4:
        text.insert(at, text.substr(random() % (text.size() + 1), random() % 8));
        break;
      default: {
        const std::string& donor = corpus[random() % corpus.size()];
        text.insert(at, donor.substr(random() % (donor.size() + 1), random() % 12));
      }
    }
  }
  return text;
}

int main() {
  const char* wanted = std::getenv("ZERMELO_FUZZ_RUNS");
  const long runs = wanted ? std::atol(wanted) : 20000;
  const std::vector<std::string> corpus = seeds();
  std::mt19937_64 random(1);
  const auto feed = [](const std::string& text) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  };
  for (const std::string& seed : corpus) feed(seed);
  for (long i = 0; i < runs; ++i) feed(mutated(corpus, random));
  std::printf("%ld inputs, no fault\n", runs + static_cast<long>(corpus.size()));
}
#endif
