import type { Renderer } from '../../../agent/ui/renderer.ts';
import type { EventOf, RunEvent } from '../../../agent/run/run-event.ts';
import { noGemm } from './no-gemm.ts';
import { scriptedSummary } from './scripted-summary.ts';

const word = null;
const inventory = {
  machine_uuid: '11111111-1111-5111-8111-111111111111',
  config_id: '22222222-2222-5222-8222-222222222222',
  location: 'NL',
  gpu_vendor: 'nvidia' as const,
  gpu_count: 2,
  cpu_info: {
    cpu_count: 128,
    arch: 'x64',
    os: 'Debian GNU/Linux 12 (bookworm)',
    hardware_vendor: 'Vendor',
    hardware_model: 'Model 1',
    processor_brand: 'A Processor With A Very Long Name Indeed 9999X 64-Core',
    virtualization: 'none',
  },
  gpu_info: [],
  ram_info: {
    total_memory: 2_163_000_000_000,
    memory_module_count: 16,
    memory_module_type: 'DDR5',
    memory_module_speed: '4800 MT/s',
  },
  disk_info: [],
  network_info: { download_speed_mbps: word, upload_speed_mbps: word, open_ports: '3', machine_ip: '10.0.0.7' },
};

const result = (
  device_id: string,
  metric: string,
  value: number | null,
  unit: string,
  rest: object = {},
): RunEvent => ({
  type: 'result',
  device_id,
  metric,
  value,
  unit,
  reason: null,
  n: 11,
  cv: 0.004,
  verified: true,
  ...noGemm,
  ...rest,
});
const phase = (device_id: string, benchmark: string, state: 'start' | 'end', index: number): EventOf<'phase'> => ({
  type: 'phase',
  device_id,
  benchmark,
  state,
  expected_seconds: 4,
  index,
  count: 4,
});

const cell = (source: string, target: string, simplex: number, duplex: number): RunEvent => ({
  type: 'cell',
  source_device_id: source,
  target_device_id: target,
  connection_type: 'NVLink x18',
  peer_access: true,
  simplex_gbs: simplex,
  duplex_gbs: duplex,
  reason: null,
});

const tf32 = {
  engine: 'vendor',
  fraction_of_spec_peak: 0.7362,
  spec_peak_tflops: 494.7,
  other_engine_tflops: 331.9,
};

/** A whole run as events, each with the milliseconds that pass before it. */
export const scriptedRun: [number, RunEvent][] = [
  [
    0,
    {
      type: 'run',
      mode: 'job',
      trace_id: scriptedSummary.trace_id,
      agent_version: '1.2.3',
      revision: 'abc',
      coordinator: 'https://gpumark.example',
      tier: 'quick',
      engine: 'auto',
    },
  ],
  [5, { type: 'step', step: 'setup', state: 'started', message: 'preparing this machine' }],
  [200, { type: 'device', device_id: 'cuda-GPU-1', name: 'NVIDIA H100 80GB HBM3', vendor: 'nvidia', simulated: false }],
  [0, { type: 'device', device_id: 'cuda-GPU-2', name: 'NVIDIA H100 80GB HBM3', vendor: 'nvidia', simulated: true }],
  [300, { type: 'inventory', inventory }],
  [150, { type: 'step', step: 'measure', state: 'started', message: 'measuring 2 devices' }],
  [100, phase('cuda-GPU-1', 'gemm_fp32', 'start', 0)],
  [2000, { type: 'telemetry', device_id: 'cuda-GPU-1', power_watts: 641.7, temperature_celsius: 61, clock_mhz: 1980 }],
  [1500, result('cuda-GPU-1', 'fp32_tflops', 364.2, 'TFLOP/s', tf32)],
  [0, phase('cuda-GPU-1', 'gemm_fp32', 'end', 0)],
  [0, phase('cuda-GPU-1', 'memory', 'start', 2)],
  [
    120,
    { type: 'notice', level: 'warning', message: 'the card slowed down:\u001b[31m too hot', remedy: 'Check the fans.' },
  ],
  [900, result('cuda-GPU-1', 'memory_bandwidth_gbs', 2971.3, 'GB/s', { cv: 0.081 })],
  [0, result('cuda-GPU-1', 'fp8_tflops', null, 'TFLOP/s', { n: null, cv: null, verified: null, reason: 'no fp8' })],
  [
    300,
    result('cuda-GPU-2', 'fp32_tflops', null, 'TFLOP/s', {
      n: null,
      cv: null,
      verified: false,
      reason: 'differs from its reference',
    }),
  ],
  [
    100,
    {
      type: 'stage',
      stage: 'together',
      state: 'start',
      device_ids: ['cuda-GPU-1', 'cuda-GPU-2'],
      expected_seconds: 8,
      count: null,
    },
  ],
  [50, { ...phase('cuda-GPU-1', 'memory', 'start', 0), together: true }],
  [
    2000,
    {
      type: 'together',
      device_id: 'cuda-GPU-1',
      metric: 'memory_bandwidth_gbs',
      unit: 'GB/s',
      value: 2899.9,
      alone: 2971.3,
      gap: 0.024,
    },
  ],
  [
    100,
    {
      type: 'stage',
      stage: 'together',
      state: 'end',
      device_ids: ['cuda-GPU-1', 'cuda-GPU-2'],
      expected_seconds: 0,
      count: null,
    },
  ],
  [
    0,
    {
      type: 'stage',
      stage: 'matrix',
      state: 'start',
      device_ids: ['cuda-GPU-1', 'cuda-GPU-2'],
      expected_seconds: 2,
      count: 2,
    },
  ],
  [900, cell('cuda-GPU-1', 'cuda-GPU-2', 391.2, 742.8)],
  [900, cell('cuda-GPU-2', 'cuda-GPU-1', 204.7, 409)],
  [
    200,
    {
      type: 'measurement',
      benchmark_id: 'quick_mark',
      state: 'completed',
      results: { quick_mark: { test_results: [{ gpu_id: 'cuda-GPU-1', fp32_tflops: 364.2 }] } },
    },
  ],
  [100, { type: 'step', step: 'upload', state: 'done', message: 'delivered' }],
  [100, scriptedSummary],
];

/** Plays it; `setTime` moves the clock of the renderer. */
export function playRun(renderer: Renderer, setTime: (elapsedMs: number) => void): void {
  const start = Date.UTC(2026, 0, 1);
  let elapsed = 0;
  for (const [delay, event] of scriptedRun) {
    elapsed += delay;
    setTime(elapsed);
    renderer.tick();
    renderer.show(event, new Date(start + elapsed));
  }
  renderer.close();
}
