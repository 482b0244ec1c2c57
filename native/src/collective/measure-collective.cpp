#include "collective/measure-collective.h"

#include <algorithm>
#include <cmath>

#include "collective/rank-buffers.h"
#include "measure/time.h"

namespace gpumark {
namespace {

/** 1 MiB to 1 GiB, each four times the last: below, the figure is latency; above, it no longer grows. */
constexpr std::size_t kSmallest = std::size_t{1} << 20, kLargest = std::size_t{1} << 30, kStep = 4;
/**
 * Small operations are timed several in a row, so that a sample is long compared with the event timer's resolution of
 * half a microsecond.
 */
constexpr double kSampleSeconds = 2e-3;
constexpr int kMaxOperations = 16, kMinSamples = 5, kMaxSamples = 20;
/** Sampling time per size and operation; the minimum number of samples is taken even if it lasts longer. */
constexpr double kSamplingSeconds = 0.5;
/**
 * The next size is started only if its estimated time is less than this share of the time left: an estimate may be off
 * by half.
 */
constexpr double kShareOfTimeLeft = 0.5;

const char* name_of(CollectiveKind kind) { return kind == CollectiveKind::all_reduce ? "all-reduce" : "broadcast"; }

/** One sample: seconds per operation, and whether the streams were held until all of it was enqueued. */
struct Timed {
  double seconds = 0;
  bool held = true;
};

/**
 * Times `operations` in a row after a barrier of all ranks, on this node's slowest device. Each stream is held until
 * its thread has enqueued everything, so that the host's speed does not affect the time. A library that waits for the
 * device inside a call would then deadlock: the gate opens by itself after a timeout, and from then on streams are not
 * held (`hold`).
 */
Timed timed(RankGroup& group, CollectiveKind kind, std::size_t count, int operations, bool& hold) {
  std::vector<std::unique_ptr<SpinGate>> gates(group.local().size());
  const int first = group.local().front()->rank;
  const bool holding = hold;
  group.each([&](LocalRank& one) {
    GpuContext& gpu = *one.gpu;
    if (holding) gates[static_cast<std::size_t>(one.rank - first)] = std::make_unique<SpinGate>(gpu, gpu.stream());
    group.enqueue_barrier(one);
    gpu.check(gpu.call().event_record(one.begin.handle(), gpu.stream()), "recording an event");
    for (int i = 0; i < operations; ++i) group.enqueue(one, kind, count);
    gpu.check(gpu.call().event_record(one.end.handle(), gpu.stream()), "recording an event");
  });
  for (const auto& gate : gates) {
    if (gate) gate->open();
  }
  Timed sample;
  std::vector<double> seconds(group.local().size());
  group.each([&](LocalRank& one) {
    GpuContext& gpu = *one.gpu;
    gpu.wait();
    float milliseconds = 0;
    gpu.check(gpu.call().event_elapsed(&milliseconds, one.begin.handle(), one.end.handle()), "reading the time");
    seconds[static_cast<std::size_t>(one.rank - first)] = static_cast<double>(milliseconds) * 1e-3;
  });
  for (const auto& gate : gates) {
    if (gate && gate->expired()) hold = false;
  }
  sample.held = holding && hold;
  sample.seconds = *std::max_element(seconds.begin(), seconds.end()) / operations;
  return sample;
}

double agreed(RankGroup& group, double value) { return group.agree_on_largest({value}).front(); }

/**
 * Measures one size of one operation, verified first. The number of samples follows from agreed times, so it is the
 * same on all ranks.
 */
CollectiveFigure measure_size(RankGroup& group, CollectiveKind kind, std::size_t bytes, bool& hold) {
  const std::size_t count = bytes / sizeof(float);
  // The first operation of a size may set up connections; its result is the one that is verified.
  prove(group, kind, count, name_of(kind));
  const double once = std::max(agreed(group, timed(group, kind, count, 1, hold).seconds), 1e-7);
  CollectiveFigure figure;
  figure.bytes = bytes;
  figure.operations_per_sample =
      static_cast<int>(std::clamp(std::ceil(kSampleSeconds / once), 1.0, double{kMaxOperations}));
  const double per_sample = once * figure.operations_per_sample;
  const int samples =
      static_cast<int>(std::clamp(kSamplingSeconds / per_sample, double{kMinSamples}, double{kMaxSamples}));
  std::vector<double> seconds;
  bool held = true;
  for (int i = 0; i < samples; ++i) {
    const Timed sample = timed(group, kind, count, figure.operations_per_sample, hold);
    seconds.push_back(sample.seconds);
    held = held && sample.held;
  }
  // One host-bound rank slows down all ranks.
  figure.held = agreed(group, held ? 0 : 1) == 0;
  // The slowest rank's time, sample by sample: a median per rank would hide a rank that is slow only now and then.
  seconds = group.agree_on_largest(seconds);
  for (const double one : seconds) {
    if (!(one > 0))
      throw std::runtime_error(std::string("the clock of the device gives no time for a ") + name_of(kind));
  }
  figure.seconds = summarize(seconds);
  figure.algorithm_gbs = static_cast<double>(bytes) / figure.seconds.median / 1e9;
  figure.bus_gbs = figure.algorithm_gbs * bus_factor(kind, group.ranks());
  return figure;
}

}  // namespace

double bus_factor(CollectiveKind kind, int ranks) {
  return kind == CollectiveKind::broadcast ? 1.0 : 2.0 * (ranks - 1) / ranks;
}

CollectiveFigures measure_collectives(RankGroup& group, const CollectiveLimits& limits) {
  const std::size_t room = allocate_buffers(group, limits.max_memory_bytes, kSmallest, kLargest, kStep);
  fill_inputs(group);
  CollectiveFigures figures;
  figures.nodes = group.count_nodes();
  figures.limited_by = room < kLargest ? "memory" : "size";
  double last_seconds = 0;
  bool hold = true;
  for (std::size_t bytes = kSmallest; bytes <= room; bytes *= kStep) {
    const double left = -agreed(group, now_seconds() - limits.deadline);
    if (last_seconds * kStep > left * kShareOfTimeLeft) {
      figures.limited_by = "time";
      break;
    }
    const double start = now_seconds();
    figures.all_reduce.push_back(measure_size(group, CollectiveKind::all_reduce, bytes, hold));
    figures.broadcast.push_back(measure_size(group, CollectiveKind::broadcast, bytes, hold));
    last_seconds = agreed(group, now_seconds() - start);
  }
  return figures;
}

}  // namespace gpumark
