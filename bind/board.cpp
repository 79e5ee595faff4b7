#include "domineering/board/board.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "domineering/board/spec.hpp"
#include "register.hpp"

namespace nb = nanobind;
using namespace zermelo;

namespace {

std::vector<int> squares(const Bits<4>& set) {
  std::vector<int> result;
  for_each(set, [&](int square) { result.push_back(square); });
  return result;
}

}  // namespace

void register_board(nb::module_& module) {
  nb::enum_<Player>(module, "Player", "V places vertical dominoes, H horizontal ones.")
      .value("V", Player::V)
      .value("H", Player::H);
  nb::enum_<Topology>(module, "Topology")
      .value("RECTANGLE", Topology::RECTANGLE)
      .value("HCYLINDER", Topology::HCYLINDER)
      .value("VCYLINDER", Topology::VCYLINDER)
      .value("TORUS", Topology::TORUS);

  nb::class_<Move>(module, "Move", "A domino by its upper or left square, counted from 0.")
      .def(nb::init<Player, int, int>(), nb::arg("player"), nb::arg("row"), nb::arg("col"))
      .def_ro("player", &Move::player)
      .def_ro("row", &Move::row)
      .def_ro("col", &Move::col)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"));

  nb::class_<Board>(module, "Board")
      .def_static("empty", &Board::empty, nb::arg("rows"), nb::arg("cols"), nb::arg("topology") = Topology::RECTANGLE)
      .def_ro("rows", &Board::rows)
      .def_ro("cols", &Board::cols)
      .def_ro("topology", &Board::topology)
      .def(
          "is_free",
          [](const Board& board, int row, int col) {
            if (row < 0 || col < 0 || row >= board.rows || col >= board.cols)
              throw std::invalid_argument("that square is not on the board");
            return board.is_free(row, col);
          },
          nb::arg("row"), nb::arg("col"))
      .def("free_squares", [](const Board& board) { return squares(board.free); })
      .def("legal_moves", &legal_moves, nb::arg("player"))
      .def("is_legal", &is_legal, nb::arg("move"))
      .def("play", &play, nb::arg("move"))
      .def("undo", &undo, nb::arg("move"))
      .def("mirrored", nb::overload_cast<const Board&, int>(&mirrored), nb::arg("image"))
      .def("transposed", &transposed)
      .def(
          "least_image",
          [](const Board& board) {
            Board least = board;
            least.free = least_image(board);
            return least;
          },
          "The least of all images that keep the value: mirrors, and turns along the rings.")
      .def("components",
           [](const Board& board) {
             std::vector<std::vector<int>> result;
             for (const Bits<4>& component : components(board)) result.push_back(squares(component));
             return result;
           })
      .def("perft", &perft, nb::arg("to_move"), nb::arg("depth"), nb::call_guard<nb::gil_scoped_release>())
      .def("copy", [](const Board& board) { return board; })
      .def("spec", &spec_text)
      .def("grid", &grid_text, nb::arg("separator") = '/')
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"));

  nb::class_<Spec>(module, "Spec")
      .def_ro("topology", &Spec::topology)
      .def_ro("rows", &Spec::rows)
      .def_ro("cols", &Spec::cols)
      .def_ro("is_size", &Spec::is_size)
      .def_ro("moves", &Spec::moves)
      .def("board", &Spec::board);
  module.def("parse_spec", &parse_spec, nb::arg("text"));
}
