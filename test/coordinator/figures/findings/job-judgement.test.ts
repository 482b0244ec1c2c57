import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgement, type Judgement, type RunFinding } from '../../../../coordinator/contract/judgement.ts';
import {
  findingSentence,
  placeWords,
  type PlaceNames,
  subjectLine,
  verdictLine,
} from '../../../../coordinator/figures/findings/finding-words.ts';
import { jobJudgement, sameNode } from '../../../../coordinator/figures/findings/job-judgement.ts';
import { nodeJudgement } from '../../../../coordinator/figures/findings/node-judgement.ts';
import { taskJudgement } from '../../../../coordinator/figures/findings/task-judgement.ts';
import { judgeResults } from '../../../../coordinator/figures/judge-results.ts';
import { upload } from '../../jobs/upload.ts';

/** A node of eight H100 of which those numbered are this much slower in memory. */
function node(slow: Readonly<Record<number, number>> = {}): Judgement {
  const devices = Array.from({ length: 8 }, (_, index) => ({
    engine: 'vendor' as const,
    memory: 3000 * (1 - (slow[index] ?? 0)),
  }));
  return nodeJudgement(judgeResults(upload('m', devices).benchmark_results.quick_mark));
}
const warned = (judged: Judgement, ...warnings: string[]): Judgement =>
  taskJudgement({ state: 'completed', failed_message: null, warnings, judgement: judged, device_ids: [] });
const names = (count: number): PlaceNames => ({
  nodeName: (index) => `gpu-${String(index).padStart(3, '0')}`,
  devicesOf: () => ({ count: 8, areProcessors: false }),
  nodeCount: count,
});
const link: RunFinding = {
  rule: 'network_link',
  grade: 'bad',
  nodes: [1, 5],
  devices: [],
  figures: [],
  link: 'node 1 to node 5',
  evidence: 'ran at 0.41 of what both nodes reach with others',
  action: 'Change the cable.',
};

test('64 healthy cards and 28 links are one line; one bad card of one node is found among them', () => {
  const healthy = jobJudgement(
    Array.from({ length: 8 }, () => node()),
    { findings: [], links: { of: 28, bad: 0, check: 0 } },
  );
  assert.equal(verdictLine(healthy.verdict), 'No problem found in 64 GPUs and 28 links');
  const ill = jobJudgement([...Array.from({ length: 7 }, () => node()), node({ 6: 0.12 })], {
    findings: [link],
    links: { of: 28, bad: 1, check: 0 },
  });
  assert.deepEqual(judgement.parse(ill), ill);
  assert.equal(verdictLine(ill.verdict), '2 problems: 2 bad');
  assert.equal(subjectLine(ill.verdict), '3 of 8 nodes, 1 of 64 GPUs and 1 of 28 links need action');
  assert.deepEqual(ill.findings.map((finding) => placeWords(finding, names(8))).toSorted(), [
    'gpu-001 to gpu-005',
    'gpu-007, GPU 6',
  ]);
  assert.deepEqual(ill.verdict.figures.bad, 1);
});

test('the same sentence of several nodes is one finding with all of them', () => {
  const all = jobJudgement([warned(node(), 'no time server'), warned(node(), 'no time server'), node()], {
    findings: [],
  });
  assert.deepEqual(
    all.findings.map((finding) => findingSentence(finding, names(3))),
    ['gpu-000 and gpu-001: no time server.'],
  );
  assert.deepEqual(all.verdict.nodes, { of: 3, bad: 0, check: 2 });
  const five = jobJudgement(
    Array.from({ length: 6 }, (_, index) => (index === 0 ? node() : warned(node(), 'x'))),
    { findings: [] },
  );
  assert.equal(placeWords(five.findings[0] ?? link, names(6)), 'gpu-001, gpu-002, gpu-003 and 2 more nodes');
});

test('what no node could measure is said once, for all of them', () => {
  const { not_measured } = jobJudgement([node(), node()], { findings: [] });
  const fp8 = not_measured.filter(({ figures }) => figures.includes('fp8_tflops'));
  assert.deepEqual(
    fp8.map(({ nodes, devices, because }) => [nodes, devices, because]),
    [[[0, 1], [0, 1, 2, 3, 4, 5, 6, 7], 'not built into this runner']],
  );
});

test('a node measured twice has each problem once, and no more devices than it has', () => {
  const twice = sameNode([node({ 2: 0.12 }), node({ 2: 0.12 })]);
  assert.equal(twice.findings.length, 1);
  assert.deepEqual(twice.findings[0]?.nodes, []);
  assert.deepEqual(twice.verdict.devices, { of: 8, bad: 1, check: 0 });
  assert.deepEqual(twice.verdict.nodes, { of: 1, bad: 1, check: 0 });
});

test('bad stands before what is to be checked, and what many have before what one has', () => {
  const { findings } = jobJudgement([warned(node({ 0: 0.12 }), 'a'), warned(node(), 'b'), warned(node(), 'b')], {
    findings: [],
  });
  assert.deepEqual(
    findings.map(({ grade, nodes }) => [grade, nodes.length]),
    [
      ['bad', 1],
      ['check', 2],
      ['check', 1],
    ],
  );
});
