#include "domineering/obsequi/obsequi.hpp"

#include <stdexcept>

#include "domineering/bound/player_frame.hpp"

namespace zermelo {

namespace obsequi {

// obsequi_search.hpp, compiled in obsequi_64.cpp, obsequi_128.cpp and obsequi_256.cpp.
template <class W, bool RINGS>
SearchResult run(const Board& board, Player first, const ObsequiSettings& settings, const Limits& limits);

}  // namespace obsequi

SearchResult obsequi_search(const Board& board, Player first, const ObsequiSettings& settings, const Limits& limits) {
  if (settings.threads < 1 || settings.threads > 1024) throw std::invalid_argument("threads must be from 1 to 1024");
  return with_word(board,
                   [&]<class W, bool RINGS>() { return obsequi::run<W, RINGS>(board, first, settings, limits); });
}

}  // namespace zermelo
