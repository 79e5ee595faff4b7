// Cooling, heating and overheating (Winning Ways, chapter 6; Berlekamp, Blockbusting and Domineering, 1988).
#pragma once

#include "cgt/arena.hpp"
#include "cgt/thermograph.hpp"

namespace zermelo::cgt {

// G cooled by t >= 0: each move costs t, until nothing but a number is left.
GameId cool(Arena& arena, Thermographs& thermographs, GameId game, const Dyadic& t);
// The integral of G with upper limit t: each move earns t; numbers stay as they are.
GameId heat(Arena& arena, GameId game, GameId t);
// The integral of G from s to t: each move earns t, and an integer n becomes n copies of s.
GameId overheat(Arena& arena, GameId game, GameId s, GameId t);

// The Norton product G . U for U > 0 (Winning Ways, chapter 8): n copies of U for an integer n, else each move earns
// the sum of U and one of its incentives. Throws std::invalid_argument if U is not positive.
GameId norton_product(Arena& arena, GameId game, GameId unit);

}  // namespace zermelo::cgt
