#include <sys/resource.h>
#include <sys/socket.h>

#include <cstdio>
#include <thread>
#include <vector>

#include "tool.h"

namespace {
/// One full Ethernet frame: 1500 of MTU, less 20 of IPv4 and 8 of UDP, and the 14 of the frame that a shaper counts.
constexpr size_t kPayload = 1472;
constexpr double kFrameBits = 1514 * 8;
constexpr int kPort = 9;
/// Buckets empty and queues fill before the window begins.
constexpr int kWarmMs = 150;

struct Flow {
  std::string from, to, address;
  int receiver = -1, sender = -1;
  double mbps = 0;
};

Flow flowOf(const std::string& word) {
  const size_t arrow = word.find('>'), equals = word.find('=');
  if (arrow == std::string::npos || equals == std::string::npos) fail("no NETNS>NETNS=ADDRESS: " + word);
  return {word.substr(0, arrow), word.substr(arrow + 1, equals - arrow - 1), word.substr(equals + 1), -1, -1, 0};
}

/// Frames per time between the first and the last that came after the warm time; 0 where fewer than two came.
double countFrames(int receiver, Clock::time_point warm, Clock::time_point end) {
  char packet[kPayload];
  long frames = 0;
  Clock::time_point first, last;
  while (Clock::now() < end) {
    if (recv(receiver, packet, sizeof packet, 0) != static_cast<ssize_t>(kPayload) || Clock::now() < warm) continue;
    last = Clock::now();
    if (frames++ == 0) first = last;
  }
  const double seconds = std::chrono::duration<double>(last - first).count();
  return frames < 2 ? 0 : static_cast<double>(frames - 1) * kFrameBits / seconds / 1e6;
}

void send(int sender, const sockaddr_in& to, Clock::time_point end) {
  const std::vector<char> payload(kPayload);
  while (Clock::now() < end)
    (void)!sendto(sender, payload.data(), payload.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

void open(Flow& flow) {
  flow.receiver = socketIn(flow.to, AF_INET, SOCK_DGRAM, 0);
  const timeval patience{0, 50'000};
  setsockopt(flow.receiver, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const sockaddr_in here = addressOf(flow.address, kPort);
  const int much = 4 << 20;
  setsockopt(flow.receiver, SOL_SOCKET, SO_RCVBUFFORCE, &much, sizeof much);
  if (bind(flow.receiver, reinterpret_cast<const sockaddr*>(&here), sizeof here) != 0) fail("bind " + flow.address);
  flow.sender = socketIn(flow.from, AF_INET, SOCK_DGRAM, 0);
  // What waits in the shaper is charged to the socket, so a small buffer makes the sender wait and not the shaper drop.
  const int room = 32 * 1024;
  setsockopt(flow.sender, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}

void measure(Flow& flow, Clock::time_point warm, Clock::time_point end) {
  std::thread sending(send, flow.sender, addressOf(flow.address, kPort), end);
  flow.mbps = countFrames(flow.receiver, warm, end);
  sending.join();
}
}  // namespace

/// rate WINDOW_MS NETNS>NETNS=ADDRESS... : all flows at once, each as fast as it goes -> {"mbps":[...]}, frames of Ethernet.
int rate(const Words& words) {
  if (words.size() < 2) fail("rate takes a time and a flow or more");
  std::vector<Flow> flows;
  for (size_t at = 1; at < words.size(); ++at) flows.push_back(flowOf(words[at]));
  for (Flow& flow : flows) open(flow);
  setpriority(PRIO_PROCESS, 0, -20);
  // One window for all: only so do the shares of what they have in common add up.
  const auto warm = Clock::now() + Milliseconds(kWarmMs), end = warm + Milliseconds(wholeNumber(words[0]));
  std::vector<std::thread> threads;
  for (Flow& flow : flows) threads.emplace_back(measure, std::ref(flow), warm, end);
  for (std::thread& thread : threads) thread.join();
  std::printf("{\"mbps\":[");
  for (size_t at = 0; at < flows.size(); ++at) std::printf("%s%.3f", at == 0 ? "" : ",", flows[at].mbps);
  std::printf("]}\n");
  return 0;
}
