// The index of a strategy: cuts that answer many moves, and payloads that are cut off or are no proofs.
#include "domineering/proof/proof_index.hpp"

#include <random>
#include <stdexcept>
#include <string>

#include "boards.hpp"
#include "check.hpp"

using namespace zermelo;
using proof::ProofIndex;

namespace {

// Whether it is well-formed as far as a reader looks.
bool is_read(const std::string& payload, const Board& board) {
  ProofIndex index(payload, board, 0, true);
  try {
    CHECK(index.build({}) == StopReason::FINISHED);
    CHECK(index.end_of({0, rows_of(board), true}) <= payload.size());
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}

}  // namespace

TEST(any_bytes_are_read_or_refused) {
  std::mt19937 random(5);
  int read = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const int rows = 1 + static_cast<int>(random() % 4), cols = 1 + static_cast<int>(random() % 4);
    const Board board = board_of(rows, cols, random(), static_cast<Topology>(random() % 4 ? 0 : random() % 4));
    std::string payload(random() % 24, '\0');
    for (char& byte : payload) byte = static_cast<char>(random() % (random() % 2 ? 256 : 16));
    ++(is_read(payload, board) ? read : refused);
  }
  CHECK(read > 1000);
  CHECK(refused > 1000);
}
