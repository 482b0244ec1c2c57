import { join } from 'node:path';
import { median, type BenchRow } from '../bench-row.ts';
import { benchDatabase } from './bench-database.ts';
import { startBenchServer } from './bench-server.ts';
import { httpRequest, load } from './load.ts';
import { seedContext, seedUser } from './seed.ts';

const CONNECTIONS = 64;
/** Short turns, many of them: what else the machine does meets both alike, and the median leaves the rest out. */
const ROUNDS = 25;
const SECONDS = 1;
const WARM_UP_SECONDS = 3;
/** More than one process answers, so that nothing is refused; the burst, and with it the leases, are those of a job. */
const TERMS = { perMinute: 1_000_000, burst: 10_000 };
const PRICES = '/api/data-hub/gpu/latest/price';

/** What the limits cost a call that is answered from memory, the cheapest there is: past the router, and through it. */
export async function benchLimits(): Promise<BenchRow[]> {
  const database = await benchDatabase();
  const context = seedContext(database.sql);
  const { customerId, bearer } = await seedUser(context);
  await database.sql`
    insert into customer_terms (customer_id, requests_per_minute, burst, updated_at)
    values (${customerId}, ${TERMS.perMinute}, ${TERMS.burst}, now())`;
  const server = await startBenchServer(join(import.meta.dirname, 'limits-server.ts'), database.url);
  try {
    const rows = [];
    for (const [name, path] of [
      ['limits, fast lane', PRICES],
      // A query sends the call through the router.
      ['limits, router', `${PRICES}?by=router`],
    ] as const)
      rows.push(await measure(name, server, httpRequest('POST', path, bearer, {})));
    return rows;
  } finally {
    await server.stop();
    await database.close();
  }
}

async function measure(name: string, server: { ours: number; floor: number }, request: Buffer): Promise<BenchRow> {
  const rate = async (port: number, seconds: number): Promise<number> => {
    const run = await load(port, { connections: CONNECTIONS, seconds, requestOf: () => request });
    return run.requests / run.seconds;
  };
  await rate(server.ours, WARM_UP_SECONDS);
  await rate(server.floor, WARM_UP_SECONDS);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Who begins changes every round: the second finds the caches of the first.
    const limitedFirst = round % 2 === 0;
    const first = await rate(limitedFirst ? server.ours : server.floor, SECONDS);
    const second = await rate(limitedFirst ? server.floor : server.ours, SECONDS);
    rounds.push(limitedFirst ? { ours: first, peer: second } : { ours: second, peer: first });
  }
  return {
    name,
    ours: median(rounds.map(({ ours }) => ours)),
    peer: median(rounds.map(({ peer }) => peer)),
    unit: 'calls/s',
    ratio: median(rounds.map(({ ours, peer }) => ours / peer)),
    target: { atLeast: 0.97 },
    note: `the same app without limits; ${CONNECTIONS} connections, median of ${ROUNDS} pairs of ${SECONDS} s`,
  };
}
