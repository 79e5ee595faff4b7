#include "domineering/values/database.hpp"

#include <algorithm>
#include <limits>

#include "base/files.hpp"

namespace zermelo::cgt {

namespace {

constexpr GameId UNKNOWN = std::numeric_limits<GameId>::max();

}  // namespace

std::uint64_t checksum(DatabaseHeader header, std::span<const std::byte> body) {
  header.checksum = 0;
  return zermelo::checksum(&header, sizeof header) + zermelo::checksum(body.data(), body.size());
}

std::shared_ptr<const ComponentDatabase> ComponentDatabase::open(const std::filesystem::path& path) {
  const std::shared_ptr<ComponentDatabase> database(new ComponentDatabase);
  if (!std::filesystem::exists(path)) throw DatabaseError("there is no database " + path.string());
  database->memory_ = MappedMemory::of_file(path);
  database->check(path);
  return database;
}

// Everything that a lookup relies on is tested once, here: a file that was cut, changed or made by something else is
// never believed.
void ComponentDatabase::check(const std::filesystem::path& path) {
  const auto refuse = [&](const char* why) {
    throw DatabaseError("database " + path.string() + " is not usable: " + why);
  };
  const std::size_t bytes = memory_.size();
  if (bytes < sizeof(DatabaseHeader)) refuse("it is too short");
  const auto* start = memory_.as<const std::byte>();
  header_ = memory_.as<const DatabaseHeader>();
  if (header_->magic != DatabaseHeader::MAGIC) refuse("it is another kind of file");
  if (header_->version != DatabaseHeader::VERSION) refuse("it is of another version");
  if (header_->checksum != checksum(*header_, {start + sizeof(DatabaseHeader), bytes - sizeof(DatabaseHeader)}))
    refuse("its checksum is wrong");
  const std::size_t most = bytes / 4;  // of anything: keeps the sum below from overflowing
  if (std::ranges::any_of(header_->shapes, [&](std::uint64_t count) { return count > most; }) ||
      header_->games > most || header_->options > most)
    refuse("its sizes are wrong");
  const std::size_t count = shapes(), padded = (count + 1) / 2 * 2;
  const std::size_t expected =
      sizeof(DatabaseHeader) + count * 8 + padded * 4 + header_->games * sizeof(StoredGame) + header_->options * 4;
  if (expected != bytes) refuse("its size is wrong");

  const auto* key = reinterpret_cast<const std::uint64_t*>(start + sizeof(DatabaseHeader));
  const auto* value = reinterpret_cast<const std::uint32_t*>(key + count);
  games_ = reinterpret_cast<const StoredGame*>(value + padded);
  options_ = reinterpret_cast<const std::uint32_t*>(games_ + header_->games);
  for (int frame = 0; frame < FRAMES; ++frame) {
    keys_[frame] = {key, header_->shapes[frame]};
    values_[frame] = value;
    if (!std::ranges::is_sorted(keys_[frame])) refuse("its keys are not sorted");
    for (std::size_t i = 0; i < header_->shapes[frame]; ++i)
      if (value[i] >= header_->games) refuse("a value is missing");
    key += header_->shapes[frame];
    value += header_->shapes[frame];
  }
  for (std::uint32_t i = 0; i < header_->games; ++i) {
    const StoredGame& stored = games_[i];
    if (std::size_t{stored.first_option} + stored.lefts + stored.rights > header_->options ||
        (stored.lefts == 0) != (stored.rights == 0) || stored.exponent < 0 || stored.exponent > Dyadic::MAX_EXPONENT)
      refuse("a game is damaged");
    for (std::uint32_t option = 0; option < std::uint32_t{stored.lefts} + stored.rights; ++option)
      if (options_[stored.first_option + option] >= i) refuse("a game comes before its options");
  }
}

std::optional<std::uint32_t> ComponentDatabase::find(const Shape& shape) const {
  const int frame = frame_index(shape.stride);
  const auto found = std::ranges::lower_bound(keys_[frame], shape.cells);
  if (found == keys_[frame].end() || *found != shape.cells) return std::nullopt;
  return values_[frame][found - keys_[frame].begin()];
}

std::span<const std::uint32_t> ComponentDatabase::left_options(std::uint32_t index) const {
  return {options_ + games_[index].first_option, games_[index].lefts};
}

std::span<const std::uint32_t> ComponentDatabase::right_options(std::uint32_t index) const {
  return {options_ + games_[index].first_option + games_[index].lefts, games_[index].rights};
}

ImportedGames::ImportedGames(Arena& arena, std::shared_ptr<const ComponentDatabase> database)
    : arena_(arena), database_(std::move(database)), known_(database_->games(), UNKNOWN) {}

std::optional<GameId> ImportedGames::value(const Shape& shape) {
  const std::optional<std::uint32_t> index = database_->find(shape);
  return index ? std::optional(game(*index)) : std::nullopt;
}

GameId ImportedGames::game(std::uint32_t index) {
  if (known_[index] != UNKNOWN) return known_[index];
  const Arena::Depth depth(arena_);
  const StoredGame& stored = database_->game(index);
  GameId id;
  if (stored.is_number()) {
    id = arena_.number(Dyadic::ratio(stored.numerator, stored.exponent));
  } else {
    std::vector<GameId> left, right;
    for (std::uint32_t option : database_->left_options(index)) left.push_back(game(option));
    for (std::uint32_t option : database_->right_options(index)) right.push_back(game(option));
    id = arena_.make(left, right);
  }
  known_[index] = id;
  return id;
}

}  // namespace zermelo::cgt
