import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskState } from '../../../../coordinator/contract/agent-protocol.ts';
import { remarksOf } from '../../../../coordinator/reports/sections/node.ts';
import { jobState, nodeState } from '../../../../coordinator/reports/facts/run-state.ts';
import { node, quickMark } from '../examples/parts.ts';
import { cpuResults, largeJob } from '../examples/reports.ts';

test('how a node ended is said in words, and makes its verdict worse than that of its figures, never better', () => {
  const of = (state: TaskState) => nodeState(node({ state, failedMessage: 'because of it' }));
  assert.deepEqual(of('completed'), { title: null, grade: null, sentence: 'The run was completed.' });
  assert.equal(of('failed').sentence, 'The run failed: because of it');
  assert.equal(of('aborted').sentence, 'The run was aborted: because of it');
  for (const state of ['failed', 'aborted', 'lost'] as const) assert.equal(of(state).grade, 'bad');
  for (const state of ['registered', 'running', 'uploading'] as const) assert.equal(of(state).title, 'Not finished');
});

test('a job says how many of its expected nodes delivered', () => {
  const report = largeJob(4);
  assert.equal(jobState(report).sentence, 'Completed: 4 of 6 expected nodes delivered.');
  const failed = jobState({ ...report, job: { ...report.job, state: 'failed' } });
  assert.deepEqual([failed.grade, failed.sentence], ['bad', 'The job failed: 4 of 6 expected nodes delivered.']);
  assert.equal(jobState({ ...report, job: { ...report.job, state: 'running' } }).title, 'Not finished');
});

test('late, failed, skipped and unreadable results, and other work on the machine, are remarks of their node', () => {
  const texts = (results: ReturnType<typeof quickMark>[]): string => remarksOf(node({ results })).join('\n');
  assert.match(texts([quickMark(cpuResults(), { late: true })]), /QuickMark arrived late/);
  assert.match(
    texts([quickMark(null, { state: 'failed', errorMessage: 'out of memory' })]),
    /QuickMark failed: out of memory/,
  );
  assert.match(
    texts([quickMark(null, { state: 'skipped', errorMessage: 'one node' })]),
    /QuickMark was skipped: one node/,
  );
  assert.match(texts([quickMark({ surprise: 1 })]), /do not have the shape of this version/);
  const contended = (value: boolean): string => {
    const results = cpuResults() as { test_results: [{ details: { run: { contended: boolean } } }] };
    results.test_results[0].details.run.contended = value;
    return texts([quickMark({ ...results })]);
  };
  assert.match(contended(true), /processor: other work ran on the machine during the measurement/);
  assert.doesNotMatch(contended(false), /other work/);
});

test('a throughput of 0 is a fault, not a slow device', () => {
  const results = cpuResults() as { test_results: Record<string, unknown>[] };
  Object.assign(results.test_results[0] ?? {}, { memory_bandwidth_gbs: 0 });
  const { findings } = node({ results: [quickMark(results)] }).judgement;
  const zero = findings.find(({ figures }) => figures.includes('memory_bandwidth_gbs'));
  assert.equal(zero?.grade, 'bad');
  assert.match(zero?.evidence ?? '', /reads 0 GB\/s/);
});
