import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crowdFigures } from './crowd-figures.ts';
import { runCrowd } from './crowd.ts';

/** Eight rounds of a random graph instead of 255: as many nodes, polls and reports at a time as in a whole K_256. */
const NODES = 256;
const DEGREE = 8;

test('256 nodes: no report is lost, doubled or altered while coordinator and Postgres are killed three times', async (t) => {
  const crowd = await runCrowd({
    nodes: NODES,
    config: { graph: 'degree', degree: DEGREE, slot_seconds: 2, timeout: 600, collective: 'off' },
    killsAfterMs: [3000, 9000, 15_000],
    say: (line) => t.diagnostic(line),
  });
  const figures = crowdFigures(crowd, (NODES * DEGREE) / 2);
  t.diagnostic(JSON.stringify(figures));
  const { links, ok, missing, doubled, wrong, unacknowledged } = figures;
  assert.deepEqual(
    { links, ok, missing, doubled, wrong, unacknowledged, outages: crowd.outages.length, state: crowd.state },
    { links: 1024, ok: 1024, missing: 0, doubled: 0, wrong: 0, unacknowledged: 0, outages: 3, state: 'completed' },
  );
});
