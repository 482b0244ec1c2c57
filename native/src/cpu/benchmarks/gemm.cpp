// fp32_tflops, fp32_ieee_tflops, fp32_cuda_core_tflops, fp64_tflops, bf16_tflops, fp16_tflops, mixed_precision_tflops:
// matrix multiplication, 2 n^3 operations, verified against float64.
#include <cstring>

#include "cpu/gemm-candidates.h"
#include "cpu/gemm-choice.h"
#include "cpu/memory-turn.h"
#include "measure/drift.h"
#include "measure/load-class.h"
#include "measure/time.h"

namespace gpumark {
namespace {

template <class Types>
JsonObject describe(CpuContext& cpu, const GemmRun<Types>& run, const std::vector<JsonObject>& refused) {
  const GemmBlocking& g = run.blocking();
  const auto size = static_cast<std::int64_t>(g.n);
  JsonObject d;
  d.integer("m", size)
      .integer("n", size)
      .integer("k", size)
      .text("kernel", g.kernel->name)
      .text("isa", g.kernel->isa ? g.kernel->isa : cpu.kernels.isa);
  d.text("input", type_name<typename Types::Input>())
      .text("sums", type_name<typename Types::Sum>())
      .text("output", type_name<typename Types::Output>());
  d.integer("kc", static_cast<std::int64_t>(g.kc))
      .integer("mc", static_cast<std::int64_t>(g.mc))
      .integer("nc", static_cast<std::int64_t>(g.nc));
  d.integer("threads", cpu.pool.size())
      .text("data", cpu.data_name())
      .integer("seed", static_cast<std::int64_t>(cpu.options.seed));
  if (!refused.empty()) d.objects("refused", refused);
  return d;
}

/** CPUs have every metric of the benchmark but TF32: they do not round inputs to 10 bits of mantissa. */
bool is_measured(const char* metric) { return std::strcmp(metric, "tf32_tflops") != 0; }

void all_refused(const BenchmarkSpec& spec, const std::vector<JsonObject>& refused, Recorder& recorder) {
  for (const Metric& one : spec.metrics) {
    const char* const metric = one.name;
    if (!is_measured(metric)) continue;
    recorder.wrong(metric, "no kernel computed a small product right", JsonObject{}.objects("refused", refused));
  }
}

template <class Types>
void publish(const BenchmarkSpec& spec, const std::vector<double>& rates, GemmRun<Types>& run, JsonObject details,
             const LoadTime& load, Recorder& recorder) {
  const GemmVerdict verdict = run.verify(spec.id);
  details.object("verification", verdict.details()).boolean("repeats_bit_for_bit", run.repeats());
  add_drift(rates, details);
  add_load(load, rates, details);
  for (const Metric& one : spec.metrics) {
    const char* const metric = one.name;
    if (!is_measured(metric)) continue;
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
      if (std::strncmp(metric, "fp32_", 5) == 0) r.details.text("arithmetic", "ieee fp32");
      // On a CPU matrix products run on the ordinary vector units; the FMA probe shows their peak without memory
      // access.
      if (std::strcmp(metric, "fp32_cuda_core_tflops") == 0)
        r.details.number("fma_probe_tflops", recorder.published("fma_fp32_tflops"));
      recorder.result(r);
    }
  }
}

template <class Types>
void measure_gemm(CpuContext& cpu, const BenchmarkSpec& spec, const std::vector<const GemmKernel*>& kernels,
                  Recorder& recorder) {
  const double seconds =
      cpu.options.seconds(spec) * share_of_product(cpu.options.tier, sizeof(typename Types::Input) == 2);
  const GemmChoice choice = choose_kernel<Types>(cpu, kernels);
  if (!choice.kernel && choice.refused.size() == kernels.size()) return all_refused(spec, choice.refused, recorder);
  if (!choice.kernel) return recorder.finish("there was not enough memory, or no time, for a trial multiplication");
  MemoryTurn turn;
  GemmRun<Types> run(cpu, choose_size<Types>(cpu, choice));
  if (!run) return recorder.finish("the system refused the memory for the matrices");
  turn.end();
  cpu.sensors.begin_load({"matrix multiplications", 1});
  const double warm_up = warm_up_of(seconds), begin = now_seconds();
  collect(warm_up, 1, 1000000, [&] { return run.slice(); });
  LoadTime load;
  load.before = now_seconds() - begin;
  const std::vector<double> rates = recorder.series(seconds - warm_up, 5, 50000, [&] {
    const double rate = run.hashed_slice();
    recorder.sample(spec.metrics[0].name, rate);
    return rate;
  });
  load.counted = now_seconds() - begin - load.before;
  cpu.sensors.end_load();
  if (rates.size() < 3) return;
  recorder.note_rates(rates);
  publish(spec, rates, run, describe(cpu, run, choice.refused), load, recorder);
}

template <class Types>
void measure_16bit(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  using Input = typename Types::Input;
  const std::vector<const GemmKernel*> kernels = candidates_16bit<Input>(cpu.features);
  if (kernels.empty()) return recorder.finish(why_no_candidates<Input>(cpu.features), Absence::hardware);
  measure_gemm<Types>(cpu, spec, kernels, recorder);
}

}  // namespace

void measure_gemm_fp32(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  recorder.missing("tf32_tflops", "processors have no arithmetic that rounds fp32 to 10 bits of mantissa",
                   Absence::hardware);
  measure_gemm<Fp32Product>(cpu, spec, kernels_of(cpu.kernels.gemm_fp32), recorder);
}
void measure_gemm_fp64(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_gemm<Fp64Product>(cpu, spec, kernels_of(cpu.kernels.gemm_fp64), recorder);
}
void measure_gemm_bf16(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_16bit<Bf16Product>(cpu, spec, recorder);
}
void measure_gemm_fp16(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_16bit<Fp16Product>(cpu, spec, recorder);
}
void measure_gemm_mixed(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_16bit<MixedProduct>(cpu, spec, recorder);
}

}  // namespace gpumark
