// What host and device code share needs of the compiler. Every function marked ZERMELO_BOTH also runs on the processor,
// where the tests are.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define ZERMELO_BOTH __host__ __device__ __forceinline__
// Large functions with several callers are one piece of code each: the device reads instructions through small caches,
// and their loops stay loops.
#define ZERMELO_BOTH_ONCE __host__ __device__ __noinline__
#define ZERMELO_ROLLED _Pragma("unroll 1")
#else
#define ZERMELO_BOTH inline
#define ZERMELO_BOTH_ONCE inline
#define ZERMELO_ROLLED
#endif

namespace zermelo::gpu {

ZERMELO_BOTH int ones(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}
// bits != 0
ZERMELO_BOTH int lowest(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}
// The lowest `width` bits turned around.
ZERMELO_BOTH std::uint32_t turned(std::uint32_t bits, int width) {
#if defined(__CUDA_ARCH__)
  return __brev(bits) >> (32 - width);
#else
  bits = (bits >> 1 & 0x5555u) | (bits & 0x5555u) << 1;
  bits = (bits >> 2 & 0x3333u) | (bits & 0x3333u) << 2;
  bits = (bits >> 4 & 0x0f0fu) | (bits & 0x0f0fu) << 4;
  bits = (bits >> 8 & 0x00ffu) | (bits & 0x00ffu) << 8;
  return bits >> (16 - width);
#endif
}

// Dominoes that fit into a line: length / 2 over the runs of ones. Runs that start at an even bit are told from the
// others by adding their first bit, whose carry runs through them.
ZERMELO_BOTH int dominoes_in(std::uint32_t line) {
  const std::uint32_t starts = line & ~(line << 1) & 0x55555555u;
  const std::uint32_t even = line & ~(line + starts), odd = line ^ even;
  return ones(even & even >> 1 & 0x55555555u) + ones(odd & odd >> 1 & 0xaaaaaaaau);
}

}  // namespace zermelo::gpu
