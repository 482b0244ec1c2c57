import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { runEvent } from '../../../agent/run/run-event.ts';
import { chooseRenderer } from '../../../agent/ui/choose-renderer.ts';
import { plainPaint } from '../../../agent/ui/paint.ts';
import { summaryText } from '../../../agent/ui/summary-text.ts';
import { resultsRequest } from '../../../coordinator/contract/agent-protocol.ts';
import { type Judgement, judgement } from '../../../coordinator/contract/judgement.ts';
import { findingWords, verdictLine } from '../../../coordinator/figures/findings/finding-words.ts';
import { nodeJudgement } from '../../../coordinator/figures/findings/node-judgement.ts';
import { type StoredTask, taskJudgement } from '../../../coordinator/figures/findings/task-judgement.ts';
import { judgeResults } from '../../../coordinator/figures/judge-results.ts';
import { fakeCoordinator } from '../support/fake-coordinator.ts';
import type { FakeGpu } from '../support/fake-gpus.ts';
import type { RunnerScript } from '../support/fake-runner.ts';
import { bf16, gemmGpu } from '../support/gemm-gpu.ts';
import { eventsOf, exitCodeOf, hostWithRunner, summaryOf, untilOutput } from '../support/run-harness.ts';
import { jobToken, testHost, type TestHost } from '../support/test-host.ts';

const cards = (count: number, rest: Partial<FakeGpu> = {}): FakeGpu[] =>
  Array.from({ length: count }, (_, index) => ({ id: `GPU-${index + 1}`, ...rest }));
const withOne = (count: number, place: number, rest: Partial<FakeGpu>): FakeGpu[] =>
  cards(count).map((gpu, index) => (index === place ? { ...gpu, ...rest } : gpu));
const remaps = (change: object): Partial<FakeGpu> => ({
  attributes: { row_remaps: { correctable: 0, uncorrectable: 0, pending: false, failure: false, ...change } },
});
const both = bf16({ vendor: 700, own: 690 });
const noisy = { ...both, stats: { n: 11, min: 400, max: 900, median: 700, p5: 420, p95: 880, cv: 0.2 } };

/** name, script, exit code, grade, findings as "rule grade devices" */
type Row = [string, RunnerScript, number, Judgement['verdict']['grade'], string[]];
const rows: Row[] = [
  ['a healthy card', { gpus: cards(1) }, 0, 'good', []],
  ['eight healthy cards', { gpus: cards(8) }, 0, 'good', []],
  ['a processor', {}, 0, 'good', []],
  ['two simulated cards', { gpus: cards(2, { simulated: true }) }, 0, 'good', []],
  // 94 is 6 % below the median of 100, 100, 100 and 94
  ['a slow card of four', { gpus: withOne(4, 3, { memory: 45.4 }) }, 3, 'bad', ['peers bad 3']],
  [
    'an unsteady card',
    { gpus: [gemmGpu('GPU-1', { vendor: 700, own: 690 }, { gemm: { bf16_tflops: noisy } })] },
    3,
    'check',
    ['spread check 0'],
  ],
  ['cards that hinder each other', { gpus: cards(3, { loses: 0.08 }) }, 3, 'check', ['all_at_once check 0,1,2']],
  [
    'a wrong result',
    { gpus: withOne(2, 0, { together: 'wrong' }) },
    6,
    'bad',
    ['verification bad 0', 'node_failed bad '],
  ],
  ['a figure that could not be measured', { run: 'gap' }, 3, 'check', ['figure_missing check 0']],
  [
    'a warning of health',
    { gpus: withOne(2, 1, remaps({ pending: true })) },
    3,
    'check',
    ['row_remap_pending check 1'],
  ],
  ['an ill card', { gpus: withOne(2, 1, remaps({ failure: true })) }, 9, 'bad', ['row_remap_failed bad 1']],
  [
    'a slow copy',
    { gpus: cards(3), cells: [{ from: 'GPU-1', to: 'GPU-3', gbs: 200 }] },
    3,
    'bad',
    ['copies_peers bad 0,2'],
  ],
  [
    'a copy that failed',
    { gpus: cards(3), cells: [{ from: 'GPU-1', to: 'GPU-3', gbs: null }] },
    3,
    'check',
    ['copies_missing check 0,2'],
  ],
  [
    'a copy that arrived wrong',
    { gpus: cards(3), cells: [{ from: 'GPU-1', to: 'GPU-3', gbs: 400, verified: false }] },
    3,
    'bad',
    ['copies_wrong bad 0,2'],
  ],
  [
    'cards of two engines',
    { gpus: [gemmGpu('GPU-1', { vendor: 715, own: 700 }), gemmGpu('GPU-2', { vendor: null, own: 699 })] },
    3,
    'check',
    ['engines_mixed check 1'],
  ],
  [
    'a lost card',
    { gpus: withOne(3, 1, { together: 'lost' }) },
    3,
    'check',
    ['figure_missing check 1', 'run_warning check 1'],
  ],
  ['a card in use by others', { gpus: withOne(2, 0, { together: 'busy' }) }, 3, 'check', ['nothing_measured check 0']],
  [
    'every card in use',
    { gpus: cards(2, { together: 'busy' }) },
    5,
    'bad',
    ['node_failed bad ', 'nothing_measured check 0', 'nothing_measured check 1'],
  ],
  ['a runner that dies', { run: 'crash' }, 6, 'bad', ['node_failed bad ', 'nothing_measured check 0']],
  ['a stopped run', { run: 'wait' }, 130, 'check', ['run_stopped check ']],
];

interface Shown {
  code: number;
  host: TestHost;
  coordinator: Judgement;
}

/** The run as part of a job: what the agent shows, and what its coordinator finds in what it was sent. */
async function runOf(t: TestContext, script: RunnerScript): Promise<Shown> {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t, script);
  const running = exitCodeOf({ ...host, system_root: host.folder }, jobToken(coordinator.url));
  if (script.run === 'wait') {
    await untilOutput(host, '"gemm_fp32"');
    host.signal('SIGINT');
  }
  const code = await running;
  const sent = resultsRequest.parse(coordinator.named('results')[0]?.body);
  const [complete, failed] = [coordinator.named('complete')[0]?.body, coordinator.named('fail')[0]?.body];
  const quickMark = sent.payload?.benchmark_results.quick_mark;
  const results = quickMark === undefined ? null : judgeResults(quickMark);
  const further = (complete?.['warnings'] ?? []) as string[];
  const found = taskJudgement({
    state: (failed?.['state'] ?? 'completed') as StoredTask['state'],
    failed_message: (failed?.['message'] ?? null) as string | null,
    warnings: [...new Set([...sent.warnings, ...further])],
    judgement: results === null ? null : nodeJudgement(results),
    device_ids: results?.test_results.map(({ gpu_id }) => gpu_id) ?? [],
  });
  return { code, host, coordinator: found };
}

/** Why a device has no figure is told once, by the run or by the finding. */
const reasonIn = (evidence: string): string => evidence.replace(/^nothing could be measured: /, '').replace(/\.$/, '');

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** The last document of `--output classic`, of the same events. */
function classicOf(t: TestContext, host: TestHost): { judgement: unknown; warnings: string[] } {
  const other = testHost(t);
  const renderer = chooseRenderer(other, 'classic');
  for (const event of eventsOf(host)) renderer.show(runEvent.parse(event), new Date(0));
  const lines = other.out().trimEnd().split('\n');
  return JSON.parse(lines.slice(lines.indexOf('{')).join('\n')) as { judgement: unknown; warnings: string[] };
}

for (const [name, script, code, grade, expected] of rows)
  test(`${name}: ${grade}, ${expected.join(', ') || 'no finding'} on the terminal, in classic and JSON, and at the coordinator`, async (t) => {
    const run = await runOf(t, script);
    const summary = summaryOf(run.host);
    const found = judgement.parse(summary.judgement);
    const rules = found.findings.map((finding) => `${finding.rule} ${finding.grade} ${finding.devices.join()}`);
    assert.deepEqual(
      [run.code, found.verdict.grade, rules],
      [code, grade, expected],
      JSON.stringify([found, summary.error], null, 1),
    );
    assert.deepEqual(run.coordinator, found);

    const classic = classicOf(t, run.host);
    assert.deepEqual([classic.judgement, classic.warnings], [found, summary.warnings]);

    for (const verbose of [false, true]) {
      const text = summaryText(summary, plainPaint, { verbose });
      const blocks = text.trimEnd().split('\n\n');
      assert.match(text, new RegExp(`^VERDICT  ${grade === 'not_measured' ? 'not measured' : grade}[ :]`));
      assert.equal(blocks.at(-1), blocks[0]);
      const verdict = flat(blocks[0] ?? '');
      assert.ok(verdict.includes(verdictLine(found.verdict, script.gpus === undefined)), verdict);
      const { good, check, bad, not_measured: missing } = found.verdict.figures;
      assert.match(
        verdict,
        new RegExp(`${good} figures? good, ${check} to check, ${bad} bad; ${missing} not measured`),
      );
      const words = found.findings.map(findingWords);
      for (const said of words) assert.ok(flat(text).includes(flat(said)), `${said}\n${text}`);
      const actions = new Set(found.findings.map(({ grade: of, action }) => `${of} ${action}`));
      assert.equal(text.match(/^ {2}Do: /gm)?.length ?? 0, actions.size, text);
      for (const line of text.split('\n').filter((one) => !one.includes('://')))
        assert.ok(Array.from(line).length <= 80, line);
    }

    // Each problem of the machine is one sentence for scripts, and none is there twice.
    assert.equal(new Set(summary.warnings).size, summary.warnings.length);
    const ofMachine = found.findings.filter(({ rule }) => !['node_failed', 'run_stopped'].includes(rule));
    for (const finding of ofMachine)
      assert.equal(
        summary.warnings.filter((warning) => warning.includes(reasonIn(finding.evidence))).length,
        1,
        `${finding.evidence}\n${summary.warnings.join('\n')}`,
      );
  });
