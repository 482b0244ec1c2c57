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
 * Limits on, off, off, on and so forth under one load that does not stop. What runs beside it only takes time from a turn, by up to
 * several times what the limits cost, so the calmest tenth of the turns with limits is compared with the calmest tenth of those
 * without: two halves of the turns without any differed by 0.1 and 0.5 % there, by 1.3 % in the middle.
 */
const PAIRS = 220;
const TURN_MS = 100;
/** Of all turns. */
const CALMEST = 0.1;
/** What they may cost of the throughput, and of the thread's time on its core: the thread is what ends at saturation, so both say the same. */
const MOST = 0.03;
/** An answer without content is the least that can be asked for, and nobody calls for it by the thousand: the worst case. */
const MOST_OF_NOTHING = 0.05;
const WARM_UP_MS = 4000;
/** Together more than one process answers, so that nothing is refused; each burst, and with it the leases, is that of a job. */
const USERS = 8;
const TERMS = { perMinute: 1_000_000, burst: 10_000 };
const PRICES = '/api/data-hub/gpu/latest/price';

/**
 * What the limits cost a call that is answered from memory, the cheapest there are: the first page of all prices past the router and
 * through it, and a product without a price, whose answer is empty. Twice over: as throughput, which on a busy machine says
 * little, and as time of the thread on its core, which others take less from.
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

/** Microseconds that the server's main thread was on a core so far. */
const busyOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1000;
