import { join } from 'node:path';
import { tokenIndexRoute } from '../../../coordinator/contract/token-index.ts';
import { bookPreviewRoute } from '../../../coordinator/contract/token-price-routes.ts';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { benchDatabase } from '../coordinator/bench-database.ts';
import { startBenchServer } from '../coordinator/bench-server.ts';
import { httpRequest, load, quantile } from '../coordinator/load.ts';
import { seedContext, seedUser } from '../coordinator/seed.ts';
import { seedTokens } from '../../support/seed-tokens.ts';

const CONNECTIONS = 64;
const ROUNDS = 7;
const SECONDS = 2;
const WARM_UP_SECONDS = 3;
const MOST = 1.5;
const DAYS = 30;

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** One row of the table each: the requests, in turn. */
const cases: Record<string, { path: string; bodies: unknown[] }> = {
  'book preview': {
    path: bookPreviewRoute.path,
    bodies: Array.from({ length: 40 }, (_, n) => ({
      filter: n % 4 === 0 ? [{ developer: `developer-${n}` }] : [],
      order_by: n % 2 === 0 ? [{ price_input: 'asc' }] : [],
      paginate: { num_per_page: 50, page_num: 1 + (n % 5) },
    })),
  },
  'token index of up to 30 days': {
    path: tokenIndexRoute.path,
    bodies: Array.from({ length: 40 }, (_, n) => ({ token: 'expenditure', starting_date: dayBefore(n % DAYS) })),
  },
};

/**
 * Answers about token prices over HTTP compared with bare handlers that have the same answers in memory, alternating.
 */
export async function benchTokenAnswers(): Promise<BenchRow[]> {
  const database = await benchDatabase();
  await seedTokens(database.sql, { last: new Date().toISOString().slice(0, 10), days: DAYS });
  const { bearer } = await seedUser(seedContext(database.sql), 'enterprise');
  const server = await startBenchServer(join(import.meta.dirname, 'answers-server.ts'), database.url);
  try {
    const rows: BenchRow[] = [];
    for (const [name, { path, bodies }] of Object.entries(cases)) {
      const asked = (prefix: string) => {
        const requests = bodies.map((body) => httpRequest('POST', prefix + path, bearer, body));
        return (n: number): Buffer => requests[n % requests.length] ?? Buffer.alloc(0);
      };
      const places = {
        ours: { port: server.ours, requestOf: asked(''), p99: [] as number[] },
        kept: { port: server.floor, requestOf: asked(''), p99: [] as number[] },
        anew: { port: server.floor, requestOf: asked('/anew'), p99: [] as number[] },
      };
      const run = ({ port, requestOf }: { port: number; requestOf: (n: number) => Buffer }, seconds: number) =>
        load(port, { connections: CONNECTIONS, seconds, requestOf });
      for (const place of Object.values(places)) await run(place, WARM_UP_SECONDS);
      for (let round = 0; round < ROUNDS; round += 1)
        for (const place of Object.values(places))
          place.p99.push(quantile((await run(place, SECONDS)).latencies, 0.99));
      const { ours, kept, anew } = places;
      rows.push(rowOf(`${name}, p99`, ours.p99, kept.p99, 'the bytes of the same answers in memory'));
      rows.push(rowOf(`${name}, p99, JSON`, ours.p99, anew.p99, 'the same answers in memory, JSON made each time'));
    }
    return rows;
  } finally {
    await server.stop();
    await database.close();
  }
}

const rowOf = (name: string, ours: readonly number[], floor: readonly number[], what: string): BenchRow => ({
  name,
  ours: median(ours),
  peer: median(floor),
  unit: 'ms',
  ratio: median(ours.map((p99, round) => p99 / (floor[round] ?? Number.NaN))),
  target: { atMost: MOST },
  note: `bare node:http with ${what}; ${CONNECTIONS} connections, middle of ${ROUNDS} x ${SECONDS} s`,
});
