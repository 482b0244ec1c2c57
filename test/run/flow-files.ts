import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { NetworkPlan } from '../../coordinator/contract/network-protocol.ts';
import type * as Connectors from '../../coordinator/ingest/connectors/neocloud-daily.ts';
import type * as Nodes from '../coordinator/jobs/node.ts';
import type * as Markets from '../coordinator/market/filled-market.ts';
import type * as Client from '../support/client.ts';
import type * as GlobalSetup from '../support/global-setup.ts';
import { root } from '../support/source-files.ts';

/*
 * Which files of the coordinator five requests run: node test/run/flow-files.ts [TREE ...] [--list]. Of each tree (this one if
 * none is named; the tree before a change first) an app of its own answers over HTTP, and V8 counts the functions that run
 * from the request until its answer. A file without a function that runs (a schema, a table) is data and does not count.
 * A tree of another version needs a `node_modules` and the test support as it has been since the first version.
 */

type Flow = 'create job' | 'upload result' | 'price history' | 'ingest' | 'network poll';
type Touched = Record<Flow, string[]>;

/** What admits a request, answers and logs it, whatever it asks. */
const everyRequest = /^coordinator\/(platform|accounts)\//;

const self = fileURLToPath(import.meta.url);

async function measure(tree: string): Promise<Touched> {
  const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(join(tree, path)).href)) as T;
  const client = await load<typeof Client>('test/support/client.ts');
  const markets = await load<typeof Markets>('test/coordinator/market/filled-market.ts');
  const agents = await load<typeof Nodes>('test/coordinator/jobs/node.ts');
  const { neocloudDaily } = await load<typeof Connectors>('coordinator/ingest/connectors/neocloud-daily.ts');
  const closers: (() => Promise<void>)[] = [];
  const market = await markets.marketApp({ after: (close) => void closers.push(close) });
  const { url } = await market.listen();
  const served = { ...market, app: { request: (path: string, init?: RequestInit) => fetch(url + path, init) } };
  const test = served as unknown as Parameters<typeof client.call>[0];
  const user = await client.makeUser(test);
  const counting = await countFunctions(tree);
  const answered = async (asked: Promise<{ status: number; text: string }>): Promise<void> => {
    const { status, text } = await asked;
    if (status > 201) throw new Error(`${status}: ${text.slice(0, 1000)}`);
  };

  const create = await counting(async () => void (await agents.makeJob(test, user)));
  const job = await agents.makeJob(test, user);
  const node = new agents.Node(test, job);
  await answered(node.register());
  await answered(node.beat());
  const upload = await counting(() => answered(node.deliver()));

  const fixture = join(tree, 'test/coordinator/ingest/fixtures/neocloud-daily.csv');
  const ingest = await counting(async () => {
    const [report] = await market.ingest(neocloudDaily, fixture);
    if (report?.kind !== 'stored') throw new Error(JSON.stringify(report));
  });
  type Priced = { product_id: number; price_type: number; date: string };
  const [priced] = await market.platform.sql<Priced[]>`
    select product_id, price_type, to_char(day, 'YYYY-MM-DD') as date from daily_price limit 1`;
  if (priced === undefined) throw new Error('the file has no price');
  const { date, ...product } = priced;
  const price = { ...product, start_date: date, end_date: date };
  const history = await counting(() =>
    answered(
      client.call(test, 'POST', '/api/data-hub/gpu/history/price', { body: price, headers: user.authorization }),
    ),
  );

  const links = { benchmark_id: 'cluster_network', config: { slot_seconds: 2, collective: 'off' } };
  const run = await agents.makeJob(test, user, { benchmarks: [links], node_count: 2 });
  const nodes = [new agents.Node(test, run), new agents.Node(test, run)] as const;
  const network = (of: (typeof nodes)[number], path: string, body: object) =>
    of.post(`/api/gpu-mark/v1/agent/network/${path}`, { task_id: of.taskId, epoch: of.epoch, item: 1, ...body });
  for (const of of nodes) await answered(of.register());
  for (const [n, of] of nodes.entries()) {
    const capabilities = { congestion_control: null, locked_memory_kib: null, rdma: null, collective: null, notes: [] };
    const endpoint = { address: `10.0.0.${n + 1}`, port: 4000, interface: 'eth0', prefix_length: 24, speed_mbps: 1000 };
    const endpoints = [{ ...endpoint, mtu: 1500, connection_type: 'ethernet' }];
    await answered(network(of, 'join', { capabilities, endpoints }));
  }
  const poll = await counting(async () => {
    const answer = await network(nodes[0], 'poll', { have: 0, since: 0 });
    const body = answer.body as { plan?: NetworkPlan | null };
    if (answer.status !== 200 || body.plan === undefined) throw new Error(answer.text);
  });

  for (const close of closers.toReversed()) await close();
  return { 'create job': create, 'upload result': upload, 'price history': history, ingest, 'network poll': poll };
}

/** The database server of the tests is watched by timers of this process; no request runs them. */
const ownServer = 'coordinator/platform/db/embedded/';

/** Runs something and answers the tree's files, below coordinator, of the functions that ran meanwhile. */
async function countFunctions(tree: string): Promise<(act: () => Promise<void>) => Promise<string[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async (act) => {
    await session.post('Profiler.takePreciseCoverage');
    await act();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ran = result.filter(({ functions }) =>
      // From offset 0 on it is the module itself, which runs when it is loaded.
      functions.some(({ ranges: [range] }) => (range?.startOffset ?? 0) > 0 && (range?.count ?? 0) > 0),
    );
    return ran
      .filter(({ url }) => url.startsWith('file:'))
      .map(({ url }) => relative(tree, fileURLToPath(url)))
      .filter((path) => path.startsWith('coordinator/') && !path.startsWith(ownServer))
      .toSorted();
  };
}

async function main(args: string[]): Promise<void> {
  const [mode, only] = args;
  if (mode === '--measure') {
    const tree = resolve(only ?? root);
    const server = (await import(pathToFileURL(join(tree, 'test/support/global-setup.ts')).href)) as typeof GlobalSetup;
    await server.globalSetup();
    try {
      process.stdout.write(`\n${JSON.stringify(await measure(tree))}\n`);
    } finally {
      // Else its server would outlive the exit.
      await server.globalTeardown();
    }
    process.exit();
  }
  const named = args.filter((arg) => !arg.startsWith('--'));
  const trees = named.length > 0 ? named : [root];
  const measured: Touched[] = [];
  for (const tree of trees) {
    if (!existsSync(join(tree, 'node_modules'))) throw new Error(`${tree} has no node_modules`);
    const { stdout } = await promisify(execFile)(process.execPath, [self, '--measure', tree], { maxBuffer: 2 ** 26 });
    measured.push(JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Touched);
  }
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const [first] = measured;
  for (const flow of Object.keys(first ?? {}) as Flow[]) {
    const counts = measured.map((touched) => touched[flow].length);
    const apart = measured.map((touched) => touched[flow].filter((path) => !everyRequest.test(path)).length);
    const share = (of: number[]): string => (of.length > 1 ? ` (${((of.at(-1) ?? 0) / (of[0] ?? 1)).toFixed(2)})` : '');
    print(
      `${flow.padEnd(14)} ${counts.join(' -> ')} files${share(counts)}, ` +
        `${apart.join(' -> ')}${share(apart)} of them outside platform and accounts`,
    );
    if (!args.includes('--list')) continue;
    for (const touched of measured) print(`  ${touched[flow].join('\n  ')}\n`);
  }
}

await main(process.argv.slice(2));
