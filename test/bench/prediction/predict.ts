import { join } from 'node:path';
import { predictRoute } from '../../../coordinator/contract/prediction.ts';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { startBenchServer } from '../coordinator/bench-server.ts';
import { httpRequest, load, quantile } from '../coordinator/load.ts';

const CONNECTIONS = 64;
const ROUNDS = 7;
const SECONDS = 2;
const WARM_UP_SECONDS = 3;
const MOST = 2;
const DIFFERENT = 4000;
const COUNTRIES = ['US', 'DE', 'FI', 'FR', 'JP', 'SG', 'IN', 'BR', 'AU'];
const KINDS = ['Hyperscaler', 'Neocloud', 'Marketplace'];

interface Given {
  url: string;
  bearer: string;
  products: readonly string[];
}

/** Predictions over HTTP compared with a bare handler that has the bytes of the same answers in memory, alternating. */
export async function benchPredict({ url, bearer, products }: Given): Promise<BenchRow[]> {
  const bodies = Array.from({ length: 200 }, (_, n) => ({
    slug: products[n % products.length],
    gpu_count: 1 + (n % 8),
    country: n % 2 === 0 ? 'US' : 'DE',
    price_type: 0,
  }));
  const several = Array.from({ length: DIFFERENT }, (_, n) =>
    httpRequest('POST', predictRoute.path, bearer, {
      slug: products[n % products.length],
      gpu_count: 1 + (Math.floor(n / products.length) % 8),
      country: COUNTRIES[Math.floor(n / products.length / 8) % COUNTRIES.length],
      provider_source_type: KINDS[Math.floor(n / products.length / 8 / COUNTRIES.length) % KINDS.length],
    }),
  );
  const repeated = bodies.map((body) => httpRequest('POST', predictRoute.path, bearer, body));
  // The floor of the token answers keeps the bytes of the app's first answers; the other floor queries the same model.
  const cases = {
    'predict, p99': {
      requests: repeated,
      floor: '../tokens/answers-server.ts',
      what: 'the bytes of the same answers in memory',
    },
    'predict, mostly anew, p99': {
      requests: several,
      floor: 'predict-server.ts',
      what: 'the same model asked, JSON made each time',
    },
  };
  const rows: BenchRow[] = [];
  for (const [name, { requests, floor, what }] of Object.entries(cases)) {
    const server = await startBenchServer(join(import.meta.dirname, floor), url);
    const requestOf = (n: number): Buffer => requests[n % requests.length] ?? Buffer.alloc(0);
    const run = (port: number, seconds: number) => load(port, { connections: CONNECTIONS, seconds, requestOf });
    try {
      for (const port of [server.floor, server.ours]) await run(port, WARM_UP_SECONDS);
      const rounds: { ours: number; floor: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const ours = quantile((await run(server.ours, SECONDS)).latencies, 0.99);
        rounds.push({ ours, floor: quantile((await run(server.floor, SECONDS)).latencies, 0.99) });
      }
      rows.push({
        name,
        ours: median(rounds.map(({ ours }) => ours)),
        peer: median(rounds.map((one) => one.floor)),
        unit: 'ms',
        ratio: median(rounds.map((one) => one.ours / one.floor)),
        target: { atMost: MOST },
        note: `bare node:http with ${what}; ${CONNECTIONS} connections, middle of ${ROUNDS} x ${SECONDS} s`,
      });
    } finally {
      await server.stop();
    }
  }
  return rows;
}
