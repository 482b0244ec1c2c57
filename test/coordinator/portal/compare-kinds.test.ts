import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser } from './browser-session.ts';
import { eightGpus } from './world.ts';

interface Told {
  tier?: string;
  /** for the whole device; null: its agent did not report it */
  engine?: 'own' | 'vendor' | null;
  /** of the device's fp32 */
  arithmetic?: 'tf32' | 'ieee fp32';
  /** by position, for a node whose devices differ */
  engines?: ('own' | 'vendor')[];
}

const STATS = { n: 64, min: 50, max: 52, median: 51, p5: 50, p95: 52, cv: 0.006 };

test('a run whose tier, engine or fp32 arithmetic is unknown is not compared with any other, because it may differ', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const run = async ({ tier, engine = 'own', arithmetic, engines }: Told): Promise<string> => {
    const node = new Node(app, await makeJob(app, user));
    await node.register();
    const payload = eightGpus(node.machineUuid);
    const quickMark = payload.benchmark_results['quick_mark'] as { test_results: { details: object }[] };
    Object.assign(quickMark, { tier });
    for (const [place, device] of quickMark.test_results.entries()) {
      Object.assign(device, { engine: engines?.[place] ?? engine });
      Object.assign(device.details, { fp32_tflops: { value: 51, unit: 'TFLOP/s', stats: STATS, arithmetic } });
    }
    await node.results(node.result(payload));
    await node.complete();
    return `task:${node.taskId}`;
  };
  const it = browser(app);
  await it.signIn(user.email, user.password);
  /** The finding for the second of two runs, compared with the first. */
  const finding = async (metric: string, base: Told, other: Told): Promise<string | undefined> => {
    const [first, second] = [await run(base), await run(other)];
    const { results } = (await (await it.get(`/compare.json?items=${first},${second}`)).json()) as {
      results: { metric: string; item: string; finding: string; because: string | null }[];
    };
    const row = results.find((one) => one.metric === metric && one.item === second);
    return row?.because ?? row?.finding;
  };
  const quick = { tier: 'quick' };
  assert.equal(await finding('bf16_tflops', quick, quick), 'no difference');
  assert.equal(
    await finding('bf16_tflops', quick, {}),
    'not known to be measured for the same time: not told here, tier quick there',
  );
  assert.equal(
    await finding('bf16_tflops', {}, {}),
    'not known to be measured for the same time: not told here, not told there',
  );
  const silent = { ...quick, engine: null };
  assert.equal(
    await finding('bf16_tflops', silent, silent),
    'not known to be computed by the same engine: not told here, not told there',
  );
  const mixed: Told = { ...quick, engines: ['own', 'vendor', 'own', 'vendor', 'own', 'vendor', 'own', 'vendor'] };
  assert.equal(await finding('bf16_tflops', mixed, mixed), 'computed by different engines: mixed here, mixed there');
  assert.equal(
    await finding('fp32_tflops', { ...quick, arithmetic: 'tf32' }, { ...quick, arithmetic: 'ieee fp32' }),
    'computed in different arithmetics: IEEE fp32 here, TF32 there',
  );
  assert.equal(
    await finding('fp32_tflops', { ...quick, arithmetic: 'tf32' }, { ...quick, arithmetic: 'tf32' }),
    'no difference',
  );
  assert.equal(
    await finding('fp32_tflops', quick, { ...quick, arithmetic: 'tf32' }),
    'not known to be computed in the same arithmetic: TF32 here, not told there',
  );
});
