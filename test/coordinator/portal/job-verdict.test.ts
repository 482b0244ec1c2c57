import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { matrix } from '../../../coordinator/portal/components/matrix.ts';
import { testApp } from '../../support/app.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser, signedIn, type Browser } from './browser-session.ts';
import { listRows } from './list-rows.ts';
import { eightGpus, ofTier } from './world.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { user, it } = await signedIn(app);

const pageOf = async (path: string, reader: Browser = it): Promise<string> =>
  (await (await reader.get(path)).text()).replaceAll(/\s+/g, ' ').replaceAll('&#39;', "'");
const wordsOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const verdictOn = (page: string): string =>
  wordsOf(/<(?:p|span) class="verdict">(.*?)<\/(?:p|h1)>/.exec(page)?.[1] ?? assert.fail(page));
const regionOf = (page: string, name: string): string =>
  new RegExp(`<div id="${name}">(.*?)<div id="r-`).exec(`${page}<div id="r-`)?.[1] ?? assert.fail(name);

/** Two nodes of eight GPUs: the second has a slow copy, one wrong product, and a sentence of its agent. */
async function badJob(name: string): Promise<{ id: string; nodes: Node[] }> {
  const job = await makeJob(app, user, { name, node_count: 2 });
  const nodes = [new Node(app, job), new Node(app, job)];
  for (const node of nodes) await node.register();
  for (const [place, node] of nodes.entries()) {
    const payload = ofTier(eightGpus(node.machineUuid, 0, { bf16: 700 }));
    const { test_results, aggregate_results: sums } = payload.benchmark_results['quick_mark'] as {
      test_results: object[];
      aggregate_results: { gpu_bandwidth_matrix: { source_gpu: string; target_gpu: string; simplex_gbs: number }[] };
    };
    const slow = sums.gpu_bandwidth_matrix.find((cell) => cell.source_gpu === 'GPU-2' && cell.target_gpu === 'GPU-5');
    if (place === 1 && slow) slow.simplex_gbs = 210;
    const wrong = { bf16_tflops: { verdict: 'bad', rule: 'verification: 3 of 4096 products are wrong' } };
    if (place === 1) Object.assign(test_results[6] ?? {}, { bf16_tflops: null, verdicts: wrong });
    await node.results(node.result(payload));
    await node.complete(place === 1 ? ['secret-volume is nearly full'] : []);
  }
  return { id: job.id, nodes };
}

test('page, list, files and a shared link say the same verdict of a job; shared pages have numbers instead of names and no words of agents', async () => {
  const { id, nodes } = await badJob('two of a kind');
  const page = await pageOf(`/jobs/${id}`);
  const verdict = '3 problems: 2 bad, 1 to check';
  assert.equal(verdictOn(page), verdict);
  assert.ok((await pageOf('/jobs')).includes(`<span>${verdict}</span>`));
  const [row] = (await listRows(it, '/jobs?name=two+of+a+kind')).rows;
  assert.deepEqual([row?.['verdict'], row?.['problems_bad'], row?.['problems_check']], ['bad', 2, 1]);
  const host = `host-${nodes[1]?.machineUuid}`;
  const problems = wordsOf(regionOf(page, 'r-problems'));
  assert.match(
    problems,
    new RegExp(`bad: ${host}, GPU 6 : bf16: 3 of 4096 products are wrong Do: Take the device out`),
  );
  assert.match(problems, new RegExp(`to check: ${host} : secret-volume is nearly full Do: `));
  // The evidence of a figure is on the page of its machine.
  assert.ok(page.includes(`<a href="/tasks/${nodes[1]?.taskId}#figures">${host}, GPU 6</a>`));
  const made = await (await it.post(`/jobs/${id}/share`, { days: '7' })).text();
  const base = /\/s\/[\w.-]+/.exec(made)?.[0] ?? assert.fail(made);
  const stranger = browser(app);
  const shared = await pageOf(`${base}/jobs/${id}`, stranger);
  assert.equal(verdictOn(shared), verdict);
  assert.match(
    wordsOf(regionOf(shared, 'r-problems')),
    /bad: node 1, GPU 6 : bf16: verification Do: Take the device out/,
  );
  const task = await pageOf(`${base}/tasks/${nodes[1]?.taskId}`, stranger);
  assert.match(task, /<h1>node 1 <span class="verdict">/);
  assert.equal(verdictOn(task), verdict);
  for (const text of [shared, task])
    for (const secret of [host, 'secret-volume', '4096 products', 'two of a kind'])
      assert.ok(!text.includes(secret), secret);
});

test('every GPU is in the grid with a mark of its own for its grade, and a bad one links to its machine', async () => {
  const { id, nodes } = await badJob('grid');
  const grid = regionOf(await pageOf(`/jobs/${id}`), 'r-figures');
  const rows = grid.split('<tr>').slice(2).map(wordsOf);
  const hosts = nodes.map(({ machineUuid }) => `host-${machineUuid}`);
  // GPU 2 and GPU 5 of the second node have the slow copy, GPU 6 the wrong product.
  assert.deepEqual(rows, [`${hosts[0]} ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓`, `${hosts[1]} ✓ ✓ ✗ ✓ ✓ ✗ ✗ ✓`]);
  assert.match(
    grid,
    new RegExp(`<td class="bad"><a href="/tasks/${nodes[1]?.taskId}#problems" aria-label="GPU 6, bad">`),
  );
  assert.match(wordsOf(grid), new RegExp(`Worst: ${hosts[1]}, GPU 2 to GPU 5; ${hosts[1]}, GPU 6 `));
});

test('the cards count the devices whose figures of their kind are good, to check and bad, and say nothing without a reference', async () => {
  const { id } = await badJob('cards');
  const cards = [...regionOf(await pageOf(`/jobs/${id}`), 'r-figures').matchAll(/<li class="card">(.*?)<\/li>/g)].map(
    ([, card = '']) => wordsOf(card),
  );
  // Fifteen of sixteen products; 56 copies on each node, of which one is slow.
  assert.match(cards[0] ?? '', /^Compute 700 TFLOP\/s bf16 per GPU, median of 15, 700 to 700 .*1 bad 15 good$/);
  assert.match(cards[1] ?? '', /^Memory 3,000 GB\/s bandwidth per GPU, median of 16, 3,000 to 3,000 .*16 good$/);
  assert.match(cards[2] ?? '', /^Links 393 GB\/s between GPUs, median of 112 copies, 210 to 396 1 bad 111 good$/);
});

test('a running job says how far its nodes are and what is known so far; an ended one folds its steps and says no "so far"', async () => {
  const job = await makeJob(app, user, { name: 'live', node_count: 2 });
  assert.equal(verdictOn(await pageOf(`/jobs/${job.id}`)), 'Waiting for node 1 of 2');
  const [first, second] = [new Node(app, job), new Node(app, job)];
  for (const node of [first, second]) await node.register();
  await first.beat('measuring', first.epoch, 0.5);
  await second.beat('measuring', second.epoch, 0.25);
  // What a page shows without a change of the job is remembered for some seconds.
  app.clock.advance({ seconds: 31 });
  const begun = await pageOf(`/jobs/${job.id}`);
  // (0.5 + 0.25) / 2
  assert.match(begun, /<progress value="0\.38" max="1"[^>]*> ?37 % ?<\/progress> <span>37 % measured<\/span>/);
  assert.equal(verdictOn(begun), 'Measuring: 0 of 2 nodes delivered');
  await first.results(first.result(ofTier(eightGpus(first.machineUuid, 0, { bf16: 700 }))));
  const half = await pageOf(`/jobs/${job.id}`);
  assert.equal(verdictOn(half), 'No problem found in 8 GPUs and 56 links; 1 of 2 nodes delivered so far');
  assert.match(wordsOf(regionOf(half, 'r-figures')), /Compute 700 TFLOP\/s bf16 per GPU, median of 8/);
  assert.ok((await pageOf('/jobs')).includes('<span>2 of 2 nodes so far</span>'));
  await second.results(second.result(ofTier(eightGpus(second.machineUuid, 0, { bf16: 700 }))));
  for (const node of [first, second]) await node.complete();
  const ended = await pageOf(`/jobs/${job.id}`);
  assert.equal(verdictOn(ended), 'No problem found in 16 GPUs and 112 links');
  assert.doesNotMatch(ended, /so far|<progress|warn of/);
  assert.match(
    wordsOf(/<details class="past"> <summary>(.*?)<\/summary>/.exec(ended)?.[1] ?? ''),
    /^Completed .* after its start$/,
  );
});

test('an id is in the footer of a job’s page and in the facts of a task’s, and in no heading', async () => {
  const { id, nodes } = await badJob('ids');
  const page = await pageOf(`/jobs/${id}`);
  assert.match(page, new RegExp(`<footer id="foot"> <p> Job ${id}\\.`));
  const task = await pageOf(`/tasks/${nodes[0]?.taskId}`);
  assert.match(task, new RegExp(`<h1>host-${nodes[0]?.machineUuid} <span class="verdict">`));
  assert.match(task, new RegExp(`task ${nodes[0]?.taskId} ·`));
  for (const text of [page, task]) {
    const [, heading = ''] = /<h1>(.*?)<\/h1>/.exec(text) ?? assert.fail(text);
    const [, crumbs = ''] = /<nav class="crumbs".*?>(.*?)<\/nav>/.exec(text) ?? assert.fail(text);
    for (const words of [heading, crumbs, /<title>(.*?)<\/title>/.exec(text)?.[1] ?? ''])
      assert.doesNotMatch(wordsOf(words), /\d{10}/);
  }
});

test('a matrix colours only what is below 0.95 of what is expected, and marks one worst cell', async () => {
  const at = (from: number, to: number, value: number, expected: number) => ({ from, to, value, expected });
  // 19 of 20 is 0.95, 18 of 20 is 0.90, twice; 30 of 20 is far above and no problem.
  const cells = [
    at(0, 1, 19, 20),
    at(1, 0, 18, 20),
    at(0, 2, 18, 20),
    at(2, 0, 30, 20),
    at(1, 2, 20, 20),
    at(2, 1, 20, 20),
  ];
  const table = await matrix({ names: ['a', 'b', 'c'], cells, unit: 'Gb/s', of: 'node', caption: 'Links' });
  const html = table?.toString() ?? assert.fail('no matrix');
  const body = /<tbody>[^]*<\/tbody>/.exec(html)?.[0] ?? '';
  assert.deepEqual(
    [...body.matchAll(/<td class="(h[1-9][^"]*)">/g)].map(([, name]) => name),
    ['h3', 'h3 worst'],
  );
  assert.equal(body.match(/▼/g)?.length, 1);
});
