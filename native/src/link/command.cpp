#include "link/command.h"

#include <algorithm>
#include <charconv>

#include "link/channel.h"

namespace gpumark::link {
namespace {

/** More words than any command has. */
constexpr std::size_t kMostWords = 32;
constexpr double kDayMs = 86400e3;

template <typename Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

constexpr std::size_t kMostEndpoints = 16;

int read_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() ? port : -1;
}

int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

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
    if (word.empty()) throw BadCommand{"", "the line begins with a blank or has two in a row"};
    if (verb_.empty()) {
      verb_ = word;
      continue;
    }
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) throw BadCommand{"", "a word is not name=value"};
    const std::string_view name = word.substr(0, equals);
    const bool twice = std::any_of(words_.begin(), words_.end(), [&](const Word& one) { return one.name == name; });
    if (twice || words_.size() >= kMostWords)
      throw BadCommand{shown(name), twice ? "appears twice" : "exceeds the limit of 32 words"};
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
  if (value.size() > kIdBytes || !printable) throw BadCommand{"id", "must be 1 to 32 printable characters"};
  return std::string(value);
}

Key Command::key() {
  Key key;
  if (!read_key(text("key"), key)) throw BadCommand{"key", "must be 64 lower-case hexadecimal digits"};
  return key;
}

Address Command::address(const char* name) {
  const auto address = parse_address(text(name));
  if (!address) throw BadCommand{name, "is not a numeric address of one host"};
  return *address;
}

std::int64_t Command::whole(const char* name, std::int64_t least, std::int64_t most,
                            std::optional<std::int64_t> otherwise) {
  const auto given = otherwise ? text_or_none(name) : text(name);
  if (!given) return *otherwise;
  std::int64_t value = 0;
  if (!read_number(*given, value) || value < least || value > most)
    throw BadCommand{name, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most)};
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

PortRange read_ports(std::string_view text) {
  const std::size_t dash = text.find('-');
  const int first = read_port(text.substr(0, dash));
  const int last = dash == std::string_view::npos ? first : read_port(text.substr(dash + 1));
  if (first < 0 || last < first || (first == 0 && last != 0))
    throw BadCommand{"ports", "must be 0, a port, or two with a dash between"};
  return {first, last};
}

std::vector<Address> read_endpoints(std::string_view text) {
  std::vector<Address> endpoints;
  for (;;) {
    const std::size_t comma = text.find(',');
    const auto one = parse_endpoint(text.substr(0, comma));
    if (!one || endpoints.size() >= kMostEndpoints)
      throw BadCommand{"to", "must be 1 to 16 numeric addresses with ports, separated by commas"};
    endpoints.push_back(*one);
    if (comma == std::string_view::npos) return endpoints;
    text.remove_prefix(comma + 1);
  }
}

Role read_role(std::string_view text) {
  if (text == "dial") return Role::dial;
  if (text == "listen") return Role::listen;
  throw BadCommand{"role", "must be dial or listen"};
}

Mode read_mode(std::string_view text) {
  if (text == "measure") return Mode::measure;
  if (text == "channel") return Mode::channel;
  throw BadCommand{"mode", "must be measure or channel"};
}

std::string read_hex(std::string_view text) {
  const auto fail = [] { return BadCommand{"text", "must be up to 8 KiB as lower-case hexadecimal digits"}; };
  if (text.size() % 2 != 0 || text.size() > 2 * kMostSaid) throw fail();
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) throw fail();
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace gpumark::link
