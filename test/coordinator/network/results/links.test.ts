import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { linkMeasurement, type LinkMeasurement } from '../../../../coordinator/contract/cluster-network.ts';
import { linkPage } from '../../../../coordinator/contract/network-link-routes.ts';
import { reportData } from '../../../../coordinator/jobs/report-data.ts';
import { summariseRun } from '../../../../coordinator/network/results/summarise-run.ts';
import { testApp } from '../../../support/app.ts';
import { call, makeUser } from '../../../support/client.ts';
import { at, getJob, makeJob, textAt } from '../../jobs/node.ts';
import { linkRow, madeLink, madeNodes, runFacts } from './made-run.ts';
import { storeRun } from './stored-run.ts';

const app = await testApp({ after });
const owner = await makeUser(app);
const stranger = await makeUser(app, { role: 'customer_admin' });
const job = await makeJob(app, owner, {
  benchmarks: ['quick_mark', { benchmark_id: 'cluster_network', config: { slot_seconds: 3 } }],
  node_count: 4,
});
const nodes = madeNodes(4, [{ hostname: '=HYPERLINK("http://x")' }, { hostname: 'a,b "c"' }, {}, { hostname: null }]);
const links = [
  madeLink(4, { source: 0, target: 1, forward: 10, reverse: 20, p50: 100 }),
  madeLink(4, { source: 2, target: 3, forward: 18, reverse: 19, p50: 80 }),
  madeLink(4, { source: 0, target: 2, forward: 19, reverse: 6, p50: 90, verdict: 'slow' }),
  madeLink(4, { source: 1, target: 3, forward: 20, reverse: 21, p50: 70 }),
  madeLink(4, { source: 0, target: 3, status: 'timeout' }),
  // Planned, and nobody has spoken of it: no measurement.
  linkRow({ link: 3, source: 1, target: 2 }),
  madeLink(4, { source: 0, target: 2, forward: 5, reverse: 18, attempt: 2 }),
  madeLink(4, { source: 0, target: 2, forward: 19, reverse: 7, attempt: 3 }),
];
const summary = summariseRun({ run: runFacts(), nodes, links, judgement: null, reach: null, collective: null });
await storeRun(app, { jobId: job.id, customerId: owner.customerId, item: 1, nodes, links, summary });

const path = `/api/gpu-mark/v1/jobs/${job.id}/network/links`;
const get = (query = '', who = owner) => call(app, 'GET', `${path}${query}`, { headers: who.authorization });
const listed = async (query: string): Promise<LinkMeasurement[]> => linkPage.parse((await get(query)).body).results;
const keys = (rows: LinkMeasurement[]) => rows.map(({ link_id, attempt }) => `${link_id}.${attempt}`);

test('the list shows every attempt that somebody spoke of, in the contract’s shape, by link and attempt', async () => {
  const { status, body } = await get();
  assert.equal(status, 200);
  const page = linkPage.parse(body);
  // Pairs of four: 01=0 02=1 03=2 12=3 13=4 23=5.
  assert.deepEqual(keys(page.results), ['0.1', '1.1', '1.2', '1.3', '2.1', '4.1', '5.1']);
  assert.deepEqual(page.pagination, {
    total: 7,
    page: 1,
    per_page: 300,
    total_pages: 1,
    has_next: false,
    has_prev: false,
  });
  const [first] = page.results;
  assert.deepEqual(
    [first?.forward_gbps, first?.reverse_gbps, first?.bandwidth_gbps, first?.latency_us, first?.connection_type],
    [10, 20, 10, 50, 'ethernet'],
  );
  // Each end of a link of four nodes has links to two others.
  assert.deepEqual([first?.expected_forward_rates, first?.expected_reverse_rates], [2, 2]);
  assert.deepEqual([first?.source, first?.dialer], [nodes[0]?.machine_uuid, nodes[0]?.machine_uuid]);
});

test('pages hold together, and tell what is before and after them', async () => {
  const second = linkPage.parse((await get('?per_page=3&page=2')).body);
  assert.deepEqual(keys(second.results), ['1.3', '2.1', '4.1']);
  assert.deepEqual(second.pagination, {
    total: 7,
    page: 2,
    per_page: 3,
    total_pages: 3,
    has_next: true,
    has_prev: true,
  });
  const last = linkPage.parse((await get('?per_page=3&page=3')).body);
  assert.deepEqual([keys(last.results), last.pagination.has_next], [['5.1'], false]);
  assert.deepEqual(linkPage.parse((await get('?per_page=3&page=4')).body).results, []);
});

test('filters by attempt, status, verdict and the node at either end', async () => {
  assert.deepEqual(keys(await listed('?attempt=2')), ['1.2']);
  assert.deepEqual(keys(await listed('?status=timeout')), ['2.1']);
  assert.deepEqual(keys(await listed('?verdict=slow')), ['1.1']);
  assert.deepEqual(keys(await listed('?verdict=unmeasured')), ['2.1']);
  assert.deepEqual(keys(await listed('?node=1')), ['0.1', '4.1']);
  assert.deepEqual(keys(await listed('?node=2&attempt=1')), ['1.1', '5.1']);
  assert.equal((await get('?node=256')).status, 400);
});

test('sorted by bandwidth and by latency, a link without the figure comes last in either order', async () => {
  const measured = await listed('');
  for (const figure of ['bandwidth_gbps', 'latency_us'] as const) {
    for (const order of ['asc', 'desc'] as const) {
      const sorted = await listed(`?sort_by=${figure}&sort_order=${order}`);
      const sign = order === 'asc' ? 1 : -1;
      const expected = measured.toSorted((a, b) => {
        const [x, y] = [a[figure], b[figure]];
        if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
        return sign * (x - y) || a.link_id - b.link_id || a.attempt - b.attempt;
      });
      assert.deepEqual(keys(sorted), keys(expected), `${figure} ${order}`);
    }
  }
});

test('job detail and job results carry the summary and the same measurements, first attempts first', async () => {
  const detail = at(await getJob(app, owner, job.id), 'benchmark_results', 'cluster_network');
  const own = await call(app, 'GET', `/api/gpu-mark/v1/jobs/${job.id}/results`, { headers: owner.authorization });
  assert.deepEqual(at(own.body, 'cluster_network'), detail);
  assert.equal(at(detail, 'state'), 'completed');
  assert.equal(at(detail, 'results', 'avg_bandwidth_gbps'), summary.avg_bandwidth_gbps);
  assert.equal(at(detail, 'results', 'measurements_total'), 7);
  assert.equal(at(detail, 'results', 'measurements_url'), `http://coordinator.test${path}?item=1`);
  const rows = linkMeasurement.array().parse(at(detail, 'results', 'measurements'));
  assert.deepEqual(keys(rows), ['0.1', '1.1', '2.1', '4.1', '5.1', '1.2', '1.3']);
});

test('the report gets the summary and one cell for each link that was tried, halves of round trips in it', async () => {
  const report = await reportData(app.context, { kind: 'job', id: job.id });
  assert(report.kind === 'job');
  assert.equal(report.network?.results.avg_bandwidth_gbps, summary.avg_bandwidth_gbps);
  assert.deepEqual(
    report.network?.links.map(({ link, forward_gbps, reverse_gbps, latency_us, status, verdict }) => [
      link,
      forward_gbps,
      reverse_gbps,
      latency_us,
      status,
      verdict,
    ]),
    [
      [0, 10, 20, 50, 'ok', 'good'],
      [1, 19, 6, 45, 'ok', 'slow'],
      [2, null, null, null, 'timeout', 'unmeasured'],
      [4, 20, 21, 35, 'ok', 'good'],
      [5, 18, 19, 40, 'ok', 'good'],
    ],
  );
});

test('names for people reach into the measurements', async () => {
  const answer = await call(app, 'GET', `/api/gpu-mark/v1/jobs/${job.id}/results?include_display_names=true`, {
    headers: owner.authorization,
  });
  assert.match(answer.text, /"Bandwidth, smaller direction \(Gbit\/s\)":10/);
  const results = at(answer.body, 'cluster_network', 'Results');
  const unnamed = Object.keys(results as object).filter((name) => /^[a-z]+_/.test(name));
  assert.deepEqual(unnamed, []);
  // Two names that read the same would hide one of their values.
  assert.equal(Object.keys(results as object).length, Object.keys(summary).length + 3);
  const [link] = at(results, 'Measurements') as object[];
  assert.equal(Object.keys(link ?? {}).length, Object.keys(linkMeasurement.shape).length);
});

test('csv is the whole table with quoted fields, and no cell that a spreadsheet would run', async () => {
  const { status, headers, text } = await get('?format=csv&per_page=1');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  assert.equal(headers.get('content-disposition'), `attachment; filename="gpumark-job-${job.id}-links-1.csv"`);
  const lines = text.split('\r\n');
  assert.equal(lines.length, 1 + 7 + 1);
  assert.match(lines[0] ?? '', /^link_id,attempt,phase,round,source_node,source_name,source,/);
  assert.equal(
    lines[1]?.startsWith(
      `0,1,rounds,0,0,"'=HYPERLINK(""http://x"")",00000-machine,1,"a,b ""c""",00001-machine,ok,good,`,
    ),
    true,
    text,
  );
  assert.match(lines[0] ?? '', /,rails,expected_forward_rates,expected_reverse_rates$/);
  assert.match(lines[1] ?? '', /,2,2$/);
  const filtered = await get('?format=csv&attempt=2');
  assert.equal(filtered.text.split('\r\n').length, 1 + 1 + 1);
});

test('another customer finds no links and learns nothing from csv', async () => {
  for (const query of ['', '?format=csv', '?item=1', '?item=0']) {
    const { status, body } = await get(query, stranger);
    assert.equal(status, 404);
    assert.deepEqual(at(body, 'error', 'code'), 'RESOURCE_NOT_FOUND');
  }
});

test('a wrong parameter is named: limits, order, and an item that is not a cluster_network', async () => {
  for (const [query, name] of [
    ['?per_page=0', 'per_page'],
    ['?per_page=2101', 'per_page'],
    ['?page=0', 'page'],
    ['?sort_by=status', 'sort_by'],
    ['?status=good', 'status'],
    ['?format=xml', 'format'],
    ['?item=0', 'item'],
    ['?item=2', 'item'],
  ] as const) {
    const { status, body } = await get(query);
    assert.equal(status, 400, query);
    assert.equal(at(body, 'error', 'code'), 'PARAMETER_INCORRECT_VALUE');
    assert.match(textAt(body, 'error', 'message'), new RegExp(name));
  }
});

test('before and during the run the result says running and the list is what is there', async () => {
  const other = await makeJob(app, owner, { benchmarks: ['cluster_network'], node_count: 4 });
  const list = `/api/gpu-mark/v1/jobs/${other.id}/network/links`;
  const empty = await call(app, 'GET', list, { headers: owner.authorization });
  assert.equal(linkPage.parse(empty.body).pagination.total, 0);
  await storeRun(app, { jobId: other.id, customerId: owner.customerId, item: 1, nodes, links, summary: null });
  const some = await call(app, 'GET', list, { headers: owner.authorization });
  assert.equal(linkPage.parse(some.body).pagination.total, 7);
  assert.equal(at(await getJob(app, owner, other.id), 'benchmark_results', 'cluster_network', 'results'), null);
});

test('of two cluster_network in one job the last one is its result, and item chooses', async () => {
  const two = await makeJob(app, owner, {
    benchmarks: ['cluster_network', { benchmark_id: 'cluster_network', config: { slot_seconds: 4 } }],
    node_count: 4,
  });
  const at4 = { ...summary, slot_seconds: 4 };
  const rows = { jobId: two.id, customerId: owner.customerId, nodes };
  await storeRun(app, { ...rows, item: 1, links, summary });
  await storeRun(app, { ...rows, item: 2, links: links.slice(0, 2), summary: at4 });
  const detail = at(await getJob(app, owner, two.id), 'benchmark_results', 'cluster_network');
  assert.equal(at(detail, 'results', 'slot_seconds'), 4);
  assert.deepEqual(at(detail, 'config'), { slot_seconds: 4 });
  assert.equal(at(detail, 'results', 'measurements_total'), 2);
  const url = `/api/gpu-mark/v1/jobs/${two.id}/network/links`;
  const totals = await Promise.all(
    ['', '?item=1', '?item=2'].map(async (query) =>
      at((await call(app, 'GET', url + query, { headers: owner.authorization })).body, 'pagination', 'total'),
    ),
  );
  assert.deepEqual(totals, [2, 7, 2]);
});
