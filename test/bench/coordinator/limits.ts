import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, type BenchRow } from '../bench-row.ts';
import { benchDatabase } from './bench-database.ts';
import { startBenchServer, type BenchServer } from './bench-server.ts';
import { httpRequest, load } from './load.ts';
import { seedContext, seedUser } from './seed.ts';

const CONNECTIONS = 64;
/** Short turns, many of them: what else the machine does meets both alike, and the median leaves the rest out. */
const ROUNDS = 20;
const SECONDS = 1;
const WARM_UP_SECONDS = 3;
/** Together more than one process answers, so that nothing is refused; each burst, and with it the leases, is that of a job. */
const USERS = 8;
const TERMS = { perMinute: 1_000_000, burst: 10_000 };
const PRICES = '/api/data-hub/gpu/latest/price';
/** /proc counts in hundredths of a second, on every Linux that Node runs on. */
const TICK_MICROSECONDS = 10_000;

/**
 * What the limits cost a call that is answered from memory, the cheapest there is: past the router, and through it. Twice over: as
 * throughput, which on a busy machine says little, and as time of the process on its core, which others take nothing from.
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
    const before = ticksOf(server.pid);
    const run = await load(port, { connections: CONNECTIONS, seconds, requestOf });
    const microseconds = ((ticksOf(server.pid) - before) * TICK_MICROSECONDS) / run.requests;
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
  const row = (of: keyof Turn) => ({
    ours: median(rounds.map(({ ours }) => ours[of])),
    peer: median(rounds.map(({ peer }) => peer[of])),
    ratio: median(rounds.map(({ ours, peer }) => ours[of] / peer[of])),
    note: `the same app without limits; ${CONNECTIONS} connections, median of ${ROUNDS} pairs of ${SECONDS} s`,
  });
  return [
    { name, unit: 'calls/s', target: { atLeast: 0.97 }, ...row('perSecond') },
    { name: `${name}, CPU`, unit: 'us/call', target: { atMost: 1.03 }, ...row('microseconds') },
  ];
}

/** Time of the process on a core so far, in user and in system mode. */
function ticksOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // Behind the name in parentheses, which may hold anything, the fields begin with the third.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
