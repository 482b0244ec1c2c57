#include "registry/benchmarks.h"

namespace gpumark {
namespace {

constexpr std::size_t kMostMetrics = 5;
struct Row {
  const char* id;
  const char* metrics[kMostMetrics];
  double quick_seconds, standard_seconds, soak_seconds;
};

// Energy comes last because it spans the others.
constexpr Row kRows[] = {
    {"clock", {"clock_ghz"}, 0.5, 5, 60},
    {"fma", {"fma_fp32_tflops", "fma_fp64_tflops", "fma_fp16_tflops"}, 2, 20, 600},
    {"matrix_issue",
     {"matrix_issue_fp16_tflops", "matrix_issue_bf16_tflops", "matrix_issue_fp8_tflops", "matrix_issue_tf32_tflops",
      "matrix_issue_fp64_tflops"},
     1,
     10,
     120},
    {"gemm_fp32", {"fp32_tflops", "fp32_ieee_tflops", "tf32_tflops", "fp32_cuda_core_tflops"}, 4, 60, 3600},
    {"gemm_fp64", {"fp64_tflops"}, 2.5, 40, 1800},
    {"gemm_fp16", {"fp16_tflops"}, 2.5, 40, 1800},
    {"gemm_bf16", {"bf16_tflops"}, 2.5, 40, 1800},
    {"gemm_fp8", {"fp8_tflops"}, 2.5, 40, 1800},
    {"gemm_mixed", {"mixed_precision_tflops"}, 2.5, 40, 1800},
    {"gemm_nvfp4", {"nvfp4_tflops"}, 1.2, 30, 600},
    {"gemm_mxfp4", {"mxfp4_tflops"}, 1.2, 30, 600},
    {"gemm_mxfp8", {"mxfp8_tflops"}, 1.2, 30, 600},
    {"memory", {"memory_bandwidth_gbs"}, 3, 40, 1800},
    {"cache", {"l2_bandwidth_gbs"}, 1.5, 15, 600},
    {"latency", {"memory_latency_ns", "l2_latency_ns"}, 0.5, 5, 60},
    {"copy", {"memory_copy_gbs"}, 0.8, 15, 600},
    {"link", {"host_to_device_bandwidth_gbs", "device_to_host_bandwidth_gbs"}, 2, 20, 600},
    {"dispatch", {"kernel_launch_overhead_us"}, 0.5, 5, 60},
    {"repeat", {"repeat_checks"}, 2, 60, 36000},
    {"march", {"march_passes"}, 0.5, 30, 3600},
    {"energy", {"power_consumption_watts", "energy_consumption_wh", "temperature_centigrade"}, 0, 0, 0},
};
static_assert(
    has_every_benchmark(kRows, 1),
    "each benchmark has a row here with its metrics and times, in the order of kMeasuredBenchmarks, then energy");

std::vector<BenchmarkSpec> make_benchmarks() {
  std::vector<BenchmarkSpec> table;
  for (const Row& row : kRows) {
    BenchmarkSpec spec{row.id, {}, row.quick_seconds, row.standard_seconds, row.soak_seconds};
    for (const char* metric : row.metrics) {
      if (metric) spec.metrics.push_back(metric);
    }
    table.push_back(spec);
  }
  return table;
}

}  // namespace

const std::vector<BenchmarkSpec>& benchmarks() {
  static const std::vector<BenchmarkSpec> table = make_benchmarks();
  return table;
}

const BenchmarkSpec* find_benchmark(const std::string& id) {
  for (const BenchmarkSpec& spec : benchmarks()) {
    if (id == spec.id) return &spec;
  }
  return nullptr;
}

double BenchmarkSpec::seconds(Tier tier) const {
  switch (tier) {
    case Tier::standard: return standard_seconds;
    case Tier::soak: return soak_seconds;
    default: return quick_seconds;
  }
}

}  // namespace gpumark
