// Bytes of the files that the core writes: numbers in base 128, lowest digit first, and a buffered writer.
#pragma once

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace zermelo {

inline void put_varint(std::string& out, std::uint64_t value) {
  for (; value > 127; value >>= 7) out += static_cast<char>((value & 127) | 128);
  out += static_cast<char>(value);
}

inline std::string varint(std::uint64_t value) {
  std::string out;
  put_varint(out, value);
  return out;
}

// The byte at `at`, which moves on. Throws std::invalid_argument at the end.
inline unsigned take_byte(std::string_view bytes, std::size_t& at) {
  if (at >= bytes.size()) throw std::invalid_argument("the certificate is truncated");
  return static_cast<unsigned char>(bytes[at++]);
}

// The number at `at`, of at most nine bytes.
inline std::uint64_t take_varint(std::string_view bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (int shift = 0; shift <= 56; shift += 7) {
    const unsigned part = take_byte(bytes, at);
    value |= std::uint64_t{part & 127u} << shift;
    if (part < 128) return value;
  }
  throw std::invalid_argument("the certificate holds a number that is too large");
}

// Bit i of byte i / 8 says whether is_set(i).
template <class IsSet>
void put_bits(std::string& out, int count, IsSet&& is_set) {
  int byte = 0;
  for (int i = 0; i < count; ++i) {
    byte |= (is_set(i) ? 1 : 0) << i % 8;
    if (i % 8 < 7 && i + 1 < count) continue;
    out += static_cast<char>(byte);
    byte = 0;
  }
}

// Collects bytes for a file. The caller owns the file. A full disk throws an exception.
class ByteWriter {
 public:
  explicit ByteWriter(std::FILE* file) : file_(file) {}

  void byte(int value) {
    buffer_ += static_cast<char>(value);
    if (buffer_.size() >= FULL) flush();
  }
  void number(std::uint64_t value) {
    put_varint(buffer_, value);
    if (buffer_.size() >= FULL) flush();
  }
  void text(std::string_view bytes) {
    buffer_ += bytes;
    if (buffer_.size() >= FULL) flush();
  }
  void flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size() || std::fflush(file_))
      throw std::runtime_error("the proof file cannot be written: is the disk full?");
    written_ += buffer_.size();
    buffer_.clear();
  }
  // Bytes so far, those in the buffer included.
  std::uint64_t size() const { return written_ + buffer_.size(); }

 private:
  static constexpr std::size_t FULL = std::size_t{1} << 18;

  std::FILE* file_;
  std::string buffer_;
  std::uint64_t written_ = 0;
};

}  // namespace zermelo
