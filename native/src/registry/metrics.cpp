#include "registry/metrics.h"

#include <cstdio>
#include <cstdlib>

namespace gpumark {

const std::vector<MetricSpec>& metrics() {
  static const std::vector<MetricSpec> table = {
      {"clock_ghz", "GHz"},
      {"fma_fp32_tflops", "TFLOP/s"},
      {"fma_fp64_tflops", "TFLOP/s"},
      {"fma_fp16_tflops", "TFLOP/s"},
      {"matrix_issue_fp16_tflops", "TFLOP/s"},
      {"matrix_issue_bf16_tflops", "TFLOP/s"},
      {"matrix_issue_fp8_tflops", "TFLOP/s"},
      {"matrix_issue_tf32_tflops", "TFLOP/s"},
      {"matrix_issue_fp64_tflops", "TFLOP/s"},
      {"fp32_tflops", "TFLOP/s"},
      {"fp32_ieee_tflops", "TFLOP/s"},
      {"tf32_tflops", "TFLOP/s"},
      {"fp32_cuda_core_tflops", "TFLOP/s"},
      {"fp64_tflops", "TFLOP/s"},
      {"fp16_tflops", "TFLOP/s"},
      {"bf16_tflops", "TFLOP/s"},
      {"fp8_tflops", "TFLOP/s"},
      {"mixed_precision_tflops", "TFLOP/s"},
      {"nvfp4_tflops", "TFLOP/s"},
      {"mxfp4_tflops", "TFLOP/s"},
      {"mxfp8_tflops", "TFLOP/s"},
      {"memory_bandwidth_gbs", "GB/s"},
      {"l2_bandwidth_gbs", "GB/s"},
      {"memory_latency_ns", "ns"},
      {"l2_latency_ns", "ns"},
      {"memory_copy_gbs", "GB/s"},
      {"host_to_device_bandwidth_gbs", "GB/s"},
      {"device_to_host_bandwidth_gbs", "GB/s"},
      {"kernel_launch_overhead_us", "us"},
      {"repeat_checks", "count"},
      {"march_passes", "count"},
      {"power_consumption_watts", "W"},
      {"energy_consumption_wh", "Wh"},
      {"temperature_centigrade", "C"},
  };
  return table;
}

const char* unit_of(const std::string& metric) {
  for (const MetricSpec& spec : metrics()) {
    if (metric == spec.name) return spec.unit;
  }
  std::fprintf(stderr, "metric %s is not in the table\n", metric.c_str());
  std::abort();
}

}  // namespace gpumark
