// Values of small Domineering pieces (FORMAT.md 5): floors on a grid of 1/64, computed by plain recursion.
//
// A shape is a connected set of free squares in a bounding box of at most 64, the least of its four mirror images.
// A game is a sorted list of shapes, none of them a number; its value is the sum. Shapes and games are numbered.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <mutex>

#include "flat.hpp"

namespace zcheck {

inline constexpr std::int64_t UNIT = 64;
inline constexpr std::int64_t INFINITE = std::int64_t{1} << 40;

struct Box {
  int height = 0, width = 0;
  std::uint64_t bits = 0;  // square row * width + column
  friend bool operator==(const Box&, const Box&) = default;
  friend auto operator<=>(const Box&, const Box&) = default;
};

struct BoxHash {
  std::size_t operator()(const Box& box) const {
    return mix(mix(static_cast<std::uint64_t>(box.height * 65 + box.width), box.bits), 1);
  }
};
struct NumberHash {
  std::size_t operator()(std::uint64_t number) const { return mix(number, 1); }
};
// The least mirror image, cut to the bounding box. The set must not be empty.
inline Box canonical(const Box& box) {
  int top = box.height, bottom = 0, left = box.width, right = 0;
  for (std::uint64_t rest = box.bits; rest; rest &= rest - 1) {
    const int square = std::countr_zero(rest), row = square / box.width, col = square % box.width;
    top = std::min(top, row), bottom = std::max(bottom, row), left = std::min(left, col), right = std::max(right, col);
  }
  const int height = bottom - top + 1, width = right - left + 1;
  std::array<std::uint64_t, 4> image{};
  for (std::uint64_t rest = box.bits; rest; rest &= rest - 1) {
    const int square = std::countr_zero(rest), row = square / box.width - top, col = square % box.width - left;
    const int down = height - 1 - row, back = width - 1 - col;
    image[0] |= std::uint64_t{1} << (row * width + col);
    image[1] |= std::uint64_t{1} << (row * width + back);
    image[2] |= std::uint64_t{1} << (down * width + col);
    image[3] |= std::uint64_t{1} << (down * width + back);
  }
  return {height, width, *std::min_element(image.begin(), image.end())};
}

// The simplest number strictly between, in 1/64; INFINITE if the grid has none.
inline std::int64_t simplest_between(std::int64_t low, std::int64_t high) {
  if (low < 0 && 0 < high) return 0;
  if (high <= 0) {
    const std::int64_t mirrored = simplest_between(-high, -low);
    return mirrored == INFINITE ? INFINITE : -mirrored;
  }
  for (std::int64_t step = UNIT; step; step /= 2) {
    const std::int64_t candidate = (low / step + 1) * step;  // low >= 0 here
    if (candidate < high) return candidate;
  }
  return INFINITE;
}

struct Floors {
  std::int64_t floor, left_first, ceiling, right_first;  // N, M, N', M' of FORMAT.md 5.2
};
// A number and a game: their sum.
struct Sum {
  std::int64_t number = 0;
  std::uint32_t game = 0;
};
inline constexpr std::uint32_t ZERO_GAME = 0;

// The values of a piece, which is a number plus a game: N and M of both together.
struct Worth {
  std::int64_t floor = 0, left_first = 0, number = 0;
  std::uint32_t game = ZERO_GAME;
};

// A game that is not zero, and a heat below 256; after a move of Left or as it is.
inline std::uint64_t switch_key(std::uint32_t game, std::int64_t heat, bool moved) {
  return static_cast<std::uint64_t>(game) << 9 | static_cast<std::uint64_t>(moved) << 8 |
         static_cast<std::uint64_t>(heat);
}

// Threads share it; a lock lets one of them compute at a time.
class Values {
 public:
  explicit Values(Budget& budget) : budget_(budget), raw_(budget), shapes_(budget), lists_(budget), switches_(budget) {
    intern({});
    floors_[ZERO_GAME] = {0, -1, 0, 1};
    solved_[ZERO_GAME] = true;
  }

  // Any set in a box.
  Worth worth(const Box& box) {
    const std::lock_guard<std::mutex> alone(mutex_);
    const Sum sum = set(box);
    const Floors value = floors(sum.game);
    return {sum.number + value.floor, sum.number + value.left_first, sum.number, sum.game};
  }
  // F: an m with X >= {m + heat | m - heat} (FORMAT.md 5.3). Moved: the largest F after a move of Left, or
  // -INFINITE if she has none (5.6).
  std::int64_t switch_floor(std::uint32_t game, std::int64_t heat, bool moved) {
    const std::lock_guard<std::mutex> alone(mutex_);
    if (!moved) return heated(game, heat);
    std::int64_t best = -INFINITE;
    each_option(game, 0, [&](const Sum& option) {
      best = std::max(best, option.number + heated(option.game, heat));
      return true;
    });
    return best;
  }

 private:
  // A connected set.
  Sum shape(const Box& box) {
    if (const Sum* found = raw_.find(box)) return *found;
    const Box least = canonical(box);
    const Sum* known = shapes_.find(least);
    Sum sum = known ? *known : Sum{};
    if (!known) {
      const auto number = static_cast<std::uint32_t>(boxes_.size());
      boxes_.push_back(least);
      moves_.emplace_back();
      const std::uint32_t game = intern({number});
      const Floors value = floors(game);
      sum = value.floor == value.ceiling ? Sum{value.floor, ZERO_GAME} : Sum{0, game};
      shapes_.insert(least, sum);
      budget_.store(128);
    }
    raw_.insert(box, sum);
    return sum;
  }

  Floors floors(std::uint32_t game) {
    if (solved_[game]) return floors_[game];
    budget_.tick();
    std::int64_t low = -INFINITE, high = INFINITE, least = INFINITE, most = -INFINITE;
    each_option(game, 0, [&](const Sum& option) {
      const Floors value = floors(option.game);
      low = std::max(low, option.number + value.floor);
      most = std::max(most, option.number + value.right_first);
      return true;
    });
    each_option(game, 1, [&](const Sum& option) {
      const Floors value = floors(option.game);
      high = std::min(high, option.number + value.ceiling);
      least = std::min(least, option.number + value.left_first);
      return true;
    });
    Floors result;
    if (low < high) {
      const std::int64_t value = simplest_between(low, high);
      if (value == INFINITE) result = {low, low, high, high};
      else result = {value, value - 1, value, value + 1};
    } else {
      result = {least, low, most, high};
    }
    floors_[game] = result;
    solved_[game] = true;
    return result;
  }

  std::int64_t heated(std::uint32_t game, std::int64_t heat) {
    if (game == ZERO_GAME) return -1 - heat;
    const std::uint64_t key = switch_key(game, heat, false);
    if (const std::int64_t* found = switches_.find(key)) return *found;
    budget_.tick();
    std::int64_t result = floors(game).left_first - heat;
    each_option(game, 1, [&](const Sum& option) {
      std::int64_t best = floors(option.game).floor + option.number + heat;
      if (best >= result) return true;
      each_option(option.game, 0, [&](const Sum& reply) {
        best = std::max(best, option.number + reply.number + heated(reply.game, heat));
        return best < result;
      });
      result = std::min(result, best);
      return true;
    });
    switches_.insert(key, result);
    return result;
  }

  std::uint32_t intern(std::vector<std::uint32_t> shapes) {
    std::sort(shapes.begin(), shapes.end());
    const std::uint32_t game = lists_.number(shapes);
    if (game >= floors_.size()) {
      budget_.store(2 * sizeof(Floors));
      floors_.resize(game + std::size_t{1});
      solved_.resize(game + std::size_t{1});
    }
    return game;
  }
  // Any set inside a box.
  Sum set(const Box& box) {
    std::uint64_t left = 0;
    for (int row = 0; row < box.height; ++row) left |= std::uint64_t{1} << (row * box.width);
    const std::uint64_t right = left << (box.width - 1);
    std::int64_t number = 0;
    std::vector<std::uint32_t> shapes;
    for (std::uint64_t rest = box.bits; rest;) {
      std::uint64_t part = rest & -rest, grown = part;
      const auto down = [&](std::uint64_t s) { return box.width < 64 ? s << box.width : 0; };
      const auto up = [&](std::uint64_t s) { return box.width < 64 ? s >> box.width : 0; };
      do {
        part = grown;
        grown = (part | down(part) | up(part) | (part & ~right) << 1 | (part & ~left) >> 1) & rest;
      } while (grown != part);
      rest &= ~part;
      if (std::has_single_bit(part)) continue;
      const Sum sum = shape({box.height, box.width, part});
      number += sum.number;
      const ListTable::List more = lists_[sum.game];
      shapes.insert(shapes.end(), more.begin(), more.end());
    }
    return {number, intern(std::move(shapes))};
  }
  // Vertical's (0) or Horizontal's (1) options of one shape.
  const std::vector<Sum>& shape_moves(std::uint32_t shape_number, int player) {
    auto& known = moves_[shape_number];
    if (!known.done) {
      const Box box = boxes_[shape_number];
      std::array<std::vector<Sum>, 2> options;
      for (int square = 0; square < box.height * box.width; ++square) {
        const std::uint64_t one = std::uint64_t{1} << square;
        if (!(box.bits & one)) continue;
        const int down = square + box.width, right = square + 1;
        if (down < box.height * box.width && box.bits >> down & 1)
          options[0].push_back(set({box.height, box.width, box.bits ^ (one | std::uint64_t{1} << down)}));
        if (right % box.width && box.bits >> right & 1)
          options[1].push_back(set({box.height, box.width, box.bits ^ (one | std::uint64_t{1} << right)}));
      }
      auto& place = moves_[shape_number];
      for (std::size_t i = 0; i < 2; ++i) {
        auto& list = options[i];
        std::sort(list.begin(), list.end(),
                  [](const Sum& a, const Sum& b) { return a.game != b.game ? a.game < b.game : a.number < b.number; });
        list.erase(std::unique(list.begin(), list.end(),
                               [](const Sum& a, const Sum& b) { return a.game == b.game && a.number == b.number; }),
                   list.end());
        budget_.store(16 * list.size());
        place.options[i] = std::move(list);
      }
      place.done = true;
    }
    return moves_[shape_number].options[static_cast<std::size_t>(player)];
  }
  // Calls visit(option) until it says false.
  template <class Visit>
  void each_option(std::uint32_t game, int player, Visit&& visit) {
    const std::vector<std::uint32_t> shapes(lists_[game].begin(), lists_[game].end());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (i && shapes[i] == shapes[i - 1]) continue;
      for (const Sum& option : shape_moves(shapes[i], player)) {
        std::uint32_t rest = option.game;
        if (shapes.size() > 1) {
          std::vector<std::uint32_t> after(lists_[option.game].begin(), lists_[option.game].end());
          for (std::size_t j = 0; j < shapes.size(); ++j)
            if (j != i) after.push_back(shapes[j]);
          rest = intern(std::move(after));
        }
        if (!visit(Sum{option.number, rest})) return;
      }
    }
  }

  struct Moves {
    bool done = false;
    std::array<std::vector<Sum>, 2> options;
  };
  std::mutex mutex_;
  Budget& budget_;
  FlatMap<Box, Sum, BoxHash> raw_, shapes_;
  std::deque<Box> boxes_;
  std::deque<Moves> moves_;  // a deque keeps references valid while it grows
  ListTable lists_;          // the games
  std::vector<Floors> floors_;
  std::vector<bool> solved_;
  FlatMap<std::uint64_t, std::int64_t, NumberHash> switches_;  // by switch_key
};

// One thread's copy of values: the pieces of a proof repeat.
class Pieces {
 public:
  Pieces(Values& values, Budget& budget) : values_(values), worths_(budget), switches_(budget) {}

  Worth worth(const Box& box) {
    if (const Worth* found = worths_.find(box)) return *found;
    const Worth worth = values_.worth(box);
    worths_.insert(box, worth);
    return worth;
  }
  std::int64_t switch_floor(std::uint32_t game, std::int64_t heat, bool moved) {
    const std::uint64_t key = switch_key(game, heat, moved);
    if (const std::int64_t* found = switches_.find(key)) return *found;
    const std::int64_t floor = values_.switch_floor(game, heat, moved);
    switches_.insert(key, floor);
    return floor;
  }

 private:
  Values& values_;
  FlatMap<Box, Worth, BoxHash> worths_;
  FlatMap<std::uint64_t, std::int64_t, NumberHash> switches_;
};

}  // namespace zcheck
