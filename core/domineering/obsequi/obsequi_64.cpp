#include "domineering/obsequi/obsequi_search.hpp"

namespace zermelo::obsequi {

template SearchResult run<Word64, false>(const Board&, Player, const ObsequiSettings&, const Limits&);
template SearchResult run<Word64, true>(const Board&, Player, const ObsequiSettings&, const Limits&);

}  // namespace zermelo::obsequi
