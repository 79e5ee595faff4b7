// The strong game: both players want k in a row (a hyperedge), the first to own one wins. The search answers
// "can the attacker win?" with yes or no, so a draw counts as a success of the defender.
//
// Depth-first proof-number search (Nagai 2002) with threats first:
//   the player to move completes a hyperedge if he can, else must stop one that the opponent threatens to complete;
//   the attacker has lost the question when he owns no hyperedge that the defender has not hit, and when the defender,
//   to reply, has a pairing strategy against all of them (then she need not even threaten).
// A long search also tries a second way: it calls the Maker-Breaker search for every position, since the attacker has
// also lost if the defender can stop him by blocking alone. Such a call costs as much as a thousand nodes. It decides
// large draws (4,8,4: 8,351,514 nodes without it, 3,559 with it), and does not help if the attacker wins (4,9,4). So
// the two ways take turns. Positions are looked up exactly, least over the board's symmetries.
#pragma once

#include <memory>

#include "positional/search/maker_breaker_search.hpp"

namespace zermelo::positional {

enum class StrongAnswer : std::uint8_t { UNKNOWN, YES, NO };

struct StrongResult {
  StrongAnswer answer = StrongAnswer::UNKNOWN;
  int move = -1;  // with which the player to move gets the answer he wants, -1 when he does not or none is known
  std::uint64_t nodes = 0;
};

// Keeps its table between calls; either player may be the attacker.
template <int W>
class StrongSearch {
 public:
  // `blocking` is the Maker-Breaker search for long searches; nullptr: none.
  static std::unique_ptr<StrongSearch> make(const Game<W>& game, std::uint64_t table_bytes,
                                            MakerBreakerSearch<W>* blocking = nullptr);
  virtual ~StrongSearch() = default;

  // Can the attacker, owning `attacker`, force a hyperedge against `defender`? Throws std::invalid_argument if the
  // marks do not fit turns.
  virtual StrongResult solve(const Vertices<W>& attacker, const Vertices<W>& defender, bool attacker_to_move,
                             const Limits& limits) = 0;

  // Appends the results that cost most, at most about so many, also while a question is searched; and knows them again
  // (base/saved_entries.hpp). Proof numbers of open positions are saved too: they claim nothing, but without them most
  // of the search would be done again.
  virtual void save(SavedWords& words, std::size_t most) const = 0;
  virtual std::size_t load(std::span<const std::uint64_t>& words) = 0;
};

}  // namespace zermelo::positional
