#include "echo.h"

#include <arpa/inet.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "tool.h"

namespace {
constexpr size_t kMessage = sizeof(icmphdr) + 56;

uint16_t ownId() { return static_cast<uint16_t>(getpid()); }

uint16_t checksum(const unsigned char* bytes, size_t count) {
  uint32_t sum = 0;
  for (size_t at = 0; at + 1 < count; at += 2) sum += static_cast<uint32_t>(bytes[at] << 8 | bytes[at + 1]);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return htons(static_cast<uint16_t>(~sum & 0xffff));
}
}  // namespace

EchoSocket::EchoSocket(const std::string& network_namespace)
    : socket_(socketIn(network_namespace, AF_INET, SOCK_RAW | SOCK_NONBLOCK, IPPROTO_ICMP)) {
  const int room = 1 << 20;
  setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
}

EchoSocket::~EchoSocket() {
  if (socket_ >= 0) close(socket_);
}

void EchoSocket::send(const std::string& address, uint16_t number) const {
  unsigned char message[kMessage] = {};
  icmphdr header{};
  header.type = ICMP_ECHO;
  header.un.echo.id = ownId();
  header.un.echo.sequence = number;
  std::memcpy(message, &header, sizeof header);
  header.checksum = checksum(message, sizeof message);
  std::memcpy(message, &header, sizeof header);
  const sockaddr_in to = addressOf(address, 0);
  (void)!sendto(socket_, message, sizeof message, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

int EchoSocket::take() const {
  unsigned char packet[2048];
  for (;;) {
    const ssize_t size = recv(socket_, packet, sizeof packet, 0);
    if (size < 0) return -1;
    const size_t ip_header = static_cast<size_t>(packet[0] & 15) * 4;
    icmphdr header{};
    if (static_cast<size_t>(size) < ip_header + sizeof header) continue;
    std::memcpy(&header, packet + ip_header, sizeof header);
    if (header.type == ICMP_ECHOREPLY && header.un.echo.id == ownId()) return header.un.echo.sequence;
  }
}
