import { jsonSize, overBounds } from '../contract/bounded-json.ts';
import { quickMarkMetrics } from '../contract/quick-mark.ts';
import { sizeCaps } from '../contract/size-caps.ts';

export interface SplitResult {
  /** what every answer shows */
  inline: unknown;
  /** the whole result as JSON, for a file of its own; null if `inline` is the whole */
  raw: Buffer | null;
  /** of both together */
  bytes: number;
}

/** A level below what any part of a result may nest. */
const LEVELS = 16;
/** Of a figure's record: what the report of a whole job says of it. */
const KEPT = [
  'stats',
  'verified',
  'engine',
  'path',
  'mode',
  'core_share',
  'fraction_of_spec_peak',
  'spec_peak_tflops',
] as const;
const SMALL = { bytes: 256, depth: 2, members: 20 };

/** Takes what makes a large result large, how each figure was taken, out of it: the figures and their spread stay. */
export function splitResult(results: unknown): SplitResult {
  const { bytes } = jsonSize(results, LEVELS);
  const devices = memberOf(results, 'test_results');
  if (bytes <= sizeCaps.inlineResultBytes || !Array.isArray(devices)) return { inline: results, raw: null, bytes };
  const test_results = devices.map((device: unknown) => ({
    ...Object(device),
    details: digest(memberOf(device, 'details')),
  }));
  const inline = { ...Object(results), test_results };
  const raw = Buffer.from(JSON.stringify(results));
  return { inline, raw, bytes: raw.length + jsonSize(inline, LEVELS).bytes };
}

function digest(details: unknown): Record<string, unknown> {
  const figures = quickMarkMetrics.flatMap((metric): [string, unknown][] => {
    const record = memberOf(details, metric);
    const kept = KEPT.flatMap((name): [string, unknown][] => {
      const value = memberOf(record, name);
      return value === undefined || overBounds(value, SMALL) !== null ? [] : [[name, value]];
    });
    return kept.length === 0 ? [] : [[metric, Object.fromEntries(kept)]];
  });
  const run = memberOf(details, 'run');
  return { ...Object.fromEntries(figures), ...(run === undefined || overBounds(run, SMALL) !== null ? {} : { run }) };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
