// A recorded Breaker strategy on disk: what the search writes down while it runs, in the order in which it does.
//
// Memory holds the place of every thousandth node and nothing else while recording. Afterwards the file is read from
// the back, to mark what the root rests on (children come before parents), and from the front, to write that down.
#pragma once

#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "positional/strategy.hpp"

namespace zermelo::proof {

// A node as it is read back. Node 0 is "nothing left to defend".
struct RecordedNode {
  struct Branch {
    int reply;
    positional::StrategyRef after;
    std::vector<std::pair<int, int>> pairs;
  };
  std::vector<Branch> branches;
  std::vector<positional::StrategySwap> swaps;
  std::vector<positional::StrategyRef> parts;
};

template <int W>
class StrategyFile : public positional::StrategySink<W> {
 public:
  using Draft = typename positional::StrategySink<W>::Draft;

  explicit StrategyFile(std::FILE* file) : file_(file), out_(file) {}

  std::uint32_t add(const positional::Position<W>&, const positional::Vertices<W>&, const Draft& draft) override {
    const std::lock_guard lock(mutex_);
    if (size_ == UINT32_MAX) throw std::runtime_error("the strategy has too many nodes");
    if ((size_ - 1) % BLOCK == 0) blocks_.push_back(out_.size());
    number(draft.branches.size());
    for (const auto& branch : draft.branches) {
      number(static_cast<std::uint64_t>(branch.breaker));
      reference(branch.child);
      number(static_cast<std::uint64_t>(branch.pairs.count));
      for (int i = 0; i < branch.pairs.count; ++i) {
        const auto& pair = branch.pairs.pair[static_cast<std::size_t>(i)];
        number(static_cast<std::uint64_t>(pair.first)), number(static_cast<std::uint64_t>(pair.second));
      }
    }
    number(draft.swaps.size());
    for (const positional::StrategySwap& swap : draft.swaps)
      number(swap.dominated), number(swap.dominator), number(swap.branch);
    number(draft.parts.size());
    for (const positional::StrategyRef& part : draft.parts) reference(part);
    return static_cast<std::uint32_t>(size_++);
  }

  std::uint64_t size() const { return size_; }  // node 0 included
  std::uint64_t bytes() const { return out_.size(); }

  // Which nodes the roots rest on, themselves included.
  std::vector<bool> needed_by(const std::vector<positional::StrategyRef>& roots) {
    out_.flush();
    std::vector<bool> needed(size_);
    for (const positional::StrategyRef& root : roots) needed[root.node] = true;
    for (std::size_t block = blocks_.size(); block-- > 0;) {
      const std::vector<RecordedNode> nodes = read(block);
      for (std::size_t i = nodes.size(); i-- > 0;) {
        if (!needed[1 + block * BLOCK + i]) continue;
        for (const auto& branch : nodes[i].branches) needed[branch.after.node] = true;
        for (const auto& part : nodes[i].parts) needed[part.node] = true;
      }
    }
    needed[0] = false;
    return needed;
  }

  // Calls visit(id, node) for the needed nodes, children first.
  template <class Visit>
  void each(const std::vector<bool>& needed, Visit&& visit) {
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      const std::vector<RecordedNode> nodes = read(block);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto id = static_cast<std::uint32_t>(1 + block * BLOCK + i);
        if (needed[id]) visit(id, nodes[i]);
      }
    }
  }

 private:
  static constexpr std::size_t BLOCK = 1024;

  void number(std::uint64_t value) { out_.number(value); }
  void reference(const positional::StrategyRef& ref) {
    number(ref.node);
    number(ref.symmetry);
  }
  std::vector<RecordedNode> read(std::size_t block) {
    const std::uint64_t begin = blocks_[block], end = block + 1 < blocks_.size() ? blocks_[block + 1] : out_.size();
    text_.resize(end - begin);
    if (fseeko(file_, static_cast<off_t>(begin), SEEK_SET) ||
        std::fread(text_.data(), 1, text_.size(), file_) != text_.size())
      throw std::runtime_error("the recorded strategy cannot be read back");
    at_ = 0;
    std::vector<RecordedNode> nodes;
    while (at_ < text_.size()) {
      RecordedNode& node = nodes.emplace_back();
      node.branches.resize(next());
      for (RecordedNode::Branch& branch : node.branches) {
        branch.reply = static_cast<int>(next());
        branch.after = next_reference();
        branch.pairs.resize(next());
        for (auto& [one, two] : branch.pairs) one = static_cast<int>(next()), two = static_cast<int>(next());
      }
      node.swaps.resize(next());
      for (positional::StrategySwap& swap : node.swaps)
        for (std::uint8_t* field : {&swap.dominated, &swap.dominator, &swap.branch})
          *field = static_cast<std::uint8_t>(next());
      node.parts.resize(next());
      for (positional::StrategyRef& part : node.parts) part = next_reference();
    }
    return nodes;
  }
  std::uint64_t next() { return take_varint(text_, at_); }
  positional::StrategyRef next_reference() {
    const auto node = static_cast<std::uint32_t>(next());
    return {node, static_cast<std::uint8_t>(next())};
  }

  std::mutex mutex_;
  std::FILE* file_;
  ByteWriter out_;
  std::string text_;
  std::size_t at_ = 0;
  std::uint64_t size_ = 1;
  std::vector<std::uint64_t> blocks_;  // where every BLOCK-th node begins
};

}  // namespace zermelo::proof
