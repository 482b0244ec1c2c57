#include "link/command-limits.h"

#include <charconv>

#include "link/channel.h"
#include "link/command.h"

namespace gpumark::link {
namespace {

constexpr std::size_t kMostEndpoints = 16;

int read_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() ? port : -1;
}

int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

}  // namespace

PortRange read_ports(std::string_view text) {
  const std::size_t dash = text.find('-');
  const int first = read_port(text.substr(0, dash));
  const int last = dash == std::string_view::npos ? first : read_port(text.substr(dash + 1));
  if (first < 0 || last < first || (first == 0 && last != 0))
    throw BadCommand{"ports", "has to be 0, a port, or two with a dash between"};
  return {first, last};
}

std::vector<Address> read_endpoints(std::string_view text) {
  std::vector<Address> endpoints;
  for (;;) {
    const std::size_t comma = text.find(',');
    const auto one = parse_endpoint(text.substr(0, comma));
    if (!one || endpoints.size() >= kMostEndpoints)
      throw BadCommand{"to", "has to be 1 to 16 numeric addresses with ports, with commas between"};
    endpoints.push_back(*one);
    if (comma == std::string_view::npos) return endpoints;
    text.remove_prefix(comma + 1);
  }
}

Role read_role(std::string_view text) {
  if (text == "dial") return Role::dial;
  if (text == "listen") return Role::listen;
  throw BadCommand{"role", "has to be dial or listen"};
}

Mode read_mode(std::string_view text) {
  if (text == "measure") return Mode::measure;
  if (text == "channel") return Mode::channel;
  throw BadCommand{"mode", "has to be measure or channel"};
}

std::string read_hex(std::string_view text) {
  const auto fail = [] { return BadCommand{"text", "has to be up to 8 KiB as lower-case hexadecimal digits"}; };
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
