// The private extension zermelo._core. One file per room registers its types here; they are made pleasant to use in
// Python.
#include "register.hpp"

NB_MODULE(_core, module) {
  module.doc() = "The C++ core of Zermelo. Private: use the zermelo package.";
  module.attr("VERSION") = ZERMELO_VERSION;
  register_board(module);
  register_bound(module);
  register_cgt(module);
  register_search(module);
  register_games(module);
  register_positional(module);
  register_race(module);
  register_proof(module);
}
