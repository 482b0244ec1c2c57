#include "link/tcp-counters.h"

// The kernel's header: glibc's netinet/tcp.h has an older tcp_info, and the two cannot be included together.
#include <linux/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>

namespace gpumark::link {
namespace {

constexpr int kTcpLevel = 6;
/** The kernel's min_rtt for a connection without a sample. */
constexpr std::uint32_t kNoSample = 0xffffffff;

/** Number of bytes that the kernel filled in; older kernels have fewer fields. */
socklen_t read_info(int fd, tcp_info& info) {
  socklen_t length = sizeof info;
  info = {};
  return getsockopt(fd, kTcpLevel, TCP_INFO, &info, &length) == 0 ? length : 0;
}

template <typename Sum, typename Field>
void add(std::optional<Sum>& sum, bool known, Field value) {
  if (known) sum = sum.value_or(0) + value;
}

constexpr socklen_t end_of_min_rtt = offsetof(tcp_info, tcpi_min_rtt) + sizeof(tcp_info::tcpi_min_rtt);

}  // namespace

TcpCounters read_counters(const std::vector<int>& streams) {
  TcpCounters all;
  for (const int fd : streams) {
    tcp_info info;
    const socklen_t length = read_info(fd, info);
    add(all.retransmits, length >= offsetof(tcp_info, tcpi_total_retrans) + sizeof info.tcpi_total_retrans,
        info.tcpi_total_retrans);
    add(all.segments, length >= offsetof(tcp_info, tcpi_data_segs_out) + sizeof info.tcpi_data_segs_out,
        info.tcpi_data_segs_out);
    if (length >= end_of_min_rtt && info.tcpi_min_rtt != kNoSample && info.tcpi_min_rtt > 0) {
      const double us = info.tcpi_min_rtt;
      all.min_rtt_us = all.min_rtt_us ? std::min(*all.min_rtt_us, us) : us;
    }
    if (length >= offsetof(tcp_info, tcpi_pmtu) + sizeof info.tcpi_pmtu)
      all.mtu = std::max(all.mtu.value_or(0), static_cast<int>(info.tcpi_pmtu));
  }
  return all;
}

Ns min_rtt_of(int fd) {
  tcp_info info;
  const socklen_t length = read_info(fd, info);
  return length >= end_of_min_rtt && info.tcpi_min_rtt != kNoSample ? static_cast<Ns>(info.tcpi_min_rtt) * 1000 : 0;
}

}  // namespace gpumark::link
