// All-reduce and broadcast over the whole job, by size.
#pragma once
#include <string>
#include <vector>

#include "collective/rank-group.h"
#include "measure/statistics.h"

namespace gpumark {

/** One size of one operation. Seconds are of one operation, on the slowest rank. */
struct CollectiveFigure {
  std::size_t bytes = 0;
  Statistics seconds;
  int operations_per_sample = 0;
  /** All samples of all ranks were enqueued behind a held stream; else the time is bound by the host. */
  bool held = false;
  /** GB/s of 1e9 bytes: bytes over the median time, and that times the factor of the operation. */
  double algorithm_gbs = 0, bus_gbs = 0;
};

struct CollectiveFigures {
  std::vector<CollectiveFigure> all_reduce, broadcast;
  /** "size", "memory" or "time": why no larger size was measured. */
  std::string limited_by;
  /** Processes that took part. */
  int nodes = 0;
};

struct CollectiveLimits {
  /** On the clock of now_seconds(): when this node must be through. */
  double deadline = 0;
  /** Of each device, for the two buffers; 0: a share of what is free. */
  std::size_t max_memory_bytes = 0;
};

/** A sum or a copy that is not what arithmetic says; nothing measured with it counts. */
class WrongCollective : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/**
 * Bus over algorithm bandwidth, as nccl-tests counts (its doc/PERFORMANCE.md): all-reduce 2 (n - 1) / n, broadcast 1; n
 * = ranks. With it, the figure can be held against the bandwidth of the slowest link whatever n is.
 */
double bus_factor(CollectiveKind kind, int ranks);

/**
 * Every rank calls it, and gets the same figures: sizes, repetitions and times are agreed on by all.
 * @throws GpuError, @throws WrongCollective
 */
CollectiveFigures measure_collectives(RankGroup& group, const CollectiveLimits& limits);

}  // namespace gpumark
