// All-reduce and broadcast bandwidth over the whole job, by message size.
#pragma once
#include <string>
#include <vector>

#include "collective/rank-group.h"
#include "measure/statistics.h"

namespace gpumark {

/** One size of one operation. Seconds are per operation, on the slowest rank. */
struct CollectiveFigure {
  std::size_t bytes = 0;
  Statistics seconds;
  int operations_per_sample = 0;
  /** All samples of all ranks were enqueued behind a held stream; otherwise the host's speed is part of the time. */
  bool held = false;
  /** GB/s (1e9 bytes): bytes over the median time, and that times bus_factor. */
  double algorithm_gbs = 0, bus_gbs = 0;
};

struct CollectiveFigures {
  std::vector<CollectiveFigure> all_reduce, broadcast;
  /** "size", "memory" or "time": why no larger size was measured. */
  std::string limited_by;
  /** Number of participating processes. */
  int nodes = 0;
};

struct CollectiveLimits {
  /** When this node must have finished, on the clock of now_seconds(). */
  double deadline = 0;
  /** Per device, for both buffers; 0: a share of the free memory. */
  std::size_t max_memory_bytes = 0;
};

/** A sum or a copy came out wrong; no figure measured with it is reported. */
class WrongCollective : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/**
 * Ratio of bus to algorithm bandwidth as in nccl-tests (its doc/PERFORMANCE.md): all-reduce 2 (n - 1) / n, broadcast 1;
 * n = ranks. It makes the figure comparable with the bandwidth of the slowest link, whatever n is.
 */
double bus_factor(CollectiveKind kind, int ranks);

/**
 * Called on every rank; all get the same figures, since sizes, repetitions and times are agreed on by all.
 * @throws GpuError, @throws WrongCollective
 */
CollectiveFigures measure_collectives(RankGroup& group, const CollectiveLimits& limits);

}  // namespace gpumark
