import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRun } from '../../../../../coordinator/jobs/network/verdict/judge-run.ts';
import { simulateRun } from './simulate-run.ts';

test('a healthy run names nobody', () => {
  const run = simulateRun({ nodes: 8, seed: '1', noise: 0.03 });
  const { bad_nodes, bad_links, unconfirmed_links } = judgeRun(run);
  assert.deepEqual({ bad_nodes, bad_links, unconfirmed_links }, { bad_nodes: [], bad_links: [], unconfirmed_links: 0 });
});

test('a node that sends at half the rate is named with direction and factor', () => {
  const run = simulateRun({ nodes: 8, seed: '1', noise: 0.03, tx: new Map([[5, 0.5]]) });
  const { bad_nodes, bad_links } = judgeRun(run);
  assert.deepEqual(bad_links, []);
  assert.deepEqual(
    bad_nodes.map(({ node, reason, direction }) => ({ node, reason, direction })),
    [{ node: 5, reason: 'slow', direction: 'tx' }],
  );
  assert.ok(Math.abs((bad_nodes[0]?.factor ?? 0) - 0.5) < 0.05);
});
