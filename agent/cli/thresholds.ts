import { z } from 'zod';
import { ExitError } from '../run/exit-error.ts';
import type { DeviceSummary, MetricSummary } from '../run/run-summary.ts';
import type { Threshold } from '../run/run-options.ts';
import { measureText, percentText } from '../ui/figure-text.ts';
import { metricLabel, metrics } from '../kernels/registry.ts';
import { nearest } from './nearest.ts';
import { readOptionFile } from './option-file.ts';

const ROWS_MAX = 100;

/** Units in which more is better; a minimum for a latency, a temperature or an energy makes no sense. */
const RATES: ReadonlySet<string> = new Set(['TFLOP/s', 'GB/s', 'GHz']);
const rates = Object.keys(metrics).filter((name) => RATES.has(metrics[name]?.unit ?? ''));

const positive = z.number().positive();
const row = z.union([
  z.strictObject({ metric: z.string(), least: positive }),
  z.strictObject({ metric: z.string(), share_of_peak: positive.max(1) }),
]);
const thresholdFile = z.strictObject({ thresholds: z.array(row).min(1).max(ROWS_MAX) });

/**
 * The file of `--require`: `{"thresholds": [{"metric": "memory_bandwidth_gbs", "least": 3000}, ...]}`.
 * @throws ExitError usage, before anything is measured
 */
export function readThresholds(path: string): Threshold[] {
  const read = thresholdFile.safeParse(parsed(path, readOptionFile({ path, option: '--require' })));
  if (!read.success) {
    const [issue] = read.error.issues;
    const at = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    const what = issue?.code === 'invalid_union' ? 'not a metric with least or share_of_peak' : issue?.message;
    throw wrong(`${path}: ${at}${what}`, 'See gpumark-agent help require.');
  }
  for (const threshold of read.data.thresholds) {
    const { metric } = threshold;
    if ('share_of_peak' in threshold && rates.includes(metric) && metrics[metric]?.unit !== 'TFLOP/s')
      throw wrong(
        `${path}: share_of_peak applies to throughputs (*_tflops), not to '${metric}'`,
        'Give it a least value.',
      );
    if (rates.includes(metric)) continue;
    const meant = nearest(metric, rates);
    throw wrong(
      `${path}: '${metric}' is not a metric that can have a least value`,
      meant === null ? `One of ${rates.join(', ')}.` : `Did you mean ${meant}?`,
    );
  }
  return read.data.thresholds;
}

/** A sentence for each threshold that a device does not reach; a figure that was not measured fails every threshold. */
export function shortfalls(thresholds: readonly Threshold[], devices: readonly DeviceSummary[]): string[] {
  if (thresholds.length > 0 && devices.length === 0) return ['--require: no device was measured'];
  return devices.flatMap((device) =>
    thresholds.flatMap((threshold) => {
      const figure = device.metrics.find(({ metric }) => metric === threshold.metric);
      const words = shortfall(threshold, figure);
      return words === null ? [] : [`${device.device_id}: ${metricLabel(threshold.metric)} ${words}`];
    }),
  );
}

function shortfall(threshold: Threshold, figure: MetricSummary | undefined): string | null {
  if (figure === undefined || figure.value === null || figure.verdict === 'bad')
    return `is required and ${figure?.verdict === 'bad' ? 'is not plausible' : 'was not measured'}`;
  if ('least' in threshold)
    return figure.value >= threshold.least
      ? null
      : `is ${measureText(figure.value, figure.unit)}, below the required ${measureText(threshold.least, figure.unit)}`;
  const share = figure.fraction_of_spec_peak;
  const required = percentText(threshold.share_of_peak);
  if (share === null) return `must be ${required} of the published peak, and none is known for it`;
  return share >= threshold.share_of_peak
    ? null
    : `is ${percentText(share)} of the published peak, below the required ${required}`;
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrong(`${path} is not JSON`, 'See gpumark-agent help require.', cause);
  }
}

const wrong = (message: string, remedy: string, cause?: unknown): ExitError =>
  new ExitError('usage', `--require: ${message}`, remedy, cause);
