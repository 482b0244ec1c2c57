// fp32_tflops, fp32_ieee_tflops, tf32_tflops, fp32_cuda_core_tflops, fp64_tflops, fp16_tflops, bf16_tflops, fp8_tflops,
// mixed_precision_tflops, nvfp4_tflops, mxfp4_tflops, mxfp8_tflops: matrix products, 2 m n k operations.
#include "gpu/gemm/gemm-measurement.h"

namespace gpumark {
namespace {

/**
 * Matrix units that read fp32 and round it to 10 bits of mantissa (TF32, XF32): every NVIDIA device since Ampere, and
 * CDNA 3.
 */
bool has_tf32(const GpuDevice& device) {
  return device.architecture == "gfx942" ||
         (device.architecture.rfind("sm_", 0) == 0 && std::stoi(device.architecture.substr(3)) >= 80);
}

/** Matrix units that keep all of fp32: CDNA 2 to 4. */
bool has_fp32_matrix_units(const GpuDevice& device) {
  return device.architecture == "gfx90a" || device.architecture == "gfx942" || device.architecture == "gfx950";
}

/** Matrix units that apply block scales: Blackwell has all three types, CDNA 4 those of OCP. */
bool has_block_scales(const GpuDevice& device, GemmType type) {
  if (device.architecture == "gfx950") return type != GemmType::nvfp4;
  return device.architecture.rfind("sm_", 0) == 0 && std::stoi(device.architecture.substr(3)) >= 100;
}

void measure_one(GpuRun& run, GemmType type, const BenchmarkSpec& spec, Recorder& recorder) {
  GemmMeasurement(run, type, run.seconds(spec), spec, recorder).measure({{spec.metrics[0].name, ""}});
}

/** One kind of arithmetic on one kind of unit, and its metrics. */
struct Fp32Part {
  GemmType type;
  std::vector<MetricOf> metrics;
};

/**
 * tf32_tflops, fp32_ieee_tflops (the fastest units that compute IEEE 754 fp32) and fp32_cuda_core_tflops (the ordinary
 * lanes) are each defined by one arithmetic. fp32_tflops, the interface's older name, is the first of them that the
 * device supports; its details name which.
 */
std::vector<Fp32Part> fp32_parts(const GpuDevice& device) {
  std::vector<Fp32Part> parts;
  if (has_tf32(device)) parts.push_back({GemmType::tf32, {{"tf32_tflops", "tf32"}}});
  if (has_fp32_matrix_units(device)) parts.push_back({GemmType::fp32_matrix, {{"fp32_ieee_tflops", "fp32_matrix"}}});
  parts.push_back({GemmType::fp32, {{"fp32_cuda_core_tflops", "simt"}}});
  if (!has_fp32_matrix_units(device)) parts.back().metrics.push_back({"fp32_ieee_tflops", "simt"});
  parts.front().metrics.push_back({"fp32_tflops", parts.front().metrics.front().mode});
  return parts;
}

void measure_scaled(GpuRun& run, GemmType type, const BenchmarkSpec& spec, Recorder& recorder) {
  const GpuDevice& device = run.gpu.device();
  if (has_block_scales(device, type)) return measure_one(run, type, spec, recorder);
  recorder.missing(spec.metrics[0].name, device.architecture + " has no matrix instructions for " + spec_of(type).name,
                   Absence::hardware);
}

}  // namespace

void measure_gpu_gemm_fp32(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  const GpuDevice& device = run.gpu.device();
  const std::vector<Fp32Part> parts = fp32_parts(device);
  if (!has_tf32(device))
    recorder.missing("tf32_tflops",
                     device.architecture + " has no matrix instructions that round fp32 to 10 bits of mantissa",
                     Absence::hardware);
  // CDNA 3 has three kinds of arithmetic where others have two, and no block-scaled products: in the quick tier each
  // has the time that a sustained figure needs.
  const double each = run.options.tier == Tier::quick ? kQuickProduct * run.options.time_scale
                                                      : run.seconds(spec) / static_cast<double>(parts.size());
  for (const Fp32Part& part : parts) GemmMeasurement(run, part.type, each, spec, recorder).measure(part.metrics);
}

void measure_gpu_gemm_fp64(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_one(run, GemmType::fp64, spec, recorder);
}
void measure_gpu_gemm_fp16(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_one(run, GemmType::fp16, spec, recorder);
}
void measure_gpu_gemm_bf16(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_one(run, GemmType::bf16, spec, recorder);
}
void measure_gpu_gemm_fp8(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_one(run, GemmType::fp8, spec, recorder);
}
void measure_gpu_gemm_mixed(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_one(run, GemmType::mixed, spec, recorder);
}
void measure_gpu_gemm_nvfp4(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_scaled(run, GemmType::nvfp4, spec, recorder);
}
void measure_gpu_gemm_mxfp4(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_scaled(run, GemmType::mxfp4, spec, recorder);
}
void measure_gpu_gemm_mxfp8(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  measure_scaled(run, GemmType::mxfp8, spec, recorder);
}

}  // namespace gpumark
