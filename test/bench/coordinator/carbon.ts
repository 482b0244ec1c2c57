import { join } from 'node:path';
import { batchCarbonRoute, gpuCarbonPostRoute } from '../../../coordinator/contract/carbon-routes.ts';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { benchDatabase } from './bench-database.ts';
import { startBenchServer } from './bench-server.ts';
import { httpRequest, load, quantile } from './load.ts';
import { seedContext, seedUser } from './seed.ts';

const CONNECTIONS = 64;
const ROUNDS = 9;
const SECONDS = 2;
const WARM_UP_SECONDS = 3;
const ITEMS = 50;
const MOST = 1.5;

const places = [
  'US 94105',
  'US 10001',
  'JP 100-0001',
  'GB EC1A 1BB',
  'SE 11120',
  'CA M5V 1A1',
  'IN 400001',
  'BR 01310-100',
];
const gpus = ['nvidia-h100-sxm-80gb', 'nvidia-a100-sxm-80gb', 'nvidia-l40s-48gb', 'nvidia-h100-pcie-80gb'];

const item = (n: number) => {
  const [country_code = '', ...zip] = (places[n % places.length] ?? '').split(' ');
  return {
    gpu_slug: gpus[n % gpus.length],
    gpu_name: null,
    hours_used: (n % 24) + 1,
    zipcode: zip.join(' '),
    country_code,
  };
};

/** Carbon of one GPU and of fifty, compared with a bare handler that does the same look-up in memory. */
export async function benchCarbon(): Promise<BenchRow[]> {
  const database = await benchDatabase();
  const { bearer } = await seedUser(seedContext(database.sql));
  const server = await startBenchServer(join(import.meta.dirname, 'carbon-server.ts'), database.url);
  const cases = {
    'carbon, one': (n: number) => httpRequest('POST', gpuCarbonPostRoute.path, bearer, item(n)),
    'carbon, batch of 50': (n: number) => {
      const data = Array.from({ length: ITEMS }, (_, at) => item(n + at));
      return httpRequest('POST', batchCarbonRoute.path, bearer, { data });
    },
  };
  try {
    const rows: BenchRow[] = [];
    for (const [name, make] of Object.entries(cases)) {
      const requests = Array.from({ length: 100 }, (_, n) => make(n));
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
        note: `bare node:http with the same look-up; ${CONNECTIONS} connections, middle of ${ROUNDS} x ${SECONDS} s`,
      });
    }
    return rows;
  } finally {
    await server.stop();
    await database.close();
  }
}
