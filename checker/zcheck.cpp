// zcheck, the fast checker:  zcheck [--json] [--threads N] [--time SECONDS] [--memory MIB] FILE | --each
//
// With --each it reads names of files, one a line, and answers each with a line. Each file has the whole time. Pieces
// that were valued once are remembered within the memory, until a limit is reached: many small certificates are quick.
//
//   g++ -std=c++20 -O2 -pthread zcheck.cpp check.cpp -o zcheck
//
// Exit code 0 verified, 1 rejected, 2 malformed, 3 unfinished.
//
// Limits that are not given grow with the file (a pipe counts as empty), so that a few bytes cost little: a minute and
// a second more for every 200 bytes, 1024 MiB and one more for every 1000 bytes up to 8192. With --each: no time, 8192.
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <thread>

#include "check.hpp"

namespace {

constexpr unsigned MAX_THREADS = 256;

int say(const zcheck::Report& report, bool json) {
  static const char* const WORDS[] = {"verified", "rejected", "malformed", "unfinished"};
  const std::string word = WORDS[report.verdict];
  if (json) {
    std::string text = "{\"verdict\": \"" + word + "\"";
    for (const auto& [name, value] : report.claim) text += ", \"" + name + "\": " + value;
    if (!report.reason.empty()) text += ", \"reason\": \"" + report.reason + "\"";
    std::printf("%s, \"nodes\": %llu, \"bytes\": %llu, \"seconds\": %.3f}\n", text.c_str(),
                static_cast<unsigned long long>(report.nodes), static_cast<unsigned long long>(report.bytes),
                report.seconds);
  } else {
    std::string text;
    for (char c : word) text += static_cast<char>(c - 'a' + 'A');
    text += ":";
    for (const auto& [name, value] : report.claim)
      if (name != "maker" && name != "breaker") text += " " + name + " " + value.substr(1, value.size() - 2);
    if (!report.claim.empty()) text += ":";
    text += " " + (report.reason.empty() ? std::to_string(report.nodes) + " nodes" : report.reason);
    std::printf("%s\n", text.c_str());
  }
  std::fflush(stdout);
  return report.verdict;
}

bool number(const char* text, double& value) {
  char* end = nullptr;
  value = std::strtod(text, &end);
  return end != text && !*end && value >= 0 && !std::strpbrk(text, "xX");
}

double size_of(const char* path) {
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path, unknown);
  return unknown ? 0 : static_cast<double>(size);
}

}  // namespace

int main(int count, char** words) {
  bool json = false, each = false, usable = true;
  double seconds = -1, mebibytes = -1, threads = std::clamp(std::thread::hardware_concurrency(), 1u, MAX_THREADS);
  const char* path = nullptr;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--json") json = true;
    else if (word == "--each") each = true;
    else if (word == "--threads" && i + 1 < count) usable = number(words[++i], threads) && usable;
    else if (word == "--time" && i + 1 < count) usable = number(words[++i], seconds) && usable;
    else if (word == "--memory" && i + 1 < count) usable = number(words[++i], mebibytes) && usable;
    else if (word[0] != '-' && !path) path = words[i];
    else usable = false;
  }
  usable = usable && threads >= 1 && threads <= MAX_THREADS && threads == std::floor(threads);
  if (!usable || each == (path != nullptr)) {
    std::fprintf(stderr, "zcheck [--json] [--threads N] [--time SECONDS] [--memory MIB] FILE | --each\n");
    return zcheck::MALFORMED;
  }
  if (seconds < 0) seconds = path ? 60 + size_of(path) / 200 : 1e18;
  if (mebibytes < 0) mebibytes = path ? std::min(1024 + size_of(path) / 1000, 8192.0) : 8192;
  const zcheck::Crew crew{static_cast<int>(threads)};
  std::unique_ptr<zcheck::Budget> budget;
  std::shared_ptr<zcheck::Memory> memory;
  const auto verdict_on = [&](const char* name) {
    zcheck::Report report;
    if (memory) budget->begin_anew();
    else budget = std::make_unique<zcheck::Budget>(seconds, mebibytes);
    if (std::FILE* file = std::fopen(name, "rb")) {
      zcheck::Source source(file);
      report = zcheck::check(source, *budget, crew, memory);
      if (report.verdict == zcheck::UNFINISHED) memory.reset();
      std::fclose(file);
    } else {
      report.reason = std::string("the file cannot be read: ") + std::strerror(errno);
    }
    return say(report, json);
  };
  if (path) return verdict_on(path);
  int worst = zcheck::VERIFIED;
  for (std::string name; std::getline(std::cin, name);) worst = std::max(worst, verdict_on(name.c_str()));
  return worst;
}
