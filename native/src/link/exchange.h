// One slot once its connections are authenticated: pings, forward, reverse, each with its own deadline.
#pragma once
#include <memory>
#include <vector>

#include "link/control.h"
#include "link/receiver.h"
#include "link/sender.h"
#include "link/slot-plan.h"
#include "link/slot-report.h"
#include "link/socket.h"
#include "link/stop-flag.h"

namespace gpumark::link {

class Exchange {
 public:
  /** connections[0] carries messages, the others are measured. */
  Exchange(const SlotPlan& plan, std::vector<Socket> connections, const StopFlag& stop);
  /** Fills in everything but the start of the slot. */
  void run(SlotReport& report);

 private:
  struct Progress {
    bool enough = false;
    bool drained = false;
  };
  void dial(SlotReport& report);
  void listen(SlotReport& report);
  /** Sends until the receiver has enough or the time is over, then reports the bytes sent. */
  void send(Direction direction, Ns until, SlotReport& report);
  /** Counts until everything has arrived or the time is over. */
  void receive(Direction direction, Ns until);
  /** Handles one message of connection 0; waits for at most kBlockedMs. */
  void hear();
  void act_on(const Message& message);
  void say(const Message& message);
  /** Sends "enough" when the window is over, "drained" when everything has arrived. */
  void answer(Direction direction);
  /** Waits until the other end has received everything, or until it has enough and the time is over. */
  void await_drained(Direction direction);
  /** The stage in which the other end stopped responding. */
  Stage silent_stage() const;
  bool over() const { return failed_ || stop_.stopped(); }
  void fail(const Outcome& outcome);
  void conclude(SlotReport& report);
  std::vector<int> measured() const;

  const SlotPlan& plan_;
  const SlotTimes times_;
  std::vector<Socket> connections_;
  Control control_;
  const StopFlag& stop_;
  std::unique_ptr<Receiver> receiver_;
  Window window_;
  /** Of the direction that this end sends. */
  Progress progress_;
  bool said_enough_ = false;
  bool said_drained_ = false;
  std::uint64_t waiting_for_pong_ = 0;
  Stage stage_ = Stage::ping;
  bool failed_ = false;
  Outcome outcome_;
};

}  // namespace gpumark::link
