// clock_ghz, and fma_fp32_tflops, fma_fp64_tflops, fma_fp16_tflops: peak of the ordinary lanes with all operands in
// registers: 16 chains in each thread, on NVIDIA 512 multiply-adds in a loop of 515 or 516 instructions. The fp32 probe
// issues no pairs on RDNA 3 and 4 (the images have no v_dual_fmac): its limit there is half of a data sheet's peak that
// counts them.
#include <algorithm>

#include "gpu/fma-run.h"
#include "measure/load-class.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

/** Starting and ending a launch takes about 35 us (H100, H200): 0.9 % of 4 ms, 0.2 % of this. */
constexpr double kSampleSeconds = 20e-3;

struct Measured {
  std::vector<double> rates;
  LoadTime load;
  std::vector<double> clocks;
};

Measured measure_one(FmaRun& fma, const char* metric, double seconds, Recorder& recorder) {
  Measured measured;
  const double begin = now_seconds();
  collect(warm_up_of(seconds), 1, 1000, [&] { return fma.sample(); });
  measured.load.before = now_seconds() - begin;
  measured.rates = recorder.series(seconds - warm_up_of(seconds), 10, 20000, [&] {
    const double rate = fma.sample();
    recorder.sample(metric, rate);
    if (const auto ghz = fma.clock_ghz()) measured.clocks.push_back(*ghz);
    return rate;
  });
  measured.load.counted = now_seconds() - begin - measured.load.before;
  return measured;
}

void report(GpuRun& run, FmaRun& fma, const FmaKernelSpec& kernel, const char* metric, const Measured& measured,
            Recorder& recorder) {
  if (measured.rates.size() < 3) return;
  Result r;
  r.metric = metric;
  r.stats = summarize(measured.rates);
  r.value = r.stats->median;
  r.verified = fma.right();
  r.details.text("kernel", kernel.name)
      .integer("blocks", fma.blocks())
      .integer("chains", device::kFmaChains)
      .integer("numbers_per_chain", kernel.width);
  add_load(measured.load, measured.rates, r.details);
  if (!measured.clocks.empty()) fma.clocks().add_to(r.details, summarize(measured.clocks).median, *r.value);
  run.add_conditions(r.details);
  if (*r.verified) return recorder.result(r);
  recorder.wrong(metric, "the multiply-add chains differ from the host's arithmetic", r.details);
}

}  // namespace

void measure_gpu_clock(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  FmaRun fma(run, kFmaFp32);
  fma.calibrate(kSampleSeconds);
  bool usable = true;
  const std::vector<double> clocks = recorder.series(run.seconds(spec), 5, 5000, [&] {
    fma.sample();
    const std::optional<double> ghz = fma.clock_ghz();
    usable = usable && ghz;
    if (ghz) recorder.sample("clock_ghz", *ghz);
    return ghz.value_or(0);
  });
  if (!usable) return recorder.finish("the cycle counter of this device does not count far enough", Absence::hardware);
  if (clocks.size() < 3) return;
  Result r;
  r.metric = "clock_ghz";
  r.stats = summarize(clocks);
  r.value = r.stats->median;
  r.details.text("method",
                 "cycles over the device's timer during multiply-adds on every multiprocessor, median over the blocks");
  run.add_conditions(r.details);
  recorder.result(r);
}

void measure_gpu_fma(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  const double seconds = run.seconds(spec) / 3;
  // Packed instructions are used if the device has them; elsewhere the plain form is at least as fast.
  const FmaKernelSpec* fp32 = &kFmaFp32;
  double best = 0;
  for (const FmaKernelSpec* kernel : {&kFmaFp32, &kFmaFp32Packed}) {
    FmaRun trial(run, *kernel);
    trial.calibrate(kSampleSeconds);
    const double rate = std::max({trial.sample(), trial.sample(), trial.sample()});
    if (rate > best * 1.01) best = rate, fp32 = kernel;
  }
  run.sensors.begin_load(kFmaLoad);
  const struct {
    const FmaKernelSpec* kernel;
    const char* metric;
  } parts[] = {{fp32, "fma_fp32_tflops"}, {&kFmaFp64, "fma_fp64_tflops"}, {&kFmaFp16, "fma_fp16_tflops"}};
  for (const auto& part : parts) {
    if (stop_requested()) break;
    FmaRun fma(run, *part.kernel);
    fma.calibrate(kSampleSeconds);
    const Measured measured = measure_one(fma, part.metric, seconds, recorder);
    report(run, fma, *part.kernel, part.metric, measured, recorder);
  }
  run.sensors.end_load();
}

}  // namespace gpumark
