// fma_fp32_tflops, fma_fp64_tflops: peak of the vector units with all operands in registers.
#include "cpu/fma-probe.h"
#include "cpu/fma-units.h"
#include "measure/fault.h"
#include "measure/load-class.h"
#include "measure/time.h"

namespace gpumark {
namespace {

template <class T>
void measure_one(CpuContext& cpu, const FmaKernel& kernel, const char* metric, double seconds, Recorder& recorder) {
  FmaProbe<T> probe(cpu, kernel);
  const double begin = now_seconds();
  collect(warm_up_of(seconds), 1, 1000000, [&] { return probe.slice(); });
  LoadTime load;
  load.before = now_seconds() - begin;
  std::vector<double> clocks;
  const std::vector<double> rates = recorder.series(seconds - warm_up_of(seconds), 10, 50000, [&] {
    const double rate = probe.slice();
    recorder.sample(metric, rate);
    clocks.push_back(clock_now(cpu.pool));
    return rate;
  });
  load.counted = now_seconds() - begin - load.before;
  if (rates.size() < 3) return;
  recorder.note_rates(rates);
  Result r;
  r.metric = metric;
  r.stats = summarize(rates);
  r.value = r.stats->median;
  add_load(load, rates, r.details);
  const double ghz = summarize(clocks).median;
  r.details.text("isa", cpu.kernels.isa).integer("lanes", kernel.lanes).integer("chains", kernel.accumulators);
  r.details.integer("threads", cpu.pool.size()).text("data", cpu.data_name()).number("clock_ghz", ghz);
  const double per_cycle = *r.value * 1e3 / ghz / cpu.pool.size();
  r.details.number("flops_per_cycle_per_thread", per_cycle);
  if (const auto units = fma_units(identify_cpu(), kernel.lanes * 8 * static_cast<int>(sizeof(T)))) {
    r.details.text("core", units->core).integer("core_sources", units->sources);
    r.details.number("issue_share", per_cycle / (2.0 * kernel.lanes * units->per_cycle));
  } else {
    r.details.null("core").null("core_sources").null("issue_share");
  }
  const bool right = fma_kernel_is_right<T>(kernel, cpu.options.seed, 37, [](std::vector<T>& out) {
    spoil_output("fma", out.data(), out.size() * sizeof(T));
  });
  r.verified = right;
  if (right) return recorder.result(r);
  recorder.wrong(metric, "the multiply-add chains differ from scalar arithmetic", r.details);
}

}  // namespace

void measure_fma(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  const double seconds = cpu.options.seconds(spec) / 2;
  measure_one<float>(cpu, cpu.kernels.fma_fp32, "fma_fp32_tflops", seconds, recorder);
  measure_one<double>(cpu, cpu.kernels.fma_fp64, "fma_fp64_tflops", seconds, recorder);
  recorder.missing("fma_fp16_tflops", "the multiply-add probe in fp16 runs on GPUs only", Absence::hardware);
}

}  // namespace gpumark
