import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchRow } from '../bench-row.ts';
import { ascending, median, quantile } from '../../../coordinator/figures/statistics.ts';
import { fillMarket } from '../../../coordinator/commands/open-platform.ts';
import { benchDatabase } from './bench-database.ts';
import { startBenchServer, type BenchServer } from './bench-server.ts';
import { BY_ROUTER, httpRequest, load } from './load.ts';
import { seedContext, seedUser } from './seed.ts';

const CONNECTIONS = 64;
/**
 * Limits on, off, off, on and so forth under one continuous load. Other work on the machine only makes a turn slower,
 * by up to several times the cost of the limits, so the calmest tenth of the turns with limits is compared with the
 * calmest tenth of those without: two halves of the turns without limits differed by 0.1 and 0.5 % that way, by 1.3 %
 * in the median.
 */
const PAIRS = 220;
const TURN_MS = 100;
/** As a fraction of all turns. */
const CALMEST = 0.1;
/**
 * The fraction of throughput and of the main thread's CPU time that limits may cost: the thread is the bottleneck at
 * saturation, so both should show the same.
 */
const MOST = 0.03;
/** An answer without content is the cheapest possible call, and nobody requests it by the thousand: the worst case. */
const MOST_OF_NOTHING = 0.05;
const WARM_UP_MS = 4000;
/**
 * Several users so that nothing is refused: together more than one process can answer. Each has the burst, and
 * therefore the leases, of a job.
 */
const USERS = 8;
const TERMS = { perMinute: 1_000_000, burst: 10_000 };
const PRICES = '/api/data-hub/gpu/latest/price';

/**
 * What the limits cost for calls answered from memory, the cheapest there are: the first page of all prices through the
 * fast lane and through the router, and a product without a price, whose answer is empty. Each is reported twice: as
 * throughput, which says little on a busy machine, and as the thread's CPU time, which other processes affect less.
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
  await fillMarket(context);
  await database.sql`
    insert into latest_price (product_id, price_type, country, day, price, price_median, provider_count, sample_size)
    select product_id, 1, 'US', current_date, 2.5, 2.5, 5, 50 from product`;
  const server = await startBenchServer(join(import.meta.dirname, 'limits-server.ts'), database.url);
  try {
    const requests = (path: string, body: object) => bearers.map((bearer) => httpRequest('POST', path, bearer, body));
    const nothing = { product_id: 2_147_483_647 };
    return [
      ...(await measure('limits, prices', server, requests(PRICES, {}), MOST)),
      ...(await measure('limits, prices by router', server, requests(`${PRICES}${BY_ROUTER}`, {}), MOST)),
      ...(await measure('limits, empty answer', server, requests(PRICES, nothing), MOST_OF_NOTHING)),
    ];
  } finally {
    await server.stop();
    await database.close();
  }
}

interface Turn {
  perSecond: number;
  microseconds: number;
}

async function measure(
  name: string,
  server: BenchServer,
  requests: readonly Buffer[],
  most: number,
): Promise<BenchRow[]> {
  let sent = 0;
  const requestOf = (n: number): Buffer => requests[(sent = n) % requests.length] ?? Buffer.alloc(0);
  const turn = async (limits: 'on' | 'off'): Promise<Turn> => {
    await fetch(`http://127.0.0.1:${server.floor}/${limits}`);
    const before = { sent, busy: busyOf(server.pid), at: performance.now() };
    await pause(TURN_MS);
    const calls = sent - before.sent;
    const perSecond = (calls * 1000) / (performance.now() - before.at);
    return { perSecond, microseconds: (busyOf(server.pid) - before.busy) / calls };
  };
  const seconds = (WARM_UP_MS + PAIRS * 2 * TURN_MS) / 1000;
  const loading = load(server.ours, { connections: CONNECTIONS, seconds: seconds * 1.15, requestOf });
  for (let at = 0; at < WARM_UP_MS; at += 2 * TURN_MS) for (const limits of ['on', 'off'] as const) await turn(limits);
  const pairs: Record<'on' | 'off', Turn>[] = [];
  for (let n = 0; n < PAIRS; n += 1) {
    const first = n % 2 === 0 ? 'on' : 'off';
    const second = n % 2 === 0 ? 'off' : 'on';
    const turns = { [first]: await turn(first), [second]: await turn(second) };
    pairs.push(turns as Record<'on' | 'off', Turn>);
  }
  await loading;
  const row = (of: keyof Turn) => {
    const best = (limits: 'on' | 'off'): number => {
      const values = ascending(pairs.map((pair) => pair[limits][of]).filter(Number.isFinite));
      return quantile(values, of === 'perSecond' ? 1 - CALMEST : CALMEST);
    };
    const [ours, peer] = [best('on'), best('off')];
    const middle = median(pairs.map(({ on, off }) => on[of] / off[of])).toFixed(3);
    const note = `limits switched off; ${CONNECTIONS} connections, calmest tenth of ${PAIRS} turns of ${TURN_MS} ms each; middle of all pairs ${middle}`;
    return { ours, peer, ratio: ours / peer, note };
  };
  return [
    { name, unit: 'calls/s', target: { atLeast: 1 - most }, ...row('perSecond') },
    {
      name: `${name}, CPU`,
      unit: 'us/call',
      target: { atMost: Number((1 / (1 - most)).toFixed(3)) },
      ...row('microseconds'),
    },
  ];
}

/** Microseconds of CPU time used by the server's main thread so far. */
const busyOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1000;
