import type { NodeSignal } from '../../coordinator/contract/health.ts';
import type { Health } from '../../coordinator/figures/judge-health.ts';
import { healthOfNode } from '../../coordinator/figures/node-health.ts';
import { healthWarnings } from '../../coordinator/figures/tell-health.ts';
import type { RunContext } from '../run/run-context.ts';

/** What the rules find in the signals of a machine none of whose cards is measured, as warnings of the run, each once. */
export function tellMachine({ emit, record }: RunContext, signals: readonly NodeSignal[]): Health {
  const { node } = healthOfNode([], signals);
  // What a quick_mark found of the machine is in its result.
  const known = new Set([
    ...record.warnings,
    ...record.judged.flatMap(({ node_health }) => healthWarnings({ test_results: [], node_health })),
  ]);
  const found = healthWarnings({ test_results: [], node_health: node.findings }).filter((words) => !known.has(words));
  for (const message of found) emit({ type: 'notice', level: 'warning', message, remedy: null });
  record.warnings.push(...found);
  return node;
}
