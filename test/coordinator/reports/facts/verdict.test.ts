import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskState } from '../../../../coordinator/contract/agent-protocol.ts';
import { sortFindings, type Finding } from '../../../../coordinator/reports/facts/finding.ts';
import { nodeFindings } from '../../../../coordinator/reports/facts/node-findings.ts';
import { jobVerdict, taskVerdict } from '../../../../coordinator/reports/facts/verdict.ts';
import { quickMark } from '../examples/parts.ts';
import { cpuResults, cpuTask, largeJob } from '../examples/reports.ts';

const taskIn = (state: TaskState) => ({ ...cpuTask(), node: { ...cpuTask().node, state } });
const warning: Finding = { level: 'warning', text: 'w' };
const failure: Finding = { level: 'failure', text: 'f' };
const note: Finding = { level: 'note', text: 'n' };

test('each state of a node has its verdict, and findings only make it worse', () => {
  const words = (state: TaskState, findings: Finding[]) => taskVerdict(taskIn(state), findings).words;
  assert.equal(words('completed', []), 'Completed');
  assert.equal(words('completed', [note]), 'Completed');
  assert.equal(words('completed', [note, warning]), 'Completed with warnings');
  assert.equal(words('completed', [warning, failure]), 'Completed, but not valid');
  assert.equal(words('failed', []), 'Failed');
  assert.equal(words('aborted', []), 'Aborted');
  assert.equal(words('lost', []), 'Contact lost');
  for (const state of ['registered', 'running', 'uploading'] as const) assert.equal(words(state, []), 'Not finished');
});

test('a completed job with a failed figure in a node is not called completed', () => {
  const report = { ...largeJob(0), job: { ...largeJob(0).job, state: 'completed' as const } };
  assert.equal(jobVerdict(report, []).words, 'Completed');
  assert.equal(jobVerdict(report, [failure]).words, 'Completed with warnings');
});

test('a late, a failed and an unreadable result are each a finding', () => {
  const texts = (overrides: object) =>
    nodeFindings({ ...cpuTask().node, ...overrides })
      .map(({ text }) => text)
      .join('\n');
  assert.match(texts({ results: [quickMark(cpuResults(), { late: true })] }), /arrived late/);
  assert.match(
    texts({ results: [quickMark(null, { state: 'failed', errorMessage: 'out of memory' })] }),
    /failed: out of memory/,
  );
  assert.match(texts({ results: [quickMark({ surprise: 1 })] }), /do not have the shape of this version/);
  assert.match(texts({ results: [] }), /finished without delivering a result/);
});

test('a throughput of 0 is a failure, not a slow device', () => {
  const results = cpuResults() as { test_results: Record<string, unknown>[] };
  Object.assign(results.test_results[0] ?? {}, { memory_bandwidth_gbs: 0 });
  const findings = nodeFindings({ ...cpuTask().node, results: [quickMark(results)] });
  assert.ok(findings.some(({ level, text }) => level === 'failure' && /Memory bandwidth.*reads 0/.test(text)));
});

test('a machine that was in use, and a figure whose threads lacked their cores, are noted', () => {
  type Device = { details: Record<'run' | 'fp32_tflops', Record<string, unknown>> };
  const notesOf = (change: (device: Device) => void): string => {
    const results = cpuResults() as { test_results: [Device] };
    // the golden was taken on a machine in use
    results.test_results[0].details.run['contended'] = false;
    change(results.test_results[0]);
    const findings = nodeFindings({ ...cpuTask().node, results: [quickMark(results)] });
    return findings.map(({ level, text }) => `${level}: ${text}`).join('\n');
  };
  assert.doesNotMatch(
    notesOf(() => undefined),
    /other work ran|had their cores/,
  );
  assert.match(
    notesOf(({ details }) => (details.run['contended'] = true)),
    /note: processor: other work ran on the machine during the measurement/,
  );
  assert.match(
    notesOf(({ details }) => (details.fp32_tflops['core_share'] = 0.53)),
    /note: processor: FP32 matrix multiply: its threads had their cores only 53\.0\s% of the time; the figure is too low\./,
  );
});

test('findings are listed worst first and each sentence once', () => {
  assert.deepEqual(sortFindings([note, warning, failure, { ...warning }]), [failure, warning, note]);
});
