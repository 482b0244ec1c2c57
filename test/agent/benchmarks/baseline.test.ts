import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBaseline } from '../../../agent/benchmarks/baseline.ts';
import { ExitError } from '../../../agent/run/exit-error.ts';
import { fakeRunner } from '../support/fake-runner.ts';
import { eventsOf, exitCodeOf, hostWithRunner, spoolOf, summaryOf } from '../support/run-harness.ts';
import { jobToken, testHost } from '../support/test-host.ts';

const gpus = (memory: number, name = 'Test Card') => [{ id: 'GPU-1', memory, name }];
const nowhere = { system_root: '/nonexistent' };

test('the output of an earlier run is a baseline: 3 % worse is doubtful, 5 % is bad, better is neither', async (t) => {
  const host = { ...hostWithRunner(t, { gpus: gpus(1000) }), ...nowhere };
  assert.equal(await exitCodeOf(host, null), 0);
  const baseline = join(host.folder, 'baseline.json');
  writeFileSync(baseline, host.out());
  for (const [memory, code, verdict] of [
    [971, 0, 'ok'],
    [960, 3, 'warn'],
    [940, 3, 'bad'],
    [1100, 0, 'ok'],
  ] as const) {
    fakeRunner(host.folder, { gpus: gpus(memory) });
    assert.equal(await exitCodeOf(host, null, { baseline }), code, String(memory));
    const metric = summaryOf(host).devices[0]?.metrics.find((one) => one.metric === 'memory_bandwidth_gbs');
    assert.deepEqual([metric?.verdict, metric?.value], [verdict, memory]);
    assert.ok(metric?.judged_by.includes('baseline'));
    if (verdict !== 'ok') assert.match(metric?.reason ?? '', /% worse than in the baseline .*baseline\.json$/);
  }
});

test('a summary alone, a file of the spool and an upload’s payload are baselines too', async (t) => {
  const host = { ...hostWithRunner(t, { gpus: gpus(1000) }), ...nowhere };
  assert.equal(await exitCodeOf(host, jobToken('http://127.0.0.1:9'), { offline: true }), 0);
  const [name = ''] = spoolOf(host);
  const spooled = join(host.folder, 'state', 'spool', name);
  const files = [spooled, join(host.folder, 'summary.json'), join(host.folder, 'payload.json')];
  writeFileSync(files[1] ?? '', JSON.stringify(eventsOf(host).at(-1), null, 2));
  const measurement = eventsOf(host).find((event) => event['type'] === 'measurement');
  writeFileSync(files[2] ?? '', JSON.stringify({ machine_uuid: 'm', benchmark_results: measurement?.['results'] }));
  for (const file of files) {
    const model = readBaseline(file).models.get('Test Card');
    assert.deepEqual([model?.figures.get('memory_bandwidth_gbs')?.value, model?.simulated], [1000, false], file);
  }
});

test('an endless file is refused, and a figure that is not a number is left out', (t) => {
  assert.throws(() => readBaseline('/dev/zero'), /larger than 64 MiB/);
  const path = join(testHost(t).folder, 'b.json');
  const entry = '{"gpu_model":"M","memory_bandwidth_gbs":1e999,"l2_bandwidth_gbs":5}';
  writeFileSync(path, `{"benchmark_results":{"quick_mark":{"test_results":[${entry}]}}}`);
  assert.deepEqual([...(readBaseline(path).models.get('M')?.figures.keys() ?? [])], ['l2_bandwidth_gbs']);
});

test('the baseline of several cards is their median', (t) => {
  const path = join(testHost(t).folder, 'b.json');
  const entry = (gbs: number | null) => ({ gpu_model: 'M', simulated: false, memory_bandwidth_gbs: gbs });
  const test_results = [100, 300, null, 110].map(entry);
  writeFileSync(path, JSON.stringify({ benchmark_results: { quick_mark: { test_results } } }));
  assert.equal(readBaseline(path).models.get('M')?.figures.get('memory_bandwidth_gbs')?.value, 110);
});

test('a file that is missing, not a result, or of another model ends with 2 and a message, before anything is measured', async (t) => {
  const host = { ...hostWithRunner(t, { gpus: gpus(1000) }), ...nowhere };
  assert.equal(await exitCodeOf(host, null), 0);
  const file = join(host.folder, 'b.json');
  const ends = async (content: string | null, words: RegExp): Promise<void> => {
    if (content !== null) writeFileSync(file, content);
    const baseline = content === null ? join(host.folder, 'absent.json') : file;
    const before = host.out().length;
    assert.equal(await exitCodeOf(host, null, { baseline }), 2);
    assert.match(summaryOf(host).error?.message ?? '', words);
    assert.ok(!host.out().slice(before).includes('"result"'));
  };
  const summary = JSON.stringify(eventsOf(host).at(-1));
  await ends(null, /absent\.json cannot be read/);
  await ends('{"a": 1}', /neither a summary nor an upload/);
  await ends('not json', /neither a summary nor an upload/);
  await ends(summary.replaceAll('Test Card', 'Other Card'), /has results of Other Card, not of Test Card/);
  await ends(
    summary.replaceAll('"simulated":false', '"simulated":true'),
    /has results of Test Card \(simulated\), not of/,
  );
  assert.throws(() => readBaseline(host.folder), ExitError);
});
