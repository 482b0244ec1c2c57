/** Names and units of figures in tables, in the order in which a task's page shows them. */
const words: Readonly<Record<string, [label: string, unit: string]>> = {
  bf16_tflops: ['bf16', 'TFLOP/s'],
  fp16_tflops: ['fp16', 'TFLOP/s'],
  fp8_tflops: ['fp8', 'TFLOP/s'],
  fp32_tflops: ['fp32, TF32 if there is any', 'TFLOP/s'],
  fp32_cuda_core_tflops: ['fp32 on ordinary lanes', 'TFLOP/s'],
  fp32_ieee_tflops: ['fp32, all 24 bits', 'TFLOP/s'],
  tf32_tflops: ['TF32', 'TFLOP/s'],
  fp64_tflops: ['fp64', 'TFLOP/s'],
  mixed_precision_tflops: ['Mixed precision', 'TFLOP/s'],
  mxfp8_tflops: ['MXFP8', 'TFLOP/s'],
  mxfp4_tflops: ['MXFP4', 'TFLOP/s'],
  nvfp4_tflops: ['NVFP4', 'TFLOP/s'],
  memory_bandwidth_gbs: ['Memory', 'GB/s'],
  l2_bandwidth_gbs: ['L2 cache', 'GB/s'],
  host_to_device_bandwidth_gbs: ['Host to device', 'GB/s'],
  device_to_host_bandwidth_gbs: ['Device to host', 'GB/s'],
  kernel_launch_overhead_us: ['Kernel launch', 'µs'],
  power_consumption_watts: ['Power', 'W'],
  temperature_centigrade: ['Temperature', '°C'],
  energy_consumption_wh: ['Energy', 'Wh'],
  gpu_copies_gbs: ['Copies to other GPUs', 'GB/s'],
  // Records in `details` only, like fp64 above.
  fma_fp32_tflops: ['fp32 multiply-add peak', 'TFLOP/s'],
  fma_fp64_tflops: ['fp64 multiply-add peak', 'TFLOP/s'],
  fma_fp16_tflops: ['fp16 multiply-add peak', 'TFLOP/s'],
  matrix_issue_fp16_tflops: ['fp16 issue peak', 'TFLOP/s'],
  matrix_issue_bf16_tflops: ['bf16 issue peak', 'TFLOP/s'],
  matrix_issue_fp8_tflops: ['fp8 issue peak', 'TFLOP/s'],
  matrix_issue_tf32_tflops: ['TF32 issue peak', 'TFLOP/s'],
  matrix_issue_fp64_tflops: ['fp64 issue peak', 'TFLOP/s'],
  memory_copy_gbs: ['Memory copy', 'GB/s'],
  memory_latency_ns: ['Memory latency', 'ns'],
  l2_latency_ns: ['L2 latency', 'ns'],
  clock_ghz: ['Clock, measured', 'GHz'],
  repeat_checks: ['Identical repetitions', 'count'],
  march_passes: ['Memory march', 'passes'],
};

export const figureNames: readonly string[] = Object.keys(words);
export const labelOf = (metric: string): string => words[metric]?.[0] ?? metric;
export const unitOf = (metric: string): string => words[metric]?.[1] ?? '';
