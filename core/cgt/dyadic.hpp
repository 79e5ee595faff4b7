// Exact dyadic rationals n / 2^k: the numbers among the short games, and every breakpoint of a thermograph.
//
// Sixty-two bits are plenty for any board that can be evaluated; an operation that would need more throws
// LimitReached instead of rounding.
#pragma once

#include <compare>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace zermelo::cgt {

// Every computation with games may grow without warning: a limit on time, memory, size or depth was reached, or the
// caller cancelled. There is no answer, never a wrong one and never a hang.
class LimitReached : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Dyadic {
 public:
  static constexpr int MAX_EXPONENT = 60;

  constexpr Dyadic() = default;
  constexpr Dyadic(std::int64_t integer) : numerator_(integer) {}  // NOLINT: integers are dyadic rationals
  // numerator / 2^exponent, reduced.
  static Dyadic ratio(std::int64_t numerator, int exponent) { return reduced(numerator, exponent); }

  constexpr std::int64_t numerator() const { return numerator_; }
  constexpr int exponent() const { return exponent_; }
  constexpr bool is_integer() const { return exponent_ == 0; }
  constexpr int sign() const { return numerator_ > 0 ? 1 : numerator_ < 0 ? -1 : 0; }

  Dyadic operator-() const;
  friend Dyadic operator+(const Dyadic& a, const Dyadic& b);
  friend Dyadic operator-(const Dyadic& a, const Dyadic& b) { return a + -b; }
  Dyadic times(std::int64_t factor) const { return reduced(static_cast<__int128>(numerator_) * factor, exponent_); }
  Dyadic half() const { return ratio(numerator_, exponent_ + 1); }
  // The greatest integer <= this.
  std::int64_t floor() const { return numerator_ >> exponent_; }

  friend constexpr bool operator==(const Dyadic&, const Dyadic&) = default;
  friend constexpr std::strong_ordering operator<=>(const Dyadic& a, const Dyadic& b) {
    if (a.exponent_ == b.exponent_) return a.numerator_ <=> b.numerator_;
    const __int128 left = static_cast<__int128>(a.numerator_) << b.exponent_;
    const __int128 right = static_cast<__int128>(b.numerator_) << a.exponent_;
    return left < right   ? std::strong_ordering::less
           : left > right ? std::strong_ordering::greater
                          : std::strong_ordering::equal;
  }

  // "3", "-1/2".
  std::string text() const;

 private:
  static Dyadic reduced(__int128 numerator, int exponent);

  std::int64_t numerator_ = 0;  // odd unless the exponent is 0; never the most negative value
  std::int32_t exponent_ = 0;
};

// One end of an interval of numbers: absent, or a number that does or does not belong to the interval.
struct End {
  enum Kind : std::uint8_t { NONE, OPEN, CLOSED } kind = NONE;
  Dyadic at;
};

// True if no number lies between the ends.
bool is_empty(const End& low, const End& high);
// The simplest (earliest born) number of a non-empty interval (Winning Ways, chapter 2).
Dyadic simplest_between(const End& low, const End& high);

// The options of the canonical form of a number: x = { below | above }, where an integer has only one of them.
bool has_left_option(const Dyadic& x);
bool has_right_option(const Dyadic& x);
Dyadic left_option(const Dyadic& x);
Dyadic right_option(const Dyadic& x);
std::int64_t birthday(const Dyadic& x);

}  // namespace zermelo::cgt
