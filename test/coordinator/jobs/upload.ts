import type { UploadPayload } from '../../../coordinator/contract/agent-protocol.ts';
import { aggregateEngines } from '../../../coordinator/figures/aggregate-figures.ts';
import type { LoadClass } from '../../../coordinator/contract/load-class.ts';
import { gemmMetrics } from '../../../coordinator/contract/matrix-engine.ts';
import type { QuickMarkTestResult } from '../../../coordinator/contract/quick-mark.ts';

export interface Device {
  model?: string;
  vendor?: 'nvidia' | 'amd' | 'cpu';
  bf16?: number | null;
  memory?: number | null;
  copies?: number | null;
  watts?: number | null;
  celsius?: number | null;
  simulated?: boolean;
  /** behind its matrix products; our kernels if left out */
  engine?: 'own' | 'vendor';
  /** of its matrix products; sustained if left out, null: its agent did not report it */
  load?: LoadClass | null;
}

/** What an agent uploads for these devices; the aggregate is their sums. Not simulated unless a device says so. */
export function upload(machineUuid: string, devices: Device[] = [{}]): UploadPayload {
  const results = devices.map(deviceResult);
  const sum = (
    metric: 'fp32_tflops' | 'fp16_tflops' | 'bf16_tflops' | 'memory_bandwidth_gbs' | 'power_consumption_watts',
  ) =>
    results.some((device) => device[metric] === null)
      ? null
      : results.reduce((total, device) => total + (device[metric] ?? 0), 0);
  const temperatures = results.flatMap((device) => device.temperature_centigrade ?? []);
  return {
    machine_uuid: machineUuid,
    config_id: '11111111-2222-5333-8444-555555555555',
    location: 'SE',
    gpu_vendor: devices[0]?.vendor ?? 'nvidia',
    gpu_count: devices.length,
    cpu_info: {
      cpu_count: 64,
      arch: 'x86_64',
      os: 'Debian 13',
      hardware_vendor: 'Supermicro',
      hardware_model: 'SYS-821GE',
      processor_brand: 'Xeon Platinum 8480C',
      virtualization: null,
    },
    gpu_info: results.map((device) => ({
      name: device.gpu_model,
      total_memory: 85_520_809_984,
      driver_version: '580.65.06',
      cuda_version: '13.0',
      pci_info: { generation_max: 5, generation_current: 5, link_width_max: 16, link_width_current: 16 },
    })),
    ram_info: {
      total_memory: 2_199_023_255_552,
      memory_module_count: 32,
      memory_module_type: 'DDR5',
      memory_module_speed: '4800',
    },
    disk_info: [
      {
        name: 'nvme0n1',
        model: 'PM1743',
        rota: false,
        size: 7.68e12,
        type: 'NVMe',
        mountpoints: ['/'],
        read_speed: 6000,
        write_speed: 4000,
      },
      {
        name: 'sda',
        model: 'Boot',
        rota: false,
        size: 480e9,
        type: 'disk',
        mountpoints: [],
        read_speed: null,
        write_speed: null,
      },
    ],
    network_info: { download_speed_mbps: '9400', upload_speed_mbps: null, open_ports: '22', machine_ip: '10.1.2.3' },
    benchmark_results: {
      quick_mark: {
        test_results: results,
        aggregate_results: {
          gpu_id: 'aggregate',
          fp32_tflops: sum('fp32_tflops'),
          fp16_tflops: sum('fp16_tflops'),
          bf16_tflops: sum('bf16_tflops'),
          memory_bandwidth_gbs: sum('memory_bandwidth_gbs'),
          power_consumption_watts: sum('power_consumption_watts'),
          temperature_centigrade: temperatures.length === results.length ? Math.max(...temperatures) : null,
          ...aggregateEngines(results, ['bf16_tflops']),
        },
      },
    },
  };
}

export const H100 = 'NVIDIA H100 80GB HBM3';

function deviceResult(device: Device, index: number): QuickMarkTestResult {
  const { model = H100, vendor = 'nvidia', bf16 = 715, memory = 3000, watts = 640, celsius = 61 } = device;
  const { load = 'sustained' } = device;
  const isA100 = model.includes('A100');
  const { copies = isA100 ? 25 : 52 } = device;
  return {
    gpu_id: `GPU-${index}`,
    gpu_model: model,
    // An A100 has less than half of an H100 in fp32.
    fp32_tflops: isA100 ? 19 : 51,
    fp32_cuda_core_tflops: isA100 ? 18 : 50,
    fp16_tflops: isA100 ? 260 : 670,
    bf16_tflops: bf16,
    fp8_tflops: null,
    mixed_precision_tflops: isA100 ? 250 : 640,
    memory_bandwidth_gbs: memory,
    l2_bandwidth_gbs: 5500,
    host_to_device_bandwidth_gbs: copies,
    device_to_host_bandwidth_gbs: copies,
    kernel_launch_overhead_us: 3.1,
    power_consumption_watts: watts,
    temperature_centigrade: celsius,
    energy_consumption_wh: 4.4,
    vendor,
    engine: device.engine ?? 'own',
    gemm: Object.fromEntries(
      gemmMetrics.map((metric) => [
        metric,
        {
          engine: device.engine ?? 'own',
          fraction_of_spec_peak: null,
          spec_peak_tflops: null,
          ...(load === null ? {} : { load }),
        },
      ]),
    ),
    simulated: device.simulated ?? false,
    unavailable: { fp8_tflops: 'not built into this runner' },
    details: {},
  };
}
