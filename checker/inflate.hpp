// Files and zlib streams (RFC 1950 and 1951), written out here: the checker needs no library.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

#include "limits.hpp"

namespace zcheck {

inline constexpr std::size_t CHUNK = 65536;

// The container is damaged, and whatever was read of its content says nothing.
struct Damaged : Stop {
  explicit Damaged(const std::string& why) : Stop{MALFORMED, why} {}
};

// Bytes of a file or of memory, buffered.
class Source {
 public:
  explicit Source(std::FILE* file) : file_(file), buffer_(CHUNK) {}
  Source(const std::uint8_t* data, std::size_t size) : next_(data), end_(data + size) {}
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  int next() {  // -1 at the end
    if (next_ == end_ && !refill()) return -1;
    return *next_++;
  }
  // The bytes in the buffer, none at the end.
  std::span<const std::uint8_t> more() {
    if (next_ == end_) refill();
    const std::span<const std::uint8_t> rest(next_, static_cast<std::size_t>(end_ - next_));
    next_ = end_;
    return rest;
  }

 private:
  bool refill() {
    if (!file_) return false;
    next_ = buffer_.data();
    end_ = next_ + std::fread(buffer_.data(), 1, buffer_.size(), file_);
    return next_ != end_;
  }

  std::FILE* file_ = nullptr;
  std::vector<std::uint8_t> buffer_;
  const std::uint8_t *next_ = nullptr, *end_ = nullptr;
};

class Inflate {
 public:
  Inflate(Source& source, const Budget& budget)
      : source_(source), budget_(budget), buffer_(WINDOW + CHUNK + LONGEST_MATCH) {
    const auto cmf = bits(8), flags = bits(8);
    if ((cmf & 15) != 8 || cmf >> 4 > 7 || (cmf * 256 + flags) % 31 || flags & 32) damaged();
  }

  // Some more bytes, about CHUNK of them; none at the end of the stream, when its checksum is right. They are good
  // until the next call.
  std::span<const std::uint8_t> more() {
    if (at_ > WINDOW) {  // keep the window only
      std::memmove(buffer_.data(), buffer_.data() + at_ - WINDOW, WINDOW);
      at_ = WINDOW;
    }
    const std::size_t start = at_;
    while (at_ < start + CHUNK && !(state_ == State::HEADER && last_)) {
      if (state_ == State::HEADER) {
        read_header();
      } else if (state_ == State::CODED) {
        read_symbol();
      } else if (stored_) {
        buffer_[at_++] = static_cast<std::uint8_t>(bits(8));
        --stored_;
      } else {
        state_ = State::HEADER;
      }
    }
    const std::span<const std::uint8_t> fresh(buffer_.data() + start, at_ - start);
    add_up(fresh);
    if (fresh.empty()) finish();
    return fresh;
  }

 private:
  static constexpr std::size_t WINDOW = 32768, LONGEST_MATCH = 258;
  static constexpr int LONGEST_CODE = 15;
  enum class State { HEADER, STORED, CODED };
  // A Huffman code, by the next 15 bits: 16 * symbol + length of its word, 0 for no word.
  using Code = std::array<std::uint16_t, 1 << LONGEST_CODE>;

  [[noreturn]] static void damaged() { throw Damaged("the compressed payload is damaged"); }

  // Holds as many bits as there are, up to 56 at least.
  void hold() {
    while (held_ <= 56) {
      const int byte = source_.next();
      if (byte < 0) return;
      hold_ |= static_cast<std::uint64_t>(byte) << held_;
      held_ += 8;
    }
  }
  std::uint32_t bits(int count) {
    if (held_ < count) hold();
    const auto value = static_cast<std::uint32_t>(hold_ & ((std::uint64_t{1} << count) - 1));
    drop(count);
    return value;
  }
  void drop(int count) {
    if (held_ < count) throw Damaged("the compressed payload is truncated");
    hold_ >>= count;
    held_ -= count;
  }

  // Adler-32: sums modulo 65521, which cannot overflow within 4096 bytes.
  void add_up(std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
      const std::size_t part = std::min<std::size_t>(bytes.size(), 4096);
      for (std::uint8_t byte : bytes.first(part)) {
        a_ += byte;
        b_ += a_;
      }
      a_ %= 65521;
      b_ %= 65521;
      bytes = bytes.subspan(part);
    }
  }
  void finish() {
    drop(held_ & 7);
    std::uint32_t sum = 0;
    for (int i = 0; i < 4; ++i) sum = sum << 8 | bits(8);
    if (sum != (b_ << 16 | a_)) damaged();
    hold();
    if (held_) throw Damaged("bytes follow the compressed payload");
  }

  // zlib's rules: a code must be complete, except that a single code of one bit may stand alone.
  static void build(Code& code, const std::uint8_t* lengths, int symbols, bool lone_code_allowed) {
    std::array<int, LONGEST_CODE + 1> count{};
    for (int i = 0; i < symbols; ++i) ++count[lengths[i]];
    count[0] = 0;
    std::array<std::uint32_t, LONGEST_CODE + 1> next{};  // the next word of each length
    int left = 1, longest = 0;
    for (int length = 1; length <= LONGEST_CODE; ++length) {
      const auto at = static_cast<std::size_t>(length);
      next[at] = (next[at - 1] + static_cast<std::uint32_t>(count[at - 1])) << 1;
      left = left * 2 - count[at];
      if (left < 0) damaged();
      if (count[at]) longest = length;
    }
    if (longest && left > 0 && !(lone_code_allowed && longest == 1)) damaged();
    code.fill(0);
    for (int i = 0; i < symbols; ++i) {
      const std::size_t length = lengths[i];
      if (!length) continue;
      const std::uint32_t word = next[length]++;
      std::uint32_t turned = 0;  // the stream has the highest bit of a word first
      for (std::size_t bit = 0; bit < length; ++bit) turned |= (word >> bit & 1) << (length - 1 - bit);
      for (std::uint32_t at = turned; at < code.size(); at += 1u << length)
        code[at] = static_cast<std::uint16_t>(16 * i + static_cast<int>(length));
    }
  }
  int decode(const Code& code) {
    if (held_ < LONGEST_CODE) hold();
    const std::uint16_t entry = code[hold_ & (code.size() - 1)];
    if (!entry) damaged();
    drop(entry & 15);
    return entry >> 4;
  }

  void read_header() {
    budget_.tick();  // blocks may be empty
    last_ = bits(1);
    const std::uint32_t type = bits(2);
    if (type == 0) {
      drop(held_ & 7);
      stored_ = bits(16);
      if ((bits(16) ^ 0xffff) != stored_) damaged();
      state_ = State::STORED;
    } else if (type == 1) {
      std::array<std::uint8_t, 320> lengths{};
      for (std::size_t i = 0; i < 288; ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
      build(literal_, lengths.data(), 288, true);
      for (std::size_t i = 0; i < 32; ++i) lengths[i] = 5;
      build(distances_, lengths.data(), 32, true);
      state_ = State::CODED;
    } else if (type == 2) {
      read_codes();
      state_ = State::CODED;
    } else {
      damaged();
    }
  }
  void read_codes() {
    static constexpr std::array<std::uint8_t, 19> ORDER = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                           11, 4,  12, 3, 13, 2, 14, 1, 15};
    const int literals = static_cast<int>(bits(5)) + 257, distances = static_cast<int>(bits(5)) + 1;
    const std::uint32_t codes = bits(4) + 4;
    if (literals > 286 || distances > 30) damaged();
    std::array<std::uint8_t, 320> lengths{};
    for (std::uint32_t i = 0; i < codes; ++i) lengths[ORDER[i]] = static_cast<std::uint8_t>(bits(3));
    Code meta;
    build(meta, lengths.data(), 19, false);
    lengths.fill(0);
    for (int i = 0; i < literals + distances;) {
      const int symbol = decode(meta);
      if (symbol < 16) {
        lengths[static_cast<std::size_t>(i++)] = static_cast<std::uint8_t>(symbol);
        continue;
      }
      if (symbol == 16 && i == 0) damaged();
      const std::uint8_t repeat = symbol == 16 ? lengths[static_cast<std::size_t>(i - 1)] : std::uint8_t{0};
      int times = static_cast<int>(symbol == 16 ? 3 + bits(2) : symbol == 17 ? 3 + bits(3) : 11 + bits(7));
      if (i + times > literals + distances) damaged();
      while (times--) lengths[static_cast<std::size_t>(i++)] = repeat;
    }
    if (!lengths[256]) damaged();
    build(literal_, lengths.data(), literals, true);
    build(distances_, lengths.data() + literals, distances, true);
  }
  // A byte, a match, or the end of the block.
  void read_symbol() {
    static constexpr std::array<std::uint16_t, 29> BASE = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                           15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                           67, 83, 99, 115, 131, 163, 195, 227, 258};
    static constexpr std::array<std::uint8_t, 29> EXTRA = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                           2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static constexpr std::array<std::uint16_t, 30> FAR = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    const int symbol = decode(literal_);
    if (symbol < 256) {
      buffer_[at_++] = static_cast<std::uint8_t>(symbol);
      return;
    }
    if (symbol == 256) {
      state_ = State::HEADER;
      return;
    }
    const auto length = static_cast<std::size_t>(symbol - 257);
    if (length >= BASE.size()) damaged();
    const std::size_t count = BASE[length] + bits(EXTRA[length]);
    const auto far = static_cast<std::size_t>(decode(distances_));
    if (far >= FAR.size()) damaged();
    const std::size_t distance = FAR[far] + bits(far < 2 ? 0 : static_cast<int>(far / 2 - 1));
    if (distance > at_ || distance > WINDOW) damaged();
    for (std::size_t end = at_ + count; at_ < end; ++at_) buffer_[at_] = buffer_[at_ - distance];
  }

  Source& source_;
  const Budget& budget_;
  std::vector<std::uint8_t> buffer_;  // the window, and the last bytes after it
  std::size_t at_ = 0;
  std::uint64_t hold_ = 0;
  int held_ = 0;
  std::uint32_t a_ = 1, b_ = 0, stored_ = 0;
  bool last_ = false;
  State state_ = State::HEADER;
  Code literal_, distances_;
};

}  // namespace zcheck
