import assert from 'node:assert/strict';
import type { RunJudgement } from '../../../../coordinator/network/verdict/run-verdict.ts';
import { judgeWithRetests, type Cluster } from './simulate-run.ts';

export const each = (nodes: readonly number[], value: number) => new Map(nodes.map((node) => [node, value]));
export const seeds = (count: number) => Array.from({ length: count }, (_, run) => String(run));
export const namesOf = ({ bad_nodes }: RunJudgement) => bad_nodes.map(({ node }) => node).toSorted((a, b) => a - b);
export const judged = (cluster: Cluster): RunJudgement => judgeWithRetests(cluster).judgement;

export function assertNothing(judgement: RunJudgement, label: string): void {
  assert.deepEqual(judgement.bad_nodes, [], label);
  assert.deepEqual(judgement.bad_links, [], label);
}
