#include "positional/threat/symmetries.hpp"

#include <algorithm>
#include <set>

namespace zermelo::positional {

namespace {

constexpr int MOST_STEPS = 1'000'000;

// Maps the cells one after the other to cells with as many edges, and pairs to pairs with as many common edges.
class Finder {
 public:
  explicit Finder(const Hypergraph& graph)
      : cells_(graph.vertices),
        edges_(graph.edges.begin(), graph.edges.end()),
        common_(cells_, std::vector<int>(cells_)) {
    for (const VertexSet& edge : graph.edges)
      for_each(edge, [&](int one) { for_each(edge, [&](int two) { ++common_[one][two]; }); });
    to_.assign(cells_, -1);
  }
  Permutations find() {
    place(0);
    return std::move(found_);
  }

 private:
  // The recursion is as deep as the board has cells.
  void place(int cell) {
    if (cell == cells_) {
      const bool fits = std::all_of(edges_.begin(), edges_.end(), [&](const VertexSet& edge) {
        VertexSet image;
        for_each(edge, [&](int member) { image.set(to_[member]); });
        return edges_.contains(image);
      });
      if (fits) found_.push_back(to_);
      return;
    }
    for (int image = 0; image < cells_; ++image) {
      if (used_.test(image) || ++steps_ > MOST_STEPS || found_.size() == MOST_SYMMETRIES) continue;
      if (common_[cell][cell] != common_[image][image]) continue;
      bool fits = true;
      for (int before = 0; fits && before < cell; ++before) fits = common_[cell][before] == common_[image][to_[before]];
      if (!fits) continue;
      to_[cell] = image;
      used_.set(image);
      place(cell + 1);
      used_.reset(image);
    }
  }

  const int cells_;
  std::set<VertexSet> edges_;
  std::vector<std::vector<int>> common_;
  std::vector<int> to_;
  VertexSet used_;
  int steps_ = 0;
  Permutations found_;
};

}  // namespace

Permutations find_symmetries(const Hypergraph& graph) {
  if (!graph.lines.empty() || graph.edges.empty()) return graph.symmetries;
  return Finder(graph).find();  // the identity is the first, since cells are tried in order
}

}  // namespace zermelo::positional
