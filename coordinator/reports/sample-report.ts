import { createHash } from 'node:crypto';
import { quickMarkResults } from '../contract/quick-mark.ts';
import { aggregateFigures } from '../figures/aggregate-figures.ts';
import { jobJudgement } from '../figures/findings/job-judgement.ts';
import { nodeJudgement } from '../figures/findings/node-judgement.ts';
import { taskJudgement } from '../figures/findings/task-judgement.ts';
import { judgeResults } from '../figures/judge-results.ts';
import { renderInWorker } from './render-in-worker.ts';
import type { JobReport, ReportNode } from './report-model.ts';

let made: Promise<Buffer> | null = null;

/** The PDF of `sampleReport`, rendered once per process; a failure is tried again by the next caller. */
export function samplePdf(): Promise<Buffer> {
  made ??= renderInWorker(sampleReport()).catch((error: unknown) => {
    made = null;
    throw error;
  });
  return made;
}

const NODES = 2;
const GPUS = 8;
/** The card with a fault: its clock is held down. */
const SLOW = { node: 1, gpu: 7, share: 0.88 };

/** About what an H100 SXM reaches, and how far cards and samples differ. Invented, and marked as simulated on each page. */
const figures = {
  fp32_tflops: [345, 0.004],
  fp32_cuda_core_tflops: [50.2, 0.003],
  fp16_tflops: [662, 0.005],
  bf16_tflops: [677, 0.005],
  fp8_tflops: [1280, 0.006],
  mixed_precision_tflops: [655, 0.005],
  memory_bandwidth_gbs: [3017, 0.0008],
  l2_bandwidth_gbs: [7977, 0.001],
  host_to_device_bandwidth_gbs: [54.9, 0.001],
  device_to_host_bandwidth_gbs: [55.2, 0.001],
  kernel_launch_overhead_us: [3.49, 0.02],
  power_consumption_watts: [690, 0.004],
  temperature_centigrade: [62, 0.03],
  energy_consumption_wh: [7.86, 0.01],
} as const satisfies Record<string, readonly [value: number, spread: number]>;
/** Read from the card, not sampled by a benchmark. */
const READ = new Set(['power_consumption_watts', 'temperature_centigrade', 'energy_consumption_wh']);

/** A job of sixteen simulated cards, one of them with a fault: what a report looks like before anybody has measured. */
export function sampleReport(): JobReport {
  const nodes = Array.from({ length: NODES }, (_, node) => nodeOf(node));
  return {
    kind: 'job',
    customer: { id: '1', name: 'Sample' },
    job: {
      id: '1',
      name: 'sample of two nodes with eight GPUs',
      description: 'Simulated figures, to show a report.',
      state: 'completed_with_warnings',
      tags: [],
      benchmarks: ['quick_mark'],
      nodeCount: NODES,
      createdAt: '2026-11-21T14:02:00.000Z',
      startedAt: '2026-11-21T14:02:10.000Z',
      endedAt: '2026-11-21T14:03:06.000Z',
    },
    warnings: [],
    nodes,
    results: [],
    network: null,
    performance: null,
    judgement: jobJudgement(
      nodes.map(({ judgement }) => judgement),
      { findings: [] },
    ),
    scoreboard: null,
  };
}

function nodeOf(node: number): ReportNode {
  const test_results = Array.from({ length: GPUS }, (_, gpu) => deviceOf(node, gpu));
  const measured = { tier: 'quick', test_results, aggregate_results: aggregateFigures(test_results) };
  const results = judgeResults(quickMarkResults.parse(measured));
  const uuid = `00000000-0000-4000-8000-00000000000${node}`;
  return {
    taskId: String(node + 1),
    machineUuid: uuid,
    hostname: `gpu-00${node + 1}`,
    machineIp: null,
    state: 'completed',
    failedMessage: null,
    warnings: [],
    judgement: taskJudgement({
      state: 'completed',
      failed_message: null,
      warnings: [],
      judgement: nodeJudgement(results),
      device_ids: results.test_results.map(({ gpu_id }) => gpu_id),
    }),
    simulated: true,
    agentVersion: 'sample',
    createdAt: '2026-11-21T14:02:10.000Z',
    startedAt: '2026-11-21T14:02:11.000Z',
    endedAt: '2026-11-21T14:03:05.000Z',
    inventory: inventoryOf(uuid),
    results: [
      {
        benchmarkId: 'quick_mark',
        benchmarkName: 'QuickMark',
        attempt: 1,
        state: 'completed',
        startedAt: '2026-11-21T14:02:12.000Z',
        endedAt: '2026-11-21T14:03:04.000Z',
        receivedAt: '2026-11-21T14:03:05.000Z',
        late: false,
        errorMessage: null,
        resultKey: createHash('sha256').update(JSON.stringify(results)).digest('hex'),
        config: null,
        results,
      },
    ],
    performance: null,
    site: { place: null, reason: 'the machine’s location is not known', product: null, price: null },
  };
}

function deviceOf(node: number, gpu: number) {
  const isSlow = node === SLOW.node && gpu === SLOW.gpu;
  const values = {} as Record<keyof typeof figures, number>;
  const details: Record<string, unknown> = {};
  for (const [at, [name, [value, spread]]] of Object.entries(figures).entries()) {
    const metric = name as keyof typeof figures;
    // From -1 to 1, the same at every call.
    const place = (((node * GPUS + gpu) * 5 + at * 3) % 17) / 8 - 1;
    const median = value * (1 + place * spread) * (isSlow && metric.endsWith('tflops') ? SLOW.share : 1);
    values[metric] = median;
    details[metric] = READ.has(metric)
      ? { unit: 'W', verified: null, source: 'device counter' }
      : {
          unit: 'x',
          stats: statsAround(median),
          verified: true,
          ...(metric.endsWith('tflops') ? { load: 'sustained', engine: 'vendor' } : {}),
        };
  }
  return {
    gpu_id: `GPU-0000000${node}-0000-4000-8000-00000000000${gpu}`,
    gpu_model: 'NVIDIA H100 80GB HBM3',
    ...values,
    vendor: 'nvidia',
    engine: 'vendor',
    simulated: true,
    unavailable: {},
    details,
  } as const;
}

const statsAround = (median: number) => ({
  n: 24,
  min: median * 0.994,
  p5: median * 0.996,
  median,
  p95: median * 1.003,
  max: median * 1.004,
  cv: 0.0021,
});

const inventoryOf = (uuid: string): ReportNode['inventory'] => ({
  machine_uuid: uuid,
  config_id: '00000000-0000-5000-8000-000000000000',
  location: null,
  gpu_vendor: 'nvidia',
  gpu_count: GPUS,
  cpu_info: {
    cpu_count: 224,
    arch: 'x64',
    os: 'Debian GNU/Linux 12',
    hardware_vendor: null,
    hardware_model: null,
    processor_brand: 'Intel(R) Xeon(R) Platinum 8480C',
    virtualization: null,
  },
  gpu_info: Array.from({ length: GPUS }, () => ({
    name: 'NVIDIA H100 80GB HBM3',
    total_memory: 85_520_809_984,
    driver_version: '580.159.04',
    cuda_version: '13.0',
    pci_info: { generation_max: 5, generation_current: 5, link_width_max: 16, link_width_current: 16 },
  })),
  ram_info: {
    total_memory: 2_164_663_517_184,
    memory_module_count: null,
    memory_module_type: null,
    memory_module_speed: null,
  },
  disk_info: [],
  network_info: { download_speed_mbps: null, upload_speed_mbps: null, open_ports: null, machine_ip: null },
});
