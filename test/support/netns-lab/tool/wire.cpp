#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <deque>

#include "tool.h"

namespace {
/// Enough for a segmentation-offload frame with its virtio header.
constexpr size_t kLargestFrame = 70'000;
/// Limit for frames in transit in one direction; more are dropped, as a queue does.
constexpr size_t kMostFrames = 20'000;

struct Frame {
  Clock::time_point due;
  std::vector<char> bytes;
};

/// Everything that arrives at one interface leaves through the other after the delay, in order.
struct Direction {
  int in, out;
  std::deque<Frame> under_way;
};

/// The virtio header before each frame passes on its checksum and segmentation offload; without it, frames from veth,
/// whose checksums have not been computed, would arrive broken.
int openEnd(const std::string& interface) {
  const int end = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (end < 0) fail("packet socket");
  const int yes = 1, room = 8 << 20;
  if (setsockopt(end, SOL_PACKET, PACKET_VNET_HDR, &yes, sizeof yes) != 0) fail("PACKET_VNET_HDR");
  if (setsockopt(end, SOL_PACKET, PACKET_IGNORE_OUTGOING, &yes, sizeof yes) != 0) fail("PACKET_IGNORE_OUTGOING");
  setsockopt(end, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
  setsockopt(end, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room);
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = static_cast<int>(if_nametoindex(interface.c_str()));
  if (address.sll_ifindex == 0) fail("interface " + interface);
  packet_mreq all{};
  all.mr_ifindex = address.sll_ifindex;
  all.mr_type = PACKET_MR_PROMISC;
  if (setsockopt(end, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) != 0) fail("promiscuous " + interface);
  if (bind(end, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("bind " + interface);
  return end;
}

void takeIn(Direction& way, Clock::duration delay) {
  static std::vector<char> buffer(kLargestFrame);
  for (;;) {
    const ssize_t size = recv(way.in, buffer.data(), buffer.size(), 0);
    if (size <= 0) return;
    if (way.under_way.size() >= kMostFrames) continue;
    way.under_way.push_back({Clock::now() + delay, {buffer.begin(), buffer.begin() + size}});
  }
}

void letOut(Direction& way) {
  while (!way.under_way.empty() && way.under_way.front().due <= Clock::now()) {
    const Frame& frame = way.under_way.front();
    (void)!send(way.out, frame.bytes.data(), frame.bytes.size(), 0);
    way.under_way.pop_front();
  }
}

/// Time until the next frame is due; one second if none is in transit.
timespec nextDue(const std::vector<Direction>& ways) {
  auto soonest = Clock::now() + std::chrono::seconds(1);
  for (const Direction& way : ways) {
    if (!way.under_way.empty()) soonest = std::min(soonest, way.under_way.front().due);
  }
  const auto left = std::max<long>(0, std::chrono::duration_cast<std::chrono::nanoseconds>(soonest - Clock::now()).count());
  return {left / 1'000'000'000, left % 1'000'000'000};
}
}  // namespace

/// wire DELAY_US INTERFACE INTERFACE: connects two interfaces of this namespace and delays each frame. Prints
/// {"ready":true}.
int wire(const Words& words) {
  if (words.size() != 3) fail("wire takes a delay and two interfaces");
  const std::chrono::microseconds delay(wholeNumber(words[0]));
  const int left = openEnd(words[1]), right = openEnd(words[2]);
  std::vector<Direction> ways{{left, right, {}}, {right, left, {}}};
  // A real wire is never scheduled: without real-time priority, a busy machine would add its own delay.
  const sched_param first{1};
  if (sched_setscheduler(0, SCHED_RR, &first) != 0) setpriority(PRIO_PROCESS, 0, -20);
  std::printf("{\"ready\":true}\n");
  std::fflush(stdout);
  for (;;) {
    pollfd waiting[] = {{left, POLLIN, 0}, {right, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    const timespec until = nextDue(ways);
    if (ppoll(waiting, 3, &until, nullptr) < 0) fail("poll");
    if (waiting[2].revents != 0) return 0;
    for (Direction& way : ways) {
      takeIn(way, delay);
      letOut(way);
    }
  }
}
