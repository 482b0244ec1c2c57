// A wait that is accurate to a few microseconds and sleeps for most of its time.
#pragma once
#include <chrono>
#include <thread>

namespace gpumark::sim {

inline void pause_for(std::chrono::steady_clock::duration duration) {
  const auto end = std::chrono::steady_clock::now() + duration;
  // The kernel may wake a thread up to this much too late.
  const auto slack = std::chrono::microseconds(150);
  if (duration > slack) std::this_thread::sleep_until(end - slack);
  while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

}  // namespace gpumark::sim
