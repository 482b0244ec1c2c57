// Time in nanoseconds and milliseconds of CLOCK_MONOTONIC, the clock that commands refer to.
#pragma once
#include <cstdint>
#include <ctime>

namespace gpumark::link {

using Ns = std::int64_t;

inline constexpr Ns kMillisecond = 1000000;

inline Ns now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<Ns>(t.tv_sec) * 1000000000 + t.tv_nsec;
}

inline Ns from_ms(double ms) { return static_cast<Ns>(ms * 1e6); }
inline double to_ms(Ns ns) { return static_cast<double>(ns) * 1e-6; }
inline double to_us(Ns ns) { return static_cast<double>(ns) * 1e-3; }

/** For poll(2): whole milliseconds left until `until`, rounded up, at least 0 and at most `most`. */
inline int poll_ms(Ns until, int most) {
  const Ns left = until - now_ns();
  if (left <= 0) return 0;
  const Ns ms = (left + kMillisecond - 1) / kMillisecond;
  return ms < most ? static_cast<int>(ms) : most;
}

}  // namespace gpumark::link
