import { join } from 'node:path';
import { bookPreviewRoute } from '../../../coordinator/contract/token-price-routes.ts';
import { median, type BenchRow } from '../bench-row.ts';
import { benchDatabase } from '../coordinator/bench-database.ts';
import { startBenchServer } from '../coordinator/bench-server.ts';
import { httpRequest, load, quantile } from '../coordinator/load.ts';
import { seedContext, seedUser } from '../coordinator/seed.ts';
import { seedTokens } from './seed-tokens.ts';

const CONNECTIONS = 64;
const ROUNDS = 9;
const SECONDS = 2;
const WARM_UP_SECONDS = 3;
const MOST = 1.5;
const DAYS = 30;

/** One row of the table each: what is asked, in turn. */
const cases: Record<string, { path: string; bodies: unknown[] }> = {
  'book preview': {
    path: bookPreviewRoute.path,
    bodies: Array.from({ length: 40 }, (_, n) => ({
      filter: n % 4 === 0 ? [{ developer: `developer-${n}` }] : [],
      order_by: n % 2 === 0 ? [{ price_input: 'asc' }] : [],
      paginate: { num_per_page: 50, page_num: 1 + (n % 5) },
    })),
  },
};

/** Answers about token prices over HTTP beside a bare handler that has the same answers in memory, alternating. */
export async function benchTokenAnswers(): Promise<BenchRow[]> {
  const database = await benchDatabase();
  await seedTokens(database.sql, { last: new Date().toISOString().slice(0, 10), days: DAYS });
  const { bearer } = await seedUser(seedContext(database.sql), 'enterprise');
  const server = await startBenchServer(join(import.meta.dirname, 'answers-server.ts'), database.url);
  try {
    const rows: BenchRow[] = [];
    for (const [name, { path, bodies }] of Object.entries(cases)) {
      const requests = bodies.map((body) => httpRequest('POST', path, bearer, body));
      const requestOf = (n: number): Buffer => requests[n % requests.length] ?? Buffer.alloc(0);
      const run = (port: number, seconds: number) => load(port, { connections: CONNECTIONS, seconds, requestOf });
      for (const port of [server.floor, server.ours]) await run(port, WARM_UP_SECONDS);
      const rounds: { ours: number; floor: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const ours = quantile((await run(server.ours, SECONDS)).latencies, 0.99);
        rounds.push({ ours, floor: quantile((await run(server.floor, SECONDS)).latencies, 0.99) });
      }
      rows.push({
        name: `${name}, p99`,
        ours: median(rounds.map(({ ours }) => ours)),
        peer: median(rounds.map(({ floor }) => floor)),
        unit: 'ms',
        ratio: median(rounds.map(({ ours, floor }) => ours / floor)),
        target: { atMost: MOST },
        note: `bare node:http with the same answers in memory; ${CONNECTIONS} connections, middle of ${ROUNDS} x ${SECONDS} s`,
      });
    }
    return rows;
  } finally {
    await server.stop();
    await database.close();
  }
}
