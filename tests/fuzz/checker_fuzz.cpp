// Laws of the fast checker: any bytes give a verdict, in bounded time and memory, and what is verified is true.
#include "../cpp/tiny_prover.hpp"
#include "driver.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const zcheck::Report report = tiny::check(data, size, 0.5, 32);
  if (report.verdict == zcheck::VERIFIED) {
    const tiny::Bytes file(reinterpret_cast<const char*>(data), size);
    if (!tiny::claim_is_true(file).value_or(true)) std::abort();
  }
  return 0;
}

std::vector<std::string> seeds() {
  tiny::Random random(5);
  std::vector<std::string> result;
  for (int i = 0; i < 40; ++i) result.push_back(tiny::random_certificate(random));
  // Leaves of both players, and nodes with up to three cuts.
  for (int i = 0; i < 16; ++i) {
    const tiny::Board board{4, 4, 0, (random() | random() | random()) & 0xffff};
    result.push_back(tiny::container(tiny::domineering_proof(board, i % 2, random)));
  }
  // 2x2, V starts and wins, as one zlib stream.
  result.push_back(std::string("ZCERT\x01\x01\0x\xda", 10) +
                   std::string("\x63\x64\x60\x62\xe2\x67\x60\xe0\x60\x00\x00\x00\x87\x00\x1d", 15));
  // Cram: 2x2, A starts and B wins; 1x4, A starts and wins.
  result.push_back(std::string("ZCERT\x01\0\0\x05\x02\x02\x0f\0\x01\0\x08\x01\x08\x02\x08\x02\x08\x02", 23));
  result.push_back(std::string("ZCERT\x01\0\0\x05\x01\x04\x0f\0\0\x09\0", 16));
  // 2,2,2 by the real rules: X wins.
  result.push_back(std::string("ZCERT\x01\0\0\x06\x02\x02\x02\0\0\0\0\0", 17));
  return result;
}
