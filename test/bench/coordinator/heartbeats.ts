import { join } from 'node:path';
import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import { median, type BenchRow } from '../bench-row.ts';
import { benchDatabase } from './bench-database.ts';
import { startBenchServer } from './bench-server.ts';
import { httpRequest, load, quantile } from './load.ts';
import { seedContext, seedRunningTasks, seedUser } from './seed.ts';

const CONNECTIONS = 256;
const JOBS = 32;
const NODES = 128;
const ROUNDS = 3;
const WARM_UP_SECONDS = 2;
const SECONDS = 3;
/** Beats per second that must be reached with Postgres and the load on the same two cores. */
const BAR = 15_000;

/** Coalesced beats per second over HTTP, 256 connections with one beat in flight each, 4,096 nodes; against the bar and a bare handler. */
export async function benchHeartbeats(): Promise<BenchRow[]> {
  const database = await benchDatabase();
  const context = seedContext(database.sql);
  const { customerId } = await seedUser(context);
  const tasks = await seedRunningTasks(context, { customerId, jobs: JOBS, nodes: NODES });
  const server = await startBenchServer(join(import.meta.dirname, 'heartbeats-server.ts'), database.url);
  try {
    const requests = tasks.map(({ taskId, token }) => {
      const jobId = String((JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }).sub);
      return httpRequest('POST', agentPaths.heartbeat, token, { task_id: taskId, job_id: jobId, epoch: 1, phase: 'measuring' });
    });
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
    const common = { ours: beats, unit: 'beats/s' };
    return [
      { ...common, name: 'heartbeats', peer: BAR, ratio: beats / BAR, target: { atLeast: 1 }, note: `the bar; p99 ${p99} ms, ${CONNECTIONS} connections, ${ROUNDS} x ${SECONDS} s` },
      { ...common, name: 'heartbeats, floor', peer: bare, ratio: beats / bare, target: { atLeast: 0.4 }, note: 'bare node:http, same UPDATE, no token check' },
    ];
  } finally {
    await server.stop();
    await database.close();
  }
}
