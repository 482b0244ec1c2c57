import assert from 'node:assert/strict';
import { execa } from 'execa';
import { before, test } from 'node:test';
import { parseLine } from '../../../agent/kernels/parse-line.ts';
import { quickMarkMetrics } from '../../../coordinator/contract/quick-mark.ts';
import { built, ofKind } from '../built-runner.ts';

let runner = '';
before(async () => {
  runner = await built('gpumark-runner');
});

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`${signal} ends the slice, keeps the results so far, gives a reason for the rest and exits ${code}`, async () => {
    const child = execa(runner, ['run'], { reject: false, stderr: 'ignore', lines: true });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('"event":"sample"') && text.includes('"benchmark":"fma"')) child.kill(signal);
    });
    const { exitCode, stdout } = await child;
    assert.equal(exitCode, code);
    const events = stdout.map(parseLine).filter((event) => event !== null);
    assert.equal(events.at(-1)?.event, 'summary');
    assert.equal(ofKind(events, 'summary')[0]?.exit_code, code);
    assert.equal(ofKind(events, 'error')[0]?.code, 'interrupted');
    const results = new Map(ofKind(events, 'result').map((result) => [result.metric, result]));
    // On a busy machine the two clock chains may disagree, which is also a valid result.
    const clock = results.get('clock_ghz');
    assert.ok((clock?.value ?? 0) > 0 || clock?.reason?.includes('disagree') === true, 'what came before stays');
    assert.match(results.get('memory_bandwidth_gbs')?.reason ?? '', /stopped/);
    assert.equal(results.get('memory_bandwidth_gbs')?.details['absence'], 'failed');
    for (const metric of quickMarkMetrics) assert.ok(results.has(metric), metric);
  });
}
