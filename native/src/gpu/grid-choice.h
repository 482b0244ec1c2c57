// Chooses a kernel's number of blocks by short trials.
#pragma once
#include <functional>
#include <vector>

namespace gpumark {

struct GridChoice {
  unsigned blocks = 1;
  /** Seconds of one launch in the trial. */
  double seconds = 0;
};

/**
 * `run` returns the seconds of one launch with the given number of blocks; each candidate is run three times, and its
 * best time counts.
 */
inline GridChoice choose_grid(const std::vector<unsigned>& candidates,
                              const std::function<double(unsigned blocks)>& run) {
  GridChoice best;
  for (const unsigned blocks : candidates) {
    double fastest = run(blocks);
    for (int again = 0; again < 2; ++again) {
      const double seconds = run(blocks);
      if (seconds < fastest) fastest = seconds;
    }
    if (best.seconds == 0 || fastest < best.seconds) best = {blocks, fastest};
  }
  return best;
}

/** Number of launches for a sample of at least `seconds`, at most 64. */
inline int launches_for(double seconds, double one_launch) {
  const double wanted = one_launch > 0 ? seconds / one_launch : 64;
  return wanted <= 1 ? 1 : wanted >= 64 ? 64 : static_cast<int>(wanted) + 1;
}

}  // namespace gpumark
