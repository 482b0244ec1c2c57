// Energy of the processor packages from the kernel's powercap counters (RAPL), which wrap around.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpumark {

/** Microjoules between two readings of a counter that wraps to 0 after `range`; correct if it wrapped at most once. */
std::uint64_t energy_between(std::uint64_t before, std::uint64_t now, std::uint64_t range);

class RaplMeter {
 public:
  explicit RaplMeter(const std::string& sysfs_root);
  /** Empty if the meter works, else the reason, a sentence. */
  const std::string& problem() const { return problem_; }
  /**
   * Reads all packages; joules since construction, or nullopt once a reading has failed. Call at least every 30 s (a
   * wrap takes minutes).
   */
  std::optional<double> joules();
  /** True if the meter worked at first and then stopped: a failure, unlike a machine without counters. */
  bool lost() const { return lost_; }
  int packages() const { return static_cast<int>(domains_.size()); }

 private:
  bool repeats(const std::string& package, std::uint64_t value) const;

  struct Domain {
    std::string counter_path;
    std::string package;
    std::uint64_t range_uj;
    std::uint64_t last_uj;
  };
  std::vector<Domain> domains_;
  std::uint64_t total_uj_ = 0;
  std::string problem_;
  bool lost_ = false;
};

}  // namespace gpumark
