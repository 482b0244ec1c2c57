import type { ResultEvent } from '../../agent/kernels/runner-events.ts';

/** Sizes that the runner used on a device, by its own details; null if it did not get so far. */
export interface MeasuredSizes {
  array_bytes: number | null;
  copy_bytes: number | null;
  link_bytes: number | null;
  link_copies: number | null;
  numa_node: number | null;
  /** "bf16=8192,fp8=8192": n of the products that had a figure; null if none had */
  matmul_sizes: string | null;
  matmul_seed: number | null;
}

const products: Record<string, string> = {
  bf16: 'bf16_tflops',
  fp16: 'fp16_tflops',
  mixed: 'mixed_precision_tflops',
  tf32: 'fp32_tflops',
  fp32: 'fp32_cuda_core_tflops',
  fp64: 'fp64_tflops',
  fp8: 'fp8_tflops',
};

/** The sizes behind the figures of one run. */
export function measuredSizes(results: readonly ResultEvent[], deviceId: string): MeasuredSizes {
  const read = (metric: string, detail: string): number | null => {
    const value = results.find((result) => result.device_id === deviceId && result.metric === metric)?.details[detail];
    return typeof value === 'number' && value > 0 ? value : null;
  };
  const node = results.find((result) => result.device_id === deviceId && 'numa_node' in result.details)?.details[
    'numa_node'
  ];
  const sizes = Object.entries(products).flatMap(([type, metric]) => {
    const n = read(metric, 'n');
    return n === null ? [] : [`${type}=${n}`];
  });
  return {
    matmul_sizes: sizes.length === 0 ? null : sizes.join(','),
    matmul_seed: read('bf16_tflops', 'seed') ?? read('fp32_cuda_core_tflops', 'seed'),
    array_bytes: read('memory_bandwidth_gbs', 'array_bytes'),
    copy_bytes: read('memory_copy_gbs', 'buffer_bytes'),
    link_bytes: read('host_to_device_bandwidth_gbs', 'buffer_bytes'),
    link_copies: read('host_to_device_bandwidth_gbs', 'copies_per_sample'),
    numa_node: typeof node === 'number' && node >= 0 ? node : null,
  };
}
