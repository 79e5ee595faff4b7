// The container of a certificate (FORMAT.md 2): header, zlib stream, bytes and varints; and how checking stops.
//
// This directory shares no code with the rest of the repository, and needs nothing but the C++ standard library:
// inflate is written out here.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace zcheck {

enum Verdict { VERIFIED = 0, REJECTED = 1, MALFORMED = 2, UNFINISHED = 3 };

// Checking ends here, with this verdict and this reason.
struct Stop {
  Verdict verdict;
  std::string reason;
};
[[noreturn]] inline void reject(const std::string& reason) { throw Stop{REJECTED, reason}; }
[[noreturn]] inline void malformed(const std::string& reason) { throw Stop{MALFORMED, reason}; }

// Time and memory. Memory is what the checker stores, in bytes.
class Budget {
 public:
  Budget(double seconds, double mebibytes)
      : start_(std::chrono::steady_clock::now()), seconds_(seconds), bytes_(mebibytes * 1048576.0) {}
  void tick() {
    if ((++ticks_ & 1023) == 0) look();
  }
  void look() const {
    if (elapsed() > seconds_) throw Stop{UNFINISHED, "the time limit was reached"};
  }
  void store(std::size_t bytes) {
    bytes_ -= static_cast<double>(bytes);
    if (bytes_ < 0) throw Stop{UNFINISHED, "the memory limit was reached"};
  }
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_;
  double seconds_, bytes_;
  std::uint64_t ticks_ = 0;
};

// Bytes of a file or of memory, from the beginning as often as wanted.
class Source {
 public:
  explicit Source(std::FILE* file) : file_(file) {}
  Source(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::size_t read(std::uint8_t* into, std::size_t count) {
    if (file_) return std::fread(into, 1, count, file_);
    count = std::min(count, size_ - at_);
    if (count) std::memcpy(into, data_ + at_, count);
    at_ += count;
    return count;
  }
  void rewind() {
    if (file_) std::rewind(file_);
    at_ = 0;
  }

 private:
  std::FILE* file_ = nullptr;
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0, at_ = 0;
};

// A buffered Source.
class Input {
 public:
  explicit Input(Source& source) : source_(source) {}
  int next() {  // -1 at the end
    if (at_ == have_) {
      have_ = source_.read(buffer_.data(), buffer_.size());
      at_ = 0;
      if (!have_) return -1;
    }
    return buffer_[at_++];
  }
  void rewind() {
    source_.rewind();
    at_ = have_ = 0;
  }

 private:
  Source& source_;
  std::array<std::uint8_t, 65536> buffer_;
  std::size_t at_ = 0, have_ = 0;
};

// RFC 1950 and 1951, by pulling: fill() gives some more bytes, or none at the end.
class Inflate {
 public:
  explicit Inflate(Input& input) : input_(input), window_(WINDOW) {
    const int cmf = need(), flags = need();
    if ((cmf & 15) != 8 || cmf >> 4 > 7 || (cmf * 256 + flags) % 31 || flags & 32) damaged();
  }

  // Appends between 1 and about 64 KiB bytes; false when the stream has ended, checksum and all.
  bool fill(std::vector<std::uint8_t>& out) {
    out_ = &out;
    while (out.size() < 65536) {
      if (copy_) {
        copy_match();
      } else if (state_ == State::HEADER) {
        if (last_) {
          if (out.empty()) return finish();
          return true;
        }
        read_header();
      } else if (state_ == State::STORED) {
        if (!stored_) state_ = State::HEADER;
        else emit(static_cast<std::uint8_t>(need())), --stored_;
      } else if (state_ == State::CODED) {
        read_symbol();
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t WINDOW = 32768;
  enum class State { HEADER, STORED, CODED };
  struct Code {  // canonical Huffman code: how many of each length, and the symbols in order
    std::array<std::uint16_t, 16> count{};
    std::array<std::uint16_t, 288> symbol{};
  };

  [[noreturn]] static void damaged() { malformed("the compressed payload is damaged"); }
  int need() {
    const int byte = input_.next();
    if (byte < 0) malformed("the compressed payload is truncated");
    return byte;
  }
  std::uint32_t bits(int count) {
    while (held_ < count) {
      hold_ |= static_cast<std::uint64_t>(need()) << held_;
      held_ += 8;
    }
    const auto value = static_cast<std::uint32_t>(hold_ & ((std::uint64_t{1} << count) - 1));
    hold_ >>= count;
    held_ -= count;
    return value;
  }
  void emit(std::uint8_t byte) {
    out_->push_back(byte);
    window_[total_ % WINDOW] = byte;
    ++total_;
    a_ += byte;
    if (a_ >= 65521) a_ -= 65521;
    b_ += a_;
    if (b_ >= 65521) b_ -= 65521;
  }
  void copy_match() {
    while (copy_ && out_->size() < 65536) {
      emit(window_[(total_ - distance_) % WINDOW]);
      --copy_;
    }
  }
  bool finish() {
    hold_ = 0;
    held_ = 0;
    std::uint32_t sum = 0;
    for (int i = 0; i < 4; ++i) sum = sum << 8 | static_cast<std::uint32_t>(need());
    if (sum != (b_ << 16 | a_)) damaged();
    if (input_.next() >= 0) malformed("bytes follow the compressed payload");
    return false;
  }

  // zlib's rules: a code must be complete, except that a single code of one bit may stand alone.
  static void build(Code& code, const std::uint8_t* lengths, int symbols, bool lone_code_allowed) {
    code.count.fill(0);
    for (int i = 0; i < symbols; ++i) ++code.count[lengths[i]];
    code.count[0] = 0;
    int left = 1, used = 0, longest = 0;
    for (int length = 1; length < 16; ++length) {
      left = left * 2 - code.count[static_cast<std::size_t>(length)];
      if (left < 0) damaged();
      used += code.count[static_cast<std::size_t>(length)];
      if (code.count[static_cast<std::size_t>(length)]) longest = length;
    }
    if (used && left > 0 && !(lone_code_allowed && longest == 1)) damaged();
    std::array<std::uint16_t, 16> offset{};
    for (std::size_t length = 1; length < 15; ++length)
      offset[length + 1] = static_cast<std::uint16_t>(offset[length] + code.count[length]);
    for (int i = 0; i < symbols; ++i)
      if (lengths[i]) code.symbol[offset[lengths[i]]++] = static_cast<std::uint16_t>(i);
  }
  int decode(const Code& code) {
    int value = 0, first = 0, index = 0;
    for (std::size_t length = 1; length < 16; ++length) {
      value |= static_cast<int>(bits(1));
      const int count = code.count[length];
      if (value - count < first) return code.symbol[static_cast<std::size_t>(index + value - first)];
      index += count;
      first = (first + count) << 1;
      value <<= 1;
    }
    damaged();
  }

  void read_header() {
    last_ = bits(1);
    const std::uint32_t type = bits(2);
    if (type == 0) {
      hold_ >>= held_ & 7;
      held_ -= held_ & 7;
      stored_ = bits(16);
      if ((bits(16) ^ 0xffff) != stored_) damaged();
      // Whole bytes that were already held go back into the stream: bits() reads only what it needs, so none are.
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
    if (symbol < 256) return emit(static_cast<std::uint8_t>(symbol));
    if (symbol == 256) {
      state_ = State::HEADER;
      return;
    }
    const auto length = static_cast<std::size_t>(symbol - 257);
    if (length >= BASE.size()) damaged();
    copy_ = BASE[length] + bits(EXTRA[length]);
    const auto far = static_cast<std::size_t>(decode(distances_));
    if (far >= FAR.size()) damaged();
    distance_ = FAR[far] + bits(far < 2 ? 0 : static_cast<int>(far / 2 - 1));
    if (distance_ > total_ || distance_ > WINDOW) damaged();
  }

  Input& input_;
  std::vector<std::uint8_t> window_;
  std::vector<std::uint8_t>* out_ = nullptr;
  std::uint64_t hold_ = 0, total_ = 0;
  int held_ = 0;
  std::uint32_t a_ = 1, b_ = 0, stored_ = 0, copy_ = 0, distance_ = 0;
  bool last_ = false;
  State state_ = State::HEADER;
  Code literal_, distances_;
};

// The payload, byte by byte.
class Reader {
 public:
  Reader(Source& source, Budget& budget) : input_(source) {
    open();
    do {  // a whole pass first: a damaged container is malformed whatever its content
      budget.look();
      chunk_.clear();
    } while (more());
    input_.rewind();
    open();
    chunk_.clear();
    at_ = passed_ = 0;
  }

  std::uint8_t byte() {
    if (at_ == chunk_.size() && !refill()) malformed("the payload is truncated");
    return chunk_[at_++];
  }
  // Seven bits a byte, lowest first; at most nine bytes, and no needless ones.
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift <= 56; shift += 7) {
      const std::uint8_t part = byte();
      value |= static_cast<std::uint64_t>(part & 127) << shift;
      if (part < 128) {
        if (!part && shift) malformed("a number with needless bytes");
        return value;
      }
    }
    malformed("a number that is too large");
  }
  int number(std::uint64_t below, const char* what) {
    const std::uint64_t value = varint();
    if (value >= below) malformed(std::string(what) + " " + std::to_string(value) + " is out of range");
    return static_cast<int>(value);
  }
  void end() {
    if (at_ < chunk_.size() || refill()) malformed("bytes follow the proof");
  }
  std::uint64_t offset() const { return passed_ + at_; }
  int version() const { return version_; }

 private:
  void open() {
    std::array<int, 8> header;
    for (int& value : header) value = input_.next();
    if (header[0] != 'Z' || header[1] != 'C' || header[2] != 'E' || header[3] != 'R' || header[4] != 'T' ||
        header[7] != 0)
      malformed("this is not a certificate");
    version_ = header[5];
    if (version_ != 1 && version_ != 2) malformed("unknown format version " + std::to_string(version_));
    if (header[6] > 1) malformed("unknown compression " + std::to_string(header[6]));
    inflate_.clear();
    if (header[6]) inflate_.emplace_back(input_);
  }
  bool more() {
    if (!inflate_.empty()) return inflate_[0].fill(chunk_);
    for (int value; chunk_.size() < 65536 && (value = input_.next()) >= 0;)
      chunk_.push_back(static_cast<std::uint8_t>(value));
    return !chunk_.empty();
  }
  bool refill() {
    passed_ += chunk_.size();
    chunk_.clear();
    at_ = 0;
    return more();
  }

  Input input_;
  std::vector<Inflate> inflate_;  // none or one
  std::vector<std::uint8_t> chunk_;
  std::size_t at_ = 0;
  std::uint64_t passed_ = 0;
  int version_ = 0;
};

}  // namespace zcheck
