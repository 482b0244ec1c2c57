import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { signedIn } from './browser-session.ts';
import { listRows } from './list-rows.ts';
import type { Device } from '../jobs/upload.ts';
import { eightGpus, ofTier } from './world.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { user, it } = await signedIn(app);
const text = async (path: string): Promise<string> => (await (await it.get(path)).text()).replaceAll(/\s+/g, ' ');

const measured = async (name: string, places: readonly number[], given: Device | null = null): Promise<string> => {
  const job = await makeJob(app, user, { name, node_count: places.length, tags: ['rack 7'] });
  const nodes = places.map(() => new Node(app, job));
  for (const node of nodes) await node.register();
  for (const [at, node] of nodes.entries())
    await node.results(
      node.result(
        given === null
          ? ofTier(eightGpus(node.machineUuid, places[at]))
          : ofTier(eightGpus(node.machineUuid, 0, given)),
      ),
    );
  for (const node of nodes) await node.complete();
  app.clock.advance({ minutes: 1 });
  return job.id;
};

// The oldest still runs, then one loses 14 % with all at work, which is bad; the newest is good.
const running = await makeJob(app, user, { name: 'running', node_count: 3 });
const node = new Node(app, running);
await node.register();
await node.beat();
app.clock.advance({ minutes: 1 });
const bad = await measured('bad', [0, 2]);
const good = await measured('good', [0], { bf16: 700 });

test('the list of jobs begins with those that run, then the bad ones, then the newest; a chosen order and the API keep theirs', async () => {
  const order = async (query: string): Promise<unknown[]> =>
    (await listRows(it, `/jobs?${query}`)).rows.map(({ id }) => id);
  assert.deepEqual(await order(''), [running.id, bad, good]);
  assert.deepEqual(await order('sort_by=created_at'), [good, bad, running.id]);
  // Pages of one row have each job once, in the same order.
  const pages = await Promise.all([1, 2, 3].map((page) => order(`per_page=1&page=${page}`)));
  assert.deepEqual(pages.flat(), [running.id, bad, good]);
  const api = (await (await app.app.request('/api/gpu-mark/v1/jobs', { headers: user.authorization })).json()) as {
    results: { id: string }[];
  };
  assert.deepEqual(
    api.results.map(({ id }) => id),
    [good, bad, running.id],
  );
});

test('each job has its hardware, and bf16 and memory per GPU by their median and the worst, on the page, as CSV and as JSON', async () => {
  const { rows } = await listRows(it, '/jobs');
  const row = rows.find(({ id }) => id === bad);
  // 715, 713 .. 701 and, 10 lower, 705 .. 691: the middle ones of sixteen are 703 twice.
  assert.deepEqual(
    ['gpu_count', 'bf16_tflops_median', 'bf16_tflops_worst', 'bf16_gpus', 'memory_bandwidth_gbs_median'].map(
      (name) => row?.[name],
    ),
    [16, 703, 691, 16, 3000],
  );
  const page = await text('/jobs');
  for (const words of [
    '703<small>worst 691</small>',
    '2 x 8 x NVIDIA H100 80GB HBM3',
    '3,000<small>worst 3,000</small>',
  ])
    assert.ok(page.includes(words), words);
  assert.deepEqual(
    [...(/<thead[^]*?<\/thead>/.exec(page)?.[0] ?? '').matchAll(/<th [^>]*>(.*?)<\/th>/g)].map(([, head = '']) =>
      head.replaceAll(/<[^>]*>|[▲▼]/g, '').trim(),
    ),
    ['Job', 'Verdict', 'Hardware', 'bf16 per GPU, TFLOP/s', 'Memory per GPU, GB/s', 'Created', 'PDF'],
  );
  // One that runs has neither yet.
  const begun = rows.find(({ id }) => id === running.id);
  assert.deepEqual([begun?.['bf16_tflops_median'], begun?.['verdict']], [null, null]);
});

test('jobs ticked in the list are compared as by an address with commas', async () => {
  const page = await text('/jobs');
  for (const id of [bad, good])
    assert.match(page, new RegExp(`<input type="checkbox" name="items" value="job:${id}" form="compare" />`));
  const ticked = await listRows(it, `/compare?items=job:${bad}&items=job:${good}`);
  const written = await listRows(it, `/compare?items=job:${bad},job:${good}`);
  assert.ok(written.rows.length > 0);
  assert.deepEqual(ticked.rows, written.rows);
  const compared = await text(`/compare?items=job:${bad}&items=job:${good}`);
  assert.ok(compared.includes(`value="job:${bad},job:${good}"`), 'the field keeps both');
  // 700 / 703 is -0.4 %, and both are within 700 to 718.
  assert.match(compared, /bf16, TFLOP\/s<\/th><td class="r">703[^]*no difference/);
  const rest = /<b>Not comparable with the base:<\/b>(.*?)<\/p>/.exec(compared)?.[1] ?? assert.fail(compared);
  assert.match(rest, /run 2, fp16, .* and \d+ more: the number of samples is not known/);
  // What has no samples is in that line, and not among the rows.
  assert.doesNotMatch(
    /<tbody>.*?<\/tbody>/.exec(compared.slice(compared.indexOf('Figures beside')))?.[0] ?? '',
    /fp16/,
  );
});
