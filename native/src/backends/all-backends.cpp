#include "backends/backend.h"

namespace gpumark {

std::vector<std::unique_ptr<Backend>> all_backends() {
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(make_cuda_backend());
  backends.push_back(make_rocm_backend());
  backends.push_back(make_cpu_backend());
  return backends;
}

}  // namespace gpumark
