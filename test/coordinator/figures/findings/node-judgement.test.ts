import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BandwidthCell } from '../../../../coordinator/contract/bandwidth-matrix.ts';
import { judgement, type Judgement } from '../../../../coordinator/contract/judgement.ts';
import type { QuickMarkResults } from '../../../../coordinator/contract/quick-mark.ts';
import {
  findingSentence,
  ofOneNode,
  subjectLine,
  verdictLine,
} from '../../../../coordinator/figures/findings/finding-words.ts';
import { nodeJudgement } from '../../../../coordinator/figures/findings/node-judgement.ts';
import { ruleOfVerdict } from '../../../../coordinator/figures/findings/rules.ts';
import { taskJudgement } from '../../../../coordinator/figures/findings/task-judgement.ts';
import { judgeResults } from '../../../../coordinator/figures/judge-results.ts';
import { type Device, upload } from '../../jobs/upload.ts';

type Change = (results: QuickMarkResults) => void;

/** What is said of a node with these devices, as its coordinator stores it. */
function judged(devices: Device[], change: Change = () => undefined): Judgement {
  const results = upload('m', devices).benchmark_results.quick_mark;
  change(results);
  const found = nodeJudgement(judgeResults(results));
  // It goes over the wire as it is.
  assert.deepEqual(judgement.parse(found), found);
  return found;
}

const sentences = ({ findings, verdict }: Judgement): string[] =>
  findings.map((finding) => findingSentence(finding, ofOneNode(verdict.devices.of, false)));
const eight = (change: (device: Device, index: number) => Device = (device) => device): Device[] =>
  Array.from({ length: 8 }, (_, index) => change({ engine: 'vendor' }, index));

test('a healthy card, and eight of them, are good: no finding, and every figure counted', () => {
  for (const devices of [eight().slice(0, 1), eight()]) {
    const { verdict, findings } = judged(devices);
    assert.deepEqual(findings, []);
    assert.equal(verdict.grade, 'good');
    assert.deepEqual(verdict.devices, { of: devices.length, bad: 0, check: 0 });
    assert.equal(verdict.figures.bad + verdict.figures.check, 0);
    assert.ok(verdict.figures.good >= 4 * devices.length);
    assert.equal(
      verdictLine(verdict),
      devices.length === 1 ? 'No problem found in 1 GPU' : 'No problem found in 8 GPUs',
    );
  }
});

test('a slow card of eight is one finding with all its figures, worst first, and names the card from 0', () => {
  // 11 % and 8 % behind: both beyond the limits of cards in one node (bf16 8.5 %, memory 3 %).
  const found = judged(
    eight((device, index) => (index === 7 ? { ...device, bf16: 715 * 0.89, memory: 3000 * 0.92 } : device)),
  );
  assert.equal(found.findings.length, 1, sentences(found).join('\n'));
  const [finding] = found.findings;
  assert.deepEqual([finding?.rule, finding?.grade, finding?.devices], ['peers', 'bad', [7]]);
  assert.deepEqual(finding?.figures.toSorted(), ['bf16_tflops', 'memory_bandwidth_gbs']);
  assert.match(sentences(found)[0] ?? '', /^GPU 7: .*bf16.* behind the median of the 8 devices/);
  assert.match(finding?.action ?? '', /return it/);
  assert.deepEqual(found.verdict.devices, { of: 8, bad: 1, check: 0 });
  assert.equal(subjectLine(found.verdict), '1 of 8 GPUs needs action');
});

test('a wrong result is bad, and what to do follows from the rule, not from its words', () => {
  const found = judged(eight().slice(0, 1), ({ test_results: [device] }) => {
    if (device) device.details['bf16_tflops'] = { verified: false };
  });
  const finding = found.findings.find(({ rule }) => rule === 'verification');
  assert.equal(finding?.grade, 'bad');
  assert.match(finding?.action ?? '', /out of service/);
  assert.equal(verdictLine(found.verdict), '1 problem: 1 bad');
});

test('a figure whose measuring failed is to be checked; one that the hardware lacks is only not measured', () => {
  const found = judged(eight().slice(0, 1), ({ test_results: [device] }) => {
    if (!device) return;
    device['fp8_tflops'] = null;
    device.unavailable['fp8_tflops'] = 'this card has no unit for it';
    device.details['fp8_tflops'] = { absence: 'hardware' };
    device['fp16_tflops'] = null;
    device.unavailable['fp16_tflops'] = 'the library gave up';
    device.details['fp16_tflops'] = { absence: 'failed' };
  });
  assert.deepEqual(
    found.findings.map(({ rule, grade, figures, evidence }) => [rule, grade, figures, evidence]),
    [['figure_missing', 'check', ['fp16_tflops'], 'the library gave up']],
  );
  assert.deepEqual(
    found.not_measured.filter(({ figures }) => figures.includes('fp8_tflops')).map(({ because }) => because),
    ['this card has no unit for it'],
  );
});

test('noise is a problem of a card, and a remark on a processor', () => {
  const noisy: Change = ({ test_results: [device] }) => {
    const stats = { n: 11, min: 1, max: 1, median: 1, p5: 1, p95: 1, cv: 0.2 };
    if (device) device.details['memory_bandwidth_gbs'] = { stats };
  };
  const processor: Device = { vendor: 'cpu', model: 'AMD EPYC 9B14', bf16: null, memory: 200, copies: null };
  assert.equal(judged([processor], noisy).verdict.grade, 'good');
  const card = judged(eight().slice(0, 1), noisy);
  assert.deepEqual([card.verdict.grade, card.findings[0]?.rule], ['check', 'spread']);
  assert.match(card.findings[0]?.action ?? '', /Stop other work/);
});

const copies = (slow: (source: number, target: number) => boolean): BandwidthCell[] =>
  Array.from({ length: 56 }, (_, at): BandwidthCell => {
    const source = Math.floor(at / 7);
    const target = at % 7 < source ? at % 7 : (at % 7) + 1;
    return {
      source_gpu: `GPU-${source}`,
      target_gpu: `GPU-${target}`,
      simplex_gbs: slow(source, target) ? 250 : 390,
      duplex_gbs: null,
      connection_type: 'NVLink x18',
    };
  });

test('one slow copy is named; all copies of one card are one finding about that card', () => {
  const of = (slow: (source: number, target: number) => boolean) =>
    judged(eight(), (results) => void (results.aggregate_results.gpu_bandwidth_matrix = copies(slow)));
  const single = of((source, target) => source === 2 && target === 5);
  assert.deepEqual(
    single.findings.map(({ link, devices }) => [link, devices]),
    [['GPU 2 to GPU 5', [2, 5]]],
  );
  assert.deepEqual(single.verdict.links, { of: 56, bad: 1, check: 0 });
  const card = of((source, target) => source === 3 || target === 3);
  assert.deepEqual(
    card.findings.map(({ devices, evidence }) => [
      devices,
      /^14 copies between GPUs, the worst GPU \d to GPU \d: /.test(evidence),
    ]),
    [[[3], true]],
  );
});

test('nothing measured is neither good nor bad; a failed, a lost and a stopped node say so', () => {
  const nothing = nodeJudgement(null);
  assert.equal(nothing.verdict.grade, 'not_measured');
  assert.equal(verdictLine(nothing.verdict), 'No figures yet');
  const tried = { ...nothing.verdict, devices: { of: 1, bad: 0, check: 0 } };
  assert.equal(verdictLine(tried), 'Nothing was measured');
  const task = { failed_message: null, warnings: [], judgement: null, device_ids: [] };
  const rules = (['failed', 'lost', 'aborted', 'completed'] as const).map((state) =>
    taskJudgement({ ...task, state }).findings.map(({ rule, grade }) => `${rule} ${grade}`),
  );
  assert.deepEqual(rules, [['node_failed bad'], ['node_lost bad'], ['run_stopped check'], []]);
});

test('a sentence of the agent is about the device whose id it begins with, and is said once', () => {
  const { findings, verdict } = taskJudgement({
    state: 'failed',
    failed_message: 'quick_mark: GPU-1: fell off the bus',
    warnings: [
      'GPU-1: fell off the bus',
      'GPU-10 was in use by something else',
      'the clock of this machine is off by 40 s',
    ],
    judgement: judged(eight()),
    device_ids: [...eight().map((_, index) => `GPU-${index}`), 'x', 'GPU-10'],
  });
  assert.deepEqual(
    findings.map(({ rule, devices, evidence }) => [rule, devices, evidence]),
    [
      ['node_failed', [], 'failed: quick_mark: GPU-1: fell off the bus'],
      ['run_warning', [9], 'was in use by something else'],
      ['run_warning', [], 'the clock of this machine is off by 40 s'],
    ],
  );
  assert.equal(verdict.grade, 'bad');
});

test('the rule of a stored verdict is found by its name, with and without the coordinator in front; an unknown one is kept', () => {
  for (const [words, rule, evidence] of [
    ['spread above 5 %: other work on it', 'spread', 'spread above 5 %: other work on it'],
    ['judged by the coordinator: peers: 11.0 % behind', 'peers', '11.0 % behind'],
    ['all at once: 14.0 % below the same alone, limit 10 %', 'all_at_once', '14.0 % below the same alone, limit 10 %'],
    ['PCIe link: x8 of x16', 'pcie_link', 'x8 of x16'],
    ['a rule of a later version: 3', 'run_warning', 'a rule of a later version: 3'],
    ['', 'run_warning', 'no reason was given'],
  ] as const)
    assert.deepEqual(ruleOfVerdict(words, 'figure'), { rule, evidence });
  assert.equal(ruleOfVerdict('links: 12 of the 18 NVLinks', 'copy').rule, 'copies_links');
  assert.equal(ruleOfVerdict('peers: 4 % below', 'copy').rule, 'copies_peers');
});
