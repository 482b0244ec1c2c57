// fp32_tflops, fp32_cuda_core_tflops, fp64_tflops: matrix multiplication, 2 n^3 operations, verified against float64.
#include <cstring>

#include "cpu/gemm-choice.h"

namespace gpumark {
namespace {

template <class T>
JsonObject describe(CpuContext& cpu, const GemmRun<T>& run) {
  const GemmBlocking& g = run.blocking();
  const auto size = static_cast<std::int64_t>(g.n);
  JsonObject d;
  d.integer("m", size).integer("n", size).integer("k", size).text("kernel", g.kernel->name).text("isa", cpu.kernels.isa);
  d.integer("kc", static_cast<std::int64_t>(g.kc)).integer("mc", static_cast<std::int64_t>(g.mc)).integer("nc", static_cast<std::int64_t>(g.nc));
  d.integer("threads", cpu.pool.size()).text("data", cpu.data_name()).integer("seed", static_cast<std::int64_t>(cpu.options.seed));
  return d;
}

template <class T>
void measure_gemm(CpuContext& cpu, const BenchmarkSpec& spec, const GemmKernel* kernels, Recorder& recorder) {
  const double seconds = cpu.options.seconds(spec);
  const GemmChoice choice = choose_kernel<T>(cpu, kernels);
  if (!choice.kernel) return recorder.finish("there was not enough memory, or no time, for a trial multiplication");
  GemmRun<T> run(cpu, choose_size<T>(cpu, choice));
  if (!run) return recorder.finish("the system refused the memory for the matrices");
  cpu.sensors.begin_load("matrix multiplications");
  collect(seconds * 0.25, 1, 1000000, [&] { return run.slice(); });
  const std::vector<double> rates = recorder.series(seconds * 0.75, 5, 50000, [&] {
    const double rate = run.hashed_slice();
    recorder.sample(spec.metrics[0], rate);
    return rate;
  });
  cpu.sensors.end_load();
  if (rates.size() < 3) return;
  recorder.note_rates(rates);
  const GemmVerdict verdict = run.verify(spec.id);
  JsonObject details = describe(cpu, run);
  details.object("verification", verdict.details()).boolean("repeats_bit_for_bit", run.repeats());
  for (const char* metric : spec.metrics) {
    if (!verdict.right) {
      recorder.wrong(metric, "the product differs from the float64 reference by more than the error bound", details);
    } else if (!run.repeats()) {
      recorder.wrong(metric, "the same multiplication gave different bits when repeated", details);
    } else {
      Result r;
      r.metric = metric;
      r.stats = summarize(rates);
      r.value = r.stats->median;
      r.verified = true;
      r.details = details;
      // Matrix product and ordinary lanes are the same units on a CPU; the probe shows what the lanes could do without memory.
      if (std::strcmp(metric, "fp32_cuda_core_tflops") == 0) r.details.number("fma_probe_tflops", recorder.published("fma_fp32_tflops"));
      recorder.result(r);
    }
  }
}

}  // namespace

void measure_gemm_fp32(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) { measure_gemm<float>(cpu, spec, cpu.kernels.gemm_fp32, recorder); }
void measure_gemm_fp64(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) { measure_gemm<double>(cpu, spec, cpu.kernels.gemm_fp64, recorder); }

}  // namespace gpumark
