// GPUMARK_SIM_LOUD=1: what talkative drivers and libraries do. Real ones print to stdout when they are loaded, at
// calls, and from threads of their own (NCCL_DEBUG=INFO, CUBLASLT_LOG_LEVEL).
#pragma once
#include <atomic>

namespace gpumark::sim {

/** One of each library: prints when the library is loaded, and at its first call. */
class Talker {
 public:
  explicit Talker(const char* library);
  void called();

 private:
  void print(const char* when) const;
  const char* library_;
  std::atomic<bool> was_called_{false};
};

}  // namespace gpumark::sim
