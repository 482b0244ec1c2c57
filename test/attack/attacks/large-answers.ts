import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import { sizeCaps } from '../../../coordinator/contract/size-caps.ts';
import { upload } from '../../coordinator/jobs/upload.ts';
import type { Attack, Finding } from '../attack.ts';
import { createJob, joinJob, type HostileNode } from '../hostile-node.ts';
import type { Site } from '../site.ts';

const MIB = 1024 * 1024;
/** Milliseconds for one report beside the hostile tenant's, on two cores that also run this suite. */
const REPORT_MS = 45_000;

/** Answers and reports that cost everybody: results as large as they are taken, read and rendered again and again. */
export const attack: Attack = {
  title: "store results so large that reading a job, or rendering its report, stops everybody's requests",
  run: async (site) => {
    const before = await peakMegabytes(site.pid);
    const findings = [await freeJson(site)];
    const job = await largestJob(site, findings);
    await queueReports(site, findings);
    const report = innocentReport(site);
    await readAll(site, job, findings);
    findings.push(await report);
    const grown = (await peakMegabytes(site.pid)) - before;
    findings.push({
      tried: 'all of it, for its memory',
      answer: `the process grew by ${grown} MB at its peak`,
      held: grown < 900,
    });
    return findings;
  },
};

/** As it was found: twelve results with 4 MiB of text where nothing is named. */
async function freeJson({ hostile, short }: Site): Promise<Finding> {
  const count = short ? 2 : 12;
  const job = await createJob(hostile, count);
  const answers: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const node = await joinJob(hostile.call, job);
    const payload = upload(node.machineUuid);
    Object.assign(payload.benchmark_results.quick_mark.test_results[0]?.details ?? {}, {
      note: 'x'.repeat(4 * MIB - 4096),
    });
    answers.push((await node.deliver(payload)).status);
  }
  const read = await hostile.call('GET', `/api/gpu-mark/v1/jobs/${job.id}`);
  const { length: bytes } = JSON.stringify(read.body);
  return {
    tried: `${count} results with 4 MiB of free JSON, then the job`,
    answer: `results: ${[...new Set(answers)].join(', ')}; the job: ${read.status}, ${megabytes(bytes)} MiB in ${read.ms.toFixed(0)} ms`,
    held: answers.every((status) => status === 400 || status === 413) && bytes < MIB,
  };
}

/** What the bounds let through: full results of 64 devices, until the job takes no more. */
async function largestJob({ hostile, short }: Site, findings: Finding[]): Promise<string> {
  const most = short ? 2 : 40;
  const job = await createJob(hostile, most);
  const statuses: Record<number, number> = {};
  const nodes: HostileNode[] = [];
  for (let place = 0; place < most; place += 1) {
    const node = await joinJob(hostile.call, job);
    nodes.push(node);
    const { status } = await node.deliver(largestPayload(node.machineUuid));
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  for (const node of nodes) await node.post(agentPaths.fail, { state: 'failed', message: 'on purpose' });
  findings.push({
    tried: `${most} nodes with results as large as one may be`,
    answer: JSON.stringify(statuses),
    held: short || (statuses[413] ?? 0) > 0,
  });
  return job.id;
}

export function largestPayload(machineUuid: string): object {
  const payload = upload(
    machineUuid,
    Array.from({ length: 64 }, () => ({})),
  );
  for (const device of payload.benchmark_results.quick_mark.test_results) {
    const text = sizeCaps.figures.bytes - JSON.stringify(device).length - 600;
    Object.assign(device, { more: 'x'.repeat(text), details: { note: 'y'.repeat(78_000) } });
  }
  return payload;
}

/** Every failed node asks for a report of its own. */
async function queueReports({ hostile, short }: Site, findings: Finding[]): Promise<void> {
  const count = short ? 2 : 1000;
  let asked = 0;
  for (let left = count; left > 0; left -= 250) {
    const size = Math.min(left, 250);
    const job = await createJob(hostile, size);
    for (let place = 0; place < size; place += 25) {
      const some = Array.from({ length: Math.min(25, size - place) }, () => joinJob(hostile.call, job));
      const nodes = await Promise.all(some);
      const failed = await Promise.all(
        nodes.map((node) => node.post(agentPaths.fail, { state: 'failed', message: 'on purpose' })),
      );
      asked += failed.filter(({ status }) => status === 200).length;
    }
  }
  findings.push({ tried: `${count} reports asked for`, answer: `${asked} taken`, held: true });
}

async function innocentReport({ innocent, short }: Site): Promise<Finding> {
  const job = await createJob(innocent, 1);
  const node = await joinJob(innocent.call, job);
  const delivered = await node.deliver(upload(node.machineUuid));
  const completed = await node.post(agentPaths.complete, { warnings: [] });
  const began = performance.now();
  const url = async () =>
    ((await innocent.call('GET', `/api/gpu-mark/v1/jobs/${job.id}`)).body as { pdf_report_url?: string | null })
      .pdf_report_url;
  let found = await url();
  // How long it takes is judged by `make attack` alone.
  const mostMs = short ? Infinity : REPORT_MS;
  while (typeof found !== 'string' && performance.now() - began < mostMs) {
    await delay(100);
    found = await url();
  }
  return {
    tried: "the innocent tenant's report, behind those",
    answer: `results ${delivered.status}, complete ${completed.status}; ${typeof found === 'string' ? `there after ${((performance.now() - began) / 1000).toFixed(1)} s` : 'not there'}`,
    held: typeof found === 'string',
  };
}

async function readAll({ hostile, short }: Site, jobId: string, findings: Finding[]): Promise<void> {
  const paths = [
    `/jobs/${jobId}`,
    `/jobs/${jobId}/results`,
    `/tasks?job_id=${jobId}&include_results=true&per_page=300`,
    '/jobs?per_page=300&include_results=true&include=performance&include=performance_nodes',
  ];
  for (const path of paths) {
    const answers = await Promise.all(
      Array.from({ length: short ? 2 : 16 }, () => hostile.call('GET', `/api/gpu-mark/v1${path}`)),
    );
    const bytes = answers.map(({ body }) => JSON.stringify(body).length);
    findings.push({
      tried: `${answers.length} times at once GET ${path.replace(jobId, 'ID')}`,
      answer: `${[...new Set(answers.map(({ status }) => status))].join(', ')}, ${megabytes(Math.max(...bytes))} MiB, slowest ${Math.max(...answers.map(({ ms }) => ms)).toFixed(0)} ms`,
      held: answers.every(({ status }) => status === 200) && Math.max(...bytes) <= sizeCaps.answerBytes + MIB,
    });
  }
}

const megabytes = (bytes: number): string => (bytes / MIB).toFixed(1);

/** The most memory that the process has had at once. */
async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024);
}
