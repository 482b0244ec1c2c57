// fp32_tflops, fp32_cuda_core_tflops, fp64_tflops, fp16_tflops, bf16_tflops, fp8_tflops, mixed_precision_tflops: matrix products, 2 m n k operations.
#include "gpu/gemm/gemm-measurement.h"

namespace gpumark {
namespace {

/** True where frameworks run fp32 products on matrix units (TF32, XF32): every NVIDIA device since Ampere, and CDNA 3. */
bool has_fp32_matrix_units(const GpuDevice& device) {
  return device.architecture == "gfx942" || (device.architecture.rfind("sm_", 0) == 0 && std::stoi(device.architecture.substr(3)) >= 80);
}

void measure_one(GpuRun& run, GemmType type, const BenchmarkSpec& spec, Recorder& recorder) {
  GemmMeasurement(run, type, run.seconds(spec), spec, recorder).measure({{spec.metrics[0], ""}});
}

}  // namespace

void measure_gpu_gemm_fp32(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  if (!has_fp32_matrix_units(run.gpu.device())) {
    return GemmMeasurement(run, GemmType::fp32, run.seconds(spec), spec, recorder).measure({{"fp32_tflops", "simt"}, {"fp32_cuda_core_tflops", "simt"}});
  }
  const double half = run.seconds(spec) / 2;
  GemmMeasurement(run, GemmType::tf32, half, spec, recorder).measure({{"fp32_tflops", "tf32"}});
  GemmMeasurement(run, GemmType::fp32, half, spec, recorder).measure({{"fp32_cuda_core_tflops", "simt"}});
}

void measure_gpu_gemm_fp64(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) { measure_one(run, GemmType::fp64, spec, recorder); }
void measure_gpu_gemm_fp16(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) { measure_one(run, GemmType::fp16, spec, recorder); }
void measure_gpu_gemm_bf16(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) { measure_one(run, GemmType::bf16, spec, recorder); }
void measure_gpu_gemm_fp8(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) { measure_one(run, GemmType::fp8, spec, recorder); }
void measure_gpu_gemm_mixed(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) { measure_one(run, GemmType::mixed, spec, recorder); }

}  // namespace gpumark
