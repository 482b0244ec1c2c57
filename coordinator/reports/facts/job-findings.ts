import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import type { JobReport } from '../report-model.ts';
import { nameMetrics } from './check-findings.ts';
import { comparableKind } from './computed.ts';
import type { Finding } from './finding.ts';
import { headlineMetrics } from './headline.ts';
import { lowFigures } from './low-figures.ts';
import { metricInfo } from './metrics.ts';
import { nodeFindings } from './node-findings.ts';
import { nodeValue, type NodeSummary } from './node-summary.ts';
import { standings, type Standing } from './peers.ts';
import { printCount, printDeviation, printNumber } from './print-number.ts';

/** Nodes named in one sentence. */
const MAX_NAMED = 4;

/** What a reader of the whole job must know: its own warnings, then each node finding once with the nodes it is about. */
export function jobFindings(report: JobReport, nodes: NodeSummary[]): Finding[] {
  const missing = report.job.nodeCount - nodes.length;
  const findings: Finding[] = report.warnings.map((text) => ({ level: 'warning', text }));
  for (const text of report.performance?.notes ?? []) findings.push({ level: 'note', text: `${nameMetrics(text)}.` });
  if (missing > 0)
    findings.push({ level: 'warning', text: `${printCount(missing, 'expected node')} never registered.` });
  findings.push(...lowFigures('job', report.performance));
  for (const result of report.results) {
    if (result.state === 'failed') {
      findings.push({
        level: 'failure',
        text: `${result.benchmarkName} failed: ${result.errorMessage ?? 'no reason was given'}`,
      });
    }
  }
  return [...findings, ...outlierFindings(nodes), ...groupedNodeFindings(nodes)];
}

interface MetricStandings {
  metric: QuickMarkMetric;
  standings: Standing[];
}

/** Nodes of equal hardware compared with each other by each headline metric, per engine, arithmetic and load class if they differ. */
export function nodeStandings(nodes: NodeSummary[]): MetricStandings[] {
  const kinds = [...new Set(nodes.map(({ kind }) => kind))].filter((kind) => kind !== null);
  return headlineMetrics(nodes.flatMap(({ devices }) => devices)).map((metric) => ({
    metric,
    standings: kinds.flatMap((kind) => {
      const values = nodes.flatMap((node) => {
        const value = node.kind === kind ? nodeValue(node.devices, metric) : null;
        const computed = comparableKind(node.devices, metric);
        return value === null || computed === null ? [] : [{ name: node.name, value, computed }];
      });
      return [...Map.groupBy(values, ({ computed }) => computed).values()].flatMap(standings);
    }),
  }));
}

function outlierFindings(nodes: NodeSummary[]): Finding[] {
  return nodeStandings(nodes).flatMap(({ metric, standings }) => {
    const { label, unit, throughput } = metricInfo[metric];
    return standings
      .filter(({ outlier, deviation }) => outlier && throughput && deviation < 0)
      .toSorted((a, b) => a.deviation - b.deviation)
      .map(({ name, value, deviation, of }): Finding => {
        const far = `${printDeviation(deviation)} from the median of its ${of} peers`;
        return { level: 'warning', text: `${name} is an outlier: ${label} ${printNumber(value)} ${unit}, ${far}.` };
      });
  });
}

function groupedNodeFindings(nodes: NodeSummary[]): Finding[] {
  const groups = new Map<string, { finding: Finding; names: string[] }>();
  for (const { node, name } of nodes) {
    for (const finding of nodeFindings(node)) {
      const key = `${finding.level} ${finding.text}`;
      const group = groups.get(key) ?? { finding, names: [] };
      group.names.push(name);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ finding, names }) => ({
    level: finding.level,
    text: `${namesOf(names)}: ${finding.text}`,
  }));
}

function namesOf(names: string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
