#include "tiny_prover.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "../../checker/stream.hpp"
#include "base/files.hpp"
#include "positional/proof/positional_proof.hpp"

namespace tiny {

std::vector<std::uint64_t> components(const Board& board) {
  std::vector<std::uint64_t> parts;
  std::uint64_t rest = board.free;
  while (rest) {
    std::uint64_t part = rest & -rest, grown = part;
    do {
      part = grown;
      for (int square = 0; square < board.rows * board.cols; ++square) {
        if (!(part >> square & 1)) continue;
        const int col = square % board.cols;
        if (square >= board.cols) grown |= std::uint64_t{1} << (square - board.cols);
        if (square + board.cols < board.rows * board.cols) grown |= std::uint64_t{1} << (square + board.cols);
        if (col) grown |= std::uint64_t{1} << (square - 1);
        if (col + 1 < board.cols) grown |= std::uint64_t{1} << (square + 1);
      }
      grown &= rest;
    } while (grown != part);
    rest &= ~part;
    parts.push_back(part);
  }
  return parts;
}

Bytes cut_text(const Board& board, Cut cut) {
  Bytes out;
  int runs = 0, packed = 0;
  for (std::uint64_t part : components(board)) {
    const int top = std::countr_zero(part) / board.cols;
    for (int square = 0; square < board.rows * board.cols; ++square) {
      const bool begins = square % board.cols == 0 || !(part >> (square - 1) & 1);
      if (!(part >> square & 1) || !begins || square / board.cols == top) continue;
      packed |= static_cast<int>(cut >> runs % 64 & 1) << runs % 8;
      if (++runs % 8 == 0) out += byte(packed), packed = 0;
    }
  }
  return runs % 8 ? out + byte(packed) : out;
}

Bytes strip_leaf(const Board& board, Cut cut, bool first) { return byte(first ? 0 : 16) + cut_text(board, cut); }

// What follows the tag: the cut, and which of `moves` moves it answers.
Bytes answers_text(const Board& board, Cut cut, std::uint64_t answered, std::size_t moves) {
  Bytes out = cut_text(board, cut);
  for (std::size_t i = 0; i < (moves + 7) / 8; ++i) out += static_cast<char>(answered >> (8 * i) & 255);
  return out;
}
Bytes answers(const Board& board, Cut cut, std::uint64_t answered, bool keep) {
  return byte(keep ? 25 : 17) + answers_text(board, cut, answered, board.moves(1).size());
}
std::uint64_t answered_by(const Board& board, Cut cut) {
  std::uint64_t answered = 0;
  for (std::size_t i = 0; i < board.moves(1).size(); ++i) {
    const std::uint64_t alone = std::uint64_t{1} << i;
    const Bytes text = domineering_claim(board, 1, 0) + answers(board, cut, alone, false);
    if (check(container(text)).verdict != zcheck::REJECTED) answered |= alone;
  }
  return answered;
}

Bytes random_cover(const Board& board, Random& random) {
  std::vector<int> corners;
  std::uint64_t taken = 0, chosen = 0;
  if (random() % 2)
    for (int corner = 0; corner < board.rows * board.cols; ++corner) {
      const int row = corner / board.cols, col = corner % board.cols;
      std::uint64_t area = 0;
      for (int r : {row, (row + 1) % board.rows})
        for (int c : {col, (col + 1) % board.cols}) area |= std::uint64_t{1} << (r * board.cols + c);
      if ((area & board.free) != area || area & taken || random() % 3 == 0) continue;
      taken |= area;
      corners.push_back(corner);
    }
  const std::vector<std::uint64_t> moves = board.moves(0);
  std::vector<std::size_t> order(moves.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (random() % 2) std::shuffle(order.begin(), order.end(), random);
  for (std::size_t i : order)
    if (!(moves[i] & taken) && random() % 16) taken |= moves[i], chosen |= std::uint64_t{1} << i;
  return cover_leaf(board, corners, chosen);
}

namespace {

class DomineeringProver {
 public:
  DomineeringProver(Board board, int starter, Random& random) : random_(random) {
    Truth truth;
    const int winner = truth.mover_wins(board, starter) ? starter : 1 - starter;
    out_ = domineering_claim(board, starter, winner);
    if (winner) board = board.turned();
    if (starter == winner) winner_moves(board);
    else loser_moves(board);
  }
  const Bytes& payload() const { return out_; }

 private:
  bool leaf(const Board& board, bool first) {
    if (random_() % 3 == 0) return false;
    const Bytes claim = domineering_claim(board, first ? 0 : 1, 0);
    const auto proves = [&](const Bytes& text) {
      if (check(container(claim + text)).verdict != zcheck::VERIFIED) return false;
      out_ += text;
      return true;
    };
    if (random_() % 4 == 0 && proves(random_cover(board, random_))) return true;
    for (int attempt = 0; attempt < 3 && !board.topology; ++attempt)
      if (proves(strip_leaf(board, random_cut(), first))) return true;
    return false;
  }
  Cut random_cut() { return random_() % 2 ? random_() : 0; }
  void loser_moves(const Board& board) {
    // Equal positions are shared without mirror images: what the checker calls equal is more, and tested elsewhere.
    const std::uint64_t key = board.least_turn();
    if (known_.count(key)) {
      out_ += byte(2);
      return;
    }
    if (leaf(board, false)) return;
    const bool keep = random_() % 5;
    std::vector<std::uint64_t> moves = board.moves(1);
    if (board.topology || random_() % 4 == 0) {
      out_ += byte(keep);
    } else {  // one cut after the other answers what is left
      const int cuts = 1 + static_cast<int>(random_() % 3);
      out_ += byte((keep ? 24 : 16) + cuts);
      const std::vector<std::uint64_t> all = board.moves(1);
      for (int i = 0; i < cuts; ++i) {
        const Cut cut = random_cut();
        const std::uint64_t good = answered_by(board, cut);
        std::uint64_t answered = 0;
        for (std::size_t k = 0, left = 0; k < all.size(); ++k)
          if (left < moves.size() && all[k] == moves[left]) answered |= (good >> k & 1) << left++;
        answered &= random_() | random_() | random_();
        out_ += answers_text(board, cut, answered, moves.size());
        std::size_t place = 0;
        std::erase_if(moves, [&](std::uint64_t) { return answered >> place++ & 1; });
      }
    }
    for (const std::uint64_t move : moves) winner_moves(board.without(move));
    if (keep) known_[key] = true;
  }
  void winner_moves(const Board& board) {
    if (leaf(board, true)) return;
    const std::vector<std::uint64_t> moves = board.moves(0);
    std::vector<std::size_t> good;
    for (std::size_t i = 0; i < moves.size(); ++i)
      if (!truth_.mover_wins(board.without(moves[i]), 1)) good.push_back(i);
    const std::size_t index = good[random_() % good.size()];
    out_ += varint(8 + index);
    loser_moves(board.without(moves[index]));
  }

  Random& random_;
  Truth truth_;
  std::map<std::uint64_t, bool> known_;
  Bytes out_;
};

}  // namespace

Bytes domineering_proof(const Board& board, int starter, Random& random) {
  return DomineeringProver(board, starter, random).payload();
}

Hypergraph random_hypergraph(Random& random) {
  Hypergraph graph;
  graph.cells = 2 + static_cast<int>(random() % 7);
  const std::size_t count = random() % 7;
  graph.head = byte(3) + varint(static_cast<std::uint64_t>(graph.cells)) + varint(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t edge = 0;
    for (int size = 1 + static_cast<int>(random() % 4); size; --size)
      edge |= std::uint64_t{1} << random() % static_cast<std::uint64_t>(graph.cells);
    graph.edges.push_back(edge);
    graph.head += varint(static_cast<std::uint64_t>(std::popcount(edge)));
    for (int cell = 0; cell < graph.cells; ++cell)
      if (edge >> cell & 1) graph.head += varint(static_cast<std::uint64_t>(cell));
  }
  return graph;
}

Hypergraph mnk(int m, int n, int k) {
  Hypergraph graph{m * n, {}, byte(2) + byte(m) + byte(n) + byte(k), {m, n, k}};
  static constexpr int STEPS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
  for (int row = 0; row < n; ++row)
    for (int col = 0; col < m; ++col)
      for (int d = 0; d < (k > 1 ? 4 : 1); ++d) {
        const int far = col + (k - 1) * STEPS[d][0];
        if (far < 0 || far >= m || row + (k - 1) * STEPS[d][1] >= n) continue;
        std::uint64_t edge = 0;
        for (int i = 0; i < k; ++i) edge |= std::uint64_t{1} << ((row + i * STEPS[d][1]) * m + col + i * STEPS[d][0]);
        graph.edges.push_back(edge);
      }
  return graph;
}

Bytes positional_certificate(const Hypergraph& graph, const Marks& marks, int starter, int& winner,
                             const zermelo::positional::MakerBreakerOptions& options) {
  const auto list = [&](std::uint64_t set) {
    std::vector<int> cells;
    for (; set; set &= set - 1) cells.push_back(std::countr_zero(set));
    return cells;
  };
  const auto [m, n, k] = graph.size;
  std::vector<std::vector<int>> edges;
  for (std::uint64_t edge : graph.edges) edges.push_back(list(edge));
  const auto board =
      m ? zermelo::positional::make_mnk(m, n, k) : zermelo::positional::make_hypergraph(graph.cells, edges);
  const zermelo::File proof(std::tmpfile());
  const auto prover = zermelo::proof::PositionalProver::make(board, {m, n, k}, options, 1 << 20, "/tmp/tiny_prover");
  const auto side = starter ? zermelo::positional::Side::BREAKER : zermelo::positional::Side::MAKER;
  const auto found = prover->prove({list(marks.maker), list(marks.breaker)}, side, {}, proof.get(), false);
  winner = found.winner == zermelo::positional::Winner::MAKER ? 0 : 1;
  Hypergraph named = graph;  // with the hyperedges in the order that the proof means
  if (!m) {
    named.head = byte(3) + byte(graph.cells) + varint(board.edges.size());
    for (const auto& edge : board.edges) {
      named.head += byte(edge.count());
      zermelo::for_each(edge, [&](int cell) { named.head += byte(cell); });
    }
  }
  Bytes file = container(positional_claim(named, marks, starter, winner));
  std::rewind(proof.get());
  for (int c; (c = std::fgetc(proof.get())) != EOF;) file += static_cast<char>(c);
  return file;
}

namespace {

constexpr int MAX_NUMBER = 300, MAX_CELLS = 10;

}  // namespace

std::optional<bool> claim_is_true(const Bytes& file) {
  zcheck::Source source(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
  zcheck::Budget budget(10, 256);
  zcheck::Reader reader(source, budget);
  const int game = reader.byte();
  const auto next = [&] { return reader.number(MAX_NUMBER, "number"); };
  const auto squares = [&](std::uint64_t count) {
    std::uint64_t set = 0;
    for (std::uint64_t i = 0; i < (count + 7) / 8; ++i) set |= static_cast<std::uint64_t>(reader.byte()) << (8 * i);
    return set;
  };
  if (game == 1 || game == 4) {  // any Domineering position, an empty rectangle of any size
    const auto side = [&] { return game == 1 ? static_cast<std::uint64_t>(next()) : reader.varint(); };
    const int topology = game == 1 ? next() : 0;
    const std::uint64_t rows = side(), cols = side();
    if (game == 1 && (topology > 3 || rows * cols > 64)) return std::nullopt;
    std::uint64_t free = game == 1 ? squares(rows * cols) : 0;
    if (std::popcount(free) > 18) return std::nullopt;
    const int starter = next(), winner = next();
    if (starter > 1) return false;  // no claim: it must not be verified
    if (game == 4) {
      if (rows > 18 || cols > 18 || rows * cols > 18) return std::nullopt;
      free = (std::uint64_t{1} << (rows * cols)) - 1;
    }
    const Board board{static_cast<int>(rows), static_cast<int>(cols), topology, free};
    return (Truth().mover_wins(board, starter) ? starter : 1 - starter) == winner;
  }
  if (game == 5) {  // Cram
    const int rows = next(), cols = next();
    if (rows * cols > 64) return std::nullopt;
    const std::uint64_t all = squares(static_cast<std::uint64_t>(rows * cols));
    if (std::popcount(all) > 14) return std::nullopt;
    std::map<std::uint64_t, bool> known;
    const std::function<bool(std::uint64_t)> mover_wins = [&](std::uint64_t free) {
      if (const auto found = known.find(free); found != known.end()) return found->second;
      bool wins = false;
      for (int square = 0; square < rows * cols && !wins; ++square)
        for (const bool down : {false, true}) {  // a step down is a step of one square too where there is one column
          if (down ? square + cols >= rows * cols : (square + 1) % cols == 0) continue;
          const std::uint64_t domino = std::uint64_t{1} << square | std::uint64_t{1} << (square + (down ? cols : 1));
          if ((free & domino) == domino) wins = wins || !mover_wins(free ^ domino);
        }
      return known[free] = wins;
    };
    const int starter = next(), winner = next();
    return (mover_wins(all) ? starter : 1 - starter) == winner;
  }
  Hypergraph graph{};
  bool possible = game <= 7;  // else there is no claim: it must not be verified
  const auto cells = [&] {
    std::uint64_t set = 0;
    for (int count = next(); count; --count) {
      const int cell = next();
      possible = possible && cell < graph.cells;
      if (possible) set |= std::uint64_t{1} << cell;
    }
    return set;
  };
  if (game == 2 || game == 6) {
    const int m = next(), n = next(), k = next();
    if (m * n > MAX_CELLS) return std::nullopt;
    graph = mnk(m, n, k);
  } else {
    graph.cells = next();
    if (graph.cells > MAX_CELLS) return std::nullopt;
    for (int count = next(); count; --count) graph.edges.push_back(cells());
  }
  const std::array<std::uint64_t, 2> marks{cells(), cells()};
  const int starter = next(), winner = next();
  if (!possible || starter > 1 || marks[0] & marks[1]) return false;
  oracle::Markings truth(graph.cells, {graph.edges.begin(), graph.edges.end()}, game >= 6);
  const auto gets_an_edge = [&](int player) {
    return truth.wins(static_cast<oracle::Mask>(marks[static_cast<std::size_t>(player)]),
                      static_cast<oracle::Mask>(marks[static_cast<std::size_t>(1 - player)]), player == starter);
  };
  if (game < 6) return gets_an_edge(0) == (winner == 0);
  return winner == (gets_an_edge(0) ? 0 : gets_an_edge(1) ? 1 : 2);
}

Bytes random_certificate(Random& random) {
  if (random() % 2) {
    static constexpr int SIZES[][2] = {{2, 3}, {3, 3}, {3, 4}, {4, 3}, {4, 4}, {2, 6}, {6, 2}, {1, 7}, {5, 3}};
    const auto& size = SIZES[random() % 9];
    const std::uint64_t all = (std::uint64_t{1} << (size[0] * size[1])) - 1;
    const Board board{size[0], size[1], random() % 4 ? 0 : static_cast<int>(random() % 4), (random() | random()) & all};
    return container(domineering_proof(board, static_cast<int>(random() % 2), random));
  }
  for (;;) {
    static constexpr int GAMES[][3] = {{3, 3, 3}, {2, 3, 2}, {3, 2, 3}, {4, 2, 3}, {2, 4, 2}};
    const auto& game = GAMES[random() % 5];
    const Hypergraph graph = random() % 3 ? random_hypergraph(random) : mnk(game[0], game[1], game[2]);
    Marks marks;
    for (int cell = 0; cell < graph.cells; ++cell) {
      const auto dice = random() % 8;
      if (dice < 2) (dice ? marks.breaker : marks.maker) |= std::uint64_t{1} << cell;
    }
    int winner = 0;
    if (std::popcount(marks.maker | marks.breaker) < graph.cells)
      return positional_certificate(graph, marks, static_cast<int>(random() % 2), winner);
  }
}

}  // namespace tiny
