import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { LoadClass } from '../../../coordinator/contract/load-class.ts';
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
  /** of the products; null: its agent did not report it */
  load?: LoadClass | null;
  /** by position, for a node whose devices differ */
  engines?: ('own' | 'vendor')[];
}

const STATS = { n: 64, min: 50, max: 52, median: 51, p5: 50, p95: 52, cv: 0.006 };

test('a run whose tier, engine, load class or fp32 arithmetic is unknown is not compared with any other, because it may differ', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const run = async ({ tier, engine = 'own', arithmetic, load = 'sustained', engines }: Told): Promise<string> => {
    const node = new Node(app, await makeJob(app, user));
    await node.register();
    const payload = eightGpus(node.machineUuid);
    const quickMark = payload.benchmark_results['quick_mark'] as {
      test_results: { details: object; gemm?: unknown }[];
    };
    Object.assign(quickMark, { tier });
    for (const [place, device] of quickMark.test_results.entries()) {
      Object.assign(device, { engine: engines?.[place] ?? engine });
      delete device.gemm;
      const told = load === null ? {} : { load };
      const bf16 = {
        unit: 'TFLOP/s',
        ...('bf16_tflops' in device.details ? Object(device.details.bf16_tflops) : {}),
        ...told,
      };
      const fp32 = { value: 51, unit: 'TFLOP/s', stats: STATS, arithmetic, ...told };
      Object.assign(device.details, { bf16_tflops: bf16, fp32_tflops: fp32 });
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
  assert.equal(
    await finding('bf16_tflops', { ...quick, load: 'burst' }, quick),
    'measured under different loads: under sustained load here, in a burst of at most half a second there',
  );
  for (const [load, words] of [
    [null, 'under a load that was not recorded'],
    ['brief', 'too briefly to show what the card sustains'],
  ] as const) {
    const without = { ...quick, load };
    assert.equal(await finding('bf16_tflops', without, without), `both were measured ${words}`);
    assert.equal(
      await finding('bf16_tflops', without, quick),
      `measured under different loads: under sustained load here, ${words} there`,
    );
    assert.equal(
      await finding('memory_bandwidth_gbs', without, quick),
      'the number of samples is not known',
      'nothing is said of a load',
    );
  }
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
