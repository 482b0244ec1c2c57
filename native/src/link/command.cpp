#include "link/command.h"

#include <algorithm>
#include <charconv>

namespace gpumark::link {
namespace {

/** More than any command has. */
constexpr std::size_t kMostWords = 32;
constexpr double kDayMs = 86400e3;

template <typename Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string shown(std::string_view name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  return plain && name.size() <= 16 ? std::string(name) : "?";
}

Command::Command(std::string_view line) {
  while (!line.empty()) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, blank);
    line.remove_prefix(std::min(blank + 1, line.size()));
    if (word.empty()) throw BadCommand{"", "two blanks follow each other, or the line begins with one"};
    if (verb_.empty()) {
      verb_ = word;
      continue;
    }
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) throw BadCommand{"", "a word is not name=value"};
    const std::string_view name = word.substr(0, equals);
    const bool twice = std::any_of(words_.begin(), words_.end(), [&](const Word& one) { return one.name == name; });
    if (twice || words_.size() >= kMostWords)
      throw BadCommand{shown(name), twice ? "appears twice" : "is one word too many"};
    words_.push_back({name, word.substr(equals + 1), false});
  }
}

std::optional<std::string_view> Command::text_or_none(const char* name) {
  for (Word& one : words_) {
    if (one.name != name) continue;
    one.used = true;
    return one.value;
  }
  return std::nullopt;
}

std::string_view Command::text(const char* name) {
  const auto value = text_or_none(name);
  if (!value || value->empty()) throw BadCommand{name, "is missing"};
  return *value;
}

std::string Command::id() {
  const std::string_view value = text("id");
  const bool printable = std::all_of(value.begin(), value.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (value.size() > kIdBytes || !printable) throw BadCommand{"id", "has to be 1 to 32 printable characters"};
  return std::string(value);
}

Key Command::key() {
  Key key;
  if (!read_key(text("key"), key)) throw BadCommand{"key", "has to be 64 lower-case hexadecimal digits"};
  return key;
}

Address Command::address(const char* name) {
  const auto address = parse_address(text(name));
  if (!address) throw BadCommand{name, "is no numeric address of one host"};
  return *address;
}

std::int64_t Command::whole(const char* name, std::int64_t least, std::int64_t most,
                            std::optional<std::int64_t> otherwise) {
  const auto given = otherwise ? text_or_none(name) : text(name);
  if (!given) return *otherwise;
  std::int64_t value = 0;
  if (!read_number(*given, value) || value < least || value > most)
    throw BadCommand{name, "has to be a whole number from " + std::to_string(least) + " to " + std::to_string(most)};
  return value;
}

Ns Command::ms(const char* name, double least, double most, std::optional<double> otherwise) {
  const auto given = otherwise ? text_or_none(name) : text(name);
  if (!given) return from_ms(*otherwise);
  double value = 0;
  if (!read_number(*given, value) || !(value >= least && value <= most))
    throw BadCommand{name, "is not within its limits in milliseconds"};
  return from_ms(value);
}

Ns Command::time(const char* name) {
  const double now = to_ms(now_ns());
  return ms(name, now - kDayMs, now + kDayMs);
}

void Command::nothing_else() const {
  for (const Word& one : words_) {
    if (!one.used) throw BadCommand{shown(one.name), "is not known to " + shown(verb_)};
  }
}

}  // namespace gpumark::link
