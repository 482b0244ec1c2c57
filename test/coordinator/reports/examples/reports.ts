import { readFileSync } from 'node:fs';
import type { Performance } from '../../../../coordinator/contract/performance.ts';
import type { JobReport, ReportNode, TaskReport } from '../../../../coordinator/reports/report-model.ts';
import { customer, inventory, job, node, quickMark, judgedJob } from './parts.ts';
import { simulatedNode } from './simulated-gpus.ts';

/** A real upload of the runner's CPU backend. */
const cpuFile = new URL('../../../golden/reports/cpu-quick-mark.json', import.meta.url);
export const cpuResults = (): Record<string, unknown> => JSON.parse(readFileSync(cpuFile, 'utf8'));

export const cpuTask = (): TaskReport => ({
  kind: 'task',
  customer,
  job,
  node: node({ results: [quickMark(cpuResults())] }),
});

export const simulatedTask = (): TaskReport => ({
  kind: 'task',
  customer,
  job: { ...job, name: 'simulated node of eight' },
  node: node({ ...gpuNode(7, 0.88), performance: expectation(0.93) }),
});

/** Nothing could be measured, and the runner said why. */
export function nullTask(): TaskReport {
  const results = JSON.parse(JSON.stringify(cpuResults()), (key, value) =>
    typeof value === 'number' && /_(tflops|gbs|us|watts|centigrade|wh)$/.test(key) ? null : value,
  );
  const [device] = results.test_results;
  const metrics = Object.keys(device).filter((key) => /_(tflops|gbs|us|watts|centigrade|wh)$/.test(key));
  device.details = {};
  device.unavailable = Object.fromEntries(metrics.map((metric) => [metric, `the runner was stopped before ${metric}`]));
  return { kind: 'task', customer, job, node: node({ results: [quickMark(results)] }) };
}

export const failedTask = (): TaskReport => ({
  kind: 'task',
  customer,
  job: { ...job, state: 'failed' },
  node: node({ state: 'failed', failedMessage: 'No usable device: libcuda.so.1 is not installed', inventory: null }),
});

/** Names as people give them: long, in many scripts, with what no font of ours has. */
export function unicodeTask(): TaskReport {
  const report = cpuTask();
  const long = `Ελληνική Εταιρεία Υπολογιστών Κεφαλαίου και Επενδύσεων ${'Ανώνυμη '.repeat(30)}`;
  report.customer = { ...customer, name: long };
  report.job = {
    ...job,
    name: 'Приёмка стойки → 演算基盤 №7 ✓ µ±',
    description: `${'x'.repeat(300)} שלום ${'wort '.repeat(40)}`,
    tags: Array.from({ length: 10 }, (_, index) => `${'taglängstmöglich-'.repeat(3)}${index}`.slice(0, 50)),
  };
  const { judgement: _before, ...rest } = report.node;
  report.node = node({
    ...rest,
    hostname: `${'sehr-langer-rechnername.'.repeat(10)}example`,
    warnings: [
      '温度が高い: 92 °C',
      'A very long warning. '.repeat(24),
      'evil \u202Eoverride\u0007 bell',
      '\uD800 lone',
    ],
    inventory: {
      ...inventory,
      disk_info: Array.from({ length: 60 }, (_, index) => ({
        name: `nvme${index}n1`,
        model: 'モデル '.repeat(20),
        rota: null,
        size: 3.84e12,
        type: null,
        mountpoints: Array.from({ length: 20 }, (_, mount) => `/data/${index}/${mount}`),
        read_speed: null,
        write_speed: null,
      })),
    },
  });
  return report;
}

/** 256 nodes of eight devices; a few slow, one failed, one lost. */
export function largeJob(count = 256): JobReport {
  const nodes = Array.from({ length: count }, (_, index): ReportNode => {
    const name = `gpu-${String(index + 1).padStart(3, '0')}.cluster.example.net`;
    const common = {
      taskId: String(1_847_032_911_563_200_000n + BigInt(index)),
      hostname: name,
      machineUuid: `uuid-${index}`,
    };
    if (index === 41) return node({ ...common, state: 'lost', simulated: true, inventory: null, endedAt: null });
    if (index === 97) {
      return node({
        ...common,
        state: 'failed',
        simulated: true,
        failedMessage: 'GPU 3 fell off the bus (Xid 79)',
        inventory: null,
      });
    }
    return node({
      ...gpuNode(index + 1, index % 60 === 5 ? 0.88 : 1, index === 100 || index === 200 ? 0.87 : 1),
      ...common,
    });
  });
  return {
    kind: 'job',
    customer,
    job: { ...job, state: 'completed_with_warnings', name: 'simulated cluster', nodeCount: count + 2 },
    warnings: [],
    nodes,
    results: [
      quickMark(
        { avg_bandwidth_gbps: 391.2, avg_latency: 3.4, min_bandwidth_gbps: 211, total_links_tested: 510 },
        {
          benchmarkId: 'cluster_network',
          benchmarkName: 'Cluster network',
        },
      ),
    ],
    performance: expectation(0.99),
    judgement: judgedJob(nodes),
    network: null,
    scoreboard: null,
  };
}

function gpuNode(seed: number, slowest: number, scale = 1): Partial<ReportNode> {
  return {
    simulated: true,
    hostname: `gpu-${String(seed).padStart(3, '0')}`,
    results: [quickMark(simulatedNode(seed, 8, slowest, scale))],
    inventory: {
      ...inventory,
      gpu_vendor: 'nvidia',
      gpu_count: 8,
      gpu_info: Array.from({ length: 8 }, () => ({
        name: 'NVIDIA H100 80GB HBM3',
        total_memory: 85_520_809_984,
        driver_version: '580.65.06',
        cuda_version: '13.0',
        pci_info: { generation_max: 5, generation_current: 5, link_width_max: 16, link_width_current: 16 },
      })),
    },
  };
}

export function expectation(ratio: number): Performance {
  return {
    status: ratio < 0.95 ? 'underperforming' : 'nominal',
    score: Math.round(ratio * 1000) / 10,
    score_by: 'bf16_tflops',
    metrics: [
      {
        metric: 'bf16_tflops',
        value: 5720 * ratio,
        expected: 5720,
        ratio,
        percentile: 4,
        sample_size: 12,
        basis: 'peers',
      },
      {
        metric: 'memory_bandwidth_gbs',
        value: 23_600,
        expected: 23_450,
        ratio: 1.0064,
        percentile: 61,
        sample_size: 12,
        basis: 'peers',
      },
      {
        metric: 'fp8_tflops',
        value: 10_480,
        expected: 15_832,
        ratio: 0.662,
        percentile: null,
        sample_size: 0,
        basis: 'spec',
        not_judged: "only the data sheet's peak is known for this model; no healthy card has been measured by us",
      },
      {
        metric: 'l2_bandwidth_gbs',
        value: 44_080,
        expected: null,
        ratio: null,
        percentile: null,
        sample_size: 0,
        basis: 'none',
      },
    ],
  };
}
