// A Breaker win written down: a directed acyclic graph of nodes that a simple checker can follow without search.
//
// A node claims: with Maker to move in its position (free, live), Breaker wins by marking vertices of the node's zone
// only. In other words, as second player she wins the game on the traces {r(e) & zone : e live}.
// A node is proved by branches. A branch claims: on the traces {r(e) & branch zone : e live} Breaker wins moving first:
//   1. she marks branch.reply (y);
//   2. every live hyperedge that avoids y contains a pair of branch.pairs, or a residual hyperedge of the node
//      branch.after (its position mapped by the symmetry); that node is 0 if the pairs serve all hyperedges;
//   3. the branch zone is {y} + the vertices of the pairs + the zone of branch.after (mapped); these are disjoint.
// By Property 2 a branch answers every Maker move outside its zone. So the node's claim follows (Property 3) if every
// free vertex v is outside the zone of some branch, or has a swap (v, u, branch i): u dominates v (every live hyperedge
// through v goes through u) and u is outside the zone of branch i, so branch i with v renamed to u answers Maker's v
// (Theorem 5). The node's zone is the union of its branches' zones and of the u of its swaps.
// A node with parts instead of branches is a sum: its live hyperedges fall into the parts' live sets, which share no
// free vertex. Its zone is the union of the parts' zones.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace zermelo::positional {

struct StrategyRef {
  std::uint32_t node = 0;
  std::uint8_t symmetry = 0;  // maps the node's position to the one meant
  friend bool operator==(const StrategyRef&, const StrategyRef&) = default;
};

struct StrategySwap {
  std::uint8_t dominated = 0, dominator = 0;
  std::uint8_t branch = 0;  // counted within the node
  friend bool operator==(const StrategySwap&, const StrategySwap&) = default;
};

struct StrategyNode {
  struct Branch {
    int reply;
    StrategyRef after;
    std::vector<std::pair<int, int>> pairs;
    friend bool operator==(const Branch&, const Branch&) = default;
  };
  std::vector<Branch> branches;
  std::vector<StrategySwap> swaps;
  std::vector<StrategyRef> parts;
  friend bool operator==(const StrategyNode&, const StrategyNode&) = default;
};

// The nodes in a file, written while the search runs. Threads may add nodes at the same time.
//
// While recording, memory holds only the place of every 1024th node. Below finds the nodes under some roots: it reads
// the file backwards to mark them (children come before parents), then forwards, and skips blocks without a marked
// node.
class StrategyFile {
 public:
  explicit StrategyFile(std::FILE* file) : file_(file), out_(file) {}

  // Returns the node's number, counted from 1; 0 is "nothing left to defend". Children come before parents.
  std::uint32_t add(const StrategyNode& node) {
    const std::lock_guard lock(mutex_);
    if (size_ == UINT32_MAX) throw std::runtime_error("the strategy has too many nodes");
    if ((size_ - 1) % BLOCK == 0) blocks_.push_back(out_.size());
    number(node.branches.size());
    for (const StrategyNode::Branch& branch : node.branches) {
      number(branch.reply);
      reference(branch.after);
      number(branch.pairs.size());
      for (const auto& [one, two] : branch.pairs) number(one), number(two);
    }
    number(node.swaps.size());
    for (const StrategySwap& swap : node.swaps) number(swap.dominated), number(swap.dominator), number(swap.branch);
    number(node.parts.size());
    for (const StrategyRef& part : node.parts) reference(part);
    return static_cast<std::uint32_t>(size_++);
  }

  // Some roots and all nodes below them.
  class Below {
   public:
    Below(StrategyFile& file, const std::vector<StrategyRef>& roots) : file_(fileno(file.file_)) {
      {
        const std::lock_guard lock(file.mutex_);
        file.out_.flush();
        blocks_ = file.blocks_;
        blocks_.push_back(file.out_.size());
      }
      std::uint32_t last = 0;
      for (const StrategyRef& root : roots) last = std::max(last, root.node);
      needed_.resize(last + std::size_t{1});
      for (const StrategyRef& root : roots) needed_[root.node] = true;
      for (std::size_t block = last / BLOCK + 1; block-- > 0;) {
        const std::vector<StrategyNode> nodes = read(block);
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
        const std::vector<StrategyNode> nodes = read(block);
        for (std::size_t i = 0; i < nodes.size(); ++i)
          if (const std::size_t id = 1 + block * BLOCK + i; id < needed_.size() && needed_[id])
            visit(static_cast<std::uint32_t>(id), nodes[i]);
      }
    }

   private:
    // A block's nodes; none if none is needed.
    std::vector<StrategyNode> read(std::size_t block) {
      const std::size_t from = 1 + block * BLOCK, to = std::min(from + BLOCK, needed_.size());
      std::vector<StrategyNode> nodes;
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
        StrategyNode& node = nodes.emplace_back();
        node.branches.resize(next());
        for (StrategyNode::Branch& branch : node.branches) {
          branch.reply = static_cast<int>(next());
          branch.after = next_reference();
          branch.pairs.resize(next());
          for (auto& [one, two] : branch.pairs) one = static_cast<int>(next()), two = static_cast<int>(next());
        }
        node.swaps.resize(next());
        for (StrategySwap& swap : node.swaps)
          for (std::uint8_t* field : {&swap.dominated, &swap.dominator, &swap.branch})
            *field = static_cast<std::uint8_t>(next());
        node.parts.resize(next());
        for (StrategyRef& part : node.parts) part = next_reference();
      }
      return nodes;
    }
    std::uint64_t next() { return take_varint(text_, at_); }
    StrategyRef next_reference() {
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

  template <class Number>
  void number(Number value) {
    out_.number(static_cast<std::uint64_t>(value));
  }
  void reference(const StrategyRef& ref) {
    number(ref.node);
    number(ref.symmetry);
  }
  std::mutex mutex_;
  std::FILE* file_;
  ByteWriter out_;
  std::uint64_t size_ = 1;
  std::vector<std::uint64_t> blocks_;  // where every BLOCK-th node begins
};

}  // namespace zermelo::positional
