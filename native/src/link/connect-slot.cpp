#include "link/connect-slot.h"

#include <algorithm>
#include <thread>

#include "link/dial.h"

namespace gpumark::link {
namespace {

/** Below the 8 half-open connections that a listener accepts per host. */
constexpr int kAtOnce = 6;
constexpr Ns kLeastPing = 50 * kMillisecond;

void note_start(SlotReport& report, const SlotPlan& plan, Ns really, Ns planned, int fd) {
  report.started = plan.start + (really - planned);
  report.skew = really - planned;
  if (fd < 0) return;
  const auto address = local_address(fd);
  if (address) report.interface = interface_of(*address);
}

/**
 * True if the peer has hung up. Its first ping may arrive before its last connection is in the inbox, since that is
 * answered first.
 */
bool has_gone(int fd) {
  char byte = 0;
  const ssize_t n = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return n == 0 || (n < 0 && !would_block(errno));
}

}  // namespace

std::vector<Socket> dial_slot(const SlotPlan& plan, int count, const StopFlag& stop, SlotReport& report) {
  const Target target{plan.peer, plan.local, plan.key, wire_id(plan.id)};
  const SlotTimes times(plan);
  const Ns begun = now_ns();
  std::vector<Socket> connections(static_cast<std::size_t>(count));
  std::vector<Outcome> outcomes(connections.size());
  const auto dial_one = [&](std::size_t index) {
    // Once the first connection is authenticated the peer is known to be there: on a lossy link the others may use part
    // of the time for pings.
    const Ns by = index == 0 ? times.prove_by : times.ping_by - kLeastPing;
    Dialled dialled = dial_proven(target, static_cast<std::uint8_t>(index), by, stop);
    if (index == 0) report.connect_time = dialled.connect_time;
    connections[index] = std::move(dialled.socket);
    outcomes[index] = std::move(dialled.outcome);
  };
  // The first one alone: without a listener that has the key, one attempt is enough.
  dial_one(0);
  note_start(report, plan, begun, times.dial_at, connections[0].get());
  for (std::size_t next = 1; next < connections.size() && outcomes[next - 1].ok();) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kAtOnce && next < connections.size(); ++i) threads.emplace_back(dial_one, next++);
    for (std::thread& one : threads) one.join();
  }
  for (const Outcome& one : outcomes) {
    if (one.ok()) continue;
    report.outcome = one;
    return {};
  }
  return connections;
}

std::vector<Socket> await_slot(const SlotPlan& plan, int count, Inbox& inbox, const StopFlag& stop,
                               SlotReport& report) {
  const SlotTimes times(plan);
  std::vector<Socket> connections;
  while (static_cast<int>(connections.size()) < count) {
    const auto next = static_cast<std::uint8_t>(connections.size());
    const Stage stage = connections.empty() ? Stage::connect : Stage::prove;
    Socket socket = inbox.take(next, std::min(times.ping_by, now_ns() + kBlockedMs * kMillisecond));
    if (socket) {
      if (connections.empty()) note_start(report, plan, now_ns(), times.dial_at, socket.get());
      connections.push_back(std::move(socket));
      continue;
    }
    if (stop.stopped()) {
      report.outcome = cancelled(stage);
    } else if (!connections.empty() && has_gone(connections[0].get())) {
      report.outcome = broken(stage, 0);
    } else if (now_ns() < times.ping_by) {
      continue;
    } else if (connections.empty() && inbox.suspected()) {
      report.outcome = {Status::auth_failed, Stage::prove, ""};
    } else {
      report.outcome = timed_out(stage);
    }
    return {};
  }
  return connections;
}

}  // namespace gpumark::link
