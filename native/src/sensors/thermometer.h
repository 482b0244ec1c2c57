// Processor temperature from hwmon, else from the thermal zones.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace gpumark {

class Thermometer {
 public:
  explicit Thermometer(const std::string& sysfs_root);
  const std::string& problem() const { return problem_; }
  /** Current reading of the hottest processor sensor, in degrees Celsius. */
  std::optional<double> celsius() const;

 private:
  std::vector<std::string> inputs_;
  std::string problem_;
};

}  // namespace gpumark
