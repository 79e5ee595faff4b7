// Bytes with a few random changes: some by chance, some as a certificate's reader would trip over them.
#pragma once

#include <algorithm>
#include <random>
#include <string>

inline std::string mutant_of(const std::string& file, const std::string& donor, std::mt19937_64& random) {
  std::string out = file;
  for (int edits = 1 + static_cast<int>(random() % 3); edits; --edits) {
    if (out.empty()) return donor;
    const std::size_t size = out.size(), at = random() % size, other = random() % size;
    const std::size_t claim = std::min(size - 1, 8 + random() % 12);
    switch (random() % 16) {
      case 0:  // any value
        out[at] = static_cast<char>(random());
        break;
      case 1:
      case 2:  // a neighbour: the next move, tag, cut or reference
        out[at] = static_cast<char>(out[at] + (random() % 2 ? 1 : -1));
        break;
      case 3:
      case 4:  // a likely tag or move
        out[at] = static_cast<char>(random() % 32);
        break;
      case 5:
      case 6:
        std::swap(out[at], out[other]);
        break;
      case 7:  // a record or two dropped
        out.erase(at, 1 + random() % 16);
        break;
      case 8:  // a record repeated
        out.insert(at, out.substr(other, random() % 16));
        break;
      case 9:
        out.insert(at, 1, static_cast<char>(random() % 16));
        break;
      case 10:
        out.resize(at);
        break;
      case 11:  // a giant number
        out.insert(at, std::string(1 + random() % 10, '\xff'));
        break;
      case 12:  // another proof's tail
        out = out.substr(0, at) + donor.substr(std::min(at, donor.size()));
        break;
      case 13:
      case 14:  // the claim: board, marks, starter, winner
        out[claim] ^= static_cast<char>(1 << random() % 5);
        break;
      default:
        out[at] ^= static_cast<char>(1 << random() % 8);
    }
  }
  return out;
}
