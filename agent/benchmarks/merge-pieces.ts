import { MOST_POINTS } from '../../coordinator/contract/sensor-series.ts';
import { metrics } from '../kernels/registry.ts';
import { detailsOf } from '../kernels/runner-events.ts';
import type { ResultEvent, RunnerEvent, RunnerEventOf } from '../kernels/runner-events.ts';
import { mergeChanges } from './merge-changes.ts';
import { ReadingLog } from './reading-log.ts';

/** The merge functions for figures that span other benchmarks, by their name in the registry. */
const MERGES: Readonly<Record<string, (results: readonly ResultEvent[]) => ResultEvent | null>> = {
  highest: hottest,
  // The piece with the load that defines the figure; among pieces with the same load the highest power.
  highest_of_top_load: byLoad,
  sum: summed,
};
/** Every other metric comes from one piece. */
const SPANNING = Object.fromEntries(
  Object.entries(metrics).flatMap(([metric, { over_pieces }]) => {
    const merge = over_pieces === null ? undefined : MERGES[over_pieces];
    return merge === undefined ? [] : [[metric, merge]];
  }),
);

/** Merges the events of several runner processes on one device, as if one process had measured everything. */
export function mergePieces(pieces: readonly (readonly RunnerEvent[])[]): RunnerEvent[] {
  const events = pieces.flat();
  const results = resultsOf(pieces);
  const spans = resultsOf(pieces.filter(hasFigure)).filter(isSpanning);
  const spanning = Object.entries(SPANNING).flatMap(([metric, merge]) => {
    const told = spans.filter((result) => result.metric === metric);
    return merge(told.length > 0 ? told : results.filter((result) => result.metric === metric)) ?? [];
  });
  const device = events.find((event) => event.event === 'device');
  const summaries = events.filter((event) => event.event === 'summary');
  return [
    ...(device === undefined ? [] : [device]),
    ...results.filter((result) => !isSpanning(result)),
    ...spanning,
    ...events.filter((event) => event.event === 'error'),
    ...mergedSummary(summaries),
    ...readingsOf(pieces),
  ];
}

/**
 * Sensor readings over the whole run: each piece's times count from its own start, so they are shifted by the duration
 * of the pieces before it.
 */
function readingsOf(pieces: readonly (readonly RunnerEvent[])[]): RunnerEvent[] {
  const log = new ReadingLog(MOST_POINTS);
  let before = 0;
  for (const piece of pieces) {
    for (const event of piece) if (event.event === 'telemetry') log.add({ ...event, t_ms: event.t_ms + before });
    before += 1000 * (piece.find((event) => event.event === 'summary')?.seconds ?? 0);
  }
  return log.points();
}

const resultsOf = (pieces: readonly (readonly RunnerEvent[])[]): ResultEvent[] =>
  pieces.flat().filter((event) => event.event === 'result');

const isSpanning = (result: ResultEvent): boolean => SPANNING[result.metric] !== undefined;

/** A piece that the hardware cannot run took no time, so its missing energy does not affect the sum. Swings have no figure. */
const hasFigure = (piece: readonly RunnerEvent[]): boolean =>
  resultsOf([piece]).some(
    (result) => (!isSpanning(result) && result.value !== null) || result.details['swings'] !== undefined,
  );

function mergedSummary(summaries: readonly RunnerEventOf<'summary'>[]): RunnerEvent[] {
  const last = summaries.at(-1);
  if (last === undefined) return [];
  const ratios = summaries.flatMap((summary) => summary.contention_ratio ?? []);
  return [
    {
      ...last,
      seconds: summaries.reduce((sum, summary) => sum + summary.seconds, 0),
      contended: summaries.some((summary) => summary.contended),
      contention_ratio: ratios.length === 0 ? null : Math.max(...ratios),
    },
  ];
}

/** The result with the highest value; without any value the first result, for its reason. */
function highest(results: readonly ResultEvent[]): ResultEvent | null {
  const measured = results.filter((result) => result.value !== null && result.verified !== false);
  const [first, ...others] = measured;
  if (first === undefined) return results[0] ?? null;
  return others.reduce((top, result) => ((result.value ?? 0) > (top.value ?? 0) ? result : top), first);
}

/** By the runner's load rank: the bf16 product before other products, those before the probes. */
function byLoad(results: readonly ResultEvent[]): ResultEvent | null {
  const rankOf = (result: ResultEvent): number => (result.value === null ? -1 : (detailsOf(result).load_rank ?? -1));
  const top = Math.max(...results.map(rankOf));
  return highest(results.filter((result) => rankOf(result) === top));
}

/** The hottest piece, with the card's errors in any of them. */
function hottest(results: readonly ResultEvent[]): ResultEvent | null {
  const top = highest(results);
  if (top === null) return null;
  const all = (name: string): unknown[] => results.flatMap((result) => result.details[name] ?? []);
  const throttle = [...new Set(all('throttle'))];
  const swings = all('swings').at(-1);
  const seen = {
    ...(throttle.length === 0 ? {} : { throttle }),
    ...(swings === undefined ? {} : { swings }),
  };
  const changes = mergeChanges(results.map(({ details }) => details));
  return { ...top, details: { ...top.details, ...changes, ...seen } };
}

/** The sum over all pieces; null if one of them has no value, since a partial sum would look like less energy. */
function summed(results: readonly ResultEvent[]): ResultEvent | null {
  const [first] = results;
  if (first === undefined) return null;
  const missing = results.find((result) => result.value === null || result.verified === false);
  if (missing !== undefined) return { ...missing, value: null, reason: missing.reason ?? 'one part is not plausible' };
  const value = results.reduce((sum, result) => sum + (result.value ?? 0), 0);
  const total = (name: string): number | null => {
    const numbers = results.map((result) => result.details[name]).filter((number) => typeof number === 'number');
    return numbers.length === results.length ? numbers.reduce((sum, number) => sum + number, 0) : null;
  };
  const counter_agrees = results.every((result) => detailsOf(result).counter_agrees !== false);
  const [counter_wh, integrated_wh] = [total('counter_wh'), total('integrated_wh')];
  const ratio = counter_wh === null || !integrated_wh ? null : counter_wh / integrated_wh;
  const details = { ...first.details, counter_wh, integrated_wh, ratio, seconds: total('seconds'), counter_agrees };
  return { ...first, value, stats: null, details: { ...details, parts: results.length } };
}
