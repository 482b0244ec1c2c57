import { createHash } from 'node:crypto';
import type { Judgement } from '../../../../coordinator/contract/judgement.ts';
import { quickMarkResults } from '../../../../coordinator/contract/quick-mark.ts';
import { jobJudgement } from '../../../../coordinator/figures/findings/job-judgement.ts';
import { nodeJudgement } from '../../../../coordinator/figures/findings/node-judgement.ts';
import { taskJudgement } from '../../../../coordinator/figures/findings/task-judgement.ts';
import { cardOutliers } from '../../../../coordinator/lifecycle/summary/card-outliers.ts';
import { networkFindings } from '../../../../coordinator/network/results/network-findings.ts';
import { judgeResults } from '../../../../coordinator/figures/judge-results.ts';
import type { MachineInventory } from '../../../../coordinator/contract/inventory.ts';
import type {
  ReportJob,
  ReportNetwork,
  ReportNode,
  ReportResult,
} from '../../../../coordinator/reports/report-model.ts';

export const customer = { id: '1847032911563124001', name: 'Example Compute GmbH' };

export const job: ReportJob = {
  id: '1847032911563124736',
  name: 'acceptance rack 7',
  description: '',
  state: 'completed',
  tags: ['acceptance', 'rack-7'],
  benchmarks: ['quick_mark'],
  nodeCount: 1,
  createdAt: '2026-11-21T11:00:00.000Z',
  startedAt: '2026-11-21T11:00:20.000Z',
  endedAt: '2026-11-21T11:01:02.000Z',
};

/** A QuickMark result as stored: judged. The key is derived, so different results have different keys. */
export function quickMark(given: Record<string, unknown> | null, overrides: Partial<ReportResult> = {}): ReportResult {
  const parsed = quickMarkResults.safeParse(given);
  const results = parsed.success ? { ...judgeResults(parsed.data) } : given;
  return {
    benchmarkId: 'quick_mark',
    benchmarkName: 'QuickMark',
    attempt: 1,
    state: 'completed',
    startedAt: '2026-11-21T11:00:30.000Z',
    endedAt: '2026-11-21T11:00:49.350Z',
    receivedAt: '2026-11-21T11:00:50.000Z',
    late: false,
    errorMessage: null,
    resultKey: createHash('sha256').update(JSON.stringify(given)).digest('hex'),
    config: null,
    results,
    ...overrides,
  };
}

export const inventory: MachineInventory = {
  machine_uuid: '5f0c6f0e-7d5c-5b6a-9f0e-2b9a8a1f3c11',
  config_id: '0b1d2c3e-1111-5222-8333-944455556666',
  location: 'DE',
  gpu_vendor: 'cpu',
  gpu_count: 1,
  cpu_info: {
    cpu_count: 2,
    arch: 'x64',
    os: 'Debian GNU/Linux 12',
    hardware_vendor: null,
    hardware_model: null,
    processor_brand: 'AMD EPYC 9B14',
    virtualization: 'kvm',
  },
  gpu_info: [],
  ram_info: {
    total_memory: 25_276_510_208,
    memory_module_count: null,
    memory_module_type: null,
    memory_module_speed: null,
  },
  disk_info: [
    {
      name: 'vda',
      model: null,
      rota: false,
      size: 68_719_476_736,
      type: null,
      mountpoints: ['/'],
      read_speed: 812.4,
      write_speed: 640.1,
    },
  ],
  network_info: { download_speed_mbps: null, upload_speed_mbps: null, open_ports: '2', machine_ip: '10.0.0.17' },
};

export function node(overrides: Partial<ReportNode> = {}): ReportNode {
  const one: Omit<ReportNode, 'judgement'> = {
    taskId: '1847032911563125000',
    machineUuid: inventory.machine_uuid,
    hostname: 'node-17.example.net',
    machineIp: '10.0.0.17',
    state: 'completed',
    failedMessage: null,
    warnings: [],
    simulated: false,
    agentVersion: '0.1.0+e08e6f6',
    createdAt: '2026-11-21T11:00:20.000Z',
    startedAt: '2026-11-21T11:00:22.000Z',
    endedAt: '2026-11-21T11:01:00.000Z',
    inventory,
    results: [],
    performance: null,
    site: nowhere,
    ...overrides,
  };
  return { ...one, judgement: overrides.judgement ?? judgedNode(one) };
}

/** As the coordinator judges a node that delivered these results. */
function judgedNode({ state, failedMessage, warnings, results }: Omit<ReportNode, 'judgement'>): Judgement {
  const measured = quickMarkResults.safeParse(results.find((one) => one.benchmarkId === 'quick_mark')?.results).data;
  return taskJudgement({
    state,
    failed_message: failedMessage,
    warnings,
    judgement: measured === undefined ? null : nodeJudgement(measured),
    device_ids: measured?.test_results.map(({ gpu_id }) => gpu_id) ?? [],
  });
}

/** As the coordinator judges a job at its end. */
export function judgedJob(nodes: readonly ReportNode[], network: ReportNetwork | null = null): Judgement {
  const own = nodes.map(({ judgement }) => judgement);
  const numberOf = (taskId: string): number | null => {
    const number = nodes.findIndex((one) => one.taskId === taskId);
    return number === -1 ? null : number;
  };
  const results = nodes.flatMap(({ taskId, results: list }) =>
    list.flatMap(({ results: stored }) => {
      const parsed = quickMarkResults.safeParse(stored).data;
      return parsed === undefined ? [] : [{ task_id: taskId, machine_uuid: '', late: false, results: parsed }];
    }),
  ) as unknown as Parameters<typeof cardOutliers>[0];
  const ofLinks =
    network === null
      ? []
      : networkFindings(
          { outcome: 'completed', message: null, summary: network.results },
          // The nodes of a made-up run are those of the job, in its order.
          (taskId) => network.results.nodes.find(({ task_id }) => task_id === taskId)?.node ?? null,
        );
  const bad = ofLinks.filter(({ rule, grade }) => rule === 'network_link' && grade === 'bad').length;
  const links = network === null ? {} : { links: { of: network.results.links_planned, bad, check: 0 } };
  return jobJudgement(own, { findings: [...ofLinks, ...cardOutliers(results, own, numberOf)], ...links });
}

/** A machine of which nobody said where it stands, and that is not a product. */
const nowhere: ReportNode['site'] = {
  place: null,
  reason: "the machine's location is not known",
  product: null,
  price: null,
};
