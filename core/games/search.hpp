// Who wins a position of a game by local rules, without its canonical value.
//
// A position is a sum of parts. Parts with few cells are replaced by their values, which add up to one value; a part
// and its negative are nothing. Impartial games are searched by the question whether a part has nimber n: one option
// with nimber n says no (Lemoine and Viennot, Nimbers are inevitable, 2012). Every part has a number, so a table is
// exact.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/limits.hpp"
#include "games/values.hpp"

namespace zermelo::games {

class LocalSearch {
 public:
  LocalSearch(const LocalRules& rules, LocalValues& values, cgt::Arena& arena)
      : rules_(rules), values_(values), arena_(arena) {}

  struct Found {
    std::optional<std::int64_t> result;  // nothing if a limit was reached
    StopReason stopped = StopReason::FINISHED;
    std::uint64_t nodes = 0;
  };
  // Whether the player to move wins; 1 or 0.
  Found wins(const Cells& cells, Side side, const Limits& limits);
  // The nimber; for impartial games only.
  Found nimber(const Cells& cells, const Limits& limits);
  // Of its tables, with those of the values.
  std::uint64_t bytes() const;

 private:
  using PartId = std::uint32_t;  // a part's number times 2, plus 1 if it is negated
  struct Part {
    Cells cells;
    cgt::GameId value = UNKNOWN;  // of small parts
    std::int16_t moves[2] = {0, 0};
    std::int16_t nimber = -1;
    std::uint64_t wrong = 0;  // bits of nimbers that it does not have
  };
  struct Sum {
    std::vector<PartId> parts;  // in order
    cgt::GameId value = cgt::Arena::ZERO;
  };
  struct KeyHash {
    std::size_t operator()(const std::vector<std::uint32_t>& key) const {
      std::uint64_t h = key.size();
      for (std::uint32_t word : key) h = cgt::mix(h ^ (word + 0x9e3779b97f4a7c15ULL));
      return h;
    }
  };
  static constexpr cgt::GameId UNKNOWN = 0xffffffff;

  template <class F>
  Found run(const Limits& limits, F&& f);
  void step();
  PartId part_id(const Cells& part);
  // Adds the parts of some cells; with the players exchanged if they are those of a negated part.
  void add(Sum& sum, const Cells& cells, bool negated);
  void settle(Sum& sum) const;
  std::vector<std::uint32_t> key(const Sum& sum, Side side) const;
  bool wins(const Sum& sum, Side side);
  bool loses_by_value(cgt::GameId value, Side side) const;

  using Options = std::vector<PartId>;  // of each option how many parts it has, and the parts, the largest last
  int nimber(PartId id);
  bool has_nimber(std::span<const PartId> parts, int n);
  bool part_has_nimber(PartId id, int n);
  bool some_option_has(PartId id, int n);
  std::optional<bool> seen(std::span<const PartId> parts, int n) const;
  const Options& options(PartId id);

  const LocalRules& rules_;
  LocalValues& values_;
  cgt::Arena& arena_;
  cgt::PairMap ids_;
  std::vector<Part> parts_;
  std::unordered_map<std::vector<std::uint32_t>, bool, KeyHash> known_;
  std::unordered_map<PartId, Options> options_;  // of parts whose nimber is open
  std::uint64_t entries_ = 0;                    // of the last two
  Watch* watch_ = nullptr;
};

}  // namespace zermelo::games
