import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { jobSortColumns } from '../../../coordinator/contract/job.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, type Json, type TestUser } from '../../support/client.ts';
import { at, makeJob, Node, textAt } from './node.ts';

const PATH = '/api/gpu-mark/v1/jobs';
const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const user = await makeUser(app);

const get = (query: string, caller: TestUser = user) =>
  call(app, 'GET', `${PATH}${query}`, { headers: caller.authorization });
const namesOf = (body: Json): unknown[] => (at(body, 'results') as Json[]).map((job) => at(job, 'name'));

test('200 with an empty page where there is nothing', async () => {
  assert.deepEqual((await get('')).body, {
    results: [],
    pagination: {
      total: 0,
      page: 1,
      per_page: 20,
      total_pages: 0,
      has_next: false,
      has_prev: false,
      next_cursor: null,
    },
  });
});

test('200 filters by state, name, benchmark, all tags, times and node counts', async () => {
  const caller = await makeUser(app);
  await makeJob(app, caller, { name: 'Alpha one', tags: ['eu', 'h100'], node_count: 2 });
  app.clock.advance({ seconds: 10 });
  const beta = await makeJob(app, caller, {
    name: 'beta',
    tags: ['eu'],
    node_count: 8,
    benchmarks: ['cluster_network'],
  });
  app.clock.advance({ seconds: 10 });
  const gamma = await makeJob(app, caller, { name: '100% gamma_', node_count: 1 });
  await new Node(app, gamma).run();
  const expected: [string, string[]][] = [
    ['', ['100% gamma_', 'beta', 'Alpha one']],
    ['?sort_order=asc', ['Alpha one', 'beta', '100% gamma_']],
    ['?sort_by=node_count', ['beta', 'Alpha one', '100% gamma_']],
    ['?state=completed', ['100% gamma_']],
    ['?name=ALPHA', ['Alpha one']],
    ['?name=%25', ['100% gamma_']],
    ['?name=_', ['100% gamma_']],
    ['?benchmark_id=cluster_network', ['beta']],
    ['?benchmark_id=quick_mark&tags=eu', ['beta', 'Alpha one']],
    ['?tags=eu&tags=h100', ['Alpha one']],
    ['?tags=eu&name=a', ['beta', 'Alpha one']],
    ['?tags=eu&name=alp&benchmark_id=quick_mark&sort_by=name', ['Alpha one']],
    ['?tags=h100&name=beta', []],
    [`?created_after=${encodeURIComponent(beta.created_at)}`, ['100% gamma_']],
    [`?created_before=${encodeURIComponent(beta.created_at)}`, ['Alpha one']],
    ['?node_count_min=2&node_count_max=7', ['Alpha one']],
    ['?has_performance_data=true', ['100% gamma_']],
    ['?has_performance_data=false', ['100% gamma_', 'beta', 'Alpha one']],
    ['?performance_status=nominal', ['100% gamma_']],
    ['?performance_status=underperforming', []],
    ['?performance_status=unknown', ['beta', 'Alpha one']],
    ['?performance_status=unknown&sort_by=state&sort_order=asc', ['Alpha one', 'beta']],
    ['?per_page=2&page=2', ['Alpha one']],
    ['?page=9', []],
  ];
  for (const [query, names] of expected) {
    const answer = await get(query, caller);
    assert.deepEqual(namesOf(answer.body), names, query);
  }
  assert.deepEqual(at((await get('?per_page=2&page=2', caller)).body, 'pagination'), {
    total: 3,
    page: 2,
    per_page: 2,
    total_pages: 2,
    has_next: false,
    has_prev: true,
    next_cursor: null,
  });
});

test('200 shows expansions where they are asked for, and null elsewhere', async () => {
  const caller = await makeUser(app);
  await new Node(app, await makeJob(app, caller)).run([{ bf16: 700 }, { bf16: 710 }]);
  const [plain, results, both] = await Promise.all(
    ['', '?include_results=true', '?include=performance&include=performance_nodes'].map(async (query) =>
      at((await get(query, caller)).body, 'results', 0),
    ),
  );
  for (const field of ['gpu_models', 'quickmark_aggregate_results', 'performance', 'performance_nodes'])
    assert.equal(at(plain, field), null, field);
  assert.deepEqual(at(results, 'gpu_models'), ['NVIDIA H100 80GB HBM3']);
  assert.equal(at(results, 'quickmark_aggregate_results', 'bf16_tflops'), 1410);
  assert.equal(at(results, 'performance'), null);
  assert.equal(at(both, 'performance', 'status'), 'nominal');
  assert.equal(at(both, 'performance_nodes', 0, 'metrics', 0, 'value'), 705);
  const unmeasured = await makeJob(app, caller, { name: 'unmeasured' });
  const row = at((await get('?name=unmeasured&include=performance', caller)).body, 'results', 0);
  assert.deepEqual(
    [at(row, 'id'), at(row, 'performance')],
    [unmeasured.id, { status: 'unknown', score: null, score_by: null, metrics: [] }],
  );
});

test('400 names the parameter', async () => {
  const cursor = Buffer.from('["name","desc","x","1",2]').toString('base64url');
  const wrong: [string, RegExp][] = [
    ['page=0', /page/],
    ['per_page=301', /per_page/],
    ['per_page=ten', /per_page/],
    ['sort_by=token', /sort_by/],
    ['sort_order=up', /sort_order/],
    ['state=lost', /state/],
    [`name=${'x'.repeat(61)}`, /name/],
    ['created_after=0000-01-01T00:00:00Z', /created_after/],
    ['created_before=9999-12-31T23:59:59-23:59', /created_before/],
    [Array.from({ length: 11 }, (_, n) => `tags=${n}`).join('&'), /tags/],
    ['created_after=yesterday', /created_after/],
    ['node_count_min=0', /node_count_min/],
    ['node_count_max=257', /node_count_max/],
    ['performance_status=slow', /performance_status/],
    ['include_results=perhaps', /include_results/],
    ['include=performance_nodes', /performance_nodes requires performance/],
    ['include=everything', /include/],
    ['cursor=nonsense', /cursor/],
    [`cursor=${cursor}`, /cursor belongs to sort_by=name/],
    [`cursor=${Buffer.from('["created_at","desc","not a time","1",2]').toString('base64url')}`, /cursor/],
    [
      `cursor=${Buffer.from('["created_at","desc","2026-01-01T00:00:00Z","9999999999999999999",2]').toString('base64url')}`,
      /cursor/,
    ],
    ['name=a%00b', /NUL/],
  ];
  for (const [query, reason] of wrong) {
    const answer = await get(`?${query}`);
    assert.equal(answer.status, 400, query);
    assert.equal(at(answer.body, 'error', 'code'), 'PARAMETER_INCORRECT_VALUE');
    assert.match(textAt(answer.body, 'error', 'message'), reason);
  }
});

const sql = app.platform.sql;
/** Jobs with equal and absent sort values, so that ties and nulls decide. */
async function insertJobs(owner: TestUser, count: number, seed: number): Promise<string[]> {
  const [key] = await sql`select kid from signing_key where purpose = 'job' and retired_at is null`;
  const ids = Array.from({ length: count }, () => app.platform.newId());
  for (const [n, id] of ids.entries()) {
    const ended = (n + seed) % 3 === 0;
    const started = ended || (n + seed) % 3 === 1;
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, (n * 7 + seed) % 4));
    await sql`
      insert into job (id, customer_id, name, state, node_count, current_nodes, benchmark_sequence, benchmarks, token_id,
        token_kid, created_at, started_at, expires_at, ended_at)
      values (${id}, ${owner.customerId}, ${`job ${id}`}, ${ended ? 'completed' : started ? 'running' : 'created'},
        ${1 + ((n + seed) % 3)}, ${started ? 1 : 0}, '[]', '{quick_mark}', 'x', ${key?.['kid']}, ${at},
        ${started ? at : null}, ${new Date(at.getTime() + 86_400_000)}, ${ended ? at : null})`;
  }
  return ids;
}

test('a walk by cursor shows every row once, whatever is added meanwhile, in every order', async () => {
  await makeJob(app, await makeUser(app));
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        sort_by: fc.constantFrom(...jobSortColumns),
        sort_order: fc.constantFrom('asc', 'desc'),
        per_page: fc.integer({ min: 1, max: 5 }),
        count: fc.integer({ min: 0, max: 13 }),
        added: fc.integer({ min: 0, max: 3 }),
      }),
      async ({ sort_by, sort_order, per_page, count, added }) => {
        const owner = await makeUser(app);
        const there = await insertJobs(owner, count, 0);
        const seen: string[] = [];
        let next: string | null = null;
        do {
          const cursor = next === null ? '' : `&cursor=${next}`;
          const { status, body } = await get(
            `?sort_by=${sort_by}&sort_order=${sort_order}&per_page=${per_page}${cursor}`,
            owner,
          );
          assert.equal(status, 200, JSON.stringify(body));
          seen.push(...(at(body, 'results') as Json[]).map((job) => textAt(job, 'id')));
          next = at(body, 'pagination', 'next_cursor') as string | null;
          assert.equal(at(body, 'pagination', 'has_next'), next !== null);
          if (seen.length < 40) await insertJobs(owner, added, seen.length);
        } while (next !== null && seen.length < 200);
        assert.equal(new Set(seen).size, seen.length, 'no row twice');
        assert.deepEqual(
          there.filter((id) => !seen.includes(id)),
          [],
          'no row missing',
        );
      },
    ),
    { numRuns: 24 },
  );
});

test('rows without a value come last in ascending order and first in descending', async () => {
  const owner = await makeUser(app);
  await insertJobs(owner, 6, 0);
  for (const [order, pattern] of [
    ['asc', 'vvnnnn'],
    ['desc', 'nnnnvv'],
  ] as const) {
    const { body } = await get(`?sort_by=ended_at&sort_order=${order}`, owner);
    const shape = (at(body, 'results') as Json[]).map((job) => (at(job, 'ended_at') === null ? 'n' : 'v')).join('');
    assert.equal(shape, pattern);
  }
});

test('a walk by page shows every row once when created_before fixes the set', async () => {
  const owner = await makeUser(app);
  const there = await insertJobs(owner, 9, 1);
  const before = encodeURIComponent(app.clock.now().toISOString());
  const seen: string[] = [];
  for (const page of [1, 2, 3]) {
    const { body } = await get(`?per_page=3&page=${page}&created_before=${before}`, owner);
    seen.push(...(at(body, 'results') as Json[]).map((job) => textAt(job, 'id')));
    app.clock.advance({ seconds: 1 });
    await makeJob(app, owner);
  }
  assert.deepEqual(seen.toSorted(), there.toSorted());
});

test('a search that finds every name has them in the order of the list without it, in every order', async () => {
  const owner = await makeUser(app);
  await insertJobs(owner, 7, 2);
  const idsOf = (body: Json): string[] => (at(body, 'results') as Json[]).map((job) => textAt(job, 'id'));
  for (const sort_by of jobSortColumns)
    for (const order of ['asc', 'desc']) {
      const query = `?sort_by=${sort_by}&sort_order=${order}`;
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body } = await get(`${query}&name=JOB&per_page=3${cursor === '' ? '' : `&cursor=${cursor}`}`, owner);
        assert.equal(at(body, 'pagination', 'total'), 7);
        found.push(...idsOf(body));
        cursor = at(body, 'pagination', 'next_cursor') as string | null;
      }
      assert.deepEqual(found, idsOf((await get(query, owner)).body), query);
    }
});
