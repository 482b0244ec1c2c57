import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createLayouts } from '../../../../coordinator/network/planning/layout.ts';
import { testApp } from '../../../support/app.ts';

const app = await testApp({ after }, { logLevel: 'info' });

test('a graph that is chosen anew, because what chose it first was not stored, has its own rounds', async () => {
  const layouts = createLayouts();
  const graph = { kind: 'full', degree: null, rounds: 0, links: 0, note: null, without: [], slot_seconds: 3 } as const;
  const rounds = async (budget_seconds: number, without: number[]) => {
    const run = { job_id: '1', item: 1, config: null, nodes_joined: 40, seed: '7' };
    return (await layouts.of(app.platform.sql, { ...run, graph: { ...graph, budget_seconds, without } })).rounds;
  };
  // 39 rounds of 3 s are 117 s, more than four fifths of 100 s: 24 matchings instead
  assert.equal((await rounds(300, [])).length, 39);
  assert.equal((await rounds(100, [])).length, 24);
  const left = (await rounds(300, [5])).flat();
  assert.equal(left.length, (39 * 38) / 2);
  assert.equal(
    left.some(({ source, target }) => source === 5 || target === 5),
    false,
  );
});
