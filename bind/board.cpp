#include "domineering/board/board.hpp"

#include <nanobind/stl/vector.h>

#include "register.hpp"

namespace nb = nanobind;
using namespace zermelo;

void register_board(nb::module_& module) {
  nb::enum_<Player>(module, "Player", "V places vertical dominoes, H horizontal ones.")
      .value("V", Player::V)
      .value("H", Player::H);
  nb::enum_<Topology>(module, "Topology")
      .value("RECTANGLE", Topology::RECTANGLE)
      .value("HCYLINDER", Topology::HCYLINDER)
      .value("VCYLINDER", Topology::VCYLINDER)
      .value("TORUS", Topology::TORUS);

  fields(nb::class_<Move>(module, "Move", "A domino by its upper or left square, counted from 0."), "player",
         &Move::player, "row", &Move::row, "col", &Move::col);

  fields(nb::class_<Board>(module, "Board"), "rows", &Board::rows, "cols", &Board::cols, "topology", &Board::topology)
      .def(
          "__init__",
          [](Board* board, int rows, int cols, Topology topology, const nb::bytes& free) {
            Board made = Board::empty(rows, cols, topology);
            made.free = {};
            const auto* byte = static_cast<const unsigned char*>(free.data());
            for (std::size_t i = 0; i < 8 * free.size(); ++i) {
              if ((byte[i / 8] >> i % 8 & 1) == 0) continue;
              if (i >= static_cast<std::size_t>(rows * cols))
                throw std::invalid_argument("a free square off the board");
              made.free.set(static_cast<int>(i));
            }
            new (board) Board(made);
          },
          nb::arg("rows"), nb::arg("cols"), nb::arg("topology"), nb::arg("free"),
          "The free squares are the bits of `free`, square row * cols + col first in the lowest byte.")
      .def("free_squares", [](const Board& board) { return members(board.free); })
      .def("transposed", &transposed)
      .def("components",
           [](const Board& board) {
             std::vector<std::vector<int>> result;
             for (const Bits<4>& component : components(board)) result.push_back(members(component));
             return result;
           })
      .def("perft", &perft, nb::arg("to_move"), nb::arg("depth"), nb::call_guard<nb::gil_scoped_release>());
}
