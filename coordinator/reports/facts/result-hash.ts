import { createHash } from 'node:crypto';
import type { Report, ReportResult } from '../report-model.ts';

/** Every result on which a report is based. */
export const resultsOf = (report: Report): ReportResult[] =>
  report.kind === 'task' ? report.node.results : [...report.results, ...report.nodes.flatMap((node) => node.results)];

/**
 * SHA-256 over the content keys of all results, sorted and joined by newlines: anyone who has the results can compute it
 * again. Null if there is no result.
 */
export function resultSetHash(report: Report): string | null {
  const keys = resultsOf(report).map(({ resultKey }) => resultKey);
  if (keys.length === 0) return null;
  return createHash('sha256').update(keys.toSorted().join('\n')).digest('hex');
}
