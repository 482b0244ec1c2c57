import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuickMarkTestResult } from '../../../coordinator/contract/quick-mark.ts';
import { judgeResults } from '../../../coordinator/figures/judge-results.ts';
import { upload } from '../jobs/upload.ts';

function judged(change: Partial<QuickMarkTestResult>): QuickMarkTestResult {
  const results = upload('m', [{ vendor: 'cpu' }]).benchmark_results.quick_mark;
  results.test_results = results.test_results.map((one) => ({ ...one, ...change }));
  const [kept] = judgeResults(results).test_results;
  assert.ok(kept);
  return kept;
}

test('a processor’s multiply-adds are judged by what its cores issue per cycle, and by nothing if the core is not known', () => {
  const verdictAt = (details: Record<string, unknown>) =>
    judged({ details: { fma_fp32_tflops: { value: 0.2, ...details } } }).verdicts?.['fma_fp32_tflops'];
  // A Zen 4 at 0.99 of one 512-bit multiply-add a cycle; by two a cycle it would be 0.49.
  assert.deepEqual(verdictAt({ core: 'Zen 4', issue_share: 0.99 }), {
    verdict: 'ok',
    rule: 'judged by the coordinator: passed: verification, issue rate',
  });
  const half = verdictAt({ core: 'Zen 4', issue_share: 0.495 });
  assert.equal(half?.verdict, 'warn');
  assert.match(half?.rule ?? '', /issue rate: 0\.49|issue rate: 0\.50/);
  assert.doesNotMatch(half?.rule ?? '', /source/);
  const oneSource = verdictAt({ core: 'Granite Rapids', issue_share: 0.495, core_sources: 1 });
  assert.match(oneSource?.rule ?? '', /counted clock, by the one source that says how much that is: /);
  assert.equal(verdictAt({ core: 'Zen 4', issue_share: 1.3 })?.verdict, 'warn');
  assert.equal(verdictAt({ core: 'Zen 4', issue_share: 0.5, core_share: 0.5 })?.verdict, 'warn');
  assert.doesNotMatch(verdictAt({ core: 'Zen 4', issue_share: 0.5, core_share: 0.5 })?.rule ?? '', /issue rate/);
  for (const unknown of [{ core: null, issue_share: null }, {}]) {
    assert.equal(verdictAt(unknown)?.rule, 'judged by the coordinator: passed: verification');
  }
});

test('the coordinator tells the quota of a processor with a figure whose threads waited for it', () => {
  const details = { device: { cpu_quota_cores: 4, threads: 64 }, fma_fp32_tflops: { value: 0.2, core_share: 0.06 } };
  const rule = judged({ details }).verdicts?.['fma_fp32_tflops']?.rule ?? '';
  assert.match(
    rule,
    /core share: .* 6 % of the time: the cgroup of this process has the time of 4 cores for 64 threads/,
  );
});
