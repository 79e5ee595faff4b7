// The leaves of strips are independent claims: one thread walks through the strategy, the others check the leaves.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include "strips.hpp"

namespace zcheck {

// Kept from one proof to the next: the value of a piece depends on the piece only.
struct Memory {
  Memory(Budget& limits, const Crew& wanted) : budget(limits), crew(wanted), values(limits) {
    for (int i = 0; i < crew.threads; ++i) pieces.push_back(std::make_unique<Pieces>(values, budget));
  }
  Budget& budget;
  Crew crew;
  Values values;
  std::vector<std::unique_ptr<Pieces>> pieces;  // of each thread, the walker's first
};

// The leaves of one proof. The verdict is that of the first one in the file that fails, whichever thread finds it
// first.
class Leaves {
 public:
  explicit Leaves(Memory& memory) : memory_(memory) {}
  Leaves(const Leaves&) = delete;
  Leaves& operator=(const Leaves&) = delete;
  ~Leaves() {
    {
      const std::lock_guard<std::mutex> alone(mutex_);
      closing_ = true;
      waiting_.clear();
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // `nodes` and `bytes` say where the leaf stands.
  void add(std::span<const Box> boxes, bool first, std::uint64_t nodes, std::uint64_t bytes) {
    batch_.leaves.push_back({first, boxes.size(), 0, nodes, bytes});
    batch_.boxes.insert(batch_.boxes.end(), boxes.begin(), boxes.end());
    added();
  }
  // Leaves with Vertical to move that have these boxes in common; the others of each member follow.
  void add_family(std::span<const Box> boxes, std::uint64_t nodes, std::uint64_t bytes) {
    batch_.leaves.push_back({true, boxes.size(), 0, nodes, bytes});
    batch_.boxes.insert(batch_.boxes.end(), boxes.begin(), boxes.end());
  }
  void add_member(std::span<const Box> boxes) {
    ++batch_.leaves.back().members;
    batch_.members.push_back(boxes.size());
    batch_.boxes.insert(batch_.boxes.end(), boxes.begin(), boxes.end());
  }
  // To be called when a family is complete.
  void added() {
    if (batch_.leaves.size() < memory_.crew.batch) return;
    if (failed_at_ != NEVER) throw Stop{REJECTED, {}};  // the walk ends; finish() says why
    if (!hand_over()) check(batch_, *memory_.pieces[0]);
    batch_ = {};
  }

  // Waits until all leaves are checked. Throws the Stop of the first leaf that failed, and sets `nodes` to its place.
  void finish(std::uint64_t& nodes) {
    check(batch_, *memory_.pieces[0]);
    batch_ = {};
    std::unique_lock<std::mutex> alone(mutex_);
    changed_.wait(alone, [&] { return waiting_.empty() && !busy_; });
    if (!failure_) return;
    nodes = failed_at_;
    throw *failure_;
  }

 private:
  static constexpr std::uint64_t NEVER = ~std::uint64_t{0};
  static constexpr std::size_t WAITING = 4;  // batches for each thread
  struct Leaf {
    bool first;
    std::size_t boxes, members;  // without members it is a leaf of its own
    std::uint64_t nodes, bytes;
  };
  struct Batch {
    std::vector<Leaf> leaves;
    std::vector<std::size_t> members;  // how many boxes each has
    std::vector<Box> boxes;
  };

  // Gives the batch to the other threads, unless they have enough to do.
  bool hand_over() {
    const auto others = static_cast<std::size_t>(memory_.crew.threads - 1);
    try {
      if (threads_.size() < others)
        threads_.emplace_back([this, i = threads_.size() + 1] { work(*memory_.pieces[i]); });
    } catch (const std::system_error&) {  // then with those that there are
    }
    if (threads_.empty()) return false;
    {
      const std::lock_guard<std::mutex> alone(mutex_);
      if (waiting_.size() >= WAITING * threads_.size()) return false;
      waiting_.push_back(std::move(batch_));
    }
    changed_.notify_all();
    return true;
  }
  void work(Pieces& pieces) {
    std::unique_lock<std::mutex> alone(mutex_);
    while (true) {
      changed_.wait(alone, [&] { return closing_ || !waiting_.empty(); });
      if (closing_) return;
      const Batch batch = std::move(waiting_.front());
      waiting_.pop_front();
      ++busy_;
      alone.unlock();
      check(batch, pieces);
      alone.lock();
      --busy_;
      if (waiting_.empty() && !busy_) changed_.notify_all();
    }
  }
  void check(const Batch& batch, Pieces& pieces) {
    const Box* boxes = batch.boxes.data();
    const std::size_t* member = batch.members.data();
    const auto next = [&](std::size_t count) {
      const std::span<const Box> taken(boxes, count);
      boxes += count;
      return taken;
    };
    for (const Leaf& leaf : batch.leaves) {
      if (leaf.nodes > failed_at_) return;  // later leaves do not matter any more
      try {
        memory_.budget.tick();
        BestSums sums(leaf.first);
        sums.add(next(leaf.boxes), pieces);
        if (!leaf.members) sums.check();
        for (std::size_t i = 0; i < leaf.members; ++i) {
          BestSums all = sums;
          all.add(next(*member++), pieces);
          all.check();
        }
      } catch (const Stop& stop) {
        return fail(leaf, stop);
      } catch (const std::bad_alloc&) {
        return fail(leaf, {UNFINISHED, "the memory of this machine was exhausted"});
      }
    }
  }
  void fail(const Leaf& leaf, Stop stop) {
    const std::lock_guard<std::mutex> alone(mutex_);
    if (leaf.nodes > failed_at_) return;
    failed_at_ = leaf.nodes;
    stop.bytes = leaf.bytes;
    failure_ = std::move(stop);
  }

  Memory& memory_;
  Batch batch_;  // the walker's
  std::atomic<std::uint64_t> failed_at_ = NEVER;
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<Batch> waiting_;
  int busy_ = 0;
  bool closing_ = false;
  std::optional<Stop> failure_;
  std::vector<std::thread> threads_;
};

}  // namespace zcheck
