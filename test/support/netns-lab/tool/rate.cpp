#include <sys/socket.h>

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "tool.h"

namespace {
/// The clock of the kernel's timestamps.
using WallClock = std::chrono::system_clock;

/// One full Ethernet frame: MTU of 1500 less 20 bytes of IPv4 and 8 of UDP. A shaper also counts 14 bytes of Ethernet.
constexpr size_t kPayload = 1472;
constexpr double kFrameBits = 1514 * 8;
constexpr int kPort = 9;
/// Token buckets empty and queues fill before the window begins.
constexpr int kWarmMs = 150;

struct Flow {
  std::string from, to, address;
  int receiver = -1, sender = -1;
  double mbps = 0;
};

Flow flowOf(const std::string& word) {
  const size_t arrow = word.find('>'), equals = word.find('=');
  if (arrow == std::string::npos || equals == std::string::npos) fail("not NETNS>NETNS=ADDRESS: " + word);
  return {word.substr(0, arrow), word.substr(arrow + 1, equals - arrow - 1), word.substr(equals + 1), -1, -1, 0};
}

/// The kernel's time of arrival, which does not depend on when the reader gets a processor.
WallClock::time_point arrivalOf(msghdr& message) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp;
    std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
    return WallClock::time_point(std::chrono::seconds(stamp.tv_sec) + std::chrono::nanoseconds(stamp.tv_nsec));
  }
  fail("a frame without a time of arrival");
}

/// Rate of the frames that arrived in the window, in Mb/s. The window is the same for all flows.
double rateInWindow(int receiver, WallClock::time_point warm, WallClock::time_point end) {
  std::vector<char> packet(kPayload), control(CMSG_SPACE(sizeof(timespec)));
  long frames = 0;
  while (true) {
    iovec place{packet.data(), packet.size()};
    msghdr message{};
    message.msg_iov = &place;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    if (recvmsg(receiver, &message, 0) != static_cast<ssize_t>(kPayload)) {
      if (WallClock::now() >= end) break;
      continue;
    }
    const WallClock::time_point arrival = arrivalOf(message);
    if (arrival >= end) break;
    if (arrival >= warm) ++frames;
  }
  return static_cast<double>(frames) * kFrameBits / std::chrono::duration<double>(end - warm).count() / 1e6;
}

void send(int sender, const sockaddr_in& to, WallClock::time_point end) {
  const std::vector<char> payload(kPayload);
  while (WallClock::now() < end)
    (void)!sendto(sender, payload.data(), payload.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

void open(Flow& flow) {
  flow.receiver = socketIn(flow.to, AF_INET, SOCK_DGRAM, 0);
  const timeval patience{0, 50'000};
  setsockopt(flow.receiver, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const sockaddr_in here = addressOf(flow.address, kPort);
  const int much = 4 << 20, stamped = 1;
  setsockopt(flow.receiver, SOL_SOCKET, SO_TIMESTAMPNS, &stamped, sizeof stamped);
  setsockopt(flow.receiver, SOL_SOCKET, SO_RCVBUFFORCE, &much, sizeof much);
  if (bind(flow.receiver, reinterpret_cast<const sockaddr*>(&here), sizeof here) != 0) fail("bind " + flow.address);
  flow.sender = socketIn(flow.from, AF_INET, SOCK_DGRAM, 0);
  // Frames queued in the shaper count against the socket buffer: a small one blocks the sender before the shaper drops.
  const int room = 64 * 1024;
  setsockopt(flow.sender, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}

void measure(Flow& flow, WallClock::time_point warm, WallClock::time_point end) {
  std::thread sending(send, flow.sender, addressOf(flow.address, kPort), end);
  flow.mbps = rateInWindow(flow.receiver, warm, end);
  sending.join();
}
}  // namespace

/// rate WINDOW_MS NETNS>NETNS=ADDRESS... : runs all flows in parallel, each as fast as possible -> {"mbps":[...]},
/// counted in Ethernet frames.
int rate(const Words& words) {
  if (words.size() < 2) fail("rate takes a window and one flow or more");
  std::vector<Flow> flows;
  for (size_t at = 1; at < words.size(); ++at) flows.push_back(flowOf(words[at]));
  for (Flow& flow : flows) open(flow);
  // One window for all flows, so that their shares of a common link add up.
  const auto warm = WallClock::now() + Milliseconds(kWarmMs), end = warm + Milliseconds(wholeNumber(words[0]));
  std::vector<std::thread> threads;
  for (Flow& flow : flows) threads.emplace_back(measure, std::ref(flow), warm, end);
  for (std::thread& thread : threads) thread.join();
  std::printf("{\"mbps\":[");
  for (size_t at = 0; at < flows.size(); ++at) std::printf("%s%.3f", at == 0 ? "" : ",", flows[at].mbps);
  std::printf("]}\n");
  return 0;
}
