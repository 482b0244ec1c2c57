import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { agentPaths } from '../../coordinator/contract/agent-protocol.ts';
import { connectDatabase } from '../../coordinator/platform/db/client.ts';
import { createUser, startCoordinator } from '../e2e/coordinator-process.ts';
import { jobClient } from '../e2e/job-client.ts';
import { ProtocolNode } from '../e2e/protocol-node.ts';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import type { Lifetime } from '../support/lifetime.ts';
import { runCases } from '../support/run-cases.ts';
import { root } from '../support/source-files.ts';
import { asAdmin, startTestServer, withDatabase } from '../support/test-server.ts';
import { until } from '../support/until.ts';

/**
 * What one coordinator process handles on this machine, which also runs Postgres and the callers: figures for
 * `containers/CAPACITY.md`. They depend on the machine; the only guarantee tested is that every request is answered.
 */
const user = { email: 'capacity@example.com', password: 'correct horse battery' };
const NODES = 256;
const BEATS = Number(process.env['BEATS'] ?? 20_000);
const JOBS = Number(process.env['JOBS'] ?? 200);
const AT_ONCE = 64;
/** Interval of an agent's heartbeats. */
const BEAT_SECONDS = 10;

async function open(t: Lifetime) {
  const folder = await makeDataDir(tmpdir());
  t.after(() => removeDataDir(folder));
  const server = await startTestServer(undefined);
  t.after(() => server.stop());
  await asAdmin(server.url, async (admin) => void (await admin`create database capacity`));
  const url = withDatabase(server.url, 'capacity');
  const place = { root, dataDir: join(folder, 'data'), environment: { DATABASE_URL: url } };
  const coordinator = await startCoordinator(place);
  t.after(() => coordinator.stop());
  await createUser(place, user);
  const sql = connectDatabase({ url, max: 1 });
  t.after(() => sql.end());
  return { coordinator, sql, folder, customer: await jobClient(coordinator.baseUrl, user) };
}

const say = (name: string, figure: number, unit: string): void =>
  void process.stdout.write(`      ${name.padEnd(44)}${Number(figure.toPrecision(3))} ${unit}\n`);

/** Runs `work` `count` times, AT_ONCE at a time. @returns seconds */
async function timed(count: number, work: (at: number) => Promise<void>): Promise<number> {
  const began = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work((next += 1) - 1);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return (performance.now() - began) / 1000;
}

async function beats(t: Lifetime): Promise<void> {
  const { coordinator, customer } = await open(t);
  const job = await customer.createJob({ benchmarks: ['quick_mark'], node_count: NODES });
  const nodes = Array.from({ length: NODES }, () => new ProtocolNode(coordinator.baseUrl, job.token));
  for (const node of nodes) await node.register();
  const dispatcher = new Agent({ connections: AT_ONCE });
  t.after(() => dispatcher.destroy());
  const seconds = await timed(BEATS, async (at) => {
    const node = nodes[at % NODES] as ProtocolNode;
    const { statusCode, body } = await request(`${coordinator.baseUrl}${agentPaths.heartbeat}`, {
      method: 'POST',
      dispatcher,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${job.token}`,
        'x-task-secret': node.taskSecret ?? '',
      },
      body: JSON.stringify({ task_id: node.taskId, epoch: node.epoch, phase: 'measuring' }),
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`a heartbeat was answered with ${statusCode}`);
  });
  say('beats', BEATS / seconds, 'a second');
  say('nodes that beat, at half of that', ((BEATS / seconds) * BEAT_SECONDS) / 2, '');
}

async function jobs(t: Lifetime): Promise<void> {
  const { coordinator, customer, sql } = await open(t);
  const before = await sizeOf();
  const seconds = await timed(JOBS, async () => {
    const job = await customer.createJob({ benchmarks: ['quick_mark'], node_count: 1 });
    const node = new ProtocolNode(coordinator.baseUrl, job.token);
    for (const call of [
      () => node.register(),
      () => node.results(node.quickMark(job.id, new Date())),
      () => node.complete(),
    ]) {
      const { status } = await call();
      if (status !== 200) throw new Error(`a call of a job was answered with ${status}`);
    }
  });
  say('whole jobs of one node, reports later', (JOBS / seconds) * 60, 'a minute');
  const began = performance.now();
  const waiting = async () => (await sql`select from work_item where state in ('queued', 'running')`).count;
  const left = await waiting();
  await until('all reports', async () => (await waiting()) === 0, 200, 900_000);
  say('reports (of a job, and of a task)', (left / (performance.now() - began)) * 60_000, 'a minute');
  say('a job in the database', ((await sizeOf()) - before) / JOBS / 1024, 'KiB');

  async function sizeOf(): Promise<number> {
    const [row] = await sql<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`;
    return row?.bytes ?? 0;
  }
}

await runCases('capacity', [
  { title: `${NODES} nodes send ${BEATS} heartbeats, ${AT_ONCE} at a time`, run: beats },
  { title: `${JOBS} jobs, ${AT_ONCE} at a time, and all their reports`, run: jobs },
]);
