// One slot of this node: a thread that waits for its start time, runs it, and reports.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "link/channel.h"
#include "link/inbox.h"
#include "link/key-book.h"
#include "link/link-events.h"
#include "link/slot-plan.h"
#include "link/stop-flag.h"

namespace gpumark::link {

class Slot {
 public:
  /** A listening slot's connections are expected in `book` from here on. */
  Slot(SlotPlan plan, KeyBook& book, LinkEvents& events);
  /** Stops it and waits for its thread. */
  ~Slot();
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  /** False if its id is already expected; then nothing is started. */
  bool begin();
  void stop() { stop_.stop(); }
  bool done() const { return done_; }
  /** Null unless this slot is a channel. */
  Channel* channel() { return plan_.mode == Mode::channel ? &channel_ : nullptr; }

 private:
  void run();
  void measure();
  void relay();
  std::vector<Socket> connect(int count, SlotReport& report);

  const SlotPlan plan_;
  KeyBook& book_;
  LinkEvents& events_;
  StopFlag stop_;
  std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  Channel channel_;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace gpumark::link
