// Which of our matrix kernels have proven themselves on this device. None is timed before: most were written without
// such a device at hand.
#pragma once
#include <map>
#include <string>

namespace gpumark {

class KernelTrust {
 public:
  enum class State { untried, proven, refused };

  State state(const std::string& kernel) const {
    const auto found = entries_.find(kernel);
    return found == entries_.end() ? State::untried : found->second.state;
  }
  /** Why it was refused: "4711 elements of the product are off …". */
  const std::string& reason(const std::string& kernel) { return entries_[kernel].reason; }

  /** A failure of the device until conclude() is laid to this kernel. */
  void begin_trial(const std::string& kernel) { on_trial_ = kernel; }
  void conclude(bool proven, const std::string& reason) {
    entries_[on_trial_] = {proven ? State::proven : State::refused, reason};
    on_trial_.clear();
  }
  /** Refuses the kernel under trial; false if there is none. For when a call of the driver failed. */
  bool blame(const std::string& error) {
    if (on_trial_.empty()) return false;
    conclude(false, error);
    return true;
  }

 private:
  struct Entry {
    State state = State::untried;
    std::string reason;
  };
  std::map<std::string, Entry> entries_;
  std::string on_trial_;
};

}  // namespace gpumark
