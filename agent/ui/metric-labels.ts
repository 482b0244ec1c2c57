/** What a person reads for a metric of the runner. Metrics without an entry show their own name. */
const LABELS: Record<string, string> = {
  fp32_tflops: 'fp32',
  fp32_ieee_tflops: 'fp32 (IEEE)',
  tf32_tflops: 'tf32',
  fp32_cuda_core_tflops: 'fp32 (ordinary lanes)',
  fma_fp32_tflops: 'fp32 multiply-add peak',
  fma_fp64_tflops: 'fp64 multiply-add peak',
  fma_fp16_tflops: 'fp16 multiply-add peak',
  fp64_tflops: 'fp64',
  fp16_tflops: 'fp16',
  bf16_tflops: 'bf16',
  fp8_tflops: 'fp8',
  mixed_precision_tflops: 'mixed precision',
  nvfp4_tflops: 'nvfp4',
  mxfp4_tflops: 'mxfp4',
  mxfp8_tflops: 'mxfp8',
  matrix_issue_fp16_tflops: 'fp16 issue peak',
  matrix_issue_bf16_tflops: 'bf16 issue peak',
  matrix_issue_fp8_tflops: 'fp8 issue peak',
  matrix_issue_tf32_tflops: 'tf32 issue peak',
  matrix_issue_fp64_tflops: 'fp64 issue peak',
  memory_bandwidth_gbs: 'memory bandwidth',
  l2_bandwidth_gbs: 'last-level cache',
  memory_copy_gbs: 'memory copy',
  memory_latency_ns: 'memory latency',
  l2_latency_ns: 'cache latency',
  host_to_device_bandwidth_gbs: 'host to device',
  device_to_host_bandwidth_gbs: 'device to host',
  kernel_launch_overhead_us: 'launch overhead',
  repeat_checks: 'identical repetitions',
  march_passes: 'memory march',
  clock_ghz: 'clock',
  power_consumption_watts: 'power',
  temperature_centigrade: 'temperature',
  energy_consumption_wh: 'energy',
};

/** The order of the summary; what is not named here follows in the order of arrival. */
export const knownMetrics: readonly string[] = Object.keys(LABELS);

export const metricLabel = (metric: string): string => LABELS[metric] ?? metric;

export function metricRank(metric: string): number {
  const index = knownMetrics.indexOf(metric);
  return index === -1 ? knownMetrics.length : index;
}

/** Columns of the live table: as many as fit beside a device name in 80 characters. */
export const LIVE_COLUMNS = [
  { metric: 'fp32_tflops', title: 'fp32', unit: 'TFLOP/s' },
  { metric: 'fp16_tflops', title: 'fp16', unit: 'TFLOP/s' },
  { metric: 'bf16_tflops', title: 'bf16', unit: 'TFLOP/s' },
  { metric: 'fp8_tflops', title: 'fp8', unit: 'TFLOP/s' },
  { metric: 'memory_bandwidth_gbs', title: 'memory', unit: 'GB/s' },
] as const;
