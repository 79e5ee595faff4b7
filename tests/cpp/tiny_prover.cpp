#include "tiny_prover.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "../../checker/stream.hpp"

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
  Hypergraph graph{m * n, {}, byte(2) + byte(m) + byte(n) + byte(k)};
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

namespace {

class PositionalProver {
 public:
  PositionalProver(const Hypergraph& graph, Marks marks, int starter) : graph_(graph), truth_(graph) {
    winner_ = truth_.maker_wins(marks, starter) ? 0 : 1;
    out_ = positional_claim(graph, marks, starter, winner_);
    Bytes first;
    if (starter == winner_) {
      const int move = reply(marks);
      if (move < 0) {  // decided, and no cell left to play: the claim cannot be written with this starter
        possible_ = false;
        return;
      }
      marks = played(marks, winner_, move);
      first = varint(static_cast<std::uint64_t>(move));
    }
    prove(marks);
    out_ += byte(0) + first;
  }
  bool possible() const { return possible_; }
  const Bytes& payload() const { return out_; }

 private:
  struct Proved {
    std::uint64_t number, zone;
  };
  static Marks played(Marks marks, int player, int cell) {
    (player ? marks.breaker : marks.maker) |= std::uint64_t{1} << cell;
    return marks;
  }
  bool is_free(const Marks& marks, int cell) const { return !((marks.maker | marks.breaker) >> cell & 1); }
  int reply(const Marks& marks) {
    for (int cell = 0; cell < graph_.cells; ++cell)
      if (is_free(marks, cell) && truth_.maker_wins(played(marks, winner_, cell), 1 - winner_) == (winner_ == 0))
        return cell;
    return -1;
  }
  Proved prove(const Marks& marks) {
    const auto found = memo_.find(marks);
    if (found != memo_.end()) return found->second;
    Bytes record;
    std::uint64_t zone = 0;
    bool decided = winner_ == 1;
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      if (winner_ == 0 && !(graph_.edges[i] & ~marks.maker) && !decided) decided = true, record = byte(2) + varint(i);
      if (winner_ == 1 && !(graph_.edges[i] & marks.breaker)) decided = false;
    }
    if (winner_ == 1 && decided) record = byte(1) + byte(0);
    if (!decided) {
      std::uint64_t common = ~std::uint64_t{0};
      std::vector<std::pair<int, std::uint64_t>> replies;
      for (int cell = 0; cell < graph_.cells; ++cell) {
        if (!is_free(marks, cell) || !(common >> cell & 1)) continue;
        Marks next = played(marks, 1 - winner_, cell);
        const int answer = reply(next);
        if (answer < 0) {  // the last cell was the loser's: already decided without it, so an earlier zone covers it
          continue;
        }
        const Proved child = prove(played(next, winner_, answer));
        const std::uint64_t child_zone = child.zone | std::uint64_t{1} << answer;
        replies.emplace_back(answer, child.number);
        common &= child_zone;
        zone |= child_zone;
      }
      record = byte(3) + varint(replies.size());
      for (const auto& [answer, number] : replies)
        record += varint(static_cast<std::uint64_t>(answer)) + varint(count_ - number) + byte(0);
    }
    out_ += record;
    return memo_[marks] = Proved{count_++, zone};
  }

  const Hypergraph& graph_;
  PositionalTruth truth_;
  int winner_ = 0;
  bool possible_ = true;
  std::uint64_t count_ = 0;
  std::map<Marks, Proved> memo_;
  Bytes out_;
};

// What is left of a hypergraph game: per hyperedge that Breaker has not hit, its free cells.
using Residual = std::set<std::set<int>>;

// Cells that no open hyperedge holds are left out: an idle move helps neither player.
std::optional<bool> maker_wins(const Residual& edges, int mover) {
  std::map<int, int> number;
  for (const std::set<int>& edge : edges)
    for (int cell : edge) number.emplace(cell, 0);
  if (number.size() > 10) return std::nullopt;
  int next = 0;
  for (auto& [cell, place] : number) place = next++;
  Hypergraph graph{next, {}, ""};
  for (const std::set<int>& edge : edges) {
    std::uint64_t bits = 0;
    for (int cell : edge) bits |= std::uint64_t{1} << number[cell];
    graph.edges.push_back(bits);
  }
  return PositionalTruth(graph).maker_wins({}, mover);
}

constexpr int MAX_NUMBER = 300;

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
  std::vector<std::set<int>> edges;
  int cells;
  if (game == 2 || game == 6) {
    const int m = next(), n = next(), k = next();
    cells = m * n;
    for (int row = 0; row < n; ++row)
      for (int col = 0; col < m; ++col)
        for (int d = 0; d < (k > 1 ? 4 : 1); ++d) {
          const int dc = d == 1 ? 0 : d == 3 ? -1 : 1, dr = d ? 1 : 0, far = col + (k - 1) * dc;
          if (far < 0 || far >= m || row + (k - 1) * dr >= n) continue;
          edges.emplace_back();
          for (int i = 0; i < k; ++i) edges.back().insert((row + i * dr) * m + col + i * dc);
        }
  } else {
    cells = next();
    for (int count = next(); count; --count) {
      edges.emplace_back();
      for (int size = next(); size; --size) edges.back().insert(next());
    }
  }
  std::array<std::set<int>, 2> marks;
  for (std::set<int>& set : marks)
    for (int count = next(); count; --count) set.insert(next());
  const int starter = next(), winner = next();
  if (starter > 1 || game > 7) return false;  // no claim: it must not be verified
  if (game >= 6) {                            // by the real rules
    if (cells - static_cast<int>(marks[0].size() + marks[1].size()) > 8) return std::nullopt;
    std::map<std::array<std::set<int>, 2>, int> known;
    // 1 if the first of the two, who is to move, wins, 0 for a draw.
    const std::function<int(const std::array<std::set<int>, 2>&)> value = [&](const auto& held) {
      if (const auto found = known.find(held); found != known.end()) return found->second;
      int best = -2;
      for (int cell = 0; cell < cells && best < 1; ++cell) {
        if (held[0].count(cell) || held[1].count(cell)) continue;
        std::array<std::set<int>, 2> after{held[1], held[0]};
        after[1].insert(cell);
        const bool completes = std::any_of(edges.begin(), edges.end(), [&](const std::set<int>& edge) {
          return std::includes(after[1].begin(), after[1].end(), edge.begin(), edge.end());
        });
        best = std::max(best, completes ? 1 : -value(after));
      }
      return known[held] = best == -2 ? 0 : best;
    };
    const auto first = static_cast<std::size_t>(starter);
    const int result = value({marks[first], marks[1 - first]});
    return (result > 0 ? starter : result < 0 ? 1 - starter : 2) == winner;
  }
  Residual residual;
  for (std::set<int> edge : edges) {
    bool hit = false;
    for (int cell : marks[1]) hit = hit || edge.count(cell);
    for (int cell : marks[0]) edge.erase(cell);
    if (!hit) residual.insert(std::move(edge));
  }
  const std::optional<bool> won = maker_wins(residual, starter);
  return won ? std::optional(*won == (winner == 0)) : std::nullopt;
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
    const PositionalProver prover(graph, marks, static_cast<int>(random() % 2));
    if (prover.possible()) return container(prover.payload());
  }
}

}  // namespace tiny
