import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crowdFigures } from '../coordinator/jobs/network/crowd-figures.ts';
import { runCrowd } from '../coordinator/jobs/network/crowd.ts';

const NODES = 12;

test('kill -9 of coordinator and Postgres in the middle of the rounds loses no link and no node, and doubles nothing', async (t) => {
  const crowd = await runCrowd({
    nodes: NODES,
    config: { graph: 'full', slot_seconds: 2, timeout: 300, collective: 'off' },
    killsAfterMs: [5000],
    say: (line) => t.diagnostic(line),
  });
  const { links, ok, missing, doubled, wrong, unacknowledged } = crowdFigures(crowd, (NODES * (NODES - 1)) / 2);
  assert.deepEqual(
    { links, ok, missing, doubled, wrong, unacknowledged },
    { links: 66, ok: 66, missing: 0, doubled: 0, wrong: 0, unacknowledged: 0 },
  );
  assert.deepEqual(crowd.result?.['bad_nodes'], []);
  assert.equal(crowd.state, 'completed');
});
