#include "collective/unique-id.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace gpumark {
namespace {

constexpr char kDigits[] = "0123456789abcdef";
constexpr std::size_t kMaxLine = 1024;

int digit(char c) {
  const char* found = c == '\0' ? nullptr : std::strchr(kDigits, c);
  return found ? static_cast<int>(found - kDigits) : -1;
}

}  // namespace

std::string unique_id_text(const UniqueId& id) {
  std::string text;
  for (const char byte : id.bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += kDigits[value >> 4];
    text += kDigits[value & 15];
  }
  return text;
}

std::optional<UniqueId> parse_unique_id(const std::string& text) {
  UniqueId id{};
  if (text.size() != 2 * sizeof id.bytes) return std::nullopt;
  for (std::size_t i = 0; i < sizeof id.bytes; ++i) {
    const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id.bytes[i] = static_cast<char>(high << 4 | low);
  }
  return id;
}

std::string read_line(int file_descriptor) {
  std::string line;
  while (line.size() < kMaxLine) {
    char c = 0;
    const ssize_t got = read(file_descriptor, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || c == '\n') break;
    line += c;
  }
  return line;
}

void wait_for_end(int file_descriptor) {
  char ignored[256];
  for (;;) {
    const ssize_t got = read(file_descriptor, ignored, sizeof ignored);
    if (got == 0 || (got < 0 && errno != EINTR)) return;
  }
}

}  // namespace gpumark
