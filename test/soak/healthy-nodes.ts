import assert from 'node:assert/strict';
import { judgeCells } from '../../agent/benchmarks/judge-cells.ts';
import { devicesOf, healthyNodes } from '../support/healthy-nodes.ts';
import { agentFindings, coordinatorFindings, coordinatorJudges } from '../support/real-cards.ts';
import { runCases } from '../support/run-cases.ts';

const DRAWS = 10_000;

/** The gate draws 300 of them (test/coordinator/figures/comparison-limits.test.ts). */
async function none(): Promise<void> {
  for (const node of healthyNodes(45, DRAWS)) {
    const healthy = node.devices.map(() => ({}));
    assert.deepEqual(agentFindings(node.devices), healthy, node.words);
    const cells = judgeCells(devicesOf(node), node.cells);
    assert.deepEqual(
      cells.filter(({ verdict }) => verdict !== 'ok'),
      [],
      node.words,
    );
    const judged = coordinatorJudges(node.devices, cells);
    assert.deepEqual(coordinatorFindings(judged.devices), healthy, node.words);
    assert.deepEqual(judged.cells, cells, node.words);
  }
}

await runCases('healthy-nodes', [{ title: `${DRAWS} healthy nodes have no finding above a remark`, run: none }]);
