// A recorded Breaker strategy on disk: what the search writes down while it runs, in the order in which it does.
//
// Memory holds the place of every thousandth node and nothing else while recording. To write down a root the file is
// read from the back, to mark what it rests on (children come before parents), and then from the front; blocks without
// a marked node are not read. Others may go on recording meanwhile.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "positional/search/strategy.hpp"

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
      for (const auto& [one, two] : branch.pairs) number(one), number(two);
    }
    number(draft.swaps.size());
    for (const positional::StrategySwap& swap : draft.swaps)
      number(swap.dominated), number(swap.dominator), number(swap.branch);
    number(draft.parts.size());
    for (const positional::StrategyRef& part : draft.parts) reference(part);
    return static_cast<std::uint32_t>(size_++);
  }

  // The nodes that some roots rest on, themselves included.
  class Below {
   public:
    Below(StrategyFile& file, const std::vector<positional::StrategyRef>& roots) : file_(fileno(file.file_)) {
      {
        const std::lock_guard lock(file.mutex_);
        file.out_.flush();
        blocks_ = file.blocks_;
        blocks_.push_back(file.out_.size());
      }
      std::uint32_t last = 0;
      for (const positional::StrategyRef& root : roots) last = std::max(last, root.node);
      needed_.resize(last + std::size_t{1});
      for (const positional::StrategyRef& root : roots) needed_[root.node] = true;
      for (std::size_t block = last / BLOCK + 1; block-- > 0;) {
        const std::vector<RecordedNode> nodes = read(block);
        for (std::size_t i = nodes.size(); i-- > 0;) {
          if (const std::size_t id = 1 + block * BLOCK + i; id > last || !needed_[id]) continue;
          for (const auto& branch : nodes[i].branches) needed_[branch.after.node] = true;
          for (const auto& part : nodes[i].parts) needed_[part.node] = true;
        }
      }
      needed_[0] = false;
      first_ = static_cast<std::size_t>(std::find(needed_.begin(), needed_.end(), true) - needed_.begin());
    }

    // All of them are at least `first` and less than `end`.
    std::size_t first() const { return first_; }
    std::size_t end() const { return needed_.size(); }

    // Calls visit(id, node), children first.
    template <class Visit>
    void each(Visit&& visit) {
      for (std::size_t block = 0; block * BLOCK + 1 < needed_.size(); ++block) {
        const std::vector<RecordedNode> nodes = read(block);
        for (std::size_t i = 0; i < nodes.size(); ++i)
          if (const std::size_t id = 1 + block * BLOCK + i; id < needed_.size() && needed_[id])
            visit(static_cast<std::uint32_t>(id), nodes[i]);
      }
    }

   private:
    // A block's nodes; none if none is needed.
    std::vector<RecordedNode> read(std::size_t block) {
      const std::size_t from = 1 + block * BLOCK, to = std::min(from + BLOCK, needed_.size());
      std::vector<RecordedNode> nodes;
      bool any = false;
      for (std::size_t id = from; id < to; ++id) any = any || needed_[id];
      if (!any) return nodes;
      text_.resize(blocks_[block + 1] - blocks_[block]);
      for (std::size_t done = 0; done < text_.size();) {
        const ssize_t got =
            pread(file_, text_.data() + done, text_.size() - done, static_cast<off_t>(blocks_[block] + done));
        if (got <= 0) throw std::runtime_error("the recorded strategy cannot be read back");
        done += static_cast<std::size_t>(got);
      }
      for (at_ = 0; at_ < text_.size();) {
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

    const int file_;
    std::vector<std::uint64_t> blocks_;  // where each begins, and the end
    std::vector<bool> needed_;
    std::size_t first_ = 0;
    std::string text_;
    std::size_t at_ = 0;
  };

 private:
  static constexpr std::size_t BLOCK = 1024;

  void number(std::uint64_t value) { out_.number(value); }
  void reference(const positional::StrategyRef& ref) {
    number(ref.node);
    number(ref.symmetry);
  }
  std::mutex mutex_;
  std::FILE* file_;
  ByteWriter out_;
  std::uint64_t size_ = 1;
  std::vector<std::uint64_t> blocks_;  // where every BLOCK-th node begins
};

}  // namespace zermelo::proof
