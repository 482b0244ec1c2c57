#include "link/address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>

#include <charconv>
#include <cstring>

namespace gpumark::link {
namespace {

const sockaddr_in& v4(const Address& a) { return reinterpret_cast<const sockaddr_in&>(a.storage); }
sockaddr_in& v4(Address& a) { return reinterpret_cast<sockaddr_in&>(a.storage); }
const sockaddr_in6& v6(const Address& a) { return reinterpret_cast<const sockaddr_in6&>(a.storage); }
sockaddr_in6& v6(Address& a) { return reinterpret_cast<sockaddr_in6&>(a.storage); }

std::optional<Address> parse_v4(const std::string& text) {
  Address address;
  address.length = sizeof(sockaddr_in);
  v4(address).sin_family = AF_INET;
  if (inet_pton(AF_INET, text.c_str(), &v4(address).sin_addr) != 1) return std::nullopt;
  const std::uint32_t host = ntohl(v4(address).sin_addr.s_addr);
  // 0.0.0.0/8 means "any address"; 224/4 and above is multicast and reserved.
  if (host >> 24 == 0 || host >> 28 >= 0xe) return std::nullopt;
  return address;
}

std::optional<Address> parse_v6(std::string text) {
  Address address;
  address.length = sizeof(sockaddr_in6);
  v6(address).sin6_family = AF_INET6;
  const std::size_t percent = text.find('%');
  if (percent != std::string::npos) {
    v6(address).sin6_scope_id = if_nametoindex(text.c_str() + percent + 1);
    if (v6(address).sin6_scope_id == 0) return std::nullopt;
    text.resize(percent);
  }
  if (inet_pton(AF_INET6, text.c_str(), &v6(address).sin6_addr) != 1) return std::nullopt;
  const in6_addr& host = v6(address).sin6_addr;
  if (IN6_IS_ADDR_UNSPECIFIED(&host) || IN6_IS_ADDR_MULTICAST(&host) || IN6_IS_ADDR_V4MAPPED(&host))
    return std::nullopt;
  return address;
}

}  // namespace

std::uint16_t Address::port() const { return ntohs(family() == AF_INET6 ? v6(*this).sin6_port : v4(*this).sin_port); }

void Address::set_port(std::uint16_t port) {
  (family() == AF_INET6 ? v6(*this).sin6_port : v4(*this).sin_port) = htons(port);
}

std::optional<Address> parse_address(std::string_view text) {
  // 64 is longer than any address with an interface name; an embedded zero would end the C string early.
  if (text.size() > 64 || text.find('\0') != std::string_view::npos) return std::nullopt;
  return text.find(':') == std::string_view::npos ? parse_v4(std::string(text)) : parse_v6(std::string(text));
}

std::optional<Address> parse_endpoint(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (bracketed != (host.find(':') != std::string_view::npos)) return std::nullopt;
  const std::string_view digits = text.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size() || port == 0) return std::nullopt;
  std::optional<Address> address = parse_address(host);
  if (address) address->set_port(port);
  return address;
}

std::string format_address(const Address& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.family() == AF_INET6) {
    inet_ntop(AF_INET6, &v6(address).sin6_addr, text, sizeof text);
    char name[IF_NAMESIZE];
    const std::uint32_t scope = v6(address).sin6_scope_id;
    return scope != 0 && if_indextoname(scope, name) ? std::string(text) + "%" + name : text;
  }
  inet_ntop(AF_INET, &v4(address).sin_addr, text, sizeof text);
  return text;
}

bool same_host(const Address& a, const Address& b) {
  if (a.family() != b.family()) return false;
  if (a.family() == AF_INET) return v4(a).sin_addr.s_addr == v4(b).sin_addr.s_addr;
  return std::memcmp(&v6(a).sin6_addr, &v6(b).sin6_addr, sizeof(in6_addr)) == 0;
}

bool is_public(const Address& address) {
  if (address.family() == AF_INET6) {
    const in6_addr& host = v6(address).sin6_addr;
    return !((host.s6_addr[0] & 0xfe) == 0xfc || IN6_IS_ADDR_LINKLOCAL(&host) || IN6_IS_ADDR_LOOPBACK(&host));
  }
  const std::uint32_t host = ntohl(v4(address).sin_addr.s_addr);
  const auto in = [host](std::uint32_t network, int bits) { return (host ^ network) >> (32 - bits) == 0; };
  return !(in(0x0a000000, 8) || in(0xac100000, 12) || in(0xc0a80000, 16) || in(0x64400000, 10) || in(0xa9fe0000, 16) ||
           in(0x7f000000, 8));
}

std::optional<Address> local_address(int fd) {
  Address address;
  address.length = sizeof address.storage;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address.storage), &address.length) != 0) return std::nullopt;
  return address;
}

std::optional<std::string> interface_of(const Address& address) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return std::nullopt;
  std::optional<std::string> found;
  for (const ifaddrs* one = all; one && !found; one = one->ifa_next) {
    if (!one->ifa_addr || one->ifa_addr->sa_family != address.family()) continue;
    Address other;
    std::memcpy(&other.storage, one->ifa_addr,
                address.family() == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in));
    if (same_host(address, other)) found = one->ifa_name;
  }
  freeifaddrs(all);
  // getifaddrs does not list 127.0.0.2 and other loopback addresses.
  if (!found && address.family() == AF_INET && ntohl(v4(address).sin_addr.s_addr) >> 24 == 127) found = "lo";
  return found;
}

}  // namespace gpumark::link
