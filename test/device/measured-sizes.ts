import type { ResultEvent } from '../../agent/kernels/runner-events.ts';

/** Sizes that the runner used on a device, by its own details; null where it did not get so far. */
export interface MeasuredSizes {
  array_bytes: number | null;
  copy_bytes: number | null;
  link_bytes: number | null;
  link_copies: number | null;
  numa_node: number | null;
}

/** The sizes behind the figures of one run. */
export function measuredSizes(results: readonly ResultEvent[], deviceId: string): MeasuredSizes {
  const read = (metric: string, detail: string): number | null => {
    const value = results.find((result) => result.device_id === deviceId && result.metric === metric)?.details[detail];
    return typeof value === 'number' && value > 0 ? value : null;
  };
  const node = results.find((result) => result.device_id === deviceId && 'numa_node' in result.details)?.details[
    'numa_node'
  ];
  return {
    array_bytes: read('memory_bandwidth_gbs', 'array_bytes'),
    copy_bytes: read('memory_copy_gbs', 'buffer_bytes'),
    link_bytes: read('host_to_device_bandwidth_gbs', 'buffer_bytes'),
    link_copies: read('host_to_device_bandwidth_gbs', 'copies_per_sample'),
    numa_node: typeof node === 'number' && node >= 0 ? node : null,
  };
}
