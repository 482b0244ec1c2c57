import type { DeviceEvent } from '../../agent/kernels/runner-events.ts';
import type { FmaType } from './fma-peak.ts';
import { type GemmType, ownTarget } from './gemm-target.ts';

export type FigurePeer =
  | { from: 'torch' | 'nvbandwidth'; figure: string; at_least: number | null }
  /** the vendor's library by the runner itself; what can be asked for depends on the device */
  | { from: 'torch' | 'vendor'; figure: string; at_least: (device: DeviceEvent) => number | null }
  | { from: 'clock'; type: FmaType; at_least: number | null };

/** A line of the table: where its number stands in the runner's results, what to compare with, and how close it must come. */
export interface FigureSpec {
  id: string;
  /** at most 16 characters */
  label: string;
  unit: string;
  metric: string;
  /** its name in the result's `details`, for a figure beside the headline: a number, or {gbs, n, cv} */
  detail?: string;
  /** what this engine reached, of a matrix product */
  engine?: 'vendor' | 'own';
  /** of every round */
  cv_at_most?: number;
  /** the first one stands in the figure's own line */
  peers?: FigurePeer[];
}

const bandwidthCv = 0.01;
/** The host's time: in a virtual machine the scheduler beneath it is part of it (an H200 there: 3 to 7 %). */
const launchCv = 0.1;
const copyFloor = 0.99;
/** At its power cap a card's clock swings: torch's own products on an H200 have 1 to 3 %. */
const gemmCv = 0.05;
const vendorFloor = 0.99;

const link = (id: string, label: string, metric: string): FigureSpec => ({
  id,
  label,
  unit: 'GB/s',
  metric,
  cv_at_most: bandwidthCv,
  peers: [
    { from: 'torch', figure: id, at_least: copyFloor },
    { from: 'nvbandwidth', figure: id, at_least: copyFloor },
  ],
});
/** Two lines for a matrix product: by the vendor's library, and by our own kernels. */
const gemm = (type: GemmType, metric: string): FigureSpec[] => {
  const torch = `matmul_${type}_tflops`;
  const own = (device: DeviceEvent): number | null => ownTarget(type, device);
  const shared = { unit: 'TFLOP/s', metric, cv_at_most: gemmCv };
  return [
    {
      ...shared,
      id: `vendor_${type}_tflops`,
      label: `${type} vendor`,
      engine: 'vendor',
      peers: [{ from: 'torch', figure: torch, at_least: vendorFloor }],
    },
    {
      ...shared,
      id: `own_${type}_tflops`,
      label: `${type} own`,
      engine: 'own',
      peers: [
        { from: 'vendor', figure: torch, at_least: own },
        { from: 'torch', figure: torch, at_least: own },
      ],
    },
  ];
};
const fma = (type: FmaType, at_least: number | null): FigureSpec => ({
  id: `fma_${type}_tflops`,
  label: `FMA ${type}`,
  unit: 'TFLOP/s',
  metric: `fma_${type}_tflops`,
  peers: [{ from: 'clock', type, at_least }],
});

/** Every figure of one device. Those without a target are there to be seen; a missing one is missed all the same. */
export const figures: FigureSpec[] = [
  {
    id: 'triad_gbs',
    label: 'memory triad',
    unit: 'GB/s',
    metric: 'memory_bandwidth_gbs',
    cv_at_most: bandwidthCv,
    peers: [{ from: 'torch', figure: 'triad_gbs', at_least: 0.98 }],
  },
  { id: 'stream_copy_gbs', label: 'memory copy', unit: 'GB/s', metric: 'memory_bandwidth_gbs', detail: 'copy' },
  { id: 'stream_read_gbs', label: 'memory read', unit: 'GB/s', metric: 'memory_bandwidth_gbs', detail: 'read' },
  { id: 'stream_write_gbs', label: 'memory write', unit: 'GB/s', metric: 'memory_bandwidth_gbs', detail: 'write' },
  {
    id: 'copy_gbs',
    label: 'copy on device',
    unit: 'GB/s',
    metric: 'memory_copy_gbs',
    cv_at_most: bandwidthCv,
    peers: [{ from: 'torch', figure: 'copy_gbs', at_least: null }],
  },
  link('host_to_device_gbs', 'host to device', 'host_to_device_bandwidth_gbs'),
  link('device_to_host_gbs', 'device to host', 'device_to_host_bandwidth_gbs'),
  {
    id: 'both_directions_gbs',
    label: 'both at once',
    unit: 'GB/s',
    metric: 'host_to_device_bandwidth_gbs',
    detail: 'both_directions_gbs',
  },
  { id: 'l2_gbs', label: 'L2 read', unit: 'GB/s', metric: 'l2_bandwidth_gbs', cv_at_most: bandwidthCv },
  { id: 'l2_latency_ns', label: 'L2 latency', unit: 'ns', metric: 'l2_latency_ns' },
  { id: 'memory_latency_ns', label: 'memory latency', unit: 'ns', metric: 'memory_latency_ns' },
  {
    id: 'launch_us',
    label: 'launch, submit',
    unit: 'us',
    metric: 'kernel_launch_overhead_us',
    cv_at_most: launchCv,
    // Python's own call is part of torch's figure, so there is nothing to demand.
    peers: [{ from: 'torch', figure: 'launch_us', at_least: null }],
  },
  {
    id: 'round_trip_us',
    label: 'launch, return',
    unit: 'us',
    metric: 'kernel_launch_overhead_us',
    detail: 'round_trip_us',
  },
  { id: 'clock_ghz', label: 'clock', unit: 'GHz', metric: 'clock_ghz' },
  fma('fp32', 0.95),
  fma('fp64', 0.95),
  fma('fp16', null),
  ...gemm('bf16', 'bf16_tflops'),
  ...gemm('fp16', 'fp16_tflops'),
  ...gemm('mixed', 'mixed_precision_tflops'),
  ...gemm('fp8', 'fp8_tflops'),
  ...gemm('tf32', 'fp32_tflops'),
  ...gemm('fp32', 'fp32_cuda_core_tflops'),
  ...gemm('fp64', 'fp64_tflops'),
  { id: 'repeat_checks', label: 'equal repeats', unit: 'count', metric: 'repeat_checks' },
  { id: 'power_watts', label: 'power under load', unit: 'W', metric: 'power_consumption_watts' },
  { id: 'temperature_celsius', label: 'hottest', unit: 'C', metric: 'temperature_centigrade' },
];
