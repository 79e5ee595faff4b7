// The card against the processor: the bound, units, whole boards. Every figure of docs/gpu.md is one command of this.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/threads.hpp"
#include "card.hpp"
#include "domineering/board/lines.hpp"
#include "domineering/board/spec.hpp"
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
Loaded load_tables(int rows, int cols, int squares, bool tell = true) {
  Loaded loaded;
  const double start = now();
  loaded.tables = StripTables::load(StripPlan(rows, cols, 4 * GIB, squares));
  for (int height = 2; height <= gpu::MAX_HEIGHT; ++height) {
    const StripLookup& view = loaded.tables->of(height);
    const int widest = view.exact;
    if (!widest) continue;
    gpu::HostTable& host = loaded.host[height];
    host = {view.number, strip_table_patterns(height, widest), reinterpret_cast<const gpu::PairWords*>(view.entry), 0,
            widest};
    for (std::size_t i = 0; i < host.patterns; ++i)
      if (host.number[i] >= host.entries) host.entries = host.number[i] + std::size_t{1};
    if (tell) std::printf("table %dx%d: %zu patterns, %zu entries\n", height, widest, host.patterns, host.entries);
  }
  if (tell) std::printf("tables ready in %.1f s\n", now() - start);
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

struct BoundsCompared {
  std::size_t different;
  double card_rate, core_rate;  // evaluations a second
};
BoundsCompared compare_bounds(gpu::Card& card, const Loaded& loaded, std::size_t count) {
  std::vector<gpu::LinesToCut> lines(count);
  for_all(count, [&](std::size_t i, int) {
    std::mt19937_64 random(i * 0x9e3779b97f4a7c15u + 1);
    const int rows = 6 + static_cast<int>(random() % 4), cols = 6 + static_cast<int>(random() % 4);
    const Random position = random_position(random, rows, cols, 2, rows * cols / 3);
    const Board board = random() & 1 ? position.board : transposed(position.board);
    lines[i] = {};
    lines[i].count = board.rows;
    std::ranges::copy(rows_of(board), lines[i].line);
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
  return {different, static_cast<double>(count) / seconds, static_cast<double>(count) / (now() - start)};
}

int measure_bound(std::size_t count, int squares) {
  const Loaded loaded = load_tables(9, 9, squares);
  gpu::Card card(loaded.host, GIB);
  const BoundsCompared found = compare_bounds(card, loaded, count);
  std::printf("bound: %zu positions of 6x6 to 9x9, %zu differ; %s %.3f billion evaluations a second, %d cores %.3f\n",
              count, found.different, card.name().c_str(), found.card_rate / 1e9, processors(), found.core_rate / 1e9);
  return found.different ? 1 : 0;
}

// Random units of one size of board, and what the card says of them.
struct RandomUnits {
  std::vector<Random> positions;
  gpu::SearchReport report;
};
RandomUnits search_random_units(gpu::Card& card, int rows, int cols, std::size_t count, std::uint64_t seed) {
  RandomUnits made{std::vector<Random>(count), {}};
  std::vector<gpu::Unit> units(count);
  for_all(count, [&](std::size_t i, int) {
    std::mt19937_64 random((i * 256 + static_cast<std::size_t>(rows * 16 + cols)) * 0x9e3779b97f4a7c15u + seed);
    made.positions[i] = random_position(random, rows, cols, rows * cols / 6, rows * cols / 4);
    units[i] = {};
    std::ranges::copy(rows_of(made.positions[i].board), units[i].rows);
    units[i].player = made.positions[i].to_move == Player::H;
  });
  gpu::SearchOrder order;
  order.rows = rows, order.cols = cols, order.seconds = 30, order.help = true;
  made.report = card.search(units, order);
  return made;
}
Verdict verdict_of(gpu::Answer answer) {
  return answer == gpu::Answer::WIN ? Verdict::WIN : answer == gpu::Answer::LOSS ? Verdict::LOSS : Verdict::UNKNOWN;
}

struct UnitsCompared {
  std::size_t done = 0, wins = 0, different = 0, unknown = 0;
  double card_seconds = 0, core_seconds = 0;
  std::uint64_t core_nodes = 0;
  gpu::Counters counters;
};
UnitsCompared compare_units(gpu::Card& card, std::size_t count, int largest, bool tell) {
  UnitsCompared all;
  const int sizes = largest - 5;
  for (int rows = 6; rows <= largest; ++rows)
    for (int cols = 6; cols <= largest; ++cols) {
      const std::size_t here = count / static_cast<std::size_t>(sizes * sizes);
      const auto [positions, report] = search_random_units(card, rows, cols, here, 7);
      all.card_seconds += report.seconds;
      all.counters.nodes += report.counters.nodes;
      ComponentOptions options;
      options.memory = GIB;
      ComponentSearch search(rows, cols, options);
      std::vector<Verdict> verdicts(here);
      search.solve_alone(positions[0].board, positions[0].to_move);
      std::atomic<std::uint64_t> nodes{0};
      const double start = now();
      for_all(here, [&, &asked = positions](std::size_t i, int) {
        const SearchResult result = search.solve_alone(asked[i].board, asked[i].to_move);
        verdicts[i] = result.verdict;
        nodes += result.nodes;
      });
      const double seconds = now() - start;
      all.core_seconds += seconds;
      all.core_nodes += nodes;
      for (std::size_t i = 0; i < here; ++i) {
        const Verdict theirs = verdict_of(report.answers[i]);
        ++all.done;
        all.wins += theirs == Verdict::WIN;
        if (theirs == Verdict::UNKNOWN) ++all.unknown;
        else if (theirs != verdicts[i]) ++all.different;
      }
      if (!tell) continue;
      std::printf(
          "  %dx%d: %zu units, card %.3f s, %llu nodes; cores %.3f s, %llu nodes; so far %zu differ, %zu unknown\n",
          rows, cols, here, report.seconds, static_cast<unsigned long long>(report.counters.nodes), seconds,
          static_cast<unsigned long long>(nodes.load()), all.different, all.unknown);
      std::fflush(stdout);
    }
  return all;
}

int measure_units(std::size_t count, int squares) {
  const Loaded loaded = load_tables(9, 9, squares);
  gpu::Card card(loaded.host, 8 * GIB);
  const UnitsCompared found = compare_units(card, count, 9, true);
  std::printf(
      "units: %zu of 6x6 to 9x9, %zu won, %zu differ, %zu unknown; %s %.2f s (%.1f million nodes), %d cores %.2f s "
      "(%.1f million nodes)\n",
      found.done, found.wins, found.different, found.unknown, card.name().c_str(), found.card_seconds,
      static_cast<double>(found.counters.nodes) / 1e6, processors(), found.core_seconds,
      static_cast<double>(found.core_nodes) / 1e6);
  return found.different || found.unknown ? 1 : 0;
}

// Is the card to be trusted? Small enough to be asked before every use.
int doctor() {
  const Loaded loaded = load_tables(9, 9, 20, false);
  gpu::Card card(loaded.host, GIB);
  const BoundsCompared bounds = compare_bounds(card, loaded, 1'000'000);
  if (bounds.different) {
    std::fprintf(stderr, "zgpu: %zu of 1000000 bounds differ from the processor's\n", bounds.different);
    return 1;
  }
  const UnitsCompared units = compare_units(card, 10'000, 8, false);
  if (units.different || units.unknown) {
    std::fprintf(stderr, "zgpu: of %zu units %zu verdicts differ from the processor's, %zu are unknown\n", units.done,
                 units.different, units.unknown);
    return 1;
  }
  std::printf("%s: 1000000 bounds and %zu verdicts are the processor's\n", card.name().c_str(), units.done);
  return 0;
}

// What the card says of random units, one a line, for somebody who proves them: the board, who moves, who wins.
int verdicts(std::size_t count, std::uint64_t seed) {
  const Loaded loaded = load_tables(9, 9, 20, false);
  gpu::Card card(loaded.host, GIB);
  const std::size_t here = (count + 8) / 9;
  std::size_t left = count;
  for (int rows = 6; rows <= 8; ++rows)
    for (int cols = 6; cols <= 8; ++cols) {
      const auto [positions, report] = search_random_units(card, rows, cols, std::min(here, left), seed);
      left -= positions.size();
      for (std::size_t i = 0; i < positions.size(); ++i) {
        const Random& unit = positions[i];
        const Verdict verdict = verdict_of(report.answers[i]);
        const char winner = verdict == Verdict::UNKNOWN ? '?'
                            : verdict == Verdict::WIN   ? letter(unit.to_move)
                                                        : letter(other(unit.to_move));
        std::printf("%s %c %c\n", grid_text(unit.board).c_str(), letter(unit.to_move), winner);
      }
    }
  return 0;
}

void tell_profile(const gpu::Counters& counters, double seconds) {
  double all = 0;
  for (const std::uint64_t cycles : counters.cycles) all += static_cast<double>(cycles);
  const auto share = [&](gpu::Phase phase) { return 100 * static_cast<double>(counters.cycles[phase]) / all; };
  std::printf(
      "profile: %.1f million nodes a second; %.1f of 32 lanes evaluate; %.0f cycles a node and warp: table %.1f %%, "
      "own bound %.1f %%, rival's bound %.1f %%, order %.1f %%, choice of the next move %.1f %%, the rest %.1f %%\n",
      static_cast<double>(counters.nodes) / seconds / 1e6,
      32 * static_cast<double>(counters.evaluations) / static_cast<double>(counters.places),
      all / static_cast<double>(counters.nodes), share(gpu::ASKING_TABLE), share(gpu::OWN_BOUND),
      share(gpu::RIVAL_BOUND), share(gpu::ORDERING), share(gpu::CHOOSING), share(gpu::WALKING));
}

int solve(int rows, int cols, Player first, int squares, bool cores, double seconds, std::size_t memory) {
  const Loaded loaded = load_tables(rows, cols, squares);
  gpu::Card card(loaded.host, memory);
  gpu::Unit unit{};
  std::ranges::copy(rows_of(Board::empty(rows, cols)), unit.rows);
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
  tell_profile(report.counters, report.seconds);
  std::fflush(stdout);
  if (!cores) return 0;
  ComponentOptions options;
  options.memory = 8 * GIB;
  options.threads = processors();
  options.table_squares = squares;
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
  std::fprintf(stderr,
               "usage: zgpu doctor                              may the card be trusted?\n"
               "       zgpu verdicts COUNT SEED                 what it says of random units, to be proved again\n"
               "       zgpu bound [COUNT [SQUARES]]             the bound, card against processor\n"
               "       zgpu units [COUNT [SQUARES]]             verdicts of random units, likewise\n"
               "       zgpu solve RxC V|H [SQUARES] [--cores] [--seconds S] [--memory GIB]\n"
               "                                                a whole board; --cores: on the processor too\n"
               "SQUARES: of the largest strip patterns that have a table, 24 or 27; GIB: for the table of answers, 32\n"
               "Exit codes: 0 all well, 1 card and processor differ, 2 it could not be tried\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const auto take = [&](const char* name, int values) {
    const auto at = std::find(words.begin(), words.end(), name);
    if (words.end() - at <= values) return std::string();
    const std::string value = *(at + values);
    words.erase(at, at + 1 + values);
    return value;
  };
  const bool cores = !take("--cores", 0).empty();
  const double seconds = std::atof(("0" + take("--seconds", 1)).c_str());
  const double memory = std::atof(("0" + take("--memory", 1)).c_str());
  const auto number = [&](std::size_t at, long otherwise) {
    return words.size() > at ? std::atol(words[at].c_str()) : otherwise;
  };
  const auto count = [&](long otherwise) { return static_cast<std::size_t>(number(1, otherwise)); };
  const auto squares = [&](std::size_t at) { return static_cast<int>(number(at, 24)); };
  try {
    if (words.empty()) return usage();
    gpu::find_card();
    if (words[0] == "doctor") return doctor();
    if (words[0] == "verdicts" && words.size() == 3)
      return verdicts(count(0), static_cast<std::uint64_t>(number(2, 1)));
    if (words[0] == "bound") return measure_bound(count(10'000'000), squares(2));
    if (words[0] == "units") return measure_units(count(100'000), squares(2));
    int rows = 0, cols = 0;
    if (words[0] == "solve" && words.size() >= 3 && std::sscanf(words[1].c_str(), "%dx%d", &rows, &cols) == 2)
      return solve(rows, cols, words[2] == "H" ? Player::H : Player::V, squares(3), cores, seconds > 0 ? seconds : 600,
                   static_cast<std::size_t>((memory > 0 ? memory : 32) * GIB));
    return usage();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "zgpu: %s\n", error.what());
    return 2;
  }
}
