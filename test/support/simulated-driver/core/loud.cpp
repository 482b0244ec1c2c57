// GPUMARK_SIM_LOUD=1: what talkative drivers and libraries do. Real ones print to stdout when they are loaded, at
// calls, and from threads of their own (NCCL_DEBUG=INFO, CUBLASLT_LOG_LEVEL).
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

struct Loud {
  Loud() {
    const char* value = std::getenv("GPUMARK_SIM_LOUD");
    if (!value || *value != '1') return;
    std::printf("simulated library: loaded\n");
    std::fflush(stdout);
    std::thread([] {
      for (;;) {
        const char line[] = "{\"simulated library\": \"of a thread\"}\nhalf a line";
        if (write(STDOUT_FILENO, line, sizeof line - 1) < 0) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }).detach();
  }
} loud;

}  // namespace
