// Table entries as plain words, so that a stopped search can go on later: sections, one for each table.
//
//   kind of the table | words of an entry | number of entries | entries: key, content, value
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace zermelo {

using SavedWords = std::vector<std::uint64_t>;

// Appends a section with the entries of the highest grades, at most about `most` of them: a grade whose entries do not
// all have room is left out, and so are the grades below it. `each(visit)` calls visit(key, content, value) for every
// entry; grade(content) is 0 to 63. Other threads may go on storing results.
template <class Each, class Grade>
void save_entries(SavedWords& words, std::uint64_t kind, std::size_t most, const Each& each, const Grade& grade) {
  std::array<std::size_t, 64> count{};
  each([&](const auto&, std::uint64_t content, const auto&) { ++count[grade(content)]; });
  int least = 64;
  for (std::size_t room = most; least > 0 && count[least - 1] <= room; --least) room -= count[least - 1];
  const std::size_t head = words.size();
  words.insert(words.end(), {kind, 0, 0});
  each([&](const auto& key, std::uint64_t content, const auto& value) {
    if (grade(content) < least) return;
    words.insert(words.end(), key.begin(), key.end());
    words.push_back(content);
    words.insert(words.end(), value.begin(), value.end());
    words[head + 1] = key.size() + 1 + value.size();
    ++words[head + 2];
  });
}

// Reads the section of this kind at the front of `words`, if it stands there, and takes it off; calls
// load(key, content, value) for every entry. Returns how many there were. Throws std::invalid_argument if the section
// is damaged; `load` may do so too.
template <class Key, class Value, class Load>
std::size_t load_entries(std::span<const std::uint64_t>& words, std::uint64_t kind, const Load& load) {
  Key key;
  Value value;
  const std::size_t size = key.size() + 1 + value.size();
  if (words.empty() || words[0] != kind) return 0;
  const std::size_t room = (words.size() < 3 ? 0 : words.size() - 3) / size;
  if (words.size() < 3 || words[2] > room || (words[2] > 0 && words[1] != size))
    throw std::invalid_argument("the saved entries are damaged");
  const auto count = static_cast<std::size_t>(words[2]);
  words = words.subspan(3);
  for (std::size_t i = 0; i < count; ++i, words = words.subspan(size)) {
    std::size_t at = 0;
    for (std::uint64_t& word : key) word = words[at++];
    const std::uint64_t content = words[at++];
    for (std::uint64_t& word : value) word = words[at++];
    load(key, content, value);
  }
  return count;
}

}  // namespace zermelo
