import { randomUUID } from 'node:crypto';
import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import { resultKey } from '../../../coordinator/contract/result-key.ts';
import { upload, type Device } from '../../coordinator/jobs/upload.ts';
import type { Attack, Finding } from '../attack.ts';
import type { Site } from '../site.ts';
import type { Tenant } from '../tenant.ts';

/** Eight were enough to be what one expects of a model. */
const MACHINES = 8;
/** TFLOP/s of an H100, published as 989.4. */
const GOOD = 700;
const SLOW = 350;

interface Metric {
  metric: string;
  expected: number | null;
  basis: string;
}
interface Job {
  id: string;
  state: string;
  performance: { status: string; metrics: Metric[] };
  scoreboard_summary: { rank: number; of: number } | null;
  quickmark_aggregate_results: Record<string, number | null>;
}

/** Makes machines up, so that others' good cards look slow and slow ones fast, and its own stand first. */
export const attack: Attack = {
  long: 'each made-up machine is a job with reports; test/coordinator/jobs/poisoned-peers.test.ts asks the same of the API',
  title: "shift what is expected of everybody's cards by made-up machines, and stand first in the ranking",
  run: async (site) => {
    const before = await judgedAs(site.innocent);
    const findings: Finding[] = [];
    // 1,080 is within the published band: only the number of customers keeps it out.
    for (const bf16 of site.short ? [3000] : [3000, 100, 1080]) {
      const made = await Promise.all(Array.from({ length: MACHINES }, () => measure(site.hostile, { bf16 })));
      const after = await judgedAs(site.innocent);
      findings.push({
        tried: `${MACHINES} made-up machines of ${bf16} TFLOP/s`,
        answer: `the innocent's cards: ${after}; before: ${before}`,
        held: after === before,
      });
      if (bf16 === 3000) findings.push(ranking(made));
    }
    findings.push(await forgedSum(site), await beyondBound(site), ...(await places(site)));
    return findings;
  },
};

/** What the coordinator says of a good card and of one at half speed. */
async function judgedAs(tenant: Tenant): Promise<string> {
  const [good, slow] = [await measure(tenant, { bf16: GOOD }), await measure(tenant, { bf16: SLOW })];
  return [good, slow]
    .map(({ performance: { status, metrics } }) => {
      const { expected, basis } = metrics.find(({ metric }) => metric === 'bf16_tflops') ?? {
        expected: null,
        basis: '',
      };
      return `${status} (expected ${expected}, ${basis})`;
    })
    .join(', ');
}

function ranking(made: readonly Job[]): Finding {
  const ranked = made.filter((job) => job.scoreboard_summary !== null).length;
  const marked = made.filter((job) => job.state === 'completed_with_warnings').length;
  return {
    tried: 'a rank for figures above the published peak',
    answer: `${ranked} of ${made.length} ranked, ${marked} marked`,
    held: ranked === 0 && marked === made.length,
  };
}

async function forgedSum({ hostile }: Site): Promise<Finding> {
  const job = await measure(hostile, { bf16: GOOD }, { bf16_tflops: 900_000 });
  const shown = job.quickmark_aggregate_results['bf16_tflops'];
  return { tried: 'a node sum of 900,000 beside a device of 700', answer: `${shown} shown`, held: shown === GOOD };
}

async function beyondBound({ hostile }: Site): Promise<Finding> {
  const answer = await deliver(hostile, { bf16: 1e12 });
  return { tried: 'a figure of 1e12 TFLOP/s', answer: `${answer.status}`, held: answer.status === 400 };
}

/** Many jobs of one customer, each a little above the innocent's, push it down by one place at most. */
async function places(site: Site): Promise<Finding[]> {
  const jobs = site.short ? 5 : 50;
  const model = 'NVIDIA H100 NVL';
  const mine = await measure(site.innocent, { model, bf16: GOOD });
  for (let n = 0; n < jobs; n += 1) await measure(site.hostile, { model, bf16: GOOD + 20 + n });
  const { scoreboard_summary: place } = await jobOf(site.innocent, mine.id);
  const tried = `${jobs} jobs of one customer above the innocent's in the ranking`;
  return [{ tried, answer: `rank ${place?.rank} of ${place?.of}`, held: place?.rank === 2 && place.of === 2 }];
}

async function measure(tenant: Tenant, device: Device, sums: Record<string, number> = {}): Promise<Job> {
  const { status, jobId, complete } = await deliver(tenant, device, sums);
  if (status !== 200) throw new Error(`the results were refused: ${status}`);
  await complete();
  return jobOf(tenant, jobId);
}

const jobOf = async (tenant: Tenant, id: string): Promise<Job> =>
  (await tenant.call('GET', `/api/gpu-mark/v1/jobs/${id}`)).body as Job;

/** A job of one node, from its creation to the delivery of its figures. */
async function deliver(tenant: Tenant, device: Device, sums: Record<string, number> = {}) {
  const created = await tenant.call('POST', '/api/gpu-mark/v1/jobs', {
    body: { name: `peers ${randomUUID()}`, benchmarks: ['quick_mark'] },
  });
  const { id: jobId, token } = created.body as { id: string; token: string };
  const machine_uuid = randomUUID();
  const registered = await tenant.call('POST', agentPaths.register, {
    bearer: token,
    body: { machine_uuid, session_id: randomUUID(), agent_version: 'attack', protocol_version: 1 },
  });
  if (registered.status !== 200) throw new Error(`the node was refused: ${JSON.stringify(registered.body)}`);
  const { task_id, epoch, task_secret } = registered.body as { task_id: string; epoch: number; task_secret?: string };
  const headers: Record<string, string> = task_secret === undefined ? {} : { 'x-task-secret': task_secret };
  const post = (path: string, body: unknown) => tenant.call('POST', path, { bearer: token, headers, body });
  await post(agentPaths.heartbeat, { task_id, epoch, phase: 'measuring' });
  const payload = upload(machine_uuid, [{ engine: 'vendor', copies: null, ...device }]);
  Object.assign(payload.benchmark_results.quick_mark.aggregate_results, sums);
  const keyed = { machine_uuid, benchmark_id: 'quick_mark', attempt: 1, payload };
  const now = Date.now();
  const { status } = await post(agentPaths.results, {
    ...keyed,
    task_id,
    epoch,
    result_key: resultKey(jobId, keyed),
    state: 'completed',
    started_at: new Date(now - 20_000).toISOString(),
    ended_at: new Date(now).toISOString(),
    error_message: null,
    warnings: [],
  });
  return { status, jobId, complete: () => post(agentPaths.complete, { task_id, epoch, warnings: [] }) };
}
