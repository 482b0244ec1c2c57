import type { ReportNode } from '../report-model.ts';
import { readMeasurement } from './devices.ts';
import { nameMetrics } from './metrics.ts';

/** What a reader of a node should know that is no problem by itself, or no figure's: results beside the figures, other work, sums. */
export function remarksOf(node: ReportNode): string[] {
  const measurement = readMeasurement(node);
  const stored = node.results.find((one) => one.benchmarkId === 'quick_mark' && one.results !== null);
  const contended = (measurement?.devices ?? []).filter(({ run }) => run?.contended === true).map(({ name }) => name);
  return [
    ...node.results.flatMap(({ benchmarkName: name, state, errorMessage, late }) => {
      const because = errorMessage ?? 'no reason was given';
      if (state === 'failed') return [`${name} failed: ${because}`];
      if (state === 'skipped') return [`${name} was skipped: ${because}`];
      return late ? [`${name} arrived late, after the machine or the job had been given up; it is included.`] : [];
    }),
    ...(stored && !measurement ? ['The QuickMark results are stored, but do not have the shape of this version.'] : []),
    ...(contended.length > 0
      ? [
          `${contended.join(', ')}: other work ran on the machine during the measurement, so the figures may be too low.`,
        ]
      : []),
    ...(measurement?.notes ?? []).map((text) => `${nameMetrics(text)}.`),
  ];
}
