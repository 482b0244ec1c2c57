import { createHash } from 'node:crypto';
import type { Report, ReportNode, ReportResult } from '../report-model.ts';

/** Every result a report rests on. */
export const resultsOf = (report: Report): ReportResult[] =>
  report.kind === 'task' ? report.node.results : [...report.results, ...report.nodes.flatMap((node) => node.results)];

/**
 * SHA-256 over the content keys of all results, sorted and joined by newlines: whoever has the results can compute it
 * again. Null where there is no result.
 */
export function resultSetHash(report: Report): string | null {
  const keys = resultsOf(report).map(({ resultKey }) => resultKey);
  if (keys.length === 0) return null;
  return createHash('sha256').update(keys.toSorted().join('\n')).digest('hex');
}

/** The newest instant in the data; it stands for the time of making. */
export function latestInstant(report: Report): Date {
  const nodes: ReportNode[] = report.kind === 'task' ? [report.node] : report.nodes;
  const instants = [
    report.job.createdAt,
    report.job.startedAt,
    report.job.endedAt,
    ...nodes.flatMap((node) => [node.createdAt, node.startedAt, node.endedAt]),
    ...resultsOf(report).flatMap((result) => [result.endedAt, result.receivedAt]),
  ];
  const times = instants.flatMap((instant) => (instant === null ? [] : [Date.parse(instant)])).filter(Number.isFinite);
  return new Date(times.reduce((latest, time) => Math.max(latest, time), 0));
}
