import { quickMarkResults, type QuickMarkResults } from '../../../../coordinator/contract/quick-mark.ts';
import type { JobReport, ReportNetwork, ReportNode } from '../../../../coordinator/reports/report-model.ts';
import { faults as healthFaults } from '../../figures/health-faults.ts';
import { nodeWith, type Fault } from '../../figures/ill-node.ts';
import { fullMatrix } from './bandwidth-cells.ts';
import { networkRun } from './network-runs.ts';
import { customer, inventory, job, judgedJob, node, quickMark } from './parts.ts';
import { cpuResults } from './reports.ts';
import { simulatedNode } from './simulated-gpus.ts';

/** What is wrong with a rack, by the number of its node and card. */
interface Ills {
  /** "node/card" -> share of the rate of its products */
  slow?: Record<string, number>;
  /** "node/card" -> fault of its health */
  ill?: Record<string, Fault>;
  /** "node/card" -> metric that could not be measured, with its reason */
  missing?: Record<string, [metric: 'fp8_tflops' | 'l2_bandwidth_gbs', reason: string]>;
  /** node -> pair of cards whose copy is bad */
  copies?: Record<number, [from: number, to: number]>;
  network?: ReportNetwork | null;
  ends?: Record<number, Partial<ReportNode>>;
  state?: JobReport['job']['state'];
}

/**
 * A job of nodes with so many cards each, stored as the coordinator stores it. The figures are made up, and every page says
 * SIMULATED.
 */
export function rack(nodeCount: number, cards: number, ills: Ills = {}): JobReport {
  const nodes = Array.from({ length: nodeCount }, (_, index): ReportNode => {
    // As the made-up networks call them.
    const name = `gpu-${String(index + 1).padStart(3, '0')}`;
    const common = { taskId: String(1_847_032_911_563_200_000n + BigInt(index)), hostname: name, simulated: true };
    const ended = ills.ends?.[index];
    if (ended !== undefined) return node({ ...common, inventory: null, ...ended });
    const results = nodeResults(index, cards, ills);
    return node({
      ...common,
      machineUuid: `5f0c6f0e-7d5c-5b6a-9f0e-2b9a8a1f${String(index).padStart(4, '0')}`,
      results: [quickMark(results)],
      inventory: { ...inventory, gpu_vendor: 'nvidia', gpu_count: cards },
    });
  });
  const network = ills.network ?? null;
  return {
    kind: 'job',
    customer,
    job: {
      ...job,
      name: `rack of ${nodeCount} x ${cards}`,
      nodeCount,
      state: ills.state ?? 'completed',
      benchmarks: network === null ? ['quick_mark'] : ['quick_mark', 'cluster_network'],
    },
    warnings: [],
    nodes,
    results: [],
    network,
    performance: null,
    judgement: judgedJob(nodes, network),
    scoreboard: null,
  };
}

function nodeResults(index: number, cards: number, ills: Ills): QuickMarkResults {
  const results = quickMarkResults.parse(simulatedNode(index + 1, cards));
  const healthy = nodeWith([], cards);
  results.node_signals = healthy.node_signals;
  results.test_results.forEach((device, card) => {
    const place = `${index}/${card}`;
    device.gpu_id = `GPU-${String(index).padStart(4, '0')}${String(card).padStart(4, '0')}-5b6a-9f0e-2b9a-8a1f3c110000`;
    const scale = ills.slow?.[place] ?? 1;
    for (const metric of ['fp32_tflops', 'fp16_tflops', 'bf16_tflops', 'fp8_tflops', 'mixed_precision_tflops'] as const)
      if (device[metric] !== null) {
        device[metric] *= scale;
        device.details[metric] = { ...(device.details[metric] as object | undefined), engine: 'vendor' };
      }
    const fault = ills.ill?.[place];
    // The builder of ill nodes puts its fault on the first card.
    const facts = (fault === undefined ? healthy.test_results[card] : nodeWith([fault], cards).test_results[0])
      ?.details;
    for (const [metric, told] of Object.entries(facts ?? {}))
      device.details[metric] = { ...(told as object), ...(device.details[metric] as object | undefined) };
    const missing = ills.missing?.[place];
    if (missing === undefined) return;
    device[missing[0]] = null;
    device.unavailable = { ...device.unavailable, [missing[0]]: missing[1] };
  });
  const ids = results.test_results.map(({ gpu_id }) => gpu_id);
  if (cards > 1) {
    const [from, to] = ills.copies?.[index] ?? [];
    results.aggregate_results.gpu_bandwidth_matrix = fullMatrix(ids).map((cell) =>
      from !== undefined && to !== undefined && cell.source_gpu === ids[from] && cell.target_gpu === ids[to]
        ? { ...cell, simplex_gbs: 288.4, verdict: 'bad', reason: 'peers: 26.6 % below the other pairs over NVLink x18' }
        : cell,
    );
  }
  return results;
}

const fault = (rule: string): Fault => {
  const found = healthFaults[rule];
  if (found === undefined) throw new Error(`no fault of the rule ${rule}`);
  return found;
};

/** One of every kind of run that a report is made of. */
export const runs: Record<string, () => JobReport> = {
  'healthy card': () => rack(1, 1),
  'healthy node of 8': () => rack(1, 8),
  'healthy rack of 64': () => rack(8, 8, { network: networkRun(8) }),
  'slow card among 8': () => rack(1, 8, { slow: { '0/7': 0.85 } }),
  'failed row remapping': () => rack(1, 8, { ill: { '0/2': fault('row_remap_failed') } }),
  'ECC off on one card': () => rack(1, 1, { ill: { '0/0': fault('ecc_off') } }),
  'bad copy': () => rack(1, 8, { copies: { 0: [3, 5] } }),
  'figure not measured': () =>
    rack(1, 8, { missing: { '0/1': ['fp8_tflops', 'out of memory: 1,234,567,890 bytes were asked for'] } }),
  'slow link in a rack': () => rack(8, 8, { network: networkRun(8, { faults: { link: { '1-0': 0.3 } } }) }),
  'rack of 64 with three faults': () =>
    rack(8, 8, {
      network: networkRun(8, { faults: { tx: { 6: 0.41 } } }),
      slow: { '6/7': 0.885 },
      ill: { '3/2': fault('row_remap_failed') },
      copies: { 1: [0, 1] },
    }),
  'lost and failed nodes': () =>
    rack(4, 8, {
      ends: {
        1: { state: 'lost', endedAt: null },
        3: { state: 'failed', failedMessage: 'GPU 3 fell off the bus (Xid 79)' },
      },
      state: 'completed_with_warnings',
    }),
  processor: () => one(node({ results: [quickMark(cpuResults())] }), {}),
  failed: () =>
    one(node({ state: 'failed', failedMessage: 'No usable device: libcuda.so.1 is not installed', inventory: null }), {
      state: 'failed',
    }),
  unfinished: () => ({ ...rack(2, 8, { ends: { 1: { state: 'running', endedAt: null } }, state: 'running' }) }),
  'rack of 256': () =>
    rack(256, 8, {
      slow: { '17/3': 0.85, '200/0': 0.9 },
      ill: { '99/6': fault('row_remap_failed') },
      ends: { 41: { state: 'lost', endedAt: null } },
      state: 'completed_with_warnings',
    }),
};

function one(only: ReportNode, changed: Partial<JobReport['job']>): JobReport {
  const report = rack(0, 0);
  return {
    ...report,
    job: { ...job, ...changed, nodeCount: 1 },
    nodes: [only],
    judgement: judgedJob([only]),
  };
}
