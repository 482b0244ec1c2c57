#include "core/loud.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace gpumark::sim {
namespace {

bool is_loud() {
  const char* value = std::getenv("GPUMARK_SIM_LOUD");
  return value && *value == '1';
}

void talk_in_thread() {
  static std::atomic<bool> talks{false};
  if (talks.exchange(true)) return;
  std::thread([] {
    for (;;) {
      const char line[] = "{\"simulated library\": \"of a thread\"}\nhalf a line";
      if (write(STDOUT_FILENO, line, sizeof line - 1) < 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }).detach();
}

}  // namespace

Talker::Talker(const char* library) : library_(library) {
  if (!is_loud()) return;
  print("loaded");
  talk_in_thread();
}

void Talker::called() {
  if (!was_called_.exchange(true) && is_loud()) print("first call");
}

void Talker::print(const char* when) const {
  std::printf("simulated library %s: %s\n", library_, when);
  std::fflush(stdout);
}

}  // namespace gpumark::sim
