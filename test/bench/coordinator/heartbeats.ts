import { join } from 'node:path';
import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import { createBeatBatch } from '../../../coordinator/lifecycle/beat-batch.ts';
import { beat } from '../../../coordinator/agent-protocol/beat.ts';
import { hashOfSecret } from '../../../coordinator/lifecycle/session.ts';
import type { Context } from '../../../coordinator/platform/context.ts';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { benchDatabase } from './bench-database.ts';
import { startBenchServer } from './bench-server.ts';
import { httpRequest, load, quantile } from './load.ts';
import { seedContext, seedRunningTasks, seedUser, type SeededTask } from './seed.ts';

const CONNECTIONS = 256;
const JOBS = 32;
const NODES = 128;
const ROUNDS = 3;
const WARM_UP_SECONDS = 2;
const SECONDS = 3;
/** Required beats per second, coalesced, with Postgres on the same two cores. */
const BAR = 15_000;
/** Beats in flight in the verb's row: several times what 256 busy connections would have. */
const IN_FLIGHT = 1024;

/**
 * Beats of 4,096 nodes per second, each durable before it is answered. First the verb with its shared statement,
 * compared with the bar; then over HTTP, 256 connections with one beat in flight each, compared with a bare handler
 * that shares the same statement, which is what one node:http process can reach while the load runs on the same cores.
 */
export async function benchHeartbeats(): Promise<BenchRow[]> {
  const database = await benchDatabase();
  const context = seedContext(database.sql);
  const { customerId } = await seedUser(context);
  const tasks = await seedRunningTasks(context, { customerId, jobs: JOBS, nodes: NODES });
  const server = await startBenchServer(join(import.meta.dirname, 'heartbeats-server.ts'), database.url);
  try {
    const requests = tasks.map(({ taskId, jobId, token, secret }) =>
      httpRequest(
        'POST',
        agentPaths.heartbeat,
        token,
        // job and hash are for the floor, which does not look them up
        { task_id: taskId, job_id: jobId, secret_hash: hashOfSecret(secret), epoch: 1, phase: 'measuring' },
        `x-task-secret: ${secret}\r\n`,
      ),
    );
    const requestOf = (n: number): Buffer => requests[n % requests.length] ?? Buffer.alloc(0);
    const rate = async (port: number, seconds: number) => {
      const run = await load(port, { connections: CONNECTIONS, seconds, requestOf });
      return { perSecond: run.requests / run.seconds, p99: quantile(run.latencies, 0.99) };
    };
    await rate(server.ours, WARM_UP_SECONDS);
    await rate(server.floor, WARM_UP_SECONDS);
    const ours = [];
    const floor = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await rate(server.ours, SECONDS));
      floor.push(await rate(server.floor, SECONDS));
    }
    const beats = median(ours.map((run) => run.perSecond));
    const bare = median(floor.map((run) => run.perSecond));
    const p99 = median(ours.map((run) => run.p99)).toFixed(0);
    const coalesced = await verbRate(context, tasks);
    const rounds = `${ROUNDS} x ${SECONDS} s`;
    return [
      {
        name: 'heartbeats, verb and SQL',
        ours: coalesced,
        peer: BAR,
        unit: 'beats/s',
        ratio: coalesced / BAR,
        target: { atLeast: 1 },
        note: `the bar; ${IN_FLIGHT} in flight, without HTTP, ${rounds}`,
      },
      {
        name: 'heartbeats over HTTP',
        ours: beats,
        peer: bare,
        unit: 'beats/s',
        ratio: beats / bare,
        target: { atLeast: 0.5 },
        note: `bare node:http, same UPDATE, no token check; ${CONNECTIONS} connections, p99 ${p99} ms, ${rounds}`,
      },
    ];
  } finally {
    await server.stop();
    await database.close();
  }
}

/** Beats per second of the verb without HTTP, the median of the rounds. */
async function verbRate(context: Context, tasks: readonly SeededTask[]): Promise<number> {
  const renewLease = createBeatBatch(context);
  let sent = 0;
  const sender = async (endsAt: number): Promise<void> => {
    while (performance.now() < endsAt) {
      const { taskId, jobId, customerId, secret } = tasks[(sent += 1) % tasks.length] as SeededTask;
      const actor = { kind: 'job', jobId, customerId, tokenId: '' } as const;
      await beat(
        { ...context, actor },
        { task_id: taskId, epoch: 1, phase: 'measuring', task_secret: secret },
        renewLease,
      );
    }
  };
  const round = async (seconds: number): Promise<number> => {
    const [startedAt, before] = [performance.now(), sent];
    await Promise.all(Array.from({ length: IN_FLIGHT }, () => sender(startedAt + seconds * 1000)));
    return (sent - before) / ((performance.now() - startedAt) / 1000);
  };
  await round(WARM_UP_SECONDS);
  const rates = [];
  for (let n = 0; n < ROUNDS; n += 1) rates.push(await round(SECONDS));
  return median(rates);
}
