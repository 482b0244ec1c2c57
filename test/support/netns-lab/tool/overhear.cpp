#include "overhear.h"

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cstring>

#include "tool.h"

namespace {
constexpr char kMagic[] = "GMLINK1\n";
constexpr size_t kHello = 89;
}  // namespace

int openEar(const std::string& switch_namespace) {
  const int ear = socketIn(switch_namespace, AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(ETH_P_ALL));
  const int room = 16 << 20;
  setsockopt(ear, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
  return ear;
}

bool overhear(int ear, Overheard& found) {
  static std::vector<unsigned char> frame(70'000);
  for (;;) {
    const ssize_t size = recv(ear, frame.data(), frame.size(), 0);
    if (size <= 0) return false;
    const size_t length = static_cast<size_t>(size);
    if (length < ETH_HLEN + sizeof(iphdr) + sizeof(tcphdr) || frame[12] != 8 || frame[13] != 0) continue;
    iphdr ip{};
    std::memcpy(&ip, frame.data() + ETH_HLEN, sizeof ip);
    const size_t tcp_at = ETH_HLEN + size_t{ip.ihl} * 4;
    if (ip.protocol != IPPROTO_TCP || length < tcp_at + sizeof(tcphdr)) continue;
    tcphdr tcp{};
    std::memcpy(&tcp, frame.data() + tcp_at, sizeof tcp);
    const size_t payload_at = tcp_at + size_t{tcp.doff} * 4;
    if (length < payload_at + kHello || std::memcmp(frame.data() + payload_at, kMagic, sizeof kMagic - 1) != 0) continue;
    found.to = {};
    found.to.sin_family = AF_INET;
    found.to.sin_addr.s_addr = ip.daddr;
    found.to.sin_port = tcp.dest;
    found.bytes.assign(frame.begin() + static_cast<long>(payload_at), frame.begin() + static_cast<long>(payload_at + kHello));
    return true;
  }
}
