import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { summariseRun } from '../../../coordinator/network/results/summarise-run.ts';
import type { LinkRow } from '../../../coordinator/network/queries/links.ts';
import { testApp } from '../../support/app.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { upload } from '../jobs/upload.ts';
import { madeLink, madeNodes, runFacts } from '../network/results/made-run.ts';
import { storeRun } from '../network/results/stored-run.ts';
import { signedIn } from './browser-session.ts';
import { listRows } from './list-rows.ts';
import { eightGpus } from './world.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { user, it } = await signedIn(app);
const text = async (path: string): Promise<string> => {
  const answer = await it.get(path);
  assert.equal(answer.status, 200, path);
  return (await answer.text()).replaceAll(/\s+/g, ' ');
};

/** The same attempt, whose windows had these lengths: there is what the target counted, back what the source did. */
function withWindows(row: LinkRow, there: number, back: number): LinkRow {
  const { source_report: source, target_report: target } = row;
  assert.ok(source?.received && target?.received);
  return {
    ...row,
    source_report: { ...source, received: { ...source.received, window_ms: back } },
    target_report: { ...target, received: { ...target.received, window_ms: there } },
  };
}

async function jobWithLinks(links: LinkRow[]): Promise<string> {
  const job = await makeJob(app, user, { node_count: 3, benchmarks: ['quick_mark', 'cluster_network'] });
  const seats = madeNodes(
    3,
    [0, 1, 2].map((n) => ({ machine_uuid: `${job.id}-seat-${n}`, hostname: `host-${n}` })),
  );
  const run = { run: runFacts({ nodes_expected: 3 }), nodes: seats, links };
  const summary = summariseRun({ ...run, judgement: null, reach: null, collective: null });
  await storeRun(app, { jobId: job.id, customerId: user.customerId, item: 1, nodes: seats, links, summary });
  return job.id;
}

test('a link’s rate stands beside its one window; retests are rows of their own and not in the matrix', async () => {
  const slow = { source: 0, target: 1, forward: 12, reverse: 21, p50: 90 };
  const id = await jobWithLinks([
    withWindows(madeLink(3, { ...slow, verdict: 'slow' }), 600, 900),
    withWindows(madeLink(3, { ...slow, forward: 11, attempt: 2, verdict: 'slow' }), 1200, 1400),
    withWindows(madeLink(3, { ...slow, forward: 13, attempt: 3, verdict: 'slow' }), 1200, 1200),
    withWindows(madeLink(3, { source: 0, target: 2 }), 610, 610),
    madeLink(3, { source: 1, target: 2, status: 'timeout' }),
  ]);
  const { rows } = await listRows(it, `/jobs/${id}/links`);
  assert.deepEqual(
    rows.map((row) =>
      ['link', 'attempt', 'forward_gbps', 'window_ms', 'windows', 'rtt_samples'].map((name) => row[name]),
    ),
    [
      // The mean of both directions' windows: (600 + 900) / 2.
      ['0 to 1', 1, 12, 750, 1, 1000],
      ['0 to 1', 2, 11, 1300, 1, 1000],
      ['0 to 1', 3, 13, 1200, 1, 1000],
      ['0 to 2', 1, 20, 610, 1, 1000],
      ['1 to 2', 1, null, null, null, null],
    ],
  );
  const list = await text(`/jobs/${id}/links`);
  for (const cell of ['750, n 1', '1,300, n 1', '45.0, n 1000'])
    assert.ok(list.includes(`<td class="r">${cell}</td>`), cell);
  assert.match(list, /each row is one attempt, each rate of one window/);
  const page = await text(`/jobs/${id}`);
  // Of first attempts alone: 600 there, 900 back, 610 both ways.
  assert.match(page, /from row to column, n 1 window of 600 to 900 ms each, retests left out/);
  // 12, 20, 20 and 21 are the directions that were measured at the first attempts.
  assert.match(page, /Median of 4 directions: 20\.0 Gb\/s/);
});

test('an expected rate stands beside the number of rates behind it, in the page and in the files; of older links it is not known', async () => {
  // Of three nodes each has one link beside this one.
  const counted = madeLink(3, { source: 0, target: 1 });
  const older = { ...madeLink(3, { source: 0, target: 2 }), expected_forward_rates: null };
  const path = `/jobs/${await jobWithLinks([counted, older])}/links`;
  const { rows } = await listRows(it, path);
  assert.deepEqual(
    rows.map((row) => [row['expected_forward_gbps'], row['expected_forward_rates']]),
    [
      [20, 1],
      [20, null],
    ],
  );
  const page = await text(path);
  for (const cells of ['20.0</td><td class="r">1', '20.0</td><td class="r">–'])
    assert.ok(page.replaceAll('> <', '><').includes(`<td class="r">${cells}</td>`), cells);
});

test('the worst direction has its own window, and equal windows are said once', async () => {
  const two = [
    withWindows(madeLink(3, { source: 0, target: 1, forward: 12, reverse: 21 }), 600, 900),
    withWindows(madeLink(3, { source: 0, target: 2, forward: 20, reverse: 20 }), 900, 900),
  ];
  // The median of 12, 20, 20 and 21 is 20; 12 / 20 = 0.60.
  assert.match(
    await text(`/jobs/${await jobWithLinks(two)}`),
    /host-0 → host-1, 12\.0 Gb\/s<\/strong>, n 1 window of 600 ms, 0\.60 of the expected 20\.0 Gb\/s\. Median of 4 directions: 20\.0 Gb\/s/,
  );
  const equal = two.map((row) => withWindows(row, 900, 900));
  assert.match(await text(`/jobs/${await jobWithLinks(equal)}`), /n 1 window of 900 ms each, retests left out/);
});

test('a link none of whose directions was measured has no window', async () => {
  const id = await jobWithLinks([madeLink(3, { source: 0, target: 1, status: 'refused' })]);
  assert.doesNotMatch(await text(`/jobs/${id}`), /n 1 window/);
});

test('a node’s figure says of how many devices it is the sum, or of one device its samples', async () => {
  const job = await makeJob(app, user, { node_count: 2 });
  const [one, eight] = [new Node(app, job), new Node(app, job)];
  for (const node of [one, eight]) await node.register();
  const single = upload(one.machineUuid);
  const { test_results: devices } = single.benchmark_results['quick_mark'] as { test_results: object[] };
  const stats = { n: 48, min: 690, max: 720, median: 715, p5: 700, p95: 718, cv: 0.006 };
  for (const device of devices)
    Object.assign(device, { details: { bf16_tflops: { value: 715, unit: 'TFLOP/s', stats } } });
  await one.results(one.result(single));
  await eight.results(eight.result(eightGpus(eight.machineUuid)));
  for (const node of [one, eight]) await node.complete();
  const page = await text(`/jobs/${job.id}`);
  // 715, 713 .. 701 is 5664; the single device told how often it was measured for one of its figures.
  for (const words of [
    '715 TFLOP/s, n 48',
    '3,000 GB/s, one value',
    '5,664 TFLOP/s, sum of 8',
    '24,000 GB/s, sum of 8',
  ])
    assert.ok(page.includes(`<dd>${words}</dd>`), words);
  const { rows } = await listRows(it, `/jobs/${job.id}/together`);
  const samples = new Map(rows.map((row) => [row['metric'], [row['alone_samples'], row['all_at_work_samples']]]));
  // Of bf16 alone the samples are told with the figure itself, of memory beside the value with all at work.
  assert.deepEqual(
    [...samples],
    [
      ['bf16_tflops', [64, 40]],
      ['memory_bandwidth_gbs', [32, 20]],
    ],
  );
  // 715 x 0.86 = 614.9
  assert.match(page, /715 TFLOP\/s, n 64<\/td> <td class="r">615 TFLOP\/s, n 40/);
});

test('a copy between GPUs has the samples that it is the median of; what an earlier agent sent has no count, and is shown', async () => {
  const job = await makeJob(app, user, { node_count: 2 });
  const [now, before] = [new Node(app, job), new Node(app, job)];
  for (const node of [now, before]) await node.register();
  const earlier = eightGpus(before.machineUuid);
  const { test_results: devices, aggregate_results: sums } = earlier.benchmark_results['quick_mark'] as {
    test_results: { details: object; together: Record<string, { samples?: number; alone_samples?: number }> }[];
    aggregate_results: { gpu_bandwidth_matrix: { simplex_samples?: number }[] };
  };
  for (const cell of sums.gpu_bandwidth_matrix) delete cell.simplex_samples;
  for (const device of devices) {
    device.details = {};
    for (const figure of Object.values(device.together)) {
      delete figure.samples;
      delete figure.alone_samples;
    }
  }
  await now.results(now.result(eightGpus(now.machineUuid)));
  await before.results(before.result(earlier));
  for (const node of [now, before]) await node.complete();
  const [told, untold] = [await text(`/tasks/${now.taskId}`), await text(`/tasks/${before.taskId}`)];
  // As uploaded, 24 + the number of the target, 0 to 7. The slowest are 390 + (3 x from + to) % 7, first of 0 to 7.
  assert.match(told, /One direction at a time, GB\/s, from row to column, median of n 24 to 31 samples each/);
  assert.match(told, /GPU 0 → GPU 7, 390 GB\/s, n 31<\/strong>,/);
  assert.match(untold, /One direction at a time, GB\/s, from row to column </);
  assert.match(untold, /GPU 0 → GPU 7, 390 GB\/s<\/strong>, 0\.99 of/);
  const nodes = await listRows(it, `/jobs/${job.id}/copies`);
  const counted = nodes.rows.filter((row) => row['simplex_samples'] !== null);
  // 8 x 7 pairs of one of the two nodes
  assert.equal(counted.length, 56);
  assert.ok(counted.every((row) => row['simplex_samples'] === 24 + Number(row['to_gpu'])));
  const { rows } = await listRows(it, `/jobs/${job.id}/together`);
  const untoldRows = rows.filter((row) => row['all_at_work_samples'] === null && row['alone_samples'] === null);
  // two figures of eight devices
  assert.equal(untoldRows.length, 16);
});
