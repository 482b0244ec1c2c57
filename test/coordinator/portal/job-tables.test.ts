import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { summariseRun } from '../../../coordinator/network/results/summarise-run.ts';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { madeLink, madeNodes, runFacts } from '../network/results/made-run.ts';
import { storeRun } from '../network/results/stored-run.ts';
import { browser } from './browser-session.ts';
import { eightGpus } from './world.ts';

test('the tables of a job are lists with files: nodes, each device alone and with all others, copies; the task has its own matrix and problems', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const job = await makeJob(app, user, { node_count: 2 });
  const made = [new Node(app, job), new Node(app, job)];
  for (const node of made) await node.register();
  for (const [place, node] of made.entries()) {
    const payload = eightGpus(node.machineUuid, place);
    const { test_results } = payload.benchmark_results['quick_mark'] as { test_results: object[] };
    const doubt = { fp16_tflops: { verdict: 'warn', rule: 'spread: 14 % is above 10 %' } };
    for (const device of test_results.slice(2, 4)) Object.assign(device, { verdicts: doubt });
    await node.results(node.result(payload));
  }
  for (const node of made) await node.complete();
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const text = async (path: string): Promise<string> => (await it.get(path)).text();
  const rows = async (path: string): Promise<Record<string, unknown>[]> =>
    (JSON.parse(await text(path)) as { results: Record<string, unknown>[] }).results;
  const copies = await rows(`/jobs/${job.id}/copies.json`);
  // 8 x 7 ordered pairs on each of two nodes.
  assert.equal(copies.length, 112);
  const [worst] = copies.toSorted((a, b) => Number(a['simplex_gbs']) - Number(b['simplex_gbs']));
  assert.deepEqual([worst?.['node'], worst?.['from_gpu'], worst?.['to_gpu'], worst?.['simplex_gbs']], [1, 2, 5, 210]);
  const together = await rows(`/jobs/${job.id}/together.json`);
  // Two figures of eight devices on two nodes.
  assert.equal(together.length, 32);
  assert.deepEqual([...new Set(together.map((row) => row['change_share']))], [-0.14, -0.01]);
  const nodes = await rows(`/jobs/${job.id}/nodes.json`);
  // 715, 713 .. 701 of the first node's eight devices.
  assert.equal(nodes.find(({ node }) => node === 0)?.['bf16_tflops'], 5664);
  const page = await text(`/jobs/${job.id}`);
  for (const name of ['nodes', 'together', 'copies'])
    assert.match(page, new RegExp(`href="/jobs/${job.id}/${name}.csv"`));
  const task = await text(`/tasks/${made[1]?.taskId ?? ''}`);
  assert.match(task, /GPU 2 → GPU 5, 210 GB\/s/);
  const shown = (text: string): string => text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
  // One rule, listed once for both of its devices, with what to do, before the figures.
  assert.match(shown(task), /to check: GPU 2 and GPU 3: fp16: 14 % is above 10 % Do: Stop other work/);
  // The gap of all at once is a finding of the node, of the job, and in its table.
  assert.match(shown(task), /bad: all 8 GPUs: bf16: 14\.0 % below the same alone, limit 10 % Do: Look at cooling/);
  assert.match(shown(page), /bad: both nodes, all 8 GPUs: bf16: 14\.0 % below the same alone, limit 10 %/);
  assert.match(page, /<svg[^]*?<span>loses 14\.0 %, limit 10 %/);
  assert.match(page, /<svg[^]*?<span>loses 1\.0 %, limit 5 %/);
  assert.ok(task.indexOf('Problems, worst first') < task.indexOf('Figures by device'));
});

test('files of a job’s lists contain every row, however few a page shows: copies, and links that take several reads', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const job = await makeJob(app, user, { node_count: 66, benchmarks: ['quick_mark', 'cluster_network'] });
  const made = Array.from({ length: 6 }, () => new Node(app, job));
  for (const node of made) await node.register();
  for (const [place, node] of made.entries()) await node.results(node.result(eightGpus(node.machineUuid, place)));
  const seats = madeNodes(
    66,
    Array.from({ length: 66 }, (_, n) => ({ machine_uuid: `seat-${n}`, hostname: `host-${n}` })),
  );
  const links = seats.flatMap(({ node: source }) =>
    seats
      .filter(({ node }) => node > source)
      .map(({ node: target }) =>
        madeLink(66, { source, target, forward: 20 + (target % 7), verdict: target === 65 ? 'slow' : 'good' }),
      ),
  );
  const summary = summariseRun({
    run: runFacts({ nodes_expected: 66 }),
    nodes: seats,
    links,
    judgement: null,
    reach: null,
    collective: null,
  });
  await storeRun(app, { jobId: job.id, customerId: user.customerId, item: 1, nodes: seats, links, summary });
  const it = browser(app);
  await it.signIn(user.email, user.password);
  // 8 x 7 ordered pairs of six nodes; 66 x 65 / 2 links, of which the API returns at most 2100 per page; 65 of them go
  // to the last node.
  for (const [path, count] of [
    ['copies', 336],
    ['links', 2145],
    ['links?page=2&per_page=5', 2145],
    ['links?verdict=slow', 65],
    ['links?node=7', 65],
  ] as const) {
    const [name, query = ''] = path.split('?');
    const file = async (ending: string): Promise<string> =>
      (await it.get(`/jobs/${job.id}/${name}.${ending}?${query}`)).text();
    const lines = (await file('csv')).trim().split('\r\n');
    assert.equal(new Set(lines).size, 1 + count, path);
    const { total, results } = JSON.parse(await file('json')) as { total: number; results: unknown[] };
    assert.deepEqual([total, results.length], [count, count], path);
    assert.match(await (await it.get(`/jobs/${job.id}/${path}`)).text(), /All rows as <a href="[^"]+\.csv/, path);
  }
  const sorted = (await (await it.get(`/jobs/${job.id}/links.csv?sort_by=bandwidth_gbps&sort_order=desc`)).text())
    .trim()
    .split('\r\n');
  const column = sorted[0]?.split(',').indexOf('bandwidth_gbps') ?? -1;
  const speeds = sorted.slice(1).map((line) => Number(line.split(',')[column]));
  assert.deepEqual(
    speeds,
    speeds.toSorted((a, b) => b - a),
    'in the requested order',
  );
  const filtered = await (await it.get(`/jobs/${job.id}/links?verdict=lossy`)).text();
  assert.match(filtered, /<option\s+value="lossy"\s+selected/);
  assert.match(filtered, /No link fits these filters/);
});

test('problems are a list with files: grade, place, what was found, and what to do; the same on several nodes is one', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const job = await makeJob(app, user, { node_count: 3 });
  const made = [new Node(app, job), new Node(app, job), new Node(app, job)];
  for (const node of made) await node.register();
  for (const [place, node] of made.entries()) {
    await node.results(node.result(eightGpus(node.machineUuid, place)));
    await node.complete(place === 1 ? [] : ['GPU 3: spread of bf16 above 10 %']);
  }
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const { results } = (await (await it.get(`/jobs/${job.id}/findings.json`)).json()) as { results: unknown[] };
  const hosts = made.map(({ machineUuid }) => `host-${machineUuid}`);
  assert.deepEqual(
    (results as Record<string, string>[]).map(({ grade, where, nodes, devices, finding, rule }) => [
      grade,
      where,
      nodes,
      devices,
      finding,
      rule,
    ]),
    [
      [
        'bad',
        'all 3 nodes, all 8 GPUs',
        '0 1 2',
        '0 1 2 3 4 5 6 7',
        'bf16: 14.0 % below the same alone, limit 10 %',
        'all_at_once',
      ],
      // 210 of the median of 393 GB/s.
      [
        'bad',
        `${hosts[1]}, GPU 2 to GPU 5`,
        '1',
        '2 5',
        '46.6 % below the median of the NVLink copies',
        'copies_peers',
      ],
      ['check', `${hosts[0]} and ${hosts[2]}, GPU 3`, '0 2', '3', 'spread of bf16 above 10 %', 'run_warning'],
    ],
  );
  const page = await (await it.get(`/jobs/${job.id}/findings`)).text();
  assert.match(page, /<code>nvidia-smi topo -m<\/code>/);
  assert.match(page, new RegExp(`href="/jobs/${job.id}/findings\\.csv"`));
});
