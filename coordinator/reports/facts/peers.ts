import type { Judgement } from '../../contract/judgement.ts';
import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { median } from '../../figures/statistics.ts';
import { comparableKind } from './computed.ts';
import { headlineMetrics } from './headline.ts';
import { nodeValue, type NodeSummary } from './node-summary.ts';

/** With fewer values, a median does not show which of them is the odd one. */
const SMALLEST_GROUP = 3;

interface PeerValue {
  name: string;
  value: number;
  /** by the judgement, which alone decides who is an outlier */
  marked: boolean;
}

export interface Standing extends PeerValue {
  /** value / median - 1 */
  deviation: number;
  /** values in its group, itself included */
  of: number;
}

/** How far each value is from the median of its peers. Empty for fewer than three values or a median of 0. */
export function standings(values: readonly PeerValue[]): Standing[] {
  const middle = median(values.map(({ value }) => value));
  if (values.length < SMALLEST_GROUP || middle === 0) return [];
  return values.map(({ name, value, marked }) => ({
    name,
    value,
    marked,
    deviation: value / middle - 1,
    of: values.length,
  }));
}

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
