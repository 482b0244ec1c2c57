import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchRow } from '../bench-row.ts';
import { benchDatabase } from './bench-database.ts';
import { startBenchServer, type BenchServer } from './bench-server.ts';
import { httpRequest, load, quantile } from './load.ts';
import { seedContext, seedUser } from './seed.ts';

const CONNECTIONS = 64;
/** Short turns, many of them, of which the best quarter's worst counts: other work on the machine only takes from either figure. */
const ROUNDS = 40;
const SECONDS = 0.5;
const BEST_QUARTER = 0.25;
const WARM_UP_SECONDS = 3;
/** Together more than one process answers, so that nothing is refused; each burst, and with it the leases, is that of a job. */
const USERS = 8;
const TERMS = { perMinute: 1_000_000, burst: 10_000 };
const PRICES = '/api/data-hub/gpu/latest/price';

/**
 * What the limits cost a call that is answered from memory, the cheapest there is: past the router, and through it. Twice over: as
 * throughput, which on a busy machine says little, and as time of the thread on its core, which others take less from.
 */
export async function benchLimits(): Promise<BenchRow[]> {
  const database = await benchDatabase();
  const context = seedContext(database.sql);
  const bearers: string[] = [];
  for (let n = 0; n < USERS; n += 1) {
    const { customerId, bearer } = await seedUser(context);
    await database.sql`
      insert into customer_terms (customer_id, requests_per_minute, burst, updated_at)
      values (${customerId}, ${TERMS.perMinute}, ${TERMS.burst}, now())`;
    bearers.push(bearer);
  }
  const server = await startBenchServer(join(import.meta.dirname, 'limits-server.ts'), database.url);
  try {
    const requests = (path: string) => bearers.map((bearer) => httpRequest('POST', path, bearer, {}));
    const rows = await measure('limits, fast lane', server, requests(PRICES));
    // A query sends the call through the router.
    return [...rows, ...(await measure('limits, router', server, requests(`${PRICES}?by=router`)))];
  } finally {
    await server.stop();
    await database.close();
  }
}

interface Turn {
  perSecond: number;
  microseconds: number;
}

async function measure(name: string, server: BenchServer, requests: readonly Buffer[]): Promise<BenchRow[]> {
  const requestOf = (n: number): Buffer => requests[n % requests.length] ?? Buffer.alloc(0);
  const turn = async (port: number, seconds: number): Promise<Turn> => {
    const before = busyOf(server.pid);
    const run = await load(port, { connections: CONNECTIONS, seconds, requestOf });
    const microseconds = (busyOf(server.pid) - before) / run.requests;
    return { perSecond: run.requests / run.seconds, microseconds };
  };
  await turn(server.ours, WARM_UP_SECONDS);
  await turn(server.floor, WARM_UP_SECONDS);
  const rounds: { ours: Turn; peer: Turn }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Who begins changes every round: the second finds the caches of the first.
    const limitedFirst = round % 2 === 0;
    const first = await turn(limitedFirst ? server.ours : server.floor, SECONDS);
    const second = await turn(limitedFirst ? server.floor : server.ours, SECONDS);
    rounds.push(limitedFirst ? { ours: first, peer: second } : { ours: second, peer: first });
  }
  const row = (of: keyof Turn, q: number) => {
    const ours = quantile(
      rounds.map((round) => round.ours[of]),
      q,
    );
    const peer = quantile(
      rounds.map((round) => round.peer[of]),
      q,
    );
    const note = `the same app without limits; ${CONNECTIONS} connections, best quarter of ${ROUNDS} pairs of ${SECONDS} s`;
    return { ours, peer, ratio: ours / peer, note };
  };
  return [
    { name, unit: 'calls/s', target: { atLeast: 0.97 }, ...row('perSecond', 1 - BEST_QUARTER) },
    { name: `${name}, CPU`, unit: 'us/call', target: { atMost: 1.03 }, ...row('microseconds', BEST_QUARTER) },
  ];
}

/** Microseconds that the server's main thread was on a core so far. */
const busyOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1000;
