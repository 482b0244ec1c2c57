// matrix_issue_*_tflops: peak issue rate of matrix instructions with nothing to load. Not a matrix product, and never a
// headline.
#include <algorithm>

#include "gpu/block-clocks.h"
#include "gpu/gemm/own-kernels.h"
#include "gpu/gpu-check.h"
#include "gpu/grid-choice.h"
#include "gpu/kernel-trials.h"
#include "measure/load-class.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

constexpr double kSampleSeconds = 4e-3;
constexpr unsigned kMostBlocksPerMultiprocessor = 4;
constexpr std::uint64_t kProofRounds = 3;

struct IssueMetric {
  GemmType type;
  const char* metric;
};
constexpr IssueMetric kMetrics[] = {
    {GemmType::fp16, "matrix_issue_fp16_tflops"}, {GemmType::bf16, "matrix_issue_bf16_tflops"},
    {GemmType::fp8, "matrix_issue_fp8_tflops"},   {GemmType::tf32, "matrix_issue_tf32_tflops"},
    {GemmType::fp64, "matrix_issue_fp64_tflops"},
};

class IssueRun {
 public:
  IssueRun(GpuRun& run, const IssueKernel& kernel, Handle function)
      : gpu_(run.gpu),
        kernel_(kernel),
        function_(function),
        out_(gpu_, std::size_t{gpu_.blocks(kMostBlocksPerMultiprocessor)} * kernel.threads * sizeof(float)),
        clocks_(gpu_, gpu_.blocks(kMostBlocksPerMultiprocessor)),
        blocks_(gpu_.blocks(1)) {}

  double launch(unsigned blocks, std::uint64_t rounds) {
    const device::IssueArgs args{out_.as<void>(), rounds, clocks_.address(), blocks};
    return gpu_.timed([&] {
      gpu_.launch_function(gpu_.stream(), function_, {blocks, kernel_.threads, kernel_.shared_bytes}, args,
                           kernel_.name);
    });
  }
  /** Whether every thread's sum after a few rounds is the expected one. */
  bool right() {
    out_.poison();
    launch(blocks_, kProofRounds);
    spoil_device_output("matrix_issue", gpu_, out_);
    const float expected = kernel_.expected(kProofRounds);
    for (const float sum : out_.read<float>(std::size_t{blocks_} * kernel_.threads)) {
      if (sum != expected) return false;
    }
    return true;
  }
  void calibrate() {
    double one = launch(blocks_, rounds_);
    while (one < kSampleSeconds / 4 && rounds_ < (1u << 24)) {
      rounds_ *= one < kSampleSeconds / 64 ? 8 : 2;
      one = launch(blocks_, rounds_);
    }
    // A device this slow needs no calibration.
    if (rounds_ == 1 && one >= kSampleSeconds) return;
    const GridChoice grid = choose_grid({gpu_.blocks(1), gpu_.blocks(2), gpu_.blocks(kMostBlocksPerMultiprocessor)},
                                        [&](unsigned blocks) { return launch(blocks, rounds_) / blocks; });
    blocks_ = grid.blocks;
    rounds_ = static_cast<std::uint64_t>(
        std::max(1.0, static_cast<double>(rounds_) * kSampleSeconds / (grid.seconds * grid.blocks)));
  }
  double sample() {
    return kernel_.operations * static_cast<double>(rounds_) * blocks_ / launch(blocks_, rounds_) * 1e-12;
  }
  unsigned blocks() const { return blocks_; }
  const BlockClocks& clocks() const { return clocks_; }

 private:
  GpuContext& gpu_;
  const IssueKernel& kernel_;
  Handle function_;
  GpuMemory out_;
  BlockClocks clocks_;
  unsigned blocks_;
  std::uint64_t rounds_ = 1;
};

/** The first kernel of this type that the device's image has. */
const IssueKernel* find_kernel(GpuRun& run, GemmType type, Handle& function) {
  GpuModule& module = run.gpu.matrix_module();
  if (!module.loaded()) return nullptr;
  for (const IssueKernel& kernel : issue_kernels()) {
    if (kernel.type != type || kernel.shared_bytes > static_cast<unsigned>(run.gpu.device().shared_bytes)) continue;
    function = module.find(kernel.name);
    if (!function) continue;
    module.allow_shared(function, kernel.shared_bytes);
    return &kernel;
  }
  return nullptr;
}

bool is_proven(GpuRun& run, const IssueKernel& kernel, IssueRun& issue) {
  run.trust.begin_trial(kernel.name);
  const bool right = issue.right();
  run.trust.conclude(right, "a thread's sum is not the one that arithmetic gives");
  return right;
}

void measure_kernel(GpuRun& run, const IssueKernel& kernel, Handle function, const char* metric, double seconds,
                    Recorder& recorder) {
  IssueRun issue(run, kernel, function);
  JsonObject details;
  details.text("kernel", kernel.name)
      .text("path", path_name(kernel.family))
      .text("data", "constant")
      .text("method", "matrix instructions on registers or resident shared memory, nothing loaded meanwhile");
  if (!is_proven(run, kernel, issue))
    return recorder.wrong(metric, "a thread's sum of the matrix instructions is not the one that arithmetic gives",
                          details);
  issue.calibrate();
  const double begin = now_seconds();
  collect(warm_up_of(seconds), 1, 1000, [&] { return issue.sample(); });
  LoadTime load;
  load.before = now_seconds() - begin;
  std::vector<double> clocks;
  const std::vector<double> rates = recorder.series(seconds - warm_up_of(seconds), 5, 20000, [&] {
    const double rate = issue.sample();
    recorder.sample(metric, rate);
    if (const auto ghz = issue.clocks().ghz(issue.blocks())) clocks.push_back(*ghz);
    return rate;
  });
  load.counted = now_seconds() - begin - load.before;
  if (rates.size() < 3) return;
  Result r;
  r.metric = metric;
  r.stats = summarize(rates);
  r.value = r.stats->median;
  r.verified = true;
  r.details = details;
  r.details.integer("blocks", issue.blocks());
  add_load(load, rates, r.details);
  // The sensors' clock may be 200 ms old, and an issue peak at another clock looks like another unit.
  if (!clocks.empty()) issue.clocks().add_to(r.details, summarize(clocks).median, *r.value);
  run.add_conditions(r.details);
  recorder.result(r);
}

}  // namespace

void try_issue_kernels(GpuRun& run) {
  for (const IssueMetric& one : kMetrics) {
    Handle function = nullptr;
    const IssueKernel* kernel = find_kernel(run, one.type, function);
    if (!kernel || run.trust.state(kernel->name) != KernelTrust::State::untried) continue;
    IssueRun issue(run, *kernel, function);
    is_proven(run, *kernel, issue);
  }
}

void measure_gpu_matrix_issue(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  try_kernels_apart(run, std::nullopt);
  const double seconds = run.seconds(spec) / static_cast<double>(std::size(kMetrics));
  for (const IssueMetric& one : kMetrics) {
    if (stop_requested()) return;
    Handle function = nullptr;
    const IssueKernel* kernel = find_kernel(run, one.type, function);
    if (!kernel) {
      recorder.missing(one.metric,
                       "this build has no matrix instructions of this type for " + run.gpu.device().architecture,
                       Absence::hardware);
    } else if (run.trust.state(kernel->name) == KernelTrust::State::refused) {
      recorder.missing(one.metric, run.trust.reason(kernel->name));
    } else {
      measure_kernel(run, *kernel, function, one.metric, seconds, recorder);
    }
  }
}

}  // namespace gpumark
