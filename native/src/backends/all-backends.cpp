#include "backends/backend.h"
#include "gpu/vendor.h"

namespace gpumark {

std::vector<std::unique_ptr<Backend>> all_backends() {
  std::vector<std::unique_ptr<Backend>> backends;
  for (const Vendor* vendor : vendors()) backends.push_back(make_gpu_backend(*vendor));
  backends.push_back(make_cpu_backend());
  return backends;
}

}  // namespace gpumark
