// Several runners of one machine (an agent for each device, tasks of a job) would each see the same memory as available
// and then take it together. One at a time asks what there is; one whose arrays are a multiple of the caches keeps its
// turn until they are freed, the others until theirs are touched. Containers have a /dev/shm each, unless they share
// that of the host, so they do not wait for each other: see memory_limit() for what then remains.
#pragma once
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

#include "measure/progress.h"
#include "measure/stop.h"

namespace gpumark {

class MemoryTurn {
 public:
  /** Waits for the others, but not for ever: any user may hold the lock, and without it the figures are the same. */
  MemoryTurn() : directory_(open("/dev/shm", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    const auto give_up = std::chrono::steady_clock::now() + kLongest;
    while (directory_ >= 0 && flock(directory_, LOCK_EX | LOCK_NB) != 0) {
      if (stop_requested() || std::chrono::steady_clock::now() > give_up) break;
      note_progress();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  ~MemoryTurn() { end(); }
  MemoryTurn(const MemoryTurn&) = delete;
  MemoryTurn& operator=(const MemoryTurn&) = delete;

  /** What was taken has been touched, and is small enough to be held beside that of others. */
  void end() {
    if (directory_ >= 0) close(directory_);
    directory_ = -1;
  }

 private:
  static constexpr std::chrono::seconds kLongest{120};
  int directory_;
};

}  // namespace gpumark
