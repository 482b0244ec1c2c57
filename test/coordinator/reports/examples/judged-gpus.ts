import type { BandwidthCell } from '../../../../coordinator/contract/bandwidth-matrix.ts';
import {
  quickMarkMetrics,
  quickMarkResults,
  type QuickMarkResults,
} from '../../../../coordinator/contract/quick-mark.ts';
import type { TaskReport } from '../../../../coordinator/reports/report-model.ts';
import { fullMatrix } from './bandwidth-cells.ts';
import { customer, inventory, job, node, quickMark } from './parts.ts';
import { simulatedNode } from './simulated-gpus.ts';

const band = '0.70 to 1.00 of the 3350 GB/s published for H100 SXM (NVIDIA H100 data sheet 2022)';
const behind = 'peers: 6.9 % behind the median of the 8 devices of this model, limit 5.0 %';

/** A simulated node whose agent judged every figure; the last device fails a check, the first is throttled by heat. */
export function judgedTask(count: number, change: (results: QuickMarkResults) => void = () => {}): TaskReport {
  const results = quickMarkResults.parse(simulatedNode(count, count));
  results.test_results.forEach((device, index) => {
    device.gpu_id = `GPU-${String(index).padStart(2, '0')}a1b2c3-5b6a-9f0e-2b9a-8a1f3c110000`;
    device.verdicts = Object.fromEntries(
      quickMarkMetrics.map((metric) => [
        metric,
        metric === 'memory_bandwidth_gbs' ? { verdict: 'ok', rule: band } : { verdict: 'ok', rule: '' },
      ]),
    );
    device.together = {
      memory_bandwidth_gbs: { value: 2900 - index, alone: 2950, gap: 1 - (2900 - index) / 2950 },
      host_to_device_bandwidth_gbs: { value: 27.5, alone: 55, gap: 0.5 },
    };
    device.details['energy_consumption_wh'] = {
      unit: 'Wh',
      source: 'NVML total energy counter',
      scope: 'gpu',
      counter_wh: 5.2,
      integrated_wh: 5.31,
      ratio: 0.979,
      trusted: true,
      seconds: 29,
    };
    device.details['temperature_centigrade'] = {
      unit: '°C',
      throttle: index === 0 ? ['sw_power_cap', 'hw_thermal'] : ['sw_power_cap'],
      ecc_corrected_during_run: 0,
      ecc_uncorrected_during_run: 0,
    };
  });
  const last = results.test_results.at(-1);
  if (last?.verdicts) last.verdicts['fp32_cuda_core_tflops'] = { verdict: 'bad', rule: behind };
  const first = results.test_results[0];
  if (first?.verdicts)
    first.verdicts['temperature_centigrade'] = { verdict: 'warn', rule: 'throttle: the card was slowed by heat' };
  results.aggregate_results.gpu_bandwidth_matrix = matrixOf(results.test_results.map(({ gpu_id }) => gpu_id));
  change(results);
  return {
    kind: 'task',
    customer,
    job: { ...job, name: `simulated node of ${count}, judged` },
    node: node({
      simulated: true,
      hostname: 'gpu-017',
      results: [quickMark(results)],
      inventory: { ...inventory, gpu_vendor: 'nvidia', gpu_count: count, gpu_info: cards(results) },
    }),
  };
}

/** NVLink everywhere, but for one slow pair, one that was not measured and one device behind the host. */
function matrixOf(ids: string[]): BandwidthCell[] {
  return fullMatrix(ids).map((cell, index) => {
    if (index === 1) return { ...cell, simplex_gbs: 288.4, verdict: 'bad', reason: 'peers: 26.6 % below its peers' };
    if (index === 2) return { ...cell, simplex_gbs: 374.2, verdict: 'warn', reason: 'peers: 4.8 % below its peers' };
    if (index === 3)
      return { ...cell, simplex_gbs: null, duplex_gbs: null, verdict: 'absent', reason: 'out of memory' };
    if (index === 4)
      return {
        ...cell,
        simplex_gbs: 21.4,
        duplex_gbs: 33.7,
        connection_type: 'host-staged (no peer access)',
        peer_access: false,
      };
    return cell;
  });
}

const cards = (results: QuickMarkResults) =>
  results.test_results.map((device, index) => ({
    name: device.gpu_model,
    total_memory: 85_520_809_984,
    driver_version: '580.65.06',
    cuda_version: '13.0',
    pci_info: { generation_max: 5, generation_current: 5, link_width_max: 16, link_width_current: 16 },
    uuid: device.gpu_id,
    pci_id: `0000:${(0x17 + 9 * index).toString(16)}:00.0`,
    vbios: '96.00.74.00.01',
    serial: String(1_652_923_001_000 + index),
    ecc_mode: 'enabled' as const,
    power_cap_watts: 700,
    nvlink_active: 18,
    mig: { enabled: false },
    architecture: 'sm_90',
    ...(index === 0 ? { disagreements: ['nvidia-smi says driver 580.65.06, NVML says 575.57.08.'] } : {}),
  }));
