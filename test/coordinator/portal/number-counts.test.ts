import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { portalPages } from '../../../coordinator/portal/pages.ts';
import { pathOf, portalWorld, slug } from './world.ts';

const world = await portalWorld({ after });
const { it } = world.owner;
const root = await world.person('Operator Ltd', 'root_admin');

const text = async (path: string): Promise<string> => {
  const answer = await (path.startsWith('/customers') ? root.it : it).get(path);
  assert.equal(answer.status, 200, path);
  return answer.text();
};
const rowsOf = async (path: string): Promise<Record<string, unknown>[]> =>
  (JSON.parse(await text(path)) as { results?: Record<string, unknown>[] }).results ?? [];

/** The columns beside a figure that have its count or spread, or why it has none. */
type Support = readonly string[] | string;
const spread = ['n', 'p5', 'p95'];
const all = (names: readonly string[], support: Support): Record<string, Support> =>
  Object.fromEntries(names.map((name) => [name, support]));

const counts = 'it is a count';
const number = 'it numbers something';
const choice = 'it was chosen, not measured';
const published = 'one value that the maker published, as the caption says';
const arithmetic = 'it follows from what the reader entered and from inputs that are listed with their counts';
const copies = {
  ...all(['from_gpu', 'to_gpu'], number),
  simplex_gbs: ['simplex_samples'],
  simplex_samples: counts,
  duplex_gbs: ['duplex_samples'],
  duplex_samples: counts,
};
const bands = ['customers', 'machines'];

/** Each column of each list that has numbers. A new one has to be added here, with what stands behind it. */
const known: Record<string, Record<string, Support>> = {
  '/jobs': {
    ...all(['node_count', 'gpu_count', 'compared_figures', 'problems_bad', 'problems_check'], counts),
    ...all(['bf16_gpus', 'memory_gpus'], counts),
    ...all(['bf16_tflops_median', 'bf16_tflops_worst'], ['bf16_gpus']),
    ...all(['memory_bandwidth_gbs_median', 'memory_bandwidth_gbs_worst'], ['memory_gpus']),
    score_percent: ['compared_figures'],
  },
  '/jobs/:id/links': {
    ...all(['link_id', 'attempt'], number),
    ...all(['forward_gbps', 'reverse_gbps', 'bandwidth_gbps', 'window_ms'], ['windows']),
    ...all(['windows', 'rtt_samples', 'expected_forward_rates'], counts),
    expected_forward_gbps: ['expected_forward_rates'],
    latency_us: ['rtt_samples'],
  },
  '/jobs/:id/nodes': {
    node: number,
    ...all(['gpu_count', 'problems'], counts),
    ...all(['bf16_tflops', 'fp32_tflops', 'memory_bandwidth_gbs'], ['gpu_count']),
  },
  '/jobs/:id/together': {
    ...all(['node', 'device'], number),
    alone: ['alone_samples'],
    all_at_work: ['all_at_work_samples'],
    change_share: ['alone_samples', 'all_at_work_samples'],
    ...all(['alone_samples', 'all_at_work_samples'], counts),
  },
  '/jobs/:id/copies': { node: number, ...copies },
  '/tasks/:id/copies': copies,
  '/tasks/:id/samples': {
    seconds: number,
    ...all(
      ['power_watts', 'clock_mhz', 'temperature_celsius'],
      'a point of a series is one reading or a mean of a few',
    ),
  },
  '/tasks/:id/peers': {
    value: ['p10', 'p90'],
    ...all(['p10', 'median', 'p90'], bands),
    ...all(bands, counts),
  },
  '/tasks/:id': {
    value: spread,
    ...all(['p5', 'p95', 'fraction_of_spec_peak'], ['n']),
    n: counts,
    ...all(['peers_p10', 'peers_median', 'peers_p90'], ['peers_customers', 'peers_machines']),
    ...all(['peers_customers', 'peers_machines'], counts),
  },
  '/machines': all(['gpu_count', 'runs', 'completed'], counts),
  '/machines/:uuid': { value: spread, ...all(['p5', 'p95'], ['n']), n: counts },
  '/compare': { value: spread, ...all(['p5', 'p95'], ['n']), n: counts, difference: spread },
  '/market': {
    ...all(['mem', 'mem_bus', 'bandwidth', 'fp16', 'tdp', 'ppw', 'msrp'], published),
    rental_price: ['provider_count'],
    ...all(['retail_price', 'cpp'], ['retail_provider_count']),
    ...all(['provider_count', 'retail_provider_count'], counts),
  },
  '/market/:slug/forward': {
    tenor_months: choice,
    ...all(['term_rate_usd_per_gpu_hour', 'forward_rate_usd_per_gpu_hour'], ['providers', 'term_providers']),
    ...all(['providers', 'term_providers'], counts),
  },
  '/market/:slug/predict/offers': { gpu_count: counts, price: ['days'], days: counts },
  '/market/:slug/predict': {
    price_usd_per_gpu_hour: ['providers'],
    ...all(['providers', 'residuals'], counts),
  },
  '/market/:slug/rent-or-buy': { month: number, ...all(['rent_rate', 'rent', 'buy'], arithmetic) },
  '/market/:slug/votes': { price: ['observations'], observations: counts, own_level: ['own_days'], own_days: counts },
  '/market/:slug': {
    price_type: choice,
    ...all(['price', 'median'], ['provider_count', 'sample_size']),
    ...all(['p10', 'p90'], ['provider_count']),
    price_all_providers: ['provider_count_all'],
    ...all(['provider_count', 'sample_size', 'provider_count_all'], counts),
  },
  '/carbon': { carbon_emission_rate_g_per_kwh: ['factors'], carbon_kg: ['factors'], factors: counts },
  '/tokens/book': {
    ...all(['price_input', 'price_output', 'price_cached_input'], 'what one seller asks, as the caption says'),
    ...all(['context_length', 'total_param', 'active_param'], published),
  },
  '/tokens/pulse': {
    ...all(['volume_input_index', 'volume_output_index'], ['volume_counts']),
    ...all(['avg_price_input', 'avg_price_output', 'med_price_input', 'med_price_output'], ['sellers']),
    ...all(['sellers', 'volume_counts'], counts),
  },
  '/customers': { users: counts },
  '/customers/tiers': all(['requests_per_minute', 'burst', 'applications', 'api_keys', 'history_days'], choice),
  '/tokens/index': { value: ['models', 'coverage'], coverage: ['models'], models: counts },
};

const isNumber = (value: unknown): boolean => typeof value === 'number';

test('in every list each number has its count or its spread in the same row, or is one of those with a reason', async () => {
  const used = new Set<string>();
  for (const { method, path, who } of portalPages) {
    const [page] = path.split(/\{[^}]*\\\.json\}|\.json$/);
    if (method !== 'GET' || page === undefined || page === path || who === 'public') continue;
    // A whole job and a whole result have no rows.
    if (page === '/jobs/:id' || page === '/tasks/:id/result') continue;
    const items = page === '/compare' ? `?items=job:${world.job.id},task:${world.task}` : '';
    const rows = await rowsOf(`${pathOf(path, world)}${items}`);
    const names = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isNumber(row[name]))));
    for (const name of names) {
      const support: Support | undefined = known[page]?.[name];
      assert.ok(support !== undefined, `${page}: ${name} is not known here`);
      used.add(`${page} ${name}`);
      if (typeof support === 'string') continue;
      const companions: readonly string[] = support;
      for (const row of rows.filter((one) => isNumber(one[name])))
        for (const companion of companions)
          assert.ok(isNumber(row[companion]), `${page}: ${name} without ${companion}: ${JSON.stringify(row)}`);
    }
  }
  const never = Object.entries(known).flatMap(([page, columns]) =>
    Object.keys(columns)
      .filter((name) => !used.has(`${page} ${name}`))
      .map((name) => `${page} ${name}`),
  );
  assert.deepEqual(never, [], 'columns that no list has');
});

test('the catalogue says how many sellers are behind a retail price, and behind the price per operation that follows from it', async () => {
  const product = (await rowsOf('/market.json')).find((row) => row['slug'] === slug);
  // As stored: a mean of 28,500 USD over three sellers on 2026-08-15; 989.4 TFLOPS are 989.4e12 operations a second.
  assert.deepEqual(
    ['retail_price', 'retail_provider_count', 'retail_price_date', 'cpp'].map((name) => product?.[name]),
    [28_500, 3, '2026-08-15', 28_500 / 989.4e12],
  );
  const page = await text(`/market?slug=${slug}`);
  assert.match(page, /28,500<small>n 3, <time datetime="2026-08-15">2026-08-15<\/time><\/small>/);
  // 28,500 / 989.4 = 28.805
  assert.equal(/<thead[^]*?<\/thead>/.exec(page)?.[0].match(/<th\s/g)?.length, 8);
  assert.match(page, /28\.81<small>n 3<\/small>/);
  assert.match(page, /specifications are single values that the maker published/);
});

test('a product, its forward curve, its prediction and renting beside buying say how many providers are behind them', async () => {
  const [newest] = await rowsOf(`/market/${slug}.json`);
  const n = Number(newest?.['provider_count']);
  assert.ok(n > 1);
  assert.match(
    await text(`/market/${slug}`),
    new RegExp(`USD per GPU hour on ${String(newest?.['date'])}, n ${n}, [+−]`),
  );
  const [point] = await rowsOf(`/market/${slug}/forward.json`);
  const curve = await text(`/market/${slug}/forward`);
  assert.match(curve, new RegExp(`compared with on demand, n ${String(point?.['providers'])} providers`));
  // The page names them all.
  const named = /Providers: ([^.]*)\./.exec(curve)?.[1]?.trim().split(', ') ?? [];
  assert.equal(named.length, point?.['providers']);
  const predicted = await rowsOf(`/market/${slug}/predict.json`);
  const behind = Number(predicted[0]?.['providers']);
  assert.match(await text(`/market/${slug}/predict`), new RegExp(`USD per GPU hour, n ${behind} providers`));
  // Percentiles are those of errors of past predictions; the price itself has none.
  for (const row of predicted) assert.equal(isNumber(row['residuals']), /^p\d+$/.test(String(row['figure'])));
  const inputs = await text(`/market/${slug}/rent-or-buy`);
  assert.match(inputs, /28,500 USD · observed new, 2026-08-15, n 3 sellers/);
  assert.match(inputs, new RegExp(`as of [\\d-]+, n ${behind} providers`));
});

test('the files of jobs say of how many figures a score is the worst, and the token index of how many models', async () => {
  const job = (await rowsOf('/jobs.json')).find((row) => row['id'] === world.job.id);
  // A healthy H100 has 3017 GB/s; our kernels are held to no healthy card.
  assert.deepEqual([job?.['score_percent'], job?.['compared_figures']], [99.4, 1]);
  const [day] = await rowsOf('/tokens/index.json');
  assert.equal(day?.['models'], 400);
  assert.match(await text('/tokens/index'), /: 0\.7000, USD per million paid tokens, n 400 models/);
});

test('a rate of carbon is one published factor, and the page says so', async () => {
  const page = await text('/carbon?country_code=US&zipcode=94103');
  assert.match(page, /n 1 published factor/);
  assert.match(page, /n 1: each rate is one published factor/);
});
