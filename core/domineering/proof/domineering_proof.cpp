#include "domineering/proof/domineering_proof.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "base/files.hpp"
#include "base/threads.hpp"
#include "domineering/proof/strip_proof_writer.hpp"

namespace zermelo::proof {

namespace {

// Segments begin after so many moves of the loser. There have to be many, for the first, to which most of the others
// can refer, takes one thread longer than any other.
int cut_depth(int squares) { return squares <= 64 ? 3 : 4; }
constexpr std::uint32_t SEGMENT = ~std::uint32_t{0};  // as a place's file: the beginning of segment `offset`

struct Span {
  Place begin;
  std::uint64_t length;
};

struct Segment {
  Lines rows;
  bool keep;             // references can mean it
  std::uint64_t cut_at;  // where it belongs in the first thread's file
  Span span{};
};

[[noreturn]] void throw_full() { throw std::runtime_error("the proof file cannot be written: is the disk full?"); }

void seek(std::FILE* file, std::uint64_t offset) {
  if (fseeko(file, static_cast<off_t>(offset), SEEK_SET)) throw_full();
}

class Writer {
 public:
  Writer(StrategyTask& task, const std::string& path, int threads) : task_(task), path_(path) {
    for (int i = 0; i < threads; ++i)
      walks_.push_back(std::make_unique<StripProofWriter>(task, path, static_cast<std::uint32_t>(i)));
  }

  void write(const Lines& rows, bool winner_starts) {
    StripProofWriter& first = *walks_.front();
    if (walks_.size() > 1)
      first.cut(cut_depth(task_.rows * task_.cols),
                [this](const Lines& there, const Normal& form) { return hand_over(there, form); });
    const auto walk = [&](int number) {
      if (number == 0) {
        if (winner_starts) first.won(rows);
        else first.lost(rows);
        trunk_end_ = first.place().offset;
        {
          const std::lock_guard<std::mutex> lock(mutex_);
          planned_ = true;
        }
        changed_.notify_all();
        first.cut(-1, nullptr);
      }
      work(number);
    };
    run_threads(static_cast<int>(walks_.size()), walk, [this] {
      const std::lock_guard<std::mutex> lock(mutex_);
      task_.watch.stop(StopReason::CANCELLED);
      changed_.notify_all();
    });
  }

  // The pieces become one file, and marks that nobody refers to are taken back. Returns its size.
  std::uint64_t assemble() {
    for (auto& walk : walks_) {
      walk->flush();
      std::rewind(walk->file());
    }
    std::vector<Place> unused = task_.known.unused();
    for (Place& place : unused)
      if (place.file == SEGMENT) place = segments_[place.offset].span.begin;
    std::sort(unused.begin(), unused.end());

    const File out = create_file(path_);
    std::uint64_t total = 0, trunk = 0;
    const auto copy = [&](const Span& span) {
      std::FILE* in = walks_[span.begin.file]->file();
      seek(in, span.begin.offset);
      auto mark = std::lower_bound(unused.begin(), unused.end(), span.begin);
      for (std::uint64_t done = 0; done < span.length;) {
        const std::size_t part = std::min<std::uint64_t>(span.length - done, buffer_.size());
        if (std::fread(buffer_.data(), 1, part, in) != part) throw_full();
        const Place begin{span.begin.file, span.begin.offset + done}, end{begin.file, begin.offset + part};
        for (; mark != unused.end() && *mark < end; ++mark) {
          char& tag = buffer_[mark->offset - begin.offset];
          // A segment whose position was proved elsewhere in the meantime begins with a REF.
          tag = static_cast<char>(not_remembered(tag));
        }
        if (std::fwrite(buffer_.data(), 1, part, out.get()) != part) throw_full();
        done += part;
      }
      total += span.length;
    };
    for (const Segment& segment : segments_) {
      copy({{0, trunk}, segment.cut_at - trunk});
      copy(segment.span);
      trunk = segment.cut_at;
    }
    copy({{0, trunk}, trunk_end_ - trunk});
    if (std::fflush(out.get())) throw_full();
    return total;
  }

  DomineeringProofStats stats() const {
    DomineeringProofStats total;
    for (const auto& walk : walks_) {
      total.positions += walk->positions();
      total.references += walk->references();
    }
    total.segments = segments_.size();
    return total;
  }

 private:
  std::int32_t hand_over(const Lines& rows, const Normal& form) {
    const std::uint64_t cut_at = walks_.front()->place().offset;
    const auto number = static_cast<std::int32_t>(segments_.size());  // only this thread adds segments
    const bool keep = task_.known.begin(form, 2 * number + 1, {SEGMENT, static_cast<std::uint64_t>(number)});
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      segments_.push_back({rows, keep, cut_at});
    }
    changed_.notify_one();
    return 2 * (number + 1);
  }

  void work(int thread) {
    StripProofWriter& walk = *walks_[thread];
    for (;;) {
      Segment* segment;
      std::int32_t number;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return next_ < segments_.size() || planned_ || task_.watch.stopped(); });
        if (task_.watch.stopped() || next_ == segments_.size()) return;
        number = static_cast<std::int32_t>(next_);
        segment = &segments_[next_++];  // a deque: it stays where it is
      }
      const Place begin = walk.place();
      walk.handed_over(segment->rows, 2 * number, segment->keep);
      segment->span = {begin, walk.place().offset - begin.offset};
    }
  }

  StrategyTask& task_;
  const std::string path_;
  std::vector<std::unique_ptr<StripProofWriter>> walks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Segment> segments_;
  std::size_t next_ = 0;
  bool planned_ = false;
  std::uint64_t trunk_end_ = 0;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 20);
};

}  // namespace

DomineeringProofStats write_domineering_proof(ComponentSearch& search, const Board& board, Player starter,
                                              Player winner, const std::string& path,
                                              const DomineeringProofOptions& options, const Limits& limits) {
  if (board.topology != Topology::RECTANGLE)
    throw std::invalid_argument("strips prove rectangles; cylinders and tori are proved by covers");
  if (options.threads < 1 || options.threads > 256)
    throw std::invalid_argument("a proof takes 1 to 256 threads, not " + std::to_string(options.threads));
  const bool turned = winner == Player::H;
  KnownPositions known(options.memory);
  StrategyTask task{
      search, known,        Watch(limits), turned ? board.cols : board.rows, turned ? board.rows : board.cols,
      turned, other(winner)};
  Writer writer(task, path, options.threads);
  std::uint64_t bytes = 0;
  try {
    writer.write(rows_of(turned ? transposed(board) : board), starter == winner);
    bytes = writer.assemble();
  } catch (const WalkStopped&) {
  }
  DomineeringProofStats stats = writer.stats();
  stats.stopped = task.watch.reason();
  stats.bytes = bytes;
  return stats;
}

}  // namespace zermelo::proof
