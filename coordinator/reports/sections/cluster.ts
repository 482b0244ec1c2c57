import { describeRecord } from '../facts/describe-record.ts';
import { printDuration } from '../facts/print-number.ts';
import { heading } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';
import type { ReportResult } from '../report-model.ts';

/** Results of the job as a whole, e.g. the links between its nodes. */
export function clusterSection(paper: Paper, results: ReportResult[]): void {
  if (results.length === 0 || !heading(paper, 'Results of the job as a whole', 60)) return;
  table(
    paper,
    [
      { title: 'Benchmark', share: 20 },
      { title: 'State', share: 12 },
      { title: 'Duration', share: 12, align: 'right' },
      { title: 'Results', share: 56, maxLines: 6 },
    ],
    results.map((result) => [
      result.benchmarkName,
      result.state,
      printDuration(result.startedAt, result.endedAt) ?? '–',
      result.errorMessage ?? (describeRecord(result.results ?? {}) || '–'),
    ]),
  );
}
