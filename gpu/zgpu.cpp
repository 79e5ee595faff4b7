// The card against the processor: the bound, units, whole boards. Every figure of docs/gpu.md is one command of this.
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/threads.hpp"
#include "card.hpp"
#include "domineering/board/board.hpp"
#include "domineering/bound/strip_profile.hpp"
#include "domineering/gpu/table_view.hpp"
#include "domineering/search/component_search.hpp"

using namespace zermelo;

namespace {

constexpr std::size_t GIB = std::size_t{1} << 30;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
int processors() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

struct Loaded {
  std::shared_ptr<const StripTables> tables;
  gpu::HostTable host[gpu::MAX_HEIGHT + 1];
};
Loaded load_tables(int rows, int cols, int squares) {
  Loaded loaded;
  const double start = now();
  loaded.tables = StripTables::load(StripPlan(rows, cols, 4 * GIB, squares));
  for (int height = 2; height <= gpu::MAX_HEIGHT; ++height) {
    const int widest = loaded.tables->widest(height);
    if (!widest) continue;
    const StripLookup view = loaded.tables->view(height);
    gpu::HostTable& host = loaded.host[height];
    host = {view.number, strip_table_patterns(height, widest), reinterpret_cast<const gpu::PairWords*>(view.entry), 0,
            widest};
    for (std::size_t i = 0; i < host.patterns; ++i)
      if (host.number[i] >= host.entries) host.entries = host.number[i] + std::size_t{1};
    std::printf("table %dx%d: %zu patterns, %zu entries\n", height, widest, host.patterns, host.entries);
  }
  std::printf("tables ready in %.1f s\n", now() - start);
  std::fflush(stdout);
  return loaded;
}

// A position after random moves of both players in turn, and who is to move.
struct Random {
  Board board;
  Player to_move;
};
Random random_position(std::mt19937_64& random, int rows, int cols, int least, int most) {
  Random position{Board::empty(rows, cols), random() & 1 ? Player::V : Player::H};
  int plies = least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  for (; plies > 0; --plies) {
    const auto moves = legal_moves(position.board, position.to_move);
    if (moves.empty()) break;
    play(position.board, moves[random() % moves.size()]);
    position.to_move = other(position.to_move);
  }
  return position;
}
std::uint16_t row_of(const Board& board, int row) {
  unsigned bits = 0;
  for (int col = 0; col < board.cols; ++col) bits |= static_cast<unsigned>(board.is_free(row, col)) << col;
  return static_cast<std::uint16_t>(bits);
}

// `work(i)` for all i < count, on all processors.
template <class Work>
void for_all(std::size_t count, Work&& work) {
  std::atomic<std::size_t> next{0};
  constexpr std::size_t CHUNK = 64;
  run_threads(
      processors(),
      [&](int thread) {
        for (std::size_t at; (at = next.fetch_add(CHUNK)) < count;)
          for (std::size_t i = at; i < std::min(count, at + CHUNK); ++i) work(i, thread);
      },
      [&] { next = count; });
}

int compare_bound(std::size_t count, int squares) {
  const Loaded loaded = load_tables(9, 9, squares);
  gpu::Card card(loaded.host, GIB);
  std::vector<gpu::LinesToCut> lines(count);
  for_all(count, [&](std::size_t i, int) {
    std::mt19937_64 random(i * 0x9e3779b97f4a7c15u + 1);
    const int rows = 6 + static_cast<int>(random() % 4), cols = 6 + static_cast<int>(random() % 4);
    const Random position = random_position(random, rows, cols, 2, rows * cols / 3);
    const Board board = random() & 1 ? position.board : transposed(position.board);
    lines[i] = {};
    lines[i].count = board.rows;
    for (int row = 0; row < board.rows; ++row) lines[i].line[row] = row_of(board, row);
  });
  double seconds = 0;
  const auto margins = card.evaluate(lines, seconds);
  std::atomic<std::size_t> different{0};
  const double start = now();
  for_all(count, [&](std::size_t i, int) {
    thread_local StripProfile<MoveSum> profile;
    profile.build(lines[i].line, lines[i].count, *loaded.tables);
    const gpu::MarginPair ours{static_cast<std::int16_t>(profile.whole().margin_first()),
                               static_cast<std::int16_t>(profile.whole().margin_second())};
    if (!(ours == margins[i])) ++different;
  });
  std::printf("bound: %zu positions of 6x6 to 9x9, %zu differ; %s %.3f billion evaluations a second, %d cores %.3f\n",
              count, different.load(), card.name().c_str(), static_cast<double>(count) / seconds / 1e9, processors(),
              static_cast<double>(count) / (now() - start) / 1e9);
  return different ? 1 : 0;
}

int compare_units(std::size_t count, int squares) {
  const Loaded loaded = load_tables(9, 9, squares);
  gpu::Card card(loaded.host, 8 * GIB);
  std::size_t different = 0, unknown = 0, done = 0, wins = 0;
  double card_seconds = 0, core_seconds = 0;
  gpu::Counters counters;
  std::uint64_t core_nodes = 0;
  for (int rows = 6; rows <= 9; ++rows)
    for (int cols = 6; cols <= 9; ++cols) {
      const std::size_t here = count / 16;
      std::vector<Random> positions(here);
      std::vector<gpu::Unit> units(here);
      for_all(here, [&](std::size_t i, int) {
        std::mt19937_64 random((i * 256 + static_cast<std::size_t>(rows * 16 + cols)) * 0x9e3779b97f4a7c15u + 7);
        positions[i] = random_position(random, rows, cols, rows * cols / 6, rows * cols / 4);
        units[i] = {};
        for (int row = 0; row < rows; ++row) units[i].rows[row] = row_of(positions[i].board, row);
        units[i].player = positions[i].to_move == Player::H;
      });
      gpu::SearchOrder order;
      order.rows = rows, order.cols = cols, order.seconds = 30, order.help = true;
      const gpu::SearchReport report = card.search(units, order);
      card_seconds += report.seconds;
      counters.nodes += report.counters.nodes;
      counters.evaluations += report.counters.evaluations;
      ComponentOptions options;
      options.memory = 4 * GIB;
      ComponentSearch search(rows, cols, options);
      std::vector<Verdict> verdicts(here);
      search.solve_alone(positions[0].board, positions[0].to_move);
      std::atomic<std::uint64_t> nodes{0};
      const double start = now();
      for_all(here, [&](std::size_t i, int) {
        const SearchResult result = search.solve_alone(positions[i].board, positions[i].to_move);
        verdicts[i] = result.verdict;
        nodes += result.nodes;
      });
      core_seconds += now() - start;
      core_nodes += nodes;
      for (std::size_t i = 0; i < here; ++i) {
        ++done;
        const Verdict theirs = report.answers[i] == gpu::Answer::WIN    ? Verdict::WIN
                               : report.answers[i] == gpu::Answer::LOSS ? Verdict::LOSS
                                                                        : Verdict::UNKNOWN;
        wins += theirs == Verdict::WIN;
        if (theirs == Verdict::UNKNOWN) ++unknown;
        else if (theirs != verdicts[i]) ++different;
      }
      std::printf(
          "  %dx%d: %zu units, card %.3f s, %llu nodes; cores %.3f s, %llu nodes; so far %zu differ, %zu unknown\n",
          rows, cols, here, report.seconds, static_cast<unsigned long long>(report.counters.nodes), now() - start,
          static_cast<unsigned long long>(nodes.load()), different, unknown);
      std::fflush(stdout);
    }
  std::printf(
      "units: %zu of 6x6 to 9x9, %zu won, %zu differ, %zu unknown; %s %.2f s (%.1f million nodes), %d cores %.2f s "
      "(%.1f million nodes)\n",
      done, wins, different, unknown, card.name().c_str(), card_seconds, static_cast<double>(counters.nodes) / 1e6,
      processors(), core_seconds, static_cast<double>(core_nodes) / 1e6);
  return different || unknown ? 1 : 0;
}

int solve(int rows, int cols, Player first, int squares, bool cores, double seconds) {
  const Loaded loaded = load_tables(rows, cols, squares);
  gpu::Card card(loaded.host, 32 * GIB);
  gpu::Unit unit{};
  for (int row = 0; row < rows; ++row) unit.rows[row] = static_cast<std::uint16_t>((1u << cols) - 1);
  unit.player = first == Player::H;
  gpu::SearchOrder order;
  order.rows = rows, order.cols = cols, order.help = true, order.seconds = seconds;
  const gpu::SearchReport report = card.search({unit}, order);
  const auto name = [](bool known, bool win) { return !known ? "unknown" : win ? "wins" : "loses"; };
  std::printf(
      "solve %dx%d, %c first: %s %s in %.3f s, %d warps, %.1f million nodes, %.1f million evaluations "
      "(%.3f billion a second)\n",
      rows, cols, letter(first), card.name().c_str(),
      name(report.answers[0] != gpu::Answer::UNKNOWN, report.answers[0] == gpu::Answer::WIN), report.seconds,
      report.warps, static_cast<double>(report.counters.nodes) / 1e6,
      static_cast<double>(report.counters.evaluations) / 1e6,
      static_cast<double>(report.counters.evaluations) / report.seconds / 1e9);
  std::fflush(stdout);
  if (!cores) return 0;
  ComponentOptions options;
  options.memory = 4 * GIB;
  options.threads = processors();
  ComponentSearch search(rows, cols, options);
  const SearchResult result = search.solve(Board::empty(rows, cols), first);
  std::printf(
      "solve %dx%d, %c first: %d cores %s in %.3f s (%.1f s of tables before), %.1f million nodes, %.1f million "
      "evaluations\n",
      rows, cols, letter(first), processors(), name(result.verdict != Verdict::UNKNOWN, result.verdict == Verdict::WIN),
      result.seconds, result.table_seconds, static_cast<double>(result.nodes) / 1e6,
      static_cast<double>(result.evaluations) / 1e6);
  return 0;
}

int usage() {
  std::fprintf(
      stderr,
      "usage: zgpu bound [COUNT [SQUARES]]             the bound, card against processor\n"
      "       zgpu units [COUNT [SQUARES]]             verdicts of random units, likewise\n"
      "       zgpu solve RxC V|H [SQUARES] [--cores] [--seconds S]  a whole board; --cores: on the processor too\n"
      "SQUARES: of the largest strip patterns that have a table, 24 or 27\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  bool cores = false;
  double seconds = 600;
  for (std::size_t i = 0; i < words.size();) {
    if (words[i] == "--cores") cores = true, words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    else if (words[i] == "--seconds" && i + 1 < words.size()) {
      seconds = std::atof(words[i + 1].c_str());
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i), words.begin() + static_cast<std::ptrdiff_t>(i + 2));
    } else ++i;
  }
  const auto number = [&](std::size_t at, long otherwise) {
    return words.size() > at ? std::atol(words[at].c_str()) : otherwise;
  };
  try {
    if (words.empty()) return usage();
    if (words[0] == "bound")
      return compare_bound(static_cast<std::size_t>(number(1, 10'000'000)), static_cast<int>(number(2, 24)));
    if (words[0] == "units")
      return compare_units(static_cast<std::size_t>(number(1, 100'000)), static_cast<int>(number(2, 24)));
    int rows = 0, cols = 0;
    if (words[0] == "solve" && words.size() >= 3 && std::sscanf(words[1].c_str(), "%dx%d", &rows, &cols) == 2)
      return solve(rows, cols, words[2] == "H" ? Player::H : Player::V, static_cast<int>(number(3, 24)), cores,
                   seconds);
    return usage();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "zgpu: %s\n", error.what());
    return 1;
  }
}
