import { departures, hastyClient, openDescriptors } from '../../support/hasty-clients.ts';
import { until } from '../../support/until.ts';
import type { Attack, Finding } from '../attack.ts';
import { createJob, joinJob } from '../hostile-node.ts';
import { largestPayload } from './large-answers.ts';
import { HOSTILE_ADDRESS, type Site } from '../site.ts';

const LONG = 10_000;
const AT_ONCE = 50;

/** Takes descriptors and places for good with answers that it never reads: HEAD, and connections closed early. */
export const attack: Attack = {
  title: 'ask for heads, or leave before the answer, until files and live pages can no longer be opened',
  run: async (site) => {
    const paths = await streamsOf(site);
    const count = (site.short ? LONG / 100 : LONG) / departures.length;
    const findings: Finding[] = [];
    const before = await filesOf(site);
    for (const how of departures) {
      for (let at = 0; at < count; at += AT_ONCE)
        await Promise.all(
          Array.from({ length: AT_ONCE }, async (_one, n) => {
            const path = paths[(at + n) % paths.length] ?? '/healthz';
            const headers = { authorization: `Bearer ${site.hostile.bearer}` };
            await hastyClient({ port: site.port, path, headers, from: HOSTILE_ADDRESS }, how);
          }),
        );
      const after = await settled(site, before);
      findings.push({
        tried: `${Math.round(count)} clients that leave after ${how}, on ${paths.length} streams`,
        answer: `${after} files and pipes open, ${before} before`,
        held: after <= before,
      });
    }
    return findings;
  },
};

/** What streams and needs no cookie: a result that is kept as a file, its job, tasks and links, the audit log. */
async function streamsOf({ hostile }: Site): Promise<string[]> {
  const job = await createJob(hostile, 1);
  const { id } = job;
  const node = await joinJob(hostile.call, job);
  const delivered = await node.deliver(largestPayload(node.machineUuid));
  const { body } = await hostile.call('GET', `/api/gpu-mark/v1/tasks/${node.taskId}`);
  const results = (body as { benchmark_results?: Record<string, { raw_details_url?: string }> }).benchmark_results;
  const file = results?.['quick_mark']?.raw_details_url;
  if (file === undefined) throw new Error(`the result is not kept as a file: ${delivered.status}`);
  const { pathname, search } = new URL(file);
  return [
    `${pathname}${search}`,
    `/api/gpu-mark/v1/jobs/${id}`,
    `/api/gpu-mark/v1/tasks?job_id=${id}`,
    `/api/gpu-mark/v1/jobs/${id}/network/links?format=csv`,
    '/api/user/audit?format=csv',
  ];
}

/** How long the last clients' answers may take to end; descriptors that are open beyond it count as lost. */
const SETTLE_MS = 30_000;

/**
 * Descriptors other than sockets, which the innocent tenant has too: the fewest of the readings that end with one of at most
 * `most`. A later reading may meet a file that is being sent to the innocent tenant.
 */
async function settled(site: Site, most: number): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  const isSettled = async (): Promise<boolean> => {
    fewest = Math.min(fewest, await filesOf(site));
    return fewest <= most;
  };
  await until('the descriptors to be closed', isSettled, 50, SETTLE_MS).catch(() => undefined);
  return fewest;
}

const filesOf = async ({ pid }: Site): Promise<number> =>
  (await openDescriptors(pid)).filter((target) => !target.startsWith('socket:')).length;
