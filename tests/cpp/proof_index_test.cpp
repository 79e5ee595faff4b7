// The index of a strategy: cuts that answer many moves, and payloads that are cut off or are no proofs.
#include "domineering/proof/proof_index.hpp"

#include <random>
#include <stdexcept>
#include <string>

#include "check.hpp"

using namespace zermelo;
using proof::ProofIndex;
using proof::StrategyBoard;

namespace {

// Whether it is well-formed as far as a reader looks.
bool is_read(const std::string& payload, const StrategyBoard& board, const Lines& rows) {
  const ProofIndex::Place root{0, rows, true};
  ProofIndex index(payload, board, root);
  try {
    CHECK(index.build({}) == StopReason::FINISHED);
    CHECK(index.end_of(root) <= payload.size());
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}

}  // namespace

TEST(answered_moves_are_nodes_without_a_place) {
  // 3x4, one heat, no cut: of the moves 0 to 8 those with an even number are answered, the others have leaves.
  const StrategyBoard board{3, 4, false, false};
  const Lines rows{0b1111, 0b1111, 0b1111};
  std::string payload = {9, 64, 0, 0b01010101, 0b00000001};
  const std::size_t head = payload.size();
  for (int leaf = 0; leaf < 4; ++leaf) payload += std::string{3, 0};
  ProofIndex index(payload, board, {0, rows, true});
  CHECK(index.build({}) == StopReason::FINISHED);
  CHECK(index.nodes() == 1 + 9);
  CHECK(index.end_of({0, rows, true}) == payload.size());
  CHECK(index.end_of({head, {0b1001, 0b1111, 0b1111}, false}) == head + 2);
  for (std::size_t size = 0; size < payload.size(); ++size) CHECK(!is_read(payload.substr(0, size), board, rows));
  CHECK(!is_read(payload, {3, 4, true, false}, rows));
}

TEST(a_remembered_position_behind_answered_moves_is_found) {
  // Three rows of two squares and two columns of two, all apart. The first row is answered by the cut. After the second
  // Vertical plays the upper column, and the rest is remembered; after the third the lower, and the rest is the same.
  const StrategyBoard board{5, 6, false, false};
  const Lines rows{0b010011, 0b010000, 0b000011, 0b010000, 0b010011};
  const std::string payload = {8, 0, 0, 0b001, /**/ 8 + 0, 12, 0, 0b11, /**/ 8 + 1, 2};
  ProofIndex index(payload, board, {0, rows, true});
  CHECK(index.build({}) == StopReason::FINISHED);
  CHECK(index.nodes() == 2 + 4 + 2);
  const auto meant = index.referred({9, {0b010011, 0b010000, 0b000011}, true});
  CHECK(meant.has_value());
  CHECK(meant && meant->at == 5 && meant->loser_to_move);
  CHECK(meant && meant->rows == Lines({0b000011, 0, 0, 0b010000, 0b010011}));
}

TEST(any_bytes_are_read_or_refused) {
  std::mt19937 random(5);
  int read = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const StrategyBoard board{1 + static_cast<int>(random() % 4), 1 + static_cast<int>(random() % 4), random() % 8 == 0,
                              random() % 8 == 0};
    Lines rows{};
    for (int row = 0; row < board.rows; ++row) rows[row] = static_cast<std::uint16_t>(random() % (1u << board.cols));
    std::string payload(random() % 24, '\0');
    for (char& byte : payload) byte = static_cast<char>(random() % (random() % 2 ? 256 : 16));
    ++(is_read(payload, board, rows) ? read : refused);
  }
  CHECK(read > 1000);
  CHECK(refused > 1000);
}
