// The one table of metrics: name on the wire and unit. GB = 1e9 bytes, TFLOP = 1e12.
#pragma once
#include <string>
#include <vector>

namespace gpumark {

struct MetricSpec {
  const char* name;
  const char* unit;
};

const std::vector<MetricSpec>& metrics();
/** Unit of a metric of the table; an unknown name is a programming error and ends the process. */
const char* unit_of(const std::string& metric);

}  // namespace gpumark
