// Runs a fuzz target without a fuzzing engine: seeds, then seeded random mutations of them, a fixed number of times.
//
// A target defines LLVMFuzzerTestOneInput and seeds(). Built with clang's -fsanitize=fuzzer (ZERMELO_FUZZER=ON) the
// engine drives it, guided by coverage; built with any other compiler this main does, so that every CI run mutates.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
std::vector<std::string> seeds();

#ifndef ZERMELO_FUZZER
#include <cstdio>

#include "../cpp/mutants.hpp"

int main() {
  const char* wanted = std::getenv("ZERMELO_FUZZ_RUNS");
  const long runs = wanted ? std::atol(wanted) : 20000;
  const std::vector<std::string> corpus = seeds();
  std::mt19937_64 random(1);
  const auto feed = [](const std::string& text) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  };
  for (const std::string& seed : corpus) feed(seed);
  const auto one = [&]() -> const std::string& { return corpus[random() % corpus.size()]; };
  for (long i = 0; i < runs; ++i) feed(mutant_of(one(), one(), random));
  std::printf("%ld inputs, no fault\n", runs + static_cast<long>(corpus.size()));
}
#endif
