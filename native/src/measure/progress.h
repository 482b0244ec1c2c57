// Signs of life between two reports. The agent ends a runner from which it has heard nothing for minutes, and on a busy
// machine a benchmark with arrays of many GB takes that long from one figure to the next.
#pragma once
#include <functional>

namespace gpumark {

/** While it lives, note_progress() calls `say`, at most every five seconds. There is one at a time. */
class ProgressReports {
 public:
  explicit ProgressReports(std::function<void()> say);
  ~ProgressReports();
  ProgressReports(const ProgressReports&) = delete;
  ProgressReports& operator=(const ProgressReports&) = delete;
};

/** Another slice has been measured, or a wait with an end of its own goes on: never called while a kernel may hang. */
void note_progress();

}  // namespace gpumark
