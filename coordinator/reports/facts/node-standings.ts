import type { Judgement } from '../../contract/judgement.ts';
import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { comparableKind } from './computed.ts';
import { headlineMetrics } from './headline.ts';
import { nodeValue, type NodeSummary } from './node-summary.ts';
import { standings, type Standing } from './peers.ts';

interface MetricStandings {
  metric: QuickMarkMetric;
  standings: Standing[];
}

/**
 * Nodes of equal hardware compared with each other by each headline metric, per engine, arithmetic and load class if they differ.
 * Marked are those that the judgement has found to be outliers in the figure.
 */
export function nodeStandings(nodes: readonly NodeSummary[], { findings }: Judgement): MetricStandings[] {
  const kinds = [...new Set(nodes.map(({ kind }) => kind))].filter((kind) => kind !== null);
  const isMarked = (node: number, metric: string): boolean =>
    findings.some((one) => one.rule === 'node_outlier' && one.nodes.includes(node) && one.figures.includes(metric));
  return headlineMetrics(nodes.flatMap(({ devices }) => devices)).map((metric) => ({
    metric,
    standings: kinds.flatMap((kind) => {
      const values = nodes.flatMap((node, index) => {
        const value = node.kind === kind ? nodeValue(node.devices, metric) : null;
        const computed = comparableKind(node.devices, metric);
        const marked = isMarked(index, metric);
        return value === null || computed === null ? [] : [{ name: node.name, value, computed, marked }];
      });
      return [...Map.groupBy(values, ({ computed }) => computed).values()].flatMap(standings);
    }),
  }));
}
