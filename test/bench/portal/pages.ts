import { Agent, request } from 'node:http';
import { portalPages } from '../../../coordinator/portal/pages.ts';
import type { BenchRow } from '../bench-row.ts';
import type { BenchServer } from '../coordinator/bench-server.ts';
import { quantile } from '../coordinator/load.ts';
import { chosenPages, pageRequests, type Known, type PageRequests } from './page-requests.ts';

/** Limit for the p95 of the answers, in milliseconds. */
const BAR = 50;
/** Time per page: as many requests as fit, one at a time, but at least a minimum number. */
const MS = 1000;
const LEAST = 60;
const WARM_UP = 8;

interface Answered {
  status: number;
  ms: number;
  bytes: number;
}

export interface Client {
  get: (path: string) => Promise<Answered>;
  close: () => void;
}

/** One keep-alive connection. */
export function client(port: number, cookie: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = (path: string): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const at = performance.now();
      request({ port, host: '127.0.0.1', path, agent, headers: { cookie } }, (answer) => {
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => void (bytes += chunk.length));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - at, bytes }));
        answer.on('error', reject);
      })
        .on('error', reject)
        .end();
    });
  return { get, close: () => agent.destroy() };
}

/**
 * Time from the request to the end of the answer for every page, each with varying parameters, one request at a time.
 */
export async function benchPages(server: BenchServer, known: Known, cookie: string): Promise<BenchRow[]> {
  const ours = client(server.ours, cookie);
  const rows: BenchRow[] = [];
  try {
    for (const { name, paths } of askedFor(known)) {
      const { latencies, first, statuses, bytes } = await measure(ours, paths);
      const p95 = quantile(latencies, 0.95);
      rows.push({
        name: `page ${name}`,
        ours: p95,
        peer: BAR,
        unit: 'ms',
        ratio: p95 / BAR,
        target: { atMost: 1 },
        note: `the bar; p50 ${quantile(latencies, 0.5).toFixed(1)} ms, first ${first.toFixed(0)} ms, ${latencies.length} requests of ${Math.round(bytes / 1000)} kB${statuses}`,
      });
      process.stderr.write(`bench: ${name} ${p95.toFixed(1)} ms\n`);
    }
  } finally {
    ours.close();
  }
  return rows;
}

function askedFor(known: Known): readonly PageRequests[] {
  const chosen = chosenPages(pageRequests(portalPages, known), process.env['PORTAL_PAGES']);
  const isChosen = (path: string): boolean => chosen.some(({ name }) => name === path);
  return [...chosen, ...(isChosen('/jobs') ? [byNameAndTags] : []), ...(isChosen('/jobs/:id') ? [ofBig(known)] : [])];
}

/** Reads the widest index of jobs whole: the slowest search. Names of 11,000 jobs, of one and of none, tags of 2,000 and of all. */
const byNameAndTags: PageRequests = {
  name: '/jobs by name and tags',
  paths: Array.from({ length: 60 }, (_, n) => {
    const name = [`job-${n % 10}`, `job-${10_007 + 997 * n}`, 'bench', 'nothing'][n % 4] ?? '';
    return `/jobs?name=${name}&tags=nightly${n % 3 === 0 ? '' : `&tags=team-${n % 50}`}`;
  }),
};

const ofBig = ({ big }: Known): PageRequests => ({
  name: '/jobs/:id of 256 nodes',
  paths: ['', '?rows=32-63&cols=0-31', '?nodes=2', '?order=worst', '?rows=0-15&cols=0-15'].map(
    (query) => `/jobs/${big}${query}`,
  ),
});

async function measure({ get }: Client, paths: readonly string[]) {
  const first = await get(paths[0] ?? '');
  for (let n = 0; n < WARM_UP; n += 1) await get(paths[n % paths.length] ?? '');
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  let bytes = 0;
  const until = performance.now() + MS;
  for (let n = 0; performance.now() < until || n < LEAST; n += 1) {
    const answer = await get(paths[n % paths.length] ?? '');
    latencies.push(answer.ms);
    bytes += answer.bytes;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500) throw new Error(`${paths[n % paths.length]} answered ${answer.status}`);
  }
  const others = [...statuses].filter(([status]) => status !== 200).map(([status, count]) => `, ${count} x ${status}`);
  return { latencies, first: first.ms, statuses: others.join(''), bytes: bytes / latencies.length };
}

/**
 * The pages that spend most of their time on their query, alternating with that query behind a bare node:http handler.
 */
export async function benchAgainstQueries(server: BenchServer, known: Known, cookie: string): Promise<BenchRow[]> {
  const [ours, floor] = [client(server.ours, cookie), client(server.floor, cookie)];
  const rows: BenchRow[] = [];
  try {
    for (const { name, paths } of askedFor(known)) {
      const bare = bareOf(name, known);
      if (bare === null) continue;
      const [page, raw]: [number[], number[]] = [[], []];
      for (let n = 0; n < 2 * LEAST + WARM_UP; n += 1) {
        const path = paths[n % paths.length] ?? '';
        const [a, b] = [await ours.get(path), await floor.get(bare(path))];
        if (a.status !== 200 || b.status !== 200) throw new Error(`${path}: ${a.status}, bare ${b.status}`);
        if (n < WARM_UP) continue;
        page.push(a.ms);
        raw.push(b.ms);
      }
      const [mine, its] = [quantile(page, 0.5), quantile(raw, 0.5)];
      rows.push({
        name: `page ${name} beside its queries`,
        ours: mine,
        peer: its,
        unit: 'ms',
        ratio: mine / its,
        // No target: the row shows where the time goes.
        target: { atLeast: 0 },
        note: `bare node:http, the same queries and rows as JSON; p50 of ${page.length}`,
      });
    }
  } finally {
    ours.close();
    floor.close();
  }
  return rows;
}

function bareOf(name: string, { customerId, prices }: Known): ((path: string) => string) | null {
  const query = (path: string) => new URL(path, 'http://localhost').searchParams;
  const last = (path: string) => new URL(path, 'http://localhost').pathname.split('/').at(-1) ?? '';
  if (name === '/jobs') return (path) => `/jobs?customer=${customerId}&${query(path).toString()}`;
  if (name === '/jobs/:id') return (path) => `/jobs/:id?id=${last(path)}`;
  if (name === '/machines')
    return (path) => `/machines?customer=${customerId}&page=${Number(query(path).get('page')) - 1}`;
  if (name !== '/market/:slug') return null;
  const ids = new Map(prices.map(({ slug, product_id }) => [slug, product_id]));
  return (path) => `/market/:slug?product_id=${ids.get(last(path))}&${query(path).toString()}`;
}
