import { join } from 'node:path';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { benchDatabase } from './bench-database.ts';
import { startBenchServer } from './bench-server.ts';
import { httpRequest, load, quantile } from './load.ts';
import { seedContext, seedEndedJobs, seedUser } from './seed.ts';

const JOBS = 100_000;
const CONNECTIONS = 4;
const ROUNDS = 5;
const WARM_UP_SECONDS = 2;
const SECONDS = 3;
/** Pages requested in turn; people rarely go further. */
const PAGES = 10;

/**
 * p99 of the job list with 100,000 jobs of one customer, 20 rows and the exact total, compared with the same SQL behind
 * a bare handler.
 */
export async function benchListJobs(): Promise<BenchRow[]> {
  const database = await benchDatabase();
  const context = seedContext(database.sql);
  const owner = await seedUser(context);
  await seedEndedJobs(context, owner, JOBS);
  const server = await startBenchServer(join(import.meta.dirname, 'list-jobs-server.ts'), database.url);
  try {
    const requests = Array.from({ length: PAGES }, (_, page) =>
      httpRequest('GET', `/api/gpu-mark/v1/jobs?page=${page + 1}&customer=${owner.customerId}`, owner.bearer),
    );
    const requestOf = (n: number): Buffer => requests[n % PAGES] ?? Buffer.alloc(0);
    const measure = async (port: number, seconds: number) => {
      const { latencies } = await load(port, { connections: CONNECTIONS, seconds, requestOf });
      return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
    };
    await measure(server.ours, WARM_UP_SECONDS);
    await measure(server.floor, WARM_UP_SECONDS);
    const ours = [];
    const floor = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await measure(server.ours, SECONDS));
      floor.push(await measure(server.floor, SECONDS));
    }
    const [mine, bare] = [median(ours.map((run) => run.p99)), median(floor.map((run) => run.p99))];
    const middle = `p50 ${median(ours.map((run) => run.p50)).toFixed(1)} against ${median(floor.map((run) => run.p50)).toFixed(1)} ms`;
    const note = `bare node:http, same SQL; ${middle}, ${CONNECTIONS} connections, ${ROUNDS} x ${SECONDS} s`;
    return [
      {
        name: 'job list, 100,000 jobs, p99',
        ours: mine,
        peer: bare,
        ratio: mine / bare,
        unit: 'ms',
        target: { atMost: 1.5 },
        note,
      },
    ];
  } finally {
    await server.stop();
    await database.close();
  }
}
