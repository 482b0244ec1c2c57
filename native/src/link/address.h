// Numeric IPv4 and IPv6 addresses, and which of them are private.
#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpumark::link {

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;
  int family() const { return storage.ss_family; }
  std::uint16_t port() const;
  void set_port(std::uint16_t port);
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

/**
 * A numeric address without port: 10.0.0.1, fd00::1, fe80::1%eth0. nullopt for unspecified, multicast and IPv4-mapped
 * addresses.
 */
std::optional<Address> parse_address(std::string_view text);
/** With port: 10.0.0.1:4711, [fd00::1]:4711. */
std::optional<Address> parse_endpoint(std::string_view text);
/** Without port. */
std::string format_address(const Address& address);
/** Same family and address; the ports do not matter. */
bool same_host(const Address& a, const Address& b);
/** Not private (RFC 1918, 4193), shared (6598), link-local nor loopback: a transfer there may cost money. */
bool is_public(const Address& address);

/** The address a socket is bound to; nullopt on an error. */
std::optional<Address> local_address(int fd);
/** Name of the interface that has this address. */
std::optional<std::string> interface_of(const Address& address);

}  // namespace gpumark::link
