#include "registry/benchmarks.h"

namespace gpumark {

const std::vector<BenchmarkSpec>& benchmarks() {
  // Order matters: the clock comes first because later details refer to it, energy last because it spans the others.
  static const std::vector<BenchmarkSpec> table = {
      {"clock", {"clock_ghz"}, 0.5, 5, 60},
      {"fma", {"fma_fp32_tflops", "fma_fp64_tflops", "fma_fp16_tflops"}, 2, 20, 600},
      {"matrix_issue", {"matrix_issue_fp16_tflops", "matrix_issue_bf16_tflops", "matrix_issue_fp8_tflops", "matrix_issue_tf32_tflops", "matrix_issue_fp64_tflops"}, 1, 10, 120},
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
