import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import type { Context } from '../../../coordinator/platform/context.ts';
import type { Sql } from '../../../coordinator/platform/db/client.ts';
import type { BenchRow } from '../bench-row.ts';
import type { BenchServer } from '../coordinator/bench-server.ts';
import { quantile } from '../coordinator/load.ts';
import { seedRunningTasks, seedUser, type SeededTask } from '../coordinator/seed.ts';
import { cookieOf } from './cookie-of.ts';

const COMPANIES = 5;
const PAGES = 200;
/** per browser session */
const PAGES_EACH = 4;
const IDLE_MS = 60_000;
const TICKS_PER_SECOND = 100;
const EVENTS = 60;
const HANG_MS = 20_000;

/** 200 open pages of running jobs: their cost while idle, and how soon an event sent by an agent appears on them. */
export async function benchLive(server: BenchServer, context: Context): Promise<BenchRow[]> {
  const tasks: SeededTask[] = [];
  const open: Stream[] = [];
  try {
    for (let company = 0; company < COMPANIES; company += 1) {
      const user = await seedUser(context, 'plus');
      const jobs = await seedRunningTasks(context, { customerId: user.customerId, jobs: 8, nodes: 3 });
      tasks.push(...jobs);
      for (let n = 0; n < PAGES / COMPANIES; n += PAGES_EACH) {
        const cookie = await cookieOf(context, user.userId);
        for (let at = 0; at < PAGES_EACH; at += 1) {
          const { jobId = '' } = jobs[((n + at) * 3) % jobs.length] ?? {};
          open.push(await openStream(server.ours, jobId, cookie));
        }
      }
    }
    return [...(await idle(server, context.sql)), await events(server, tasks, open)];
  } finally {
    for (const { close } of open) close();
  }
}

interface Stream {
  jobId: string;
  /** called with each snapshot */
  hear: (heard: (text: string) => void) => void;
  close: () => void;
}

async function openStream(port: number, jobId: string, cookie: string): Promise<Stream> {
  let heard: (text: string) => void = () => undefined;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const asking = get({ port, host: '127.0.0.1', path: `/jobs/${jobId}/events`, headers: { cookie } }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`a stream was refused: ${answer.statusCode}`));
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      if (text.includes('event: bye')) reject(new Error(`a stream ended: ${text.slice(-100)}`));
      if (text.includes('event: snapshot')) resolve();
      heard(text);
    });
    // Closed by the bench when it ends.
    answer.on('error', () => undefined);
  });
  asking.on('error', reject);
  await promise;
  return { jobId, hear: (listener) => void (heard = listener), close: () => void asking.destroy() };
}

/** Transactions of the server's pool; the few on this program's own connections are included. */
async function transactions(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: string }[]>`
    select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`;
  return Number(row?.count);
}

/** CPU ticks that all threads of the server have used so far. */
function busy(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

async function idle({ pid }: BenchServer, sql: Sql): Promise<BenchRow[]> {
  // By then work started by opening the pages is done, and Postgres has counted it.
  await pause(5000);
  const before = { ticks: busy(pid), count: await transactions(sql), at: performance.now() };
  await pause(IDLE_MS);
  const seconds = (performance.now() - before.at) / 1000;
  const core = (busy(pid) - before.ticks) / TICKS_PER_SECOND / seconds;
  const queries = ((await transactions(sql)) - before.count) / seconds;
  return [
    {
      name: '200 live pages, idle',
      ours: core * 100,
      peer: 10,
      unit: '% core',
      ratio: core / 0.1,
      target: { atMost: 1 },
      note: `the bar; all threads of the coordinator over ${seconds.toFixed(0)} s`,
    },
    {
      name: '200 live pages, queries',
      ours: queries,
      peer: PAGES,
      unit: '1/s',
      ratio: queries / PAGES,
      target: { atMost: 0.1 },
      note: 'one query per page and second; all transactions of the database, by pg_stat_database',
    },
  ];
}

/** From the moment an agent reports a new phase until all pages of its job have received it. */
async function events({ ours }: BenchServer, tasks: readonly SeededTask[], open: readonly Stream[]): Promise<BenchRow> {
  const times: number[] = [];
  for (let n = 0; n < EVENTS; n += 1) {
    const task = tasks[(n * 7) % tasks.length];
    const watching = open.filter(({ jobId }) => jobId === task?.jobId);
    if (task === undefined || watching.length === 0) continue;
    // Each of these tasks reports once, and all of them are measuring before.
    const phase = 'uploading';
    const arrived = Promise.race([
      Promise.all(
        watching.map(
          ({ hear }) => new Promise<void>((resolve) => hear((text) => text.includes('event: snapshot') && resolve())),
        ),
      ),
      pause(HANG_MS).then(() => Promise.reject(new Error(`${phase} of task ${task.taskId} came to no page`))),
    ]);
    const at = performance.now();
    const answer = await fetch(`http://127.0.0.1:${ours}${agentPaths.heartbeat}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${task.token}`,
        'x-task-secret': task.secret,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ task_id: task.taskId, epoch: 1, phase }),
    });
    if (answer.status !== 200) throw new Error(`a beat was refused: ${await answer.text()}`);
    await arrived;
    times.push(performance.now() - at);
    // So that each event is timed from its own arrival, not from the end of the interval in which frames are held back.
    await pause(100 + (n % 7) * 60);
  }
  const p95 = quantile(times, 0.95);
  return {
    name: 'event on all pages of a job',
    ours: p95,
    peer: 1000,
    unit: 'ms',
    ratio: p95 / 1000,
    target: { atMost: 1 },
    note: `the bar; from the agent's call, p50 ${quantile(times, 0.5).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms, ${times.length} events, 200 pages open`,
  };
}
