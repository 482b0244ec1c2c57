// fp32_tflops, fp32_cuda_core_tflops, fp64_tflops: matrix products on the ordinary lanes, 2 n^3 operations.
#include "gpu/simt-gemm.h"
#include "measure/stop.h"

namespace gpumark {
namespace {

constexpr const char* kGemmLoad = "matrix multiplications";

/** True where frameworks run fp32 products on matrix units (TF32, XF32) unless told otherwise. */
bool has_fp32_matrix_units(const GpuDevice& device) {
  return device.architecture == "gfx942" || (device.architecture.rfind("sm_", 0) == 0 && std::stoi(device.architecture.substr(3)) >= 80);
}

JsonObject describe(const GpuRun& run, const SimtGemm& gemm) {
  JsonObject d;
  d.integer("m", gemm.n()).integer("n", gemm.n()).integer("k", gemm.n()).text("kernel", gemm.kernel()).text("mode", "simt").text("path", "ordinary lanes");
  d.text("data", run.data_name()).integer("seed", static_cast<std::int64_t>(run.options.seed));
  run.add_conditions(d);
  return d;
}

/** Nothing where too few samples came. */
void measure_product(GpuRun& run, const BenchmarkSpec& spec, GemmNumber number, const std::vector<const char*>& metrics, Recorder& recorder) {
  const double seconds = run.seconds(spec);
  SimtGemm gemm(run, number);
  if (gemm.n() == 0) return recorder.finish("too little free device memory for the matrices");
  run.sensors.begin_load(kGemmLoad);
  collect(seconds * 0.15, 1, 1000, [&] { return gemm.sample(); });
  const std::vector<double> rates = recorder.series(seconds * 0.85, 5, 20000, [&] {
    const double rate = gemm.sample();
    for (const char* metric : metrics) recorder.sample(metric, rate);
    return rate;
  });
  run.sensors.end_load();
  if (rates.size() < 3) return;
  const SimtGemm::Verdict verdict = gemm.verify(spec.id);
  const Statistics stats = summarize(rates);
  for (const char* metric : metrics) {
    JsonObject details = describe(run, gemm);
    details.object("verification", verdict.details).boolean("repeats_bit_for_bit", verdict.repeats);
    if (!verdict.right || !verdict.repeats) {
      recorder.wrong(metric, verdict.right ? "the same multiplication gave different bits when repeated" : "an element of the product differs from its chain of multiply-adds", details);
      continue;
    }
    Result r;
    r.metric = metric;
    r.stats = stats;
    r.value = stats.median;
    r.verified = true;
    r.details = details;
    r.details.number(number == GemmNumber::fp32 ? "fma_probe_tflops" : "fma_fp64_probe_tflops",
                     recorder.published(number == GemmNumber::fp32 ? "fma_fp32_tflops" : "fma_fp64_tflops"));
    recorder.result(r);
  }
}

}  // namespace

void measure_gpu_gemm_fp32(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  if (!has_fp32_matrix_units(run.gpu.device())) return measure_product(run, spec, GemmNumber::fp32, {"fp32_tflops", "fp32_cuda_core_tflops"}, recorder);
  measure_product(run, spec, GemmNumber::fp32, {"fp32_cuda_core_tflops"}, recorder);
  recorder.missing("fp32_tflops", "frameworks run fp32 products on this device's matrix units, and this build has no kernel for them", Absence::hardware);
}

void measure_gpu_gemm_fp64(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) { measure_product(run, spec, GemmNumber::fp64, {"fp64_tflops"}, recorder); }

}  // namespace gpumark
