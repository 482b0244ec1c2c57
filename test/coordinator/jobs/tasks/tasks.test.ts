import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { taskSortColumns } from '../../../../coordinator/contract/task.ts';
import { testApp } from '../../../support/app.ts';
import { call, makeUser, type Json } from '../../../support/client.ts';
import { at, makeJob, Node, textAt } from '../node.ts';
import { H100 } from '../upload.ts';

const PATH = '/api/gpu-mark/v1/tasks';
const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const user = await makeUser(app, { company: 'Rack & Co' });
const get = (path: string) => call(app, 'GET', `${PATH}${path}`, { headers: user.authorization });

const job = await makeJob(app, user, { node_count: 3 });
const nodes = [new Node(app, job, 'uuid-c'), new Node(app, job, 'uuid-a'), new Node(app, job, 'uuid-b')] as const;
await nodes[0].run();
app.clock.advance({ seconds: 1 });
await nodes[1].register();
await nodes[1].beat();
app.clock.advance({ seconds: 1 });
await nodes[2].register();
await nodes[2].fail('failed', 'no driver');

test('GET 200 filters, sorts and pages', async () => {
  const uuids = (body: Json) => (at(body, 'data') as Json[]).map((task) => at(task, 'machine_uuid'));
  const expected: [string, string[]][] = [
    ['', ['uuid-b', 'uuid-a', 'uuid-c']],
    ['?sort_order=asc', ['uuid-c', 'uuid-a', 'uuid-b']],
    ['?sort_by=machine_uuid&sort_order=asc', ['uuid-a', 'uuid-b', 'uuid-c']],
    ['?state=completed', ['uuid-c']],
    ['?state=failed', ['uuid-b']],
    ['?machine_uuid=uuid-a', ['uuid-a']],
    ['?machine_ip=10.1.2.3', ['uuid-c']],
    [`?job_id=${job.id}&per_page=2&page=2`, ['uuid-c']],
    ['?job_id=1', []],
  ];
  for (const [query, machines] of expected) assert.deepEqual(uuids((await get(query)).body), machines, query);
  assert.deepEqual(at((await get('?per_page=2&page=2')).body, 'pagination'), {
    page: 2,
    per_page: 2,
    total: 3,
    pages: 2,
    next_cursor: null,
  });
});

test('GET 200 holds results only if they are asked for', async () => {
  assert.deepEqual(at((await get('?state=completed')).body, 'data', 0, 'benchmark_results'), {});
  const full = at((await get('?state=completed&include_results=true')).body, 'data', 0);
  assert.equal(at(full, 'benchmark_results', 'quick_mark', 'results', 'test_results', 0, 'fp16_tflops'), 670);
  assert.deepEqual([at(full, 'gpu_model'), at(full, 'gpu_count'), at(full, 'machine_ip')], [H100, 1, '10.1.2.3']);
});

test('GET 400 names the parameter', async () => {
  for (const query of [
    'page=0',
    'per_page=301',
    'sort_by=token',
    'sort_order=x',
    'job_id=abc',
    'state=created',
    'include_results=x',
    'cursor=x',
  ]) {
    const answer = await get(`?${query}`);
    assert.deepEqual([answer.status, at(answer.body, 'error', 'code')], [400, 'PARAMETER_INCORRECT_VALUE'], query);
  }
});

test('a walk by cursor shows every task once in every order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...taskSortColumns), fc.constantFrom('asc', 'desc'), async (sort_by, order) => {
      const seen: string[] = [];
      let next: string | null = null;
      do {
        const { body } = await get(
          `?sort_by=${sort_by}&sort_order=${order}&per_page=1${next === null ? '' : `&cursor=${next}`}`,
        );
        seen.push(textAt(body, 'data', 0, 'id'));
        next = at(body, 'pagination', 'next_cursor') as string | null;
      } while (next !== null);
      assert.deepEqual(seen.toSorted(), nodes.map((node) => node.taskId).toSorted());
    }),
    { numRuns: 12 },
  );
});

test('GET {task_id} 200: specification, inventory and results', async () => {
  const { body } = await get(`/${nodes[0].taskId}`);
  assert.deepEqual(at(body, 'manufacturer_gpu_spec'), {
    compute_capability: '9.0',
    memory_bandwidth: 3350,
    fp32_tflops: 66.9,
  });
  assert.equal(at(body, 'company_name'), 'Rack & Co');
  assert.deepEqual(
    [at(body, 'machine_id'), at(body, 'configuration_id')],
    ['uuid-c', '11111111-2222-5333-8444-555555555555'],
  );
  assert.deepEqual(at(body, 'inventory'), {
    machine_id: 'uuid-c',
    config_id: '11111111-2222-5333-8444-555555555555',
    cpu: { processor: 'Xeon Platinum 8480C', count: 64, os: 'Debian 13', arch: 'x86_64', virtualization_type: null },
    // 85520809984 / 2^30 = 79.65
    gpu: {
      vendor: 'nvidia',
      model: H100,
      count: 1,
      memory_gb: 79.6,
      network_type: 'PCIe 5.0 x16',
      driver_version: '580.65.06',
      cuda_version: '13.0',
    },
    disk: { model: 'PM1743', size_gb: 7680, technology: 'NVMe SSD' },
    memory: { total_gb: 2048, type: 'DDR5' },
    network: { machine_ip: '10.1.2.3', open_ports: '22', upload_speed_mbps: null, download_speed_mbps: '9400' },
    location: 'SE',
  });
  const result = at(body, 'benchmark_results', 'quick_mark');
  assert.deepEqual(
    [at(result, 'state'), at(result, 'completed_at'), at(result, 'error_message')],
    ['completed', '2026-11-21T12:00:00.000Z', null],
  );
});

test('GET {task_id} 200 with names for people', async () => {
  const { body } = await get(`/${nodes[0].taskId}?include_display_name=true`);
  assert.equal(at(body, 'Company'), 'Rack & Co');
  assert.equal(at(body, 'Inventory', 'CPU', 'Processor'), 'Xeon Platinum 8480C');
  assert.equal(at(body, 'Benchmark results', 'quick_mark', 'Results', 'Results by GPU', 0, 'BF16 (TFLOPS)'), 715);
});

test('GET {task_id} 200 for a node that said nothing of itself: null, nothing invented', async () => {
  const { body } = await get(`/${nodes[2].taskId}`);
  assert.deepEqual(
    [at(body, 'inventory'), at(body, 'manufacturer_gpu_spec'), at(body, 'configuration_id')],
    [null, null, null],
  );
  assert.equal(at(body, 'failed_message'), 'no driver');
});

test('GET {task_id} 404 RESOURCE_NOT_FOUND, and 400 for an invalid id', async () => {
  const missing = await get('/1234567890123456789');
  assert.deepEqual([missing.status, at(missing.body, 'error', 'code')], [404, 'RESOURCE_NOT_FOUND']);
  assert.equal((await get('/abc')).status, 400);
  assert.equal((await get(`/${nodes[0].taskId}?include_display_name=x`)).status, 400);
});
