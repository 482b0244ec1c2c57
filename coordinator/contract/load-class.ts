import { z } from 'zod';
import { isGemmMetric } from './matrix-engine.ts';

/**
 * How long a device had carried the load that a figure counts. At its power cap a card is up to a fifth faster in its first
 * second than it stays. `burst`: the first 0.1 to 0.5 s after a rest; `sustained`: at least 1.6 s of the same load before, at
 * least 1.2 s counted; `settled`: over two minutes of it, first and last quarter within 2 %; `brief`: shorter than any of these,
 * and comparable with nothing.
 */
export const loadClass = z.enum(['burst', 'brief', 'sustained', 'settled']);
export type LoadClass = z.infer<typeof loadClass>;

/** Load of figures of several devices. */
export type LoadMark = LoadClass | 'mixed';

/** What a device reaches in its first quarter of a second, as others print it: never a headline, so `n` stands beside it. */
export const burstFigure = z.object({
  tflops: z.number().nonnegative().max(1e6),
  n: z.int().positive().max(1e9),
});
export type BurstFigure = z.infer<typeof burstFigure>;

/** Whether a metric has a load class: matrix products, multiply-add and issue peaks. */
export const hasLoadClass = (metric: string): boolean => isGemmMetric(metric) || /^(fma|matrix_issue)_/.test(metric);

/** Figures of one class can be compared; of an unknown one, of none or of several they cannot. */
export const isClass = (load: LoadMark | null | undefined): load is 'burst' | 'sustained' | 'settled' =>
  load === 'burst' || load === 'sustained' || load === 'settled';

const loads: Readonly<Record<LoadMark, string>> = {
  burst: 'in a burst of at most half a second',
  brief: 'too briefly to show what the card sustains',
  sustained: 'under sustained load',
  settled: 'under load until it settled',
  mixed: 'under different loads',
};
export const loadName = (load: LoadMark | null): string =>
  load === null ? 'under a load that was not recorded' : loads[load];

/** The least seconds of a sustained figure, with the runner's allowance for reading two clocks. */
const SUSTAINED = { before: 1.6 * 0.995, counted: 1.2 * 0.995 };

/**
 * Load class of a figure by its record; null if unknown, as agents did not always record it. A class that the record's own
 * times contradict is not believed.
 */
export function loadOf(metric: string, details: Readonly<Record<string, unknown>>): LoadClass | null {
  const said = loadClass.safeParse(details['load']);
  if (!said.success || !hasLoadClass(metric)) return null;
  const { before_seconds: before, counted_seconds: counted } = details;
  const isTooShort = isLess(before, SUSTAINED.before) || isLess(counted, SUSTAINED.counted);
  return isTooShort && (said.data === 'sustained' || said.data === 'settled') ? 'brief' : said.data;
}

const isLess = (seconds: unknown, least: number): boolean => typeof seconds === 'number' && seconds < least;
