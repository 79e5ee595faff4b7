#include "tiny_prover.hpp"

zcheck::Report tiny::check(const std::uint8_t* data, std::size_t size, double seconds, double mebibytes,
                           const zcheck::Crew& crew) {
  zcheck::Source source(data, size);
  return zcheck::check(source, seconds, mebibytes, crew);
}
