// Connect-only dials: in order, at most 16 in progress.
#pragma once
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "link/dial.h"
#include "link/link-events.h"

namespace gpumark::link {

struct DialJob {
  std::string id;
  Key key;
  std::vector<Address> addresses;
  Ns start = 0;
  /** For all addresses together; each gets an equal share of the time left. */
  Ns timeout = 0;
};

class DialQueue {
 public:
  static constexpr std::size_t kAtOnce = 16;
  static constexpr std::size_t kMost = 4096;

  DialQueue(LinkEvents& events, bool allow_public) : events_(events), allow_public_(allow_public) {}
  /** Ends everything without events and waits for the threads. */
  ~DialQueue();
  DialQueue(const DialQueue&) = delete;
  DialQueue& operator=(const DialQueue&) = delete;

  /** False if the queue is full. */
  bool add(DialJob job);
  bool has(const std::string& id);
  /** False if there is no such dial. */
  bool cancel(const std::string& id);

 private:
  struct Running {
    DialJob job;
    StopFlag stop;
  };
  void work();
  void dial(Running& running);

  LinkEvents& events_;
  const bool allow_public_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<DialJob> waiting_;
  std::vector<std::shared_ptr<Running>> running_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool stopping_ = false;
};

}  // namespace gpumark::link
