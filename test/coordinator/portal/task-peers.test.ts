import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser, type TestUser } from '../../support/client.ts';
import { until } from '../../support/until.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser } from './browser-session.ts';
import { eightGpus, ofTier } from './world.ts';

test('a task is compared with the band of other customers: from five of them on, one vote each, without its owner’s machines', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const measure = async (by: TestUser, bf16: number): Promise<string> => {
    const node = new Node(app, await makeJob(app, by));
    await node.register();
    await node.results(node.result(ofTier(eightGpus(node.machineUuid, 0, { bf16 }))));
    await node.complete();
    return node.taskId;
  };
  const own = await measure(user, 640);
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const shown = async (): Promise<string> => (await it.get(`/tasks/${own}`)).text();
  assert.doesNotMatch(await shown(), /Beside others/);
  for (const bf16 of [690, 698, 706, 714, 722]) {
    const rival = await makeUser(app);
    await measure(rival, bf16);
    await measure(rival, bf16);
  }
  // Votes are cached for ten minutes.
  app.clock.advance({ minutes: 11 });
  await it.signIn(user.email, user.password);
  // The stale value is shown once more while it is refreshed.
  const page = await until('the band of the others', async () => {
    const text = await shown();
    return text.includes('Beside others') ? text : undefined;
  });
  // Five sorted votes: the 10th percentile is 0.4 of the way from the first to the second, the 90th likewise from the
  // end.
  assert.match(page, /693\.2 to 718\.8/);
  assert.match(page, /median 706, n 5 customers, engine own/);
  // 640 is 9.3 % below the median of 706; copies from GPU 1, 3 and 5 are below the band of the others by less than 1 %.
  for (const finding of [
    'Matrix products: more than 5 % behind others with this model: bf16 of all 8 devices',
    'Memory and latency: no figure is more than 5 % behind others with this model',
    'Links: no figure is more than 5 % behind others with this model',
    'Power and heat: no figure is more than 5 % from others with this model',
  ])
    assert.match(page, new RegExp(`<h2>${finding}</h2>`));
  // Coloured diamonds are the eight devices that are behind in bf16, drawn in two widths; each axis reaches 5 % at least.
  assert.equal(page.match(/class="d2"/g)?.length, 16);
  const axes = page.match(/<svg[^>]*viewBox="0 0 980[^]*?<\/svg>/g) ?? [];
  const ends = axes.filter((svg) => svg.includes('percent from the median of other customers'));
  for (const svg of ends)
    assert.ok(Math.max(...[...svg.matchAll(/>\+?(-?\d+(?:\.\d+)?)<\/text>/g)].map(([, end]) => Number(end))) >= 5, svg);
  assert.match(page, /Copies, NVLink x18, GB\/s<\/th>/);
  // The values drawn in the strips have a file.
  const file = (await (await it.get(`/tasks/${own}/peers.json`)).json()) as {
    results: { metric: string; connection_type: string | null; device: string; value: number; p90: number }[];
  };
  const copies = file.results.filter(({ metric }) => metric === 'gpu_copies_gbs');
  assert.deepEqual([copies.length, new Set(copies.map((row) => row.connection_type))], [8, new Set(['NVLink x18'])]);
  const behind = copies.filter(({ value, p90 }) => value < p90 - 1e-6).map(({ device }) => device);
  assert.deepEqual(behind, ['GPU 1', 'GPU 3', 'GPU 5']);
  assert.ok(page.includes(`href="/tasks/${own}/peers.csv"`));
  // The page's files have the same numbers.
  const { results } = (await (await it.get(`/tasks/${own}.json`)).json()) as {
    results: Record<string, string | number | null>[];
  };
  const bands = results.map((row) => [row['metric'], row['peers_p10'], row['peers_median'], row['peers_p90']]);
  assert.deepEqual(
    bands.filter(([metric]) => metric === 'bf16_tflops'),
    Array.from({ length: 8 }, () => ['bf16_tflops', 690 + 0.4 * 8, 706, 722 - 0.4 * 8]),
  );
  assert.deepEqual(
    bands.find(([metric]) => metric === 'l2_bandwidth_gbs'),
    ['l2_bandwidth_gbs', 5500, 5500, 5500],
  );
  const [, line = ''] = (await (await it.get(`/tasks/${own}.csv`)).text())
    .split('\r\n')
    .filter((text) => /^bf16|^metric/.test(text));
  assert.match(line, /,693\.2,706,718\.8,5,10$/);
});
