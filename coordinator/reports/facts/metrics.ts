import type { QuickMarkMetric } from '../../contract/quick-mark.ts';

export interface MetricInfo {
  label: string;
  /** short form for a narrow column */
  short: string;
  unit: string;
  /** a number of things */
  counted?: boolean;
}

const tflops = (label: string, short: string): MetricInfo => ({ label, short, unit: 'TFLOP/s' });
const gbs = (label: string, short: string): MetricInfo => ({ label, short, unit: 'GB/s' });
const other = (label: string, short: string, unit: string): MetricInfo => ({ label, short, unit });

/** Name and unit of each figure. GB = 1e9 bytes, TFLOP = 1e12 operations. */
export const metricInfo: Record<QuickMarkMetric, MetricInfo> = {
  fp32_tflops: tflops('FP32 matrix multiply', 'FP32'),
  fp32_cuda_core_tflops: tflops('FP32 on ordinary lanes', 'FP32 lanes'),
  fp16_tflops: tflops('FP16 matrix multiply', 'FP16'),
  bf16_tflops: tflops('BF16 matrix multiply', 'BF16'),
  fp8_tflops: tflops('FP8 matrix multiply', 'FP8'),
  mixed_precision_tflops: tflops('FP16 in, FP32 out', 'Mixed'),
  memory_bandwidth_gbs: gbs('Memory bandwidth (triad)', 'Memory'),
  l2_bandwidth_gbs: gbs('Last-level cache read', 'Cache'),
  host_to_device_bandwidth_gbs: gbs('Copy host to device', 'To device'),
  device_to_host_bandwidth_gbs: gbs('Copy device to host', 'To host'),
  kernel_launch_overhead_us: other('Kernel launch', 'Launch', 'µs'),
  power_consumption_watts: other('Power under load', 'Power', 'W'),
  temperature_centigrade: other('Highest temperature', 'Temp.', '°C'),
  energy_consumption_wh: other('Energy of the run', 'Energy', 'Wh'),
};

/** Figures that runners report in addition to those of the API. */
const otherMetrics: Record<string, MetricInfo> = {
  clock_ghz: other('Measured clock', 'Clock', 'GHz'),
  fma_fp32_tflops: other('FP32 multiply-add probe', 'FP32 probe', 'TFLOP/s'),
  fma_fp16_tflops: other('FP16 multiply-add probe', 'FP16 probe', 'TFLOP/s'),
  fma_fp64_tflops: other('FP64 multiply-add probe', 'FP64 probe', 'TFLOP/s'),
  fp32_ieee_tflops: other('FP32 multiply, IEEE', 'FP32 IEEE', 'TFLOP/s'),
  tf32_tflops: other('TF32 matrix multiply', 'TF32', 'TFLOP/s'),
  fp64_tflops: other('FP64 matrix multiply', 'FP64', 'TFLOP/s'),
  nvfp4_tflops: other('NVFP4 matrix multiply', 'NVFP4', 'TFLOP/s'),
  mxfp4_tflops: other('MXFP4 matrix multiply', 'MXFP4', 'TFLOP/s'),
  mxfp8_tflops: other('MXFP8 matrix multiply', 'MXFP8', 'TFLOP/s'),
  matrix_issue_fp16_tflops: other('FP16 issue peak', 'FP16 issue', 'TFLOP/s'),
  matrix_issue_bf16_tflops: other('BF16 issue peak', 'BF16 issue', 'TFLOP/s'),
  matrix_issue_fp8_tflops: other('FP8 issue peak', 'FP8 issue', 'TFLOP/s'),
  matrix_issue_tf32_tflops: other('TF32 issue peak', 'TF32 issue', 'TFLOP/s'),
  matrix_issue_fp64_tflops: other('FP64 issue peak', 'FP64 issue', 'TFLOP/s'),
  memory_copy_gbs: other('Memory copy', 'Copy', 'GB/s'),
  memory_latency_ns: other('Memory latency', 'Latency', 'ns'),
  l2_latency_ns: other('Cache latency', 'Cache lat.', 'ns'),
  repeat_checks: { ...other('Bit-exact repetitions', 'Repeats', 'compared'), counted: true },
  march_passes: { ...other('Memory march', 'March', 'passes'), counted: true },
};

/** Name, unit and kind of any metric, including those found only in `details`. */
export function infoOf(metric: string): MetricInfo {
  const known = Object.entries({ ...metricInfo, ...otherMetrics }).find(([name]) => name === metric)?.[1];
  if (known) return known;
  const [, words = metric, suffix = ''] = /^(.*?)_(tflops|gbs|ghz|us|ns|watts|wh|gbps)$/.exec(metric) ?? [];
  const label = words.replaceAll('_', ' ');
  return { label, short: label, unit: suffixUnits[suffix] ?? '' };
}

const suffixUnits: Record<string, string> = {
  tflops: 'TFLOP/s',
  gbs: 'GB/s',
  ghz: 'GHz',
  us: 'µs',
  ns: 'ns',
  watts: 'W',
  wh: 'Wh',
  gbps: 'Gbit/s',
};

/** Replaces the names of metrics in a text by their labels. */
export const nameMetrics = (text: string): string =>
  text.replaceAll(
    /\b[a-z0-9]+(?:_[a-z0-9]+)*_(?:tflops|gbs|us|ns|watts|centigrade|wh)\b/g,
    (metric) => infoOf(metric).label,
  );
