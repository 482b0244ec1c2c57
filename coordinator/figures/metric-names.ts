/** The name of a figure within a sentence; a metric without one is written as its words. */
const names: Readonly<Record<string, string>> = {
  fp32_tflops: 'fp32',
  fp32_ieee_tflops: 'fp32 (all 24 bits)',
  fp32_cuda_core_tflops: 'fp32 on ordinary lanes',
  tf32_tflops: 'TF32',
  fp64_tflops: 'fp64',
  fp16_tflops: 'fp16',
  bf16_tflops: 'bf16',
  fp8_tflops: 'fp8',
  mixed_precision_tflops: 'mixed precision',
  nvfp4_tflops: 'NVFP4',
  mxfp4_tflops: 'MXFP4',
  mxfp8_tflops: 'MXFP8',
  fma_fp32_tflops: 'fp32 multiply-add peak',
  fma_fp64_tflops: 'fp64 multiply-add peak',
  fma_fp16_tflops: 'fp16 multiply-add peak',
  matrix_issue_fp16_tflops: 'fp16 issue peak',
  matrix_issue_bf16_tflops: 'bf16 issue peak',
  matrix_issue_fp8_tflops: 'fp8 issue peak',
  matrix_issue_tf32_tflops: 'TF32 issue peak',
  matrix_issue_fp64_tflops: 'fp64 issue peak',
  memory_bandwidth_gbs: 'memory bandwidth',
  l2_bandwidth_gbs: 'last-level cache',
  host_to_device_bandwidth_gbs: 'host to device',
  device_to_host_bandwidth_gbs: 'device to host',
  kernel_launch_overhead_us: 'kernel launch',
  power_consumption_watts: 'power',
  temperature_centigrade: 'temperature',
  energy_consumption_wh: 'energy',
  memory_copy_gbs: 'memory copy',
  memory_latency_ns: 'memory latency',
  l2_latency_ns: 'cache latency',
  clock_ghz: 'clock',
  repeat_checks: 'identical repetitions',
  march_passes: 'memory march',
};

export const metricName = (metric: string): string =>
  names[metric] ?? metric.replace(/_(tflops|gbs|ghz|us|ns|watts|wh|centigrade)$/, '').replaceAll('_', ' ');

/** More figures than this are counted, not named. */
const NAMED_MAX = 4;

/** "bf16, fp16 and memory bandwidth"; of more than four the first three and how many more. */
export function metricNames(metrics: readonly string[]): string {
  const all = metrics.map(metricName);
  if (all.length > NAMED_MAX) return `${all.slice(0, NAMED_MAX - 1).join(', ')} and ${all.length - NAMED_MAX + 1} more`;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}
