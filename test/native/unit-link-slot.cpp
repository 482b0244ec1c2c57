// Parts of a link's slot on socket pairs: the wait for its connections, the count of what arrives, the words of a
// channel.
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <string>
#include <thread>

#include "link/channel.h"
#include "link/connect-slot.h"
#include "link/receiver.h"
#include "unit-tests.h"

using namespace gpumark::link;

namespace {

struct Pair {
  Pair() {
    int ends[2] = {-1, -1};
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, "a socket pair");
    ours = Socket(ends[0]);
    theirs = Socket(ends[1]);
    make_blocking(ours.get());
  }
  Socket ours;
  Socket theirs;
};

SlotPlan listening(Ns start) {
  SlotPlan plan;
  plan.id = "1.1";
  plan.role = Role::listen;
  plan.start = start;
  plan.length = 2000 * kMillisecond;
  return plan;
}

/**
 * The gate answers a connection before the slot has it: the dialer may ping on the first one before the second is
 * there.
 */
void early_ping() {
  const SlotPlan plan = listening(now_ns());
  Pair first, second;
  check(send(first.theirs.get(), "ping", 4, 0) == 4, "the first connection has something to read");
  Inbox inbox;
  inbox.put(0, first.ours.release());
  std::thread late([&] {
    poll(nullptr, 0, 100);
    inbox.put(1, second.ours.release());
  });
  const StopFlag stop;
  SlotReport report;
  const auto connections = await_slot(plan, 2, inbox, stop, report);
  late.join();
  check(connections.size() == 2 && report.outcome.ok(), "a ping that overtakes the last connection ends nothing");
}

/** 2,000 of 5,000 bytes come, the last ones after 40 ms; the window is 10 to 410 ms. */
void stalled_stream() {
  Pair pair;
  Receiver receiver({pair.ours.get()});
  const std::string bytes(1000, 'g');
  check(send(pair.theirs.get(), bytes.data(), bytes.size(), 0) == 1000, "the first bytes");
  poll(nullptr, 0, 40);
  check(send(pair.theirs.get(), bytes.data(), bytes.size(), 0) == 1000, "the last bytes");
  receiver.expect(0, 5000);
  poll(nullptr, 0, 100);
  receiver.stop();
  const Window window{10 * kMillisecond, 400 * kMillisecond, now_ns() + 10000 * kMillisecond};
  check(!receiver.rate(window), "bytes that are still to come while the window lasts give no rate");
  poll(nullptr, 0, 400);
  const auto rate = receiver.rate(window);
  check(rate && rate->window_ms == 400 && rate->bytes <= 1000,
        "bytes that were sent and never came do not shorten the window");
}

/** A socket pair takes about 200 KiB: 64 messages of 8 KiB may wait behind them. */
void unread_channel() {
  const SlotPlan plan = listening(now_ns());
  Channel channel(plan);
  StopFlag stop;
  Pair pair;
  std::thread running([&] { channel.run(std::move(pair.ours), stop, [](const std::string&) {}); });
  int said = 0;
  for (Ns since = now_ns(); said < 1000 && now_ns() - since < 200 * kMillisecond;) {
    if (channel.say(std::string(kMostSaid, 'x'))) {
      since = now_ns();
      ++said;
    } else {
      poll(nullptr, 0, 1);
    }
  }
  check(said >= 64 && said < 1000, "a channel whose other end does not read takes no more at some point");
  stop.stop();
  running.join();
}

}  // namespace

void check_link_slot() {
  early_ping();
  stalled_stream();
  unread_channel();
}
