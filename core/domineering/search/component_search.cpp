#include "domineering/search/component_search.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/threads.hpp"
#include "domineering/search/component_table.hpp"
#include "domineering/search/component_walker.hpp"

namespace zermelo {

namespace {

// Small boards are solved in fewer nodes than a small table holds, and fresh memory has its price (6x11, with
// 256 MiB: as much as the search itself; 4x13 with 64 MiB instead of 16: 12 % more).
std::size_t table_bytes(int rows, int cols, std::size_t available) {
  const int squares = rows * cols;
  constexpr std::size_t MIB = std::size_t{1} << 20;
  if (squares > 81) return available;
  return std::min(available, (squares <= 60 ? 16 : squares <= 72 ? 64 : 512) * MIB);
}

// Whether bent cuts pay: positions of 9x9 take 0.7 of the time and those of 10x10 half; but 7x11 takes 1.6, 6x11 1.8
// and 8x8 1.4, though in 0.6 of the nodes, and 8x10 2.4, in no fewer nodes.
bool bends(int rows, int cols) { return std::min(rows, cols) >= 7 && rows * cols > 80; }

}  // namespace

// At most half of the memory goes to strip tables, the rest to results.
struct ComponentSearch::Shared {
  const int rows, cols, threads;
  const bool flexible, looks_ahead;
  const StripPlan plan;
  ComponentTable table;

  Shared(int r, int c, const ComponentOptions& options)
      : rows(r),
        cols(c),
        threads(options.threads),
        flexible(options.flexible && (options.always_flexible || bends(r, c))),
        looks_ahead(options.flexible && bends(r, c) && r % 2 && c % 2),
        plan(r, c, options.memory / 2, options.table_squares,
             options.tall && !flexible && std::min(r, c) <= MAX_STRIP_HEIGHT ? TALLEST_STRIP : MAX_STRIP_HEIGHT,
             options.wide_patterns),
        table(table_bytes(r, c, options.memory - plan.bytes)) {}

  // The strip tables, loaded when they are first needed; null if that was stopped.
  const StripTables* tables(const StopCheck& stop = {}) {
    if (const StripTables* loaded = ready_.load(std::memory_order_acquire)) return loaded;
    auto loaded = StripTables::load(plan, stop);
    if (!loaded) return nullptr;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!kept_) kept_ = std::move(loaded);
    ready_.store(kept_.get(), std::memory_order_release);
    return kept_.get();
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const StripTables> kept_;
  std::atomic<const StripTables*> ready_ = nullptr;
};

ComponentSearch::ComponentSearch(int rows, int cols, const ComponentOptions& options) {
  if (rows < 1 || cols < 1 || rows > MAX_LINES || cols > MAX_LINES)
    throw std::invalid_argument("the component search takes boards with sides of at most " + std::to_string(MAX_LINES) +
                                ", not " + std::to_string(rows) + "x" + std::to_string(cols));
  if (options.threads < 1 || options.threads > 256)
    throw std::invalid_argument("a search takes 1 to 256 threads, not " + std::to_string(options.threads));
  if (options.memory < std::size_t{1} << 20) throw std::invalid_argument("a search needs 1 MiB of memory at least");
  shared_ = std::make_unique<Shared>(rows, cols, options);
}
ComponentSearch::~ComponentSearch() = default;
ComponentSearch::ComponentSearch(ComponentSearch&&) noexcept = default;
ComponentSearch& ComponentSearch::operator=(ComponentSearch&&) noexcept = default;

void ComponentSearch::clear() { shared_->table.clear(); }
SavedWords ComponentSearch::save(std::size_t most) const {
  SavedWords words;
  shared_->table.save(words, most);
  return words;
}
std::size_t ComponentSearch::load(std::span<const std::uint64_t> words) {
  const std::size_t count = shared_->table.load(words);
  if (!words.empty()) throw std::invalid_argument("the saved entries are damaged");
  return count;
}
const ComponentTable& ComponentSearch::table() const { return shared_->table; }
const StripTables& ComponentSearch::tables() const { return *shared_->tables(); }

ComponentSearch::Walked ComponentSearch::walk(const Board& board, Player to_move, const Limits& limits, int threads) {
  if (board.topology != Topology::RECTANGLE)
    throw std::invalid_argument("the component search takes rectangles, not cylinders or tori");
  if (board.rows > shared_->rows || board.cols > shared_->cols)
    throw std::invalid_argument("the board is larger than this search was made for");

  // Building tables is within the limits too.
  Watch loading(limits);
  const StripTables* tables = shared_->tables([&] { return loading.look(); });
  Walked walked;
  SearchResult& result = walked.result;
  result.table_seconds = loading.seconds();
  if (!tables) {
    result.stopped = loading.reason();
    return walked;
  }
  ComponentTask task{*tables, shared_->table, Watch(loading.rest()), threads, shared_->flexible, shared_->looks_ahead};
  std::mutex mutex;
  const auto work = [&](int number) {
    ComponentWalker walker(task, number);
    const Verdict verdict = walker.run(board, to_move);
    const std::lock_guard<std::mutex> lock(mutex);
    result.nodes += walker.nodes();
    result.evaluations += walker.evaluations();
    if (verdict == Verdict::UNKNOWN || result.verdict != Verdict::UNKNOWN) return;
    result.verdict = verdict;
    result.move = walker.best();
    walked.by_bound = walker.decided_by_bound();
    task.watch.stop();
  };
  run_threads(threads, work, [&] { task.watch.stop(StopReason::CANCELLED); });
  if (result.verdict == Verdict::UNKNOWN) result.stopped = task.watch.reason();
  result.seconds = task.watch.seconds();
  return walked;
}

SearchResult ComponentSearch::solve(const Board& board, Player to_move, const Limits& limits, bool want_move) {
  const Watch watch(limits);
  Walked walked = walk(board, to_move, limits, shared_->threads);
  SearchResult& result = walked.result;
  // A number, or a table that names no move, may have decided: then one of the moves is quickly seen to win.
  if (want_move && result.verdict == Verdict::WIN && !result.move && !walked.by_bound) {
    Limits rest = watch.rest();
    rest.on_progress = nullptr;
    result.move = winning_move(board, to_move, rest);
    result.seconds = watch.seconds() - result.table_seconds;
  }
  return result;
}

SearchResult ComponentSearch::solve_alone(const Board& board, Player to_move, const Limits& limits) {
  return walk(board, to_move, limits, 1).result;
}

// Every move gets a few nodes first, then all get more: one good move is enough, and a bad one may be expensive to
// refute.
std::optional<Move> ComponentSearch::winning_move(const Board& board, Player to_move, const Limits& limits) {
  const Watch watch(limits);
  std::vector<Move> moves = legal_moves(board, to_move);
  for (std::uint64_t budget = 64; !moves.empty(); budget *= 8) {
    std::vector<Move> undecided;
    for (const Move& move : moves) {
      Limits rest = watch.rest();
      rest.nodes = std::min(budget, limits.nodes);
      Board child = board;
      play(child, move);
      const SearchResult reply = walk(child, other(to_move), rest, shared_->threads).result;
      if (reply.verdict == Verdict::LOSS) return move;
      if (reply.stopped == StopReason::TIME || reply.stopped == StopReason::CANCELLED) return std::nullopt;
      if (reply.verdict == Verdict::UNKNOWN) undecided.push_back(move);
    }
    if (budget >= limits.nodes) break;
    moves = std::move(undecided);
  }
  return std::nullopt;
}

}  // namespace zermelo
