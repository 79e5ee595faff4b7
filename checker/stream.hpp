// The container of a certificate (FORMAT.md 2): header, payload, bytes and varints.
#pragma once

#include <optional>

#include "inflate.hpp"

namespace zcheck {

inline constexpr int VERSION = 1;

// The payload, byte by byte.
class Reader {
 public:
  Reader(Source& source, const Budget& budget) : source_(source), budget_(budget) {
    std::array<int, 8> header;
    for (int& value : header) value = source.next();
    if (header[0] != 'Z' || header[1] != 'C' || header[2] != 'E' || header[3] != 'R' || header[4] != 'T' ||
        header[7] != 0)
      throw Damaged("this is not a certificate");
    if (header[5] != VERSION)
      throw Damaged("the format version is " + std::to_string(header[5]) + ", not " + std::to_string(VERSION));
    if (header[6] > 1) throw Damaged("unknown compression " + std::to_string(header[6]));
    if (header[6]) inflate_.emplace(source, budget);
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
  // Reads the rest: a damaged container is malformed, whatever its content.
  void skip_rest() {
    while (refill()) {
    }
  }
  std::uint64_t offset() const { return passed_ + at_; }

 private:
  bool refill() {
    budget_.look();
    passed_ += chunk_.size();
    at_ = 0;
    chunk_ = {};
    if (!ended_) chunk_ = inflate_ ? inflate_->more() : source_.more();
    ended_ = chunk_.empty();
    return !ended_;
  }

  Source& source_;
  const Budget& budget_;
  std::optional<Inflate> inflate_;
  std::span<const std::uint8_t> chunk_;
  std::size_t at_ = 0;
  std::uint64_t passed_ = 0;
  bool ended_ = false;
};

}  // namespace zcheck
