import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Performance } from '../../../coordinator/contract/performance.ts';
import { asJudgedNow } from '../../../coordinator/lifecycle/performance/compare.ts';
import {
  jobFigures,
  nodeFigures,
  rankedBy,
  rankIndex,
} from '../../../coordinator/lifecycle/performance/node-figures.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser, type TestUser } from '../../support/client.ts';
import { fiveCustomers } from './five-customers.ts';
import { at, makeJob, measuredJob, Node } from '../jobs/node.ts';
import { H100, upload, type Device } from '../jobs/upload.ts';
import { compare, figures, h100, vote } from './votes.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const user = await makeUser(app);
const measure = (devices: Device[], body: Record<string, unknown> = {}, by: TestUser = user) =>
  measuredJob(app, by, devices, body);
const devicesOf = (devices: Device[]) => upload('m', devices).benchmark_results.quick_mark.test_results;
test('the worst metric decides, at 0.95 and 1.05 of the peers, for products at 0.93', () => {
  const votes = ['a', 'b', 'c', 'd', 'e'].map((name) => vote(name, figures(700, 3000), 2));
  const status = (bf16: number, memory: number) => compare(h100(figures(bf16, memory)), votes).status;
  assert.equal(status(700, 2850), 'nominal', '2850 / 3000 is 0.95');
  assert.equal(status(800, 2849), 'underperforming');
  // 651 / 700 is 0.93
  assert.deepEqual([status(651, 3000), status(650, 3000)], ['nominal', 'underperforming']);
  assert.equal(status(736, 3151), 'outperforming');
  assert.equal(status(736, 3150), 'nominal', '3150 / 3000 is 1.05');
});

test('without a base there is no verdict and no score', () => {
  const unheard = { ...h100(figures(10)), gpu_model: 'NVIDIA Unheard-of' };
  assert.deepEqual(compare(unheard), {
    status: 'unknown',
    score: null,
    score_by: null,
    metrics: [
      {
        metric: 'bf16_tflops',
        value: 10,
        sample_size: 0,
        customers: 0,
        expected: null,
        ratio: null,
        percentile: null,
        basis: 'none',
        not_judged: 'neither a healthy card nor a data sheet is known for it',
      },
    ],
  });
});

test('a CPU whose name looks like a GPU is compared with no data sheet', () => {
  assert.equal(compare({ ...h100(figures(700)), gpu_vendor: 'cpu' }).status, 'unknown');
});

test('a node is the mean of its devices, so one slow device of eight shows', () => {
  const healthy = Array.from({ length: 7 }, (): Device => ({ bf16: 700 }));
  assert.equal(nodeFigures(devicesOf([...healthy, { bf16: 350 }]))?.figures.bf16_tflops, 656.25);
  assert.equal(
    nodeFigures(devicesOf([...healthy, { bf16: null }]))?.figures.bf16_tflops,
    null,
    'a device without the figure is not left out',
  );
  assert.equal(nodeFigures(devicesOf([...healthy, { bf16: 0 }]))?.figures.bf16_tflops, null);
  assert.equal(nodeFigures([]), null);
});

test('a job of several models is judged by the model that most of its devices are', () => {
  const mixed = jobFigures([
    { ...h100(figures(700)), device_count: 2 },
    { ...h100(figures(265)), gpu_model: 'NVIDIA A100-SXM4-80GB', model_key: 'nvidia|A100 80GB SXM', device_count: 8 },
    { ...h100(figures(720)), device_count: 4 },
  ]);
  assert.deepEqual(
    [mixed?.gpu_model, mixed?.device_count, mixed?.figures.bf16_tflops],
    ['NVIDIA A100-SXM4-80GB', 8, 265],
  );
  const weighted = jobFigures([
    { ...h100(figures(700)), device_count: 2 },
    { ...h100(figures(730)), device_count: 4 },
  ]);
  assert.equal(weighted?.figures.bf16_tflops, 720, '(2 x 700 + 4 x 730) / 6');
});

test('jobs rank by one figure, among those that measured it on the same model by the same engine under the same load', () => {
  const rank = rankIndex(h100(figures(100, 400)));
  assert.deepEqual(rank, { group: 'one|nvidia|H100 SXM|bf16_tflops|vendor|sustained', index: 100 });
  const memory = rankIndex({ ...h100(figures(100, 400)), bf16_load: 'brief' });
  assert.deepEqual(memory, { group: 'one|nvidia|H100 SXM|memory_bandwidth_gbs', index: 400 });
  assert.deepEqual(
    [rank, memory].map((one) => rankedBy(one?.group ?? '')),
    ['bf16_tflops', 'memory_bandwidth_gbs'],
  );
  // What earlier releases stored was a mean, of one figure or more.
  assert.equal(rankedBy('nvidia|H100 SXM|memory_bandwidth_gbs'), null);
  assert.equal(rankIndex(h100(figures(null))), null);
});

test('a figure at 6 % of its sheet is neither as expected nor scored, whatever engine measured it', () => {
  const card = (gpu_model: string, bf16_engine: 'own' | 'vendor', bf16: number) =>
    compare({ ...h100(figures(bf16)), gpu_model, bf16_engine });
  // 59.4 of 989.4 and 135 of 2250 TFLOP/s
  for (const engine of ['own', 'vendor'] as const)
    assert.equal(card(H100, engine, 59.4).status, 'underperforming', engine);
  const b200 = card('NVIDIA B200', 'own', 135);
  assert.deepEqual([b200.status, b200.score, b200.score_by], ['unknown', null, null]);
  assert.deepEqual([b200.metrics[0]?.basis, b200.metrics[0]?.ratio], ['spec', 0.06]);
  assert.match(b200.metrics[0]?.not_judged ?? '', /no healthy card has been measured by us/);
  assert.equal(card('NVIDIA B200', 'own', 100).status, 'underperforming', 'below what any program reaches');
});

test('the score is of the worst figure, so three good ones do not hide it', () => {
  const votes = ['a', 'b', 'c', 'd', 'e'].map((name) => vote(name, figures(700, 3000), 2));
  const compared = compare(h100(figures(735, 1500)), votes);
  assert.deepEqual([compared.score, compared.score_by], [50, 'memory_bandwidth_gbs']);
});

test('a stored comparison of an earlier release keeps what it found low and loses its mean, and its status from a peak alone', () => {
  const metric = { metric: 'bf16_tflops', value: 59.4, expected: 989.4, ratio: 0.06, percentile: null, sample_size: 0 };
  const stored: Performance = { status: 'nominal', score: 6, metrics: [{ ...metric, basis: 'spec', floor: 0.05 }] };
  const restated = asJudgedNow(stored);
  assert.deepEqual([restated.status, restated.score, restated.score_by], ['unknown', null, null]);
  const low = asJudgedNow({ ...stored, status: 'underperforming' });
  assert.deepEqual([low.status, low.score], ['underperforming', null]);
  const beside = asJudgedNow({
    ...stored,
    score: 81,
    metrics: [{ ...metric, ratio: 1, basis: 'peers' }, ...stored.metrics],
  });
  assert.deepEqual([beside.status, beside.score], ['nominal', null]);
  const today = compare(h100(figures(677)));
  assert.equal(asJudgedNow(today), today);
});

test('a published figure that sources contradict each other on is not an expectation', () => {
  const b200 = { ...h100(figures(1700, 6000)), gpu_model: 'NVIDIA B200' };
  const bases = compare(b200).metrics.map(({ metric, expected, basis }) => [metric, expected, basis]);
  // sheets say 8000 and 7700 GB/s, and no healthy card has been measured
  assert.deepEqual(bases, [
    ['bf16_tflops', 2250, 'spec'],
    ['memory_bandwidth_gbs', null, 'none'],
  ]);
});

test('verdict, rank and alerts over the whole spine: eight machines of five customers make the next one comparable', async () => {
  for (const [index, person] of (await fiveCustomers(app)).entries())
    for (let n = 0; n < (index < 3 ? 2 : 1); n += 1)
      await measure([{ bf16: 700 + index, memory: 3000, copies: 50, engine: 'vendor' }], {}, person);
  const slow = await measure([{ bf16: 650, memory: 3000, copies: 50, engine: 'vendor' }], {
    tags: ['slow'],
    name: 'slow one',
  });
  const performance = at(slow, 'performance');
  assert.equal(at(performance, 'status'), 'underperforming');
  assert.deepEqual(at(performance, 'metrics', 0), {
    metric: 'bf16_tflops',
    value: 650,
    sample_size: 8,
    customers: 5,
    expected: 702,
    // less than this share of what peers measured is low
    floor: 0.93,
    ratio: 0.9259,
    percentile: 0,
    basis: 'peers',
    peak: 989.4,
    reference: {
      value: 702,
      low: 652.86,
      high: 751.14,
      cards: 8,
      source: 'median of 5 customers with 8 machines of the model',
      basis: 'customers',
    },
  });
  const taskId = at(slow, 'tasks', 0, 'id');
  assert.deepEqual(at(slow, 'scoreboard_summary'), {
    gpu_model: H100,
    rank: 6,
    rank_by: 'bf16_tflops',
    of: 6,
    percentile: 16.7,
    // 650 / 702, the worst of four, times 100
    score: 92.6,
    status: 'underperforming',
    underperforming_nodes: [taskId],
  });
  const stats = async (query: string) =>
    at(
      (await call(app, 'GET', `/api/gpu-mark/v1/jobs/stats${query}`, { headers: user.authorization })).body,
      'alert_job_count',
    );
  assert.equal(await stats(''), 1);
  assert.equal(await stats('?benchmark_id=quick_mark&tags=slow&name=SLOW&sort_by=name&sort_order=asc'), 1);
  assert.equal(await stats('?tags=fast'), 0);
  assert.equal(await stats('?state=failed'), 0);
  for (const query of ['?benchmark_id=cluster_network', '?state=lost', '?sort_by=token']) {
    const answer = await call(app, 'GET', `/api/gpu-mark/v1/jobs/stats${query}`, { headers: user.authorization });
    assert.equal(answer.status, 400, query);
  }
});

test('a simulated result is shown and counts for nothing', async () => {
  const simulated = await measure([{ model: 'NVIDIA Simulated', bf16: 99_999, simulated: true }]);
  assert.equal(at(simulated, 'state'), 'completed');
  assert.deepEqual(at(simulated, 'performance'), { status: 'unknown', score: null, score_by: null, metrics: [] });
  assert.equal(at(simulated, 'scoreboard_summary'), null);
  const rows = await app.platform.sql`select from scoreboard_entry where gpu_model = 'NVIDIA Simulated'`;
  assert.equal(rows.count, 0);
});

test('one machine has one voice, however often it is measured', async () => {
  const model = 'NVIDIA Repeated';
  for (let n = 0; n < 8; n += 1) {
    const job = await makeJob(app, user);
    await new Node(app, job, 'the-same-machine').run([{ model }]);
  }
  const other = await measure([{ model }], {}, await makeUser(app));
  assert.equal(at(other, 'performance', 'metrics', 0, 'sample_size'), 1);
  assert.equal(at(other, 'performance', 'status'), 'unknown');
});
