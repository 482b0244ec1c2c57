import { summariseRun } from '../../../coordinator/network/results/summarise-run.ts';
import type { UploadPayload } from '../../../coordinator/contract/agent-protocol.ts';
import { MOST_POINTS, type SensorSeries } from '../../../coordinator/contract/sensor-series.ts';
import { changeCustomerTerms } from '../../../coordinator/accounts/standing/change-terms.ts';
import { buildCurves } from '../../../coordinator/forward/build-curves.ts';
import { train } from '../../../coordinator/prediction/train.ts';
import { ensureCarbon } from '../../../coordinator/carbon/store-editions.ts';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import type { Role, Tier } from '../../../coordinator/contract/user.ts';
import type { Lifetime } from '../../support/lifetime.ts';
import { actorOf, makeUser, type TestUser } from '../../support/client.ts';
import { seedTokens } from '../../support/seed-tokens.ts';
import { seedVotes } from '../../support/seed-votes.ts';
import { smallMarket } from '../prediction/small-market.ts';
import { sharedPath, withoutShared } from '../ingest/read-source.ts';
import { madeLink, madeNodes, runFacts } from '../network/results/made-run.ts';
import { storeRun } from '../network/results/stored-run.ts';
import { makeJob, Node, type MadeJob } from '../jobs/node.ts';
import { upload, type Device } from '../jobs/upload.ts';
import { marketApp, type MarketApp } from '../market/filled-market.ts';
import { browser, type Browser } from './browser-session.ts';

/** What no stranger and no other company may read of the owner. */
export const secrets = [
  'secret plan',
  'for the eyes of the owner',
  'hidden-tag',
  'Owner Ltd',
  'host-owner',
  '10.1.2.3',
  'serial-1650923007',
];
export const slug = 'nvidia-h100-sxm-80gb';

export interface World {
  app: MarketApp;
  owner: Person;
  /** two nodes that delivered, with links; its first node's task and machine */
  job: MadeJob;
  task: string;
  machine: string;
  /** the second node's task: one of its GPUs has its serial as id */
  second: string;
  /** no node has joined it yet */
  fresh: MadeJob;
  person: (company: string, role: Role, tier?: Tier | null) => Promise<Person>;
}

export interface Person {
  user: TestUser;
  it: Browser;
}

/**
 * A coordinator with prices of a few providers, and those of publishers if their files are available, a price model,
 * forward curves, carbon and tokens, and a company of tier enterprise with the token index and with runs of eight GPUs.
 */
export async function portalWorld(lifetime: Lifetime): Promise<World> {
  const app = await marketApp(lifetime, { now: new Date('2026-08-22T10:00:00Z') });
  await fillPrices(app);
  const person: World['person'] = async (company, role, tier = 'enterprise') => {
    const user = await makeUser(app, { company, role, tier: tier ?? 'basic' });
    // Before the app has cached the company.
    if (tier === null) await app.platform.sql`delete from subscription where customer_id = ${user.customerId}`;
    const it = browser(app);
    const answer = await it.signIn(user.email, user.password);
    if (answer.status !== 303) throw new Error(await answer.text());
    return { user, it };
  };
  await grantIndex(app);
  const owner = await person('Owner Ltd', 'customer_admin');
  const job = await makeJob(app, owner.user, {
    name: 'secret plan',
    description: 'for the eyes of the owner',
    benchmarks: ['quick_mark', 'cluster_network'],
    node_count: 2,
    tags: ['hidden-tag'],
  });
  const nodes = [new Node(app, job, 'owner-machine-0'), new Node(app, job, 'owner-machine-1')];
  for (const node of nodes) {
    await node.register();
    await node.beat();
  }
  await storeLinks(app, owner.user, job);
  for (const [index, node] of nodes.entries()) {
    const payload = JSON.stringify(ofTier(eightGpus(node.machineUuid, index)));
    const given = index === 0 ? payload : payload.replaceAll('GPU-7', 'serial-1650923007');
    await node.results(node.result(JSON.parse(given) as UploadPayload));
    await node.complete(index === 0 ? [] : ['GPU 3: spread of bf16 above 10 %: other work on it or unsteady clocks']);
  }
  await measureRivals(app);
  const fresh = await makeJob(app, owner.user, { name: 'waiting', node_count: 2 });
  const [first, second] = nodes;
  if (!first || !second) throw new Error('no node');
  return { app, owner, job, task: first.taskId, machine: first.machineUuid, second: second.taskId, fresh, person };
}

/** As agents report it: how long it measured, and which engine was requested. */
export function ofTier(payload: UploadPayload): UploadPayload {
  Object.assign(payload.benchmark_results['quick_mark'] as object, { tier: 'quick', engine_choice: 'auto' });
  return payload;
}

/**
 * As many other customers, each with as many machines of the model, as a band requires, all a little faster than the
 * owner's.
 */
async function measureRivals(app: MarketApp): Promise<void> {
  for (const bf16 of [716, 718, 720, 722, 724]) {
    const user = await makeUser(app);
    for (let n = 0; n < 2; n += 1) {
      const node = new Node(app, await makeJob(app, user));
      await node.register();
      await node.results(
        node.result(ofTier(eightGpus(node.machineUuid, 0, { bf16, watts: 630 + n, copies: bf16 / 13 }))),
      );
      await node.complete();
    }
  }
}

/** Before the app caches the company's permissions, which it keeps for a while. */
async function grantIndex(app: MarketApp): Promise<void> {
  const actor = await actorOf(app, await makeUser(app, { company: 'Owner Ltd', tier: 'enterprise' }));
  await changeCustomerTerms(app.context, actor, {
    products: [...actor.standing.terms.products, 'token-index'],
    token_index_tokens: ['expenditure'],
    token_index_versions: ['v1'],
  });
}

async function fillPrices(app: MarketApp): Promise<void> {
  const { context, platform } = app;
  await ensureCarbon(context);
  if (withoutShared === false)
    await app.ingest(neocloudDaily, sharedPath('rental/neocloud-daily/neocloud_daily_median.csv'));
  const votes = smallMarket({ months: ['2026-05', '2026-06', '2026-07', '2026-08'] });
  const otherTerms = votes
    .filter(({ product, day }) => product === slug && day === '2026-08-15')
    .flatMap((vote) => [
      { ...vote, price_type: 12, price: vote.price * 0.8 },
      { ...vote, price_type: 36, price: vote.price * 0.6 },
    ]);
  await platform.sql`
    insert into latest_price (product_id, price_type, country, day, price, price_median, provider_count, sample_size)
    select product_id, 100, '', '2026-08-15', 28500, 28200, 3, 9 from product where slug = ${slug}
    on conflict do nothing`;
  await seedVotes(platform.sql, [...votes, ...otherTerms]);
  await train(context);
  for await (const { curves } of buildCurves(context, { from: '2026-08-17', to: '2026-08-20' }))
    if (curves === 0) throw new Error('no curve was built');
  await seedTokens(platform.sql, { last: '2026-08-21', days: 31, models: 40 });
}

async function storeLinks(app: MarketApp, user: TestUser, job: MadeJob): Promise<void> {
  const seats = madeNodes(
    2,
    ['owner-machine-0', 'owner-machine-1'].map((name) => ({ machine_uuid: name, hostname: `host-${name}` })),
  );
  const links = [madeLink(2, { source: 0, target: 1, forward: 21, reverse: 12, verdict: 'slow' })];
  const summary = summariseRun({
    run: runFacts({ nodes_expected: 2 }),
    nodes: seats,
    links,
    judgement: null,
    reach: null,
    collective: null,
  });
  await storeRun(app, { jobId: job.id, customerId: user.customerId, item: 1, nodes: seats, links, summary });
}

/** A node as its agent uploads it: copies between all pairs, one of them slow; with all at work bf16 loses 14 %, a given one 2 %. */
export function eightGpus(machineUuid: string, place = 0, given: Device = {}): UploadPayload {
  const gap = given.bf16 === undefined ? 0.14 : 0.02;
  const devices = Array.from({ length: 8 }, (_, index) => ({ bf16: 715 - 2 * index - 5 * place, ...given }));
  const payload = upload(machineUuid, devices);
  const quickMark = payload.benchmark_results['quick_mark'] as {
    test_results: { gpu_id: string; bf16_tflops: number; memory_bandwidth_gbs: number; details: unknown }[];
    aggregate_results: Record<string, unknown>;
  };
  const ids = quickMark.test_results.map(({ gpu_id }) => gpu_id);
  quickMark.aggregate_results['gpu_bandwidth_matrix'] = ids.flatMap((source, from) =>
    ids.flatMap((target, to) => {
      const speed = place === 1 && from === 2 && to === 5 ? 210 : 390 + ((from * 3 + to) % 7);
      return from === to
        ? []
        : [
            {
              source_gpu: source,
              target_gpu: target,
              simplex_gbs: speed,
              simplex_samples: 24 + to,
              duplex_gbs: 2 * speed - 20,
              duplex_samples: 12 + to,
              connection_type: 'NVLink x18',
              peer_access: true,
              verdict: speed < 300 ? 'warn' : 'ok',
            },
          ];
    }),
  );
  for (const device of quickMark.test_results) {
    const { memory_bandwidth_gbs: memory } = device;
    Object.assign(device, {
      details: {
        bf16_tflops: {
          value: device.bf16_tflops,
          unit: 'TFLOP/s',
          stats: { n: 64, min: 690, max: 720, median: device.bf16_tflops, p5: 700, p95: 718, cv: 0.006 },
        },
        readings: sensorReadings(false),
      },
      together: {
        bf16_tflops: { value: device.bf16_tflops * (1 - gap), alone: device.bf16_tflops, samples: 40, gap },
        memory_bandwidth_gbs: { value: memory * 0.99, alone: memory, samples: 20, alone_samples: 32, gap: 0.01 },
      },
    });
  }
  return payload;
}

/** 51 s under load, read five times a second, with no temperature at the start; a card that gets too hot is throttled from 12.8 s on. */
export function sensorReadings(isHot: boolean): SensorSeries {
  const points = Array.from({ length: MOST_POINTS }, (_, at) => at);
  const isLate = (at: number): boolean => isHot && at >= 64;
  return {
    seconds: points.map((at) => at / 5),
    power_watts: points.map((at) => (at < 8 ? 120 : isLate(at) ? 480 : 640 + (at % 7))),
    temperature_celsius: points.map((at) => (at < 4 ? null : Math.min(isHot ? 92 : 70, 38 + at))),
    clock_mhz: points.map((at) => (isLate(at) ? 1200 + (at % 3) * 15 : 1980)),
    throttled: [
      { first: 8, last: isHot ? 63 : MOST_POINTS - 1, reasons: ['sw_power_cap'] },
      ...(isHot ? [{ first: 64, last: MOST_POINTS - 1, reasons: ['sw_power_cap', 'hw_thermal'] }] : []),
    ],
  };
}

/** A path of the portal's list with the owner's ids as parameters; a file extension is kept. */
export function pathOf(path: string, { job, task, machine }: Pick<World, 'job' | 'task' | 'machine'>): string {
  const own: Record<string, string> = { '/jobs/': job.id, '/tasks/': task, '/machines/': machine, '/market/': slug };
  return path
    .replace(/(?<=\/(\w+)\/):(?:id|uuid|slug)(\{[^}]*\})?/, (whole, area: string, pattern: string | undefined) => {
      const ending = /\\\.(\w+)\}$/.exec(pattern ?? '')?.[1];
      const value = own[`/${area}/`];
      if (value === undefined) throw new Error(`no value for ${whole} of ${path}`);
      return `${value}${ending === undefined ? '' : `.${ending}`}`;
    })
    .replace(':token', 'gmp_unknown');
}
