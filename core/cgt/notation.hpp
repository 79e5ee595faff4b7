// Games as text, in the notation of Winning Ways and CGSuite typed on a plain keyboard.
//
//   3  -1/2          numbers (denominators are powers of two)
//   *  *2            nimbers
//   ^  ^^  ^3  v     ups and downs; number, ups and star may follow each other: 1/2^*, 2v3*2
//   ^<3>  ^[3]       up-third, { 0 | v[2]* }, and the sum of ^<1> to ^<3>, { ^[2] | * }
//   +-1  +-(2,{3|1}) switches { x | -x }, also of several games, and +-{2,{3|1}} as CGSuite has them; 3 + +-1 is 3 plus
//                    a switch, 3 + -1 is 2, and 3+-1 is refused, since people read it in both ways
//   tiny(2)  miny(2) { 0 || 0 | -2 } and its negative, also 2+tiny(2)
//   {2|0||-1/2|-2}   options; the longest run of bars is the outermost, commas separate several options
//   up  down  star   ^, v and *: 3.up + star
//   a + b, a - b, -a, 3.a, (a); a sign belongs to the number it touches: -2^ is -2 plus up
//   heat(a,t)  overheat(a,s,t)  cool(a,t)  norton(a,u)
// The outermost braces may be left out: 2|-1/2. The signs for up, down, plus-minus, tiny and miny are understood too.
#pragma once

#include <string>
#include <string_view>

#include "cgt/arena.hpp"
#include "cgt/thermograph.hpp"

namespace zermelo::cgt {

// Throws std::invalid_argument with the place and the fault, or LimitReached.
GameId parse_game(Arena& arena, Thermographs& thermographs, std::string_view text);
// The outermost options of a text as they are written, each in canonical form.
struct Form {
  std::vector<GameId> left, right;
};
Form parse_form(Arena& arena, Thermographs& thermographs, std::string_view text);
// Text that parses back to the same game. Throws LimitReached if it would be longer than max_length.
std::string game_text(Arena& arena, GameId game, std::size_t max_length = std::size_t{1} << 20);

}  // namespace zermelo::cgt
