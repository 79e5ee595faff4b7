#include "domineering/values/database_builder.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "domineering/values/database.hpp"
#include "domineering/values/values.hpp"

namespace zermelo::cgt {

namespace {

std::vector<Square> squares_of(std::uint64_t cells, int stride) {
  std::vector<Square> result;
  for (; cells; cells &= cells - 1) {
    const int bit = std::countr_zero(cells);
    result.emplace_back(bit / stride, bit % stride);
  }
  return result;
}

// All shapes of one square count, as sets of cells per frame.
struct Level {
  FlatMap cells[FRAMES];
  std::size_t size() const {
    std::size_t all = 0;
    for (const FlatMap& some : cells) all += some.size();
    return all;
  }
};

Level grown(const Level& level, Arena& arena) {
  Level result;
  for (int frame = 0; frame < FRAMES; ++frame)
    level.cells[frame].for_each([&](const ValueSlot& slot) {
      arena.step();
      const std::vector<Square> squares = squares_of(slot.key(), STRIDES[frame]);
      for (const auto& [row, col] : squares)
        for (const Square& next : {Square{row - 1, col}, {row + 1, col}, {row, col - 1}, {row, col + 1}}) {
          if (std::ranges::find(squares, next) != squares.end()) continue;
          std::vector<Square> more = squares;
          more.push_back(next);
          if (const auto shape = shape_of(more)) result.cells[frame_index(shape->stride)].set({shape->cells, 0});
        }
    });
  return result;
}

// Collects games, options before the games that have them.
class GameTable {
 public:
  explicit GameTable(Arena& arena) : arena_(arena) {}

  std::uint32_t index(GameId id) {
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    StoredGame game;
    std::vector<std::uint32_t> left, right;
    if (arena_.is_number(id)) {
      const Dyadic& x = arena_.value(id);  // born within half as many moves as squares: few bits
      game.numerator = static_cast<std::int32_t>(x.numerator());
      game.exponent = x.exponent();
    } else {
      for (GameId option : arena_.left_options(id)) left.push_back(index(option));
      for (GameId option : arena_.right_options(id)) right.push_back(index(option));
    }
    game.first_option = static_cast<std::uint32_t>(options.size());
    game.lefts = static_cast<std::uint16_t>(left.size());
    game.rights = static_cast<std::uint16_t>(right.size());
    options.insert(options.end(), left.begin(), left.end());
    options.insert(options.end(), right.begin(), right.end());
    games.push_back(game);
    const auto result = static_cast<std::uint32_t>(games.size() - 1);
    known_.emplace(id, result);
    return result;
  }

  std::vector<StoredGame> games;
  std::vector<std::uint32_t> options;

 private:
  Arena& arena_;
  std::unordered_map<GameId, std::uint32_t> known_;
};

template <class T>
void append(std::vector<std::byte>& bytes, const T* data, std::size_t count) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), begin, begin + count * sizeof(T));
}

class Builder {
 public:
  Builder(const std::filesystem::path& path, const Limits& limits,
          const std::function<void(const BuildProgress&)>& on_progress)
      : path_(path), on_progress_(on_progress) {
    arena_.set_limits(limits);
  }

  BuildReport run(int squares) {
    BuildReport report;
    Level level;
    try {
      const auto old = ComponentDatabase::open(path_);
      report.resumed_from = old->max_squares();
      level = load(*old);
    } catch (const DatabaseError&) {
      level.cells[0].set({3, 0});  // the only shape of two squares; single squares are worth nothing
      value(level, 2);
      write(2);
    }
    for (int size = std::max(report.resumed_from, 2) + 1; size <= squares; ++size) {
      level = grown(level, arena_);
      value(level, size);
      write(size);
    }
    const auto built = ComponentDatabase::open(path_);
    report.squares = built->max_squares();
    report.shapes = built->shapes();
    report.games = built->games();
    report.bytes = std::filesystem::file_size(path_);
    return report;
  }

 private:
  // Takes over all values of a smaller file and returns its largest shapes.
  Level load(const ComponentDatabase& old) {
    Level largest;
    // Shared only for as long as `old` is.
    ImportedGames imported(arena_, std::shared_ptr<const ComponentDatabase>(&old, [](const ComponentDatabase*) {}));
    for (int frame = 0; frame < FRAMES; ++frame)
      for (std::uint64_t cells : old.keys(frame)) {
        const GameId id = *imported.value({cells, STRIDES[frame], false});
        values_.remember({cells, STRIDES[frame], false}, id);
        keep_[frame].emplace_back(cells, id);
        if (std::popcount(cells) == old.max_squares()) largest.cells[frame].set({cells, 0});
      }
    return largest;
  }

  void value(const Level& level, int size) {
    BuildProgress progress{size, 0, level.size()};
    for (int frame = 0; frame < FRAMES; ++frame)
      level.cells[frame].for_each([&](const ValueSlot& slot) {
        if (progress.done++ % 1024 == 0 && on_progress_) on_progress_(progress);
        keep_[frame].emplace_back(slot.key(), values_.value(Shape{slot.key(), STRIDES[frame], false}));
      });
    if (on_progress_) on_progress_(progress);
  }

  void write(int squares) {
    DatabaseHeader header;
    header.max_squares = static_cast<std::uint32_t>(squares);
    GameTable table(arena_);
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> values;
    for (int frame = 0; frame < FRAMES; ++frame) {
      std::ranges::sort(keep_[frame]);
      header.shapes[frame] = keep_[frame].size();
      for (const auto& [cells, id] : keep_[frame]) {
        keys.push_back(cells);
        values.push_back(table.index(id));
      }
    }
    if (values.size() % 2) values.push_back(0);
    header.games = table.games.size();
    header.options = table.options.size();
    std::vector<std::byte> body;
    append(body, keys.data(), keys.size());
    append(body, values.data(), values.size());
    append(body, table.games.data(), table.games.size());
    append(body, table.options.data(), table.options.size());
    header.checksum = checksum(header, body);
    try {
      AtomicFile file(path_);
      file.write(&header, sizeof header);
      file.write(body.data(), body.size());
      file.commit();
    } catch (const std::runtime_error& error) {
      throw DatabaseError(error.what());
    }
  }

  std::filesystem::path path_;
  std::function<void(const BuildProgress&)> on_progress_;
  Arena arena_;
  DomineeringValues values_{arena_};
  std::vector<std::pair<std::uint64_t, GameId>> keep_[FRAMES];
};

}  // namespace

BuildReport build_database(const std::filesystem::path& path, int squares, const Limits& limits,
                           const std::function<void(const BuildProgress&)>& on_progress) {
  if (squares < 2 || squares > MAX_DATABASE_SQUARES)
    throw std::invalid_argument("a database holds shapes of up to 2 to " + std::to_string(MAX_DATABASE_SQUARES) +
                                " squares, not " + std::to_string(squares));
  return Builder(path, limits, on_progress).run(squares);
}

}  // namespace zermelo::cgt
