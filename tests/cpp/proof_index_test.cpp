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

TEST(answered_moves_are_nodes_without_a_place) {
  // 3x4, one strip: of the moves 0 to 8 those with an even number are answered, the others have leaves.
  const Board board = Board::empty(3, 4);
  std::string payload = {17, 0, 0b01010101, 0b00000001};
  const std::size_t head = payload.size();
  for (int leaf = 0; leaf < 4; ++leaf) payload += std::string{0, 0};
  ProofIndex index(payload, board, 0, true);
  CHECK(index.build({}) == StopReason::FINISHED);
  CHECK(index.nodes() == 1 + 9);
  CHECK(index.end_of({0, rows_of(board), true}) == payload.size());
  CHECK(index.end_of({head, {0b1001, 0b1111, 0b1111}, false}) == head + 2);
  for (std::size_t size = 0; size < payload.size(); ++size) CHECK(!is_read(payload.substr(0, size), board));
  CHECK(!is_read(payload, Board::empty(3, 4, Topology::HCYLINDER)));
  CHECK(throws<std::invalid_argument>([&] { ProofIndex(payload, Board::empty(33, 2), 0, true); }));
}

TEST(a_remembered_position_behind_answered_moves_is_found) {
  // Three rows of two squares and two columns of two, all apart. The first row is answered by the cut. After the second
  // Vertical plays the upper column, and the rest is remembered; after the third the lower, and the rest is the same.
  const Lines rows{0b010011, 0b010000, 0b000011, 0b010000, 0b010011};
  const std::string payload = {17, 0, 0b001, /**/ 8 + 0, 25, 0, 0b11, /**/ 8 + 1, 2};
  ProofIndex index(payload, with_rows(Board::empty(5, 6), rows), 0, true);
  CHECK(index.build({}) == StopReason::FINISHED);
  CHECK(index.nodes() == 2 + 4 + 2);
  const auto meant = index.referred({8, {0b010011, 0b010000, 0b000011}, true});
  CHECK(meant.has_value());
  CHECK(meant && meant->at == 4 && meant->loser_to_move);
  CHECK(meant && meant->rows == Lines({0b000011, 0, 0, 0b010000, 0b010011}));
}

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
