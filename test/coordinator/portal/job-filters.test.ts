import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listJobsQuery } from '../../../coordinator/contract/job.ts';
import { listJobs } from '../../../coordinator/jobs/list-jobs.ts';
import { MOST_SHOWN, matrix } from '../../../coordinator/portal/components/matrix.ts';
import { testApp } from '../../support/app.ts';
import { actorOf, call, makeUser } from '../../support/client.ts';
import { insertCopies } from '../../support/insert-copies.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser } from './browser-session.ts';

const app = await testApp({ after }, { now: new Date('2026-11-20T08:00:00Z') });
const user = await makeUser(app, { tier: 'plus' });
const it = browser(app);
await it.signIn(user.email, user.password);
for (let n = 0; n < 6; n += 1) {
  const job = await makeJob(app, user, {
    name: n % 2 === 0 ? `night ${n}` : `day ${n}`,
    node_count: n + 1,
    benchmarks: n === 5 ? ['quick_mark', 'cluster_network'] : ['quick_mark'],
    tags: n < 3 ? ['a', 'b', 'rack 7'] : ['a'],
  });
  if (n === 0) await new Node(app, job).run();
  // A third of the figure expected for the model by its data sheet.
  if (n === 1)
    for (const name of ['slow-1', 'slow-2']) await new Node(app, job, name).run([{ bf16: 240, memory: 900 }]);
  app.clock.advance({ minutes: 5 });
}

/** Every filter and other parameter of the API's query, under the same name in the page's URL. */
const queries = {
  page: 'page=2&per_page=2&sort_by=created_at',
  per_page: 'per_page=4&sort_by=created_at',
  sort_by: 'sort_by=name',
  sort_order: 'sort_by=node_count&sort_order=asc',
  state: 'state=completed&sort_by=created_at',
  name: 'name=NIGHT&sort_by=created_at',
  benchmark_id: 'benchmark_id=cluster_network&sort_by=created_at',
  tags: 'tags=a&tags=b&sort_by=created_at',
  'tags with spaces': 'tags=rack+7&sort_by=created_at',
  created_after: 'created_after=2026-11-20T08:12:00Z&sort_by=created_at',
  created_before: 'created_before=2026-11-20T08:12:00Z&sort_by=created_at',
  node_count_min: 'node_count_min=4&sort_by=created_at',
  node_count_max: 'node_count_max=2&sort_by=created_at',
  has_performance_data: 'has_performance_data=true&sort_by=created_at',
  performance_status: 'performance_status=underperforming&sort_by=created_at',
};

for (const [name, query] of Object.entries(queries))
  test(`the list of jobs by ${name} has the same rows as the API for the same query`, async () => {
    const api = await call(app, 'GET', `/api/gpu-mark/v1/jobs?${query}`, { headers: user.authorization });
    assert.equal(api.status, 200, api.text);
    const { results, pagination } = api.body as unknown as {
      results: { id: string }[];
      pagination: { total: number };
    };
    const page = (await (await it.get(`/jobs.json?${query}`)).json()) as { total: number; results: { id: string }[] };
    assert.deepEqual(
      [page.total, page.results.map(({ id }) => id)],
      [pagination.total, results.map(({ id }) => id)],
      query,
    );
    if (name !== 'has_performance_data') assert.ok(results.length > 0, 'the query finds something');
    const html = await (await it.get(`/jobs?${query}`)).text();
    for (const { id } of results) assert.ok(html.includes(`/jobs/${id}"`), `${id} is on the page`);
  });

test('every parameter of the API’s query is tried, except those that the page does not use', () => {
  const left = new Set(['include', 'include_results', 'cursor']);
  assert.deepEqual(
    Object.keys(listJobsQuery.shape)
      .filter((name) => !left.has(name))
      .toSorted(),
    Object.keys(queries)
      .filter((name) => name !== 'tags with spaces')
      .toSorted(),
  );
});

test('the field on the page takes several tags separated by commas, as the form for a new job does', async () => {
  const found = (await (await it.get('/jobs.json?tags=a,+rack+7')).json()) as { results: object[] };
  assert.equal(found.results.length, 3);
  assert.match(
    await (await it.get('/jobs?tags=a&tags=rack+7')).text(),
    /name="tags"\s+type="text"\s+value="a, rack 7"/,
  );
  const made = await it.post('/jobs/new', { benchmark: 'quick_mark', node_count: '1', tags: 'row 4, nightly' });
  const id = /\/jobs\/(\d+)\/start/.exec(made.headers.get('location') ?? '')?.[1] ?? assert.fail(await made.text());
  const job = (await (await it.get(`/jobs/${id}.json`)).json()) as { tags: string[] };
  assert.deepEqual(job.tags, ['row 4', 'nightly']);
  await app.platform.sql`update job set deleted_at = now() where id = ${id}`;
});

test('a list that stops counting returns one more than the limit, and has the same rows', async () => {
  const actor = await actorOf(app, user);
  const query = listJobsQuery.parse({ per_page: '2' });
  const [exact, bounded] = [
    await listJobs({ ...app.context, actor }, query),
    await listJobs({ ...app.context, actor }, query, { mostCounted: 3 }),
  ];
  assert.deepEqual([exact.pagination.total, bounded.pagination.total], [6, 4]);
  assert.deepEqual(bounded.results, exact.results);
  assert.equal(bounded.pagination.has_next, true);
});

test('above the counting limit the page and its JSON agree: more than 10,000, and another page follows', async () => {
  const many = await makeUser(app, { tier: 'plus' });
  const browserOfMany = browser(app);
  await browserOfMany.signIn(many.email, many.password);
  const { id } = await makeJob(app, many, { name: 'one of many' });
  const read = async (query: string) => {
    const json = (await (await browserOfMany.get(`/jobs.json?${query}`)).json()) as Record<string, unknown>;
    return {
      said: [json['total'], json['total_means']],
      page: await (await browserOfMany.get(`/jobs?${query}`)).text(),
    };
  };
  const { sql } = app.platform;
  const addJobs = (from: number, to: number) =>
    insertCopies(
      sql,
      'job',
      sql`
        select (jsonb_populate_record(j, jsonb_build_object('id', j.id + n, 'name', 'many-' || n))).*
        from job j, generate_series(${from}::int, ${to}::int) n where j.id = ${id}`,
    );
  await addJobs(1, 9_999);
  const exact = await read('per_page=2');
  assert.deepEqual(exact.said, [10_000, 'exact']);
  assert.match(exact.page, />10,000 jobs</);
  await addJobs(10_000, 10_001);
  const more = await read('per_page=2&page=5000');
  assert.deepEqual(more.said, [10_000, 'more than']);
  assert.match(more.page, />more than 10,000 jobs</);
  assert.match(
    more.page,
    /9999 to 10000 of more than 10,000\s+<a[^>]+rel="prev"[^>]*>Previous<\/a>\s+<a[^>]+rel="next"/,
  );
});

test('a matrix of 40 nodes is a table of blocks: each shows its lowest value and opens its part of the matrix', async () => {
  const nodes = 40;
  const cells = Array.from({ length: nodes * nodes }, (_, at) => ({ from: Math.floor(at / nodes), to: at % nodes }))
    .filter(({ from, to }) => from !== to)
    .map(({ from, to }) => ({ from, to, value: from === 17 && to === 31 ? 5 : 20 }));
  const table = await matrix({
    names: Array.from({ length: nodes }, (_, node) => `n${node}`),
    cells,
    unit: 'Gb/s',
    of: 'node',
    caption: 'Links',
    hrefOf: (from, to) => `/at/${from.first}-${from.last}/${to.first}-${to.last}`,
  });
  const html = table?.toString() ?? assert.fail('no matrix');
  // 40 nodes in at most 16 rows: three nodes to a block, 14 blocks, the last with one node.
  assert.equal(html.match(/<tr>/g)?.length, 1 + Math.ceil(nodes / Math.ceil(nodes / MOST_SHOWN)));
  assert.match(html, /<td class="h1 worst">\s*<a href="\/at\/15-17\/30-32">▼ 5\.00/);
  assert.match(html, /href="\/at\/0-2\/0-2"/);
});
