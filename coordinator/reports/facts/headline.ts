import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { figureOf, type Device } from './devices.ts';
import { hardwareOf } from './node-summary.ts';

/** Candidates for each headline, in order of preference: what the machine is bought for, then substitutes. */
const choices = (cpu: boolean): QuickMarkMetric[][] => [
  cpu ? ['fp32_tflops'] : ['bf16_tflops', 'fp16_tflops', 'fp32_tflops', 'fp32_cuda_core_tflops'],
  ['memory_bandwidth_gbs'],
  ['power_consumption_watts', 'host_to_device_bandwidth_gbs', 'l2_bandwidth_gbs', 'kernel_launch_overhead_us'],
];

/** The figures by which machines are told apart: of each kind the first candidate that any device has, or else the first. */
export function headlineMetrics(devices: readonly Device[]): QuickMarkMetric[] {
  const hasAny = (metric: QuickMarkMetric): boolean =>
    devices.some((device) => (figureOf(device, metric)?.value ?? null) !== null);
  return choices(hardwareOf(devices) === 'cpu').flatMap((wanted) => wanted.find(hasAny) ?? wanted.slice(0, 1));
}
