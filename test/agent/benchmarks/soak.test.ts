import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { SOAK_PIECES } from '../../../agent/benchmarks/measure-in-pieces.ts';
import { until } from '../../support/until.ts';
import { fakeRunner, runnerCalls } from '../support/fake-runner.ts';
import { eventsOf, exitCodeOf, hostWithRunner, summaryOf, untilOutput } from '../support/run-harness.ts';
import { fakeCoordinator } from '../support/fake-coordinator.ts';
import { jobToken } from '../support/test-host.ts';
import type { TestHost } from '../support/test-host.ts';
import { registry } from '../../native/support/registry.ts';
import { quickMarkResults } from '../../../coordinator/contract/quick-mark.ts';

const gpus = [{ id: 'GPU-1' }];
const journals = (host: TestHost): string[] => readdirSync(join(host.folder, 'state', 'soak'));
const benchmarks = (host: TestHost): string[] =>
  runnerCalls(host.folder).map((call) => /--benchmarks (\w+),energy/.exec(call)?.[1] ?? call);

/** A soak without a job, stopped by SIGTERM while the fake runner is at `waiting`. */
async function stoppedAt(t: TestContext, waiting: string): Promise<TestHost> {
  const host = { ...hostWithRunner(t, { gpus, waiting }), system_root: '/nonexistent' };
  await stopAt(host, SOAK_PIECES.findIndex((piece) => piece === waiting) + 1);
  return host;
}

/** Stops the next run of the host by SIGTERM while the fake runner, which waits in it, is at its piece of this number. */
async function stopAt(host: TestHost, pieces: number): Promise<void> {
  const begun = (): number => host.out().split('"state":"start"').length - 1;
  const before = begun();
  const running = exitCodeOf(host, null, { tier: 'soak' });
  await until(`the runner comes to piece ${pieces}`, () => begun() >= before + pieces);
  host.signal('SIGTERM');
  assert.equal(await running, 143);
}

/** The same host's next run, with a runner that waits nowhere. */
async function goOn(host: TestHost): Promise<number> {
  fakeRunner(host.folder, { gpus });
  return await exitCodeOf(host, null, { tier: 'soak' });
}

function resultsOf(host: TestHost) {
  const events = eventsOf(host).filter((event) => event['type'] === 'measurement');
  const results = events.at(-1)?.['results'] as { quick_mark: unknown } | undefined;
  return quickMarkResults.parse(results?.quick_mark);
}

test('the pieces of a soak are the runner’s benchmarks, all but the one that spans the others', () => {
  assert.deepEqual(
    registry.benchmarks.map(({ id }) => id),
    [...SOAK_PIECES, 'energy'],
  );
});

test('a soak measures benchmark by benchmark and adds up what spans them', async (t) => {
  const host = { ...hostWithRunner(t, { gpus }), system_root: '/nonexistent' };
  assert.equal(await exitCodeOf(host, null, { tier: 'soak' }), 0);
  assert.deepEqual(benchmarks(host), [...SOAK_PIECES]);
  assert.ok(runnerCalls(host.folder).every((call) => call.includes('--tier soak') && !call.includes('--time-scale')));
  const [entry] = resultsOf(host).test_results;
  // 2 Wh of each of the two pieces that measured something, the higher of 300 and 310 W, the hottest of 60 and 71 degrees.
  assert.deepEqual(
    [entry?.energy_consumption_wh, entry?.power_consumption_watts, entry?.temperature_centigrade],
    [4, 310, 71],
  );
  assert.deepEqual([entry?.fp32_tflops, entry?.memory_bandwidth_gbs], [0.466, 48.3]);
  // One second each.
  assert.equal((entry?.details['run'] as { seconds: number } | undefined)?.seconds, SOAK_PIECES.length);
  assert.deepEqual((entry?.details['temperature_centigrade'] as { throttle: string[] } | undefined)?.throttle, [
    'sw_power_cap',
  ]);
  assert.deepEqual([journals(host), summaryOf(host).resumed], [[], 0]);
});

test('a stopped soak keeps what it measured, and the next run resumes there', async (t) => {
  const host = await stoppedAt(t, 'memory');
  assert.equal(resultsOf(host).test_results[0]?.fp32_tflops, 0.466);
  assert.equal(journals(host).length, 1);
  const before = benchmarks(host).length;
  assert.equal(await goOn(host), 0);
  // Memory, which was stopped, is measured again; what came before it is not.
  assert.deepEqual(benchmarks(host).slice(before), SOAK_PIECES.slice(12));
  const results = resultsOf(host);
  assert.deepEqual(
    [results.test_results[0]?.fp32_tflops, results.test_results[0]?.memory_bandwidth_gbs, results['resumed']],
    [0.466, 48.3, 1],
  );
  assert.equal(summaryOf(host).resumed, 1);
  assert.ok(host.out().includes('12 pieces are measured already'));
  assert.deepEqual(journals(host), []);
});

test('a journal of other hardware, another revision, last week or half a file is left aside, with a word', async (t) => {
  const host = await stoppedAt(t, 'fma');
  fakeRunner(host.folder, { gpus, waiting: SOAK_PIECES[0] ?? '' });
  const [name = ''] = journals(host);
  const path = join(host.folder, 'state', 'soak', name);
  const whole = readFileSync(path, 'utf8');
  const changes: [RegExp, (text: string) => string][] = [
    [/hardware has changed/, (text) => text.replace(/"config_id":"[^"]*"/, '"config_id":"other"')],
    [/measured by revision old/, (text) => text.replace(/"revision":"[^"]*"/, '"revision":"old"')],
    [
      /more than 7 days old/,
      (text) => text.replace(/"saved_at":(\d+)/, (_, at: string) => `"saved_at":${Number(at) - 8 * 86_400_000}`),
    ],
    [/cannot be read/, (text) => text.slice(0, 100)],
  ];
  for (const [words, change] of changes) {
    writeFileSync(path, change(whole));
    const before = benchmarks(host).length;
    await stopAt(host, 1);
    // It begins with what the journal has measured already.
    assert.deepEqual(benchmarks(host).slice(before), [SOAK_PIECES[0]], String(words));
    assert.match(host.out(), words);
    assert.equal(summaryOf(host).resumed, 0);
  }
});

test('a soak is gone on with by its own engine only: another one is refused with a sentence, and nothing is lost', async (t) => {
  const host = await stoppedAt(t, 'fma');
  const [name = ''] = journals(host);
  fakeRunner(host.folder, { gpus });
  const before = benchmarks(host).length;
  assert.equal(await exitCodeOf(host, null, { tier: 'soak', engine: 'own' }), 2);
  assert.match(
    summaryOf(host).error?.message ?? '',
    /--engine auto is in progress here \(1 pieces? .*--engine own cannot/,
  );
  assert.match(summaryOf(host).error?.remedy ?? '', new RegExp(`Resume it with --engine auto, or remove .*${name}`));
  assert.equal(benchmarks(host).length, before, 'nothing was measured');
  assert.equal(await goOn(host), 0);
  assert.equal(summaryOf(host).resumed, 1);
});

test('a soak of one job is not gone on with in another', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = await stoppedAt(t, 'fma');
  fakeRunner(host.folder, { gpus });
  const before = benchmarks(host).length;
  assert.equal(await exitCodeOf(host, jobToken(coordinator.url), { tier: 'soak' }), 0);
  assert.equal(benchmarks(host).length - before, SOAK_PIECES.length);
  // The other one's journal is still there.
  assert.equal(journals(host).length, 1);
});

test('a soak whose journal cannot be written measures all the same, and says so', async (t) => {
  const host = { ...hostWithRunner(t, { gpus }), system_root: '/nonexistent' };
  mkdirSync(join(host.folder, 'state'), { mode: 0o700 });
  writeFileSync(join(host.folder, 'state', 'soak'), 'a file in its place');
  assert.equal(await exitCodeOf(host, null, { tier: 'soak' }), 0);
  assert.equal(resultsOf(host).test_results[0]?.memory_bandwidth_gbs, 48.3);
  assert.ok(host.out().includes('the journal of this soak cannot be written'));
});

test('a soak of several GPUs has all of them in every piece, swings their power together, then takes turns and copies', async (t) => {
  const two = [{ id: 'GPU-1' }, { id: 'GPU-2' }];
  const host = { ...hostWithRunner(t, { gpus: two }), system_root: '/nonexistent' };
  assert.equal(await exitCodeOf(host, null, { tier: 'soak' }), 0);
  const calls = runnerCalls(host.folder);
  assert.deepEqual(
    calls.map((call) => / --benchmarks (\w+)/.exec(call)?.[1] ?? call.split(' ')[0]),
    [...SOAK_PIECES, 'repeat', 'energy', 'matrix'],
  );
  for (const call of calls) assert.match(call, /--device GPU-1,GPU-2 /);
  const [swings = '', turns = ''] = calls.slice(SOAK_PIECES.length);
  assert.match(swings, /--benchmarks repeat,energy --swings 60 --tier quick$/);
  assert.match(turns, /--turns fma,gemm_bf16,memory,link --tier quick$/);
  for (const entry of resultsOf(host).test_results) {
    assert.deepEqual([entry.fp32_tflops, entry.memory_bandwidth_gbs], [0.466, 48.3]);
    assert.deepEqual(entry.together?.['memory_bandwidth_gbs']?.gap, 0);
    const seen = entry.details['temperature_centigrade'] as { swings?: { count: number } } | undefined;
    assert.equal(seen?.swings?.count, 60);
  }
  assert.deepEqual(journals(host), []);
});

test('a soak of several GPUs that is stopped resumes with all of them; a card that fails is left out of what follows', async (t) => {
  const two = [{ id: 'GPU-1' }, { id: 'GPU-2' }];
  const host = { ...hostWithRunner(t, { gpus: two, waiting: 'memory' }), system_root: '/nonexistent' };
  // The line of the stage, of both cards in each piece before, and of the piece that waits.
  await stopAt(host, 1 + SOAK_PIECES.indexOf('memory') * two.length + 1);
  const before = runnerCalls(host.folder).length;
  assert.equal(before, SOAK_PIECES.indexOf('memory') + 1);
  fakeRunner(host.folder, { gpus: [{ id: 'GPU-1' }, { id: 'GPU-2', together: 'lost' }] });
  assert.equal(await exitCodeOf(host, null, { tier: 'soak' }), 3);
  const [resumed = '', next = ''] = runnerCalls(host.folder).slice(before);
  assert.match(resumed, /--device GPU-1,GPU-2 --benchmarks memory,energy /);
  assert.match(next, /--device GPU-1 --benchmarks cache,energy /);
  const [first, second] = resultsOf(host).test_results;
  assert.deepEqual([first?.memory_bandwidth_gbs, first?.fp32_tflops], [48.3, 0.466]);
  assert.equal(second?.memory_bandwidth_gbs, 48.3);
  assert.match(second?.unavailable['l2_bandwidth_gbs'] ?? '', /the card was lost/);
});

test('other tiers keep no journal and measure a device in one piece', async (t) => {
  const host = { ...hostWithRunner(t, { gpus }), system_root: '/nonexistent' };
  assert.equal(await exitCodeOf(host, null, { tier: 'standard' }), 0);
  await untilOutput(host, '"summary"');
  assert.equal(runnerCalls(host.folder).length, 1);
  assert.throws(() => journals(host));
});
