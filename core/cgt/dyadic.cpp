#include "cgt/dyadic.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::cgt {

namespace {

constexpr __int128 MAX_NUMERATOR = (static_cast<__int128>(1) << 62) - 1;

[[noreturn]] void too_large() { throw LimitReached("a number needs more than 62 bits"); }

std::int64_t narrow(__int128 value) {
  if (value > MAX_NUMERATOR || value < -MAX_NUMERATOR) too_large();
  return static_cast<std::int64_t>(value);
}

}  // namespace

Dyadic Dyadic::reduced(__int128 numerator, int exponent) {
  Dyadic result;
  if (numerator == 0) return result;
  const int common = std::min(std::countr_zero(static_cast<std::uint64_t>(numerator)), std::max(exponent, 0));
  numerator >>= common;
  exponent -= common;
  if (exponent > MAX_EXPONENT || exponent < -62) too_large();
  result.numerator_ = narrow(exponent < 0 ? narrow(numerator) * (static_cast<__int128>(1) << -exponent) : numerator);
  result.exponent_ = std::max(exponent, 0);
  return result;
}

Dyadic Dyadic::operator-() const {
  Dyadic result = *this;
  result.numerator_ = narrow(-static_cast<__int128>(numerator_));
  return result;
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  const int exponent = std::max(a.exponent_, b.exponent_);
  return Dyadic::reduced((static_cast<__int128>(a.numerator_) << (exponent - a.exponent_)) +
                             (static_cast<__int128>(b.numerator_) << (exponent - b.exponent_)),
                         exponent);
}

std::string Dyadic::text() const {
  std::string result = std::to_string(numerator_);
  if (exponent_) result += "/" + std::to_string(std::int64_t{1} << exponent_);
  return result;
}

bool is_empty(const End& low, const End& high) {
  if (low.kind == End::NONE || high.kind == End::NONE || low.at < high.at) return false;
  return low.at > high.at || low.kind == End::OPEN || high.kind == End::OPEN;
}

Dyadic simplest_between(const End& low, const End& high) {
  const auto above_low = [&](const Dyadic& x) {
    return low.kind == End::NONE || x > low.at || (low.kind == End::CLOSED && x == low.at);
  };
  const auto below_high = [&](const Dyadic& x) {
    return high.kind == End::NONE || x < high.at || (high.kind == End::CLOSED && x == high.at);
  };
  if (above_low(0) && below_high(0)) return 0;
  // Mirror so that the interval is positive; then the first multiple of 1, 1/2, 1/4, ... above the low end that fits
  // is the simplest one.
  if (!below_high(0)) {
    const auto mirrored = [](const End& end) { return end.kind == End::NONE ? End{} : End{end.kind, -end.at}; };
    return -simplest_between(mirrored(high), mirrored(low));
  }
  for (int exponent = 0; exponent <= Dyadic::MAX_EXPONENT; ++exponent) {
    const __int128 scaled = exponent >= low.at.exponent()
                                ? static_cast<__int128>(low.at.numerator()) << (exponent - low.at.exponent())
                                : static_cast<__int128>(low.at.numerator()) >> (low.at.exponent() - exponent);
    const Dyadic at_or_below = Dyadic::ratio(narrow(scaled), exponent);
    const Dyadic next = Dyadic::ratio(narrow(scaled + 1), exponent);
    if (above_low(at_or_below) && below_high(at_or_below)) return at_or_below;
    if (above_low(next) && below_high(next)) return next;
  }
  too_large();
}

bool has_left_option(const Dyadic& x) { return !x.is_integer() || x.sign() > 0; }
bool has_right_option(const Dyadic& x) { return !x.is_integer() || x.sign() < 0; }
Dyadic left_option(const Dyadic& x) { return Dyadic::ratio(x.numerator() - 1, x.exponent()); }
Dyadic right_option(const Dyadic& x) { return Dyadic::ratio(x.numerator() + 1, x.exponent()); }

std::int64_t birthday(const Dyadic& x) {
  // |x| = n + a fraction with denominator 2^k: born on day n + k (+1 when the fraction is there).
  const std::int64_t whole = x.sign() < 0 ? (-x).floor() : x.floor();
  return whole + (x.is_integer() ? 0 : x.exponent() + 1);
}

}  // namespace zermelo::cgt
