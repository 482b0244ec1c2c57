import { median } from '../../figures/statistics.ts';
import type { Performance } from '../../contract/performance.ts';
import { engineNames } from '../../contract/matrix-engine.ts';
import { isClass, loadName } from '../../contract/load-class.ts';
import { WHY } from '../../figures/compare-loads.ts';
import { notCompared } from '../../figures/compare-engines.ts';
import { whyGrey, worstOf } from '../../figures/reference-words.ts';
import {
  isYardstick,
  referenceOf,
  sheetPeak,
  UNDERPERFORMING_BELOW,
  type CameAbout,
} from '../../figures/references.ts';
import { keyMetrics, type CustomerVote, type KeyMetric, type ModelFigures } from './node-figures.ts';
import { withinPublished } from './published.ts';

/** Fewest others that make an expectation: neither a few customers nor a few machines show what is usual. */
export const FEWEST_CUSTOMERS = 5;
const FEWEST_MACHINES = 8;
const OUTPERFORMING_ABOVE = 1.05;

type Compared = Performance['metrics'][number];

/**
 * Measured against expected: the median of the votes of at least `FEWEST_CUSTOMERS` other customers with at least
 * `FEWEST_MACHINES` machines of the model, limited to the published range; else what healthy cards of it reached in our own runs.
 * Beside a data sheet's peak alone a figure can be low, but never as expected, and `not_judged` says why. The customer's own
 * machines do not count and are shown separately. The worst metric decides; a metric that was not measured is absent. Figures of different engines or load classes are not compared, and `notes` says so. Implausible figures have the status unknown.
 */
export function comparePerformance(
  measured: ModelFigures,
  votes: readonly CustomerVote[],
  customerId: string,
): Performance {
  const world = votes.filter((vote) => vote.customer_id !== customerId);
  const compared = keyMetrics.flatMap((metric) => {
    const value = measured.figures[metric];
    return value === null ? [] : [compareMetric(metric, value, measured, world)];
  });
  const own = ownFleet(
    measured,
    votes.find((vote) => vote.customer_id === customerId),
  );
  const notes = [
    ...engineNotes(measured, compared, world),
    ...loadNotes(measured, compared, world),
    ...unrankedNotes(measured),
  ];
  return {
    status: measured.unranked === null ? statusOf(compared) : 'unknown',
    ...scoreOf(measured.unranked === null ? compared : []),
    metrics: compared,
    ...(own === undefined || own.length === 0 ? {} : { own_fleet: own }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

export const unknownPerformance: Performance = { status: 'unknown', score: null, score_by: null, metrics: [] };

/** Why a figure is shown with other machines of its model without being compared with them. */
function engineNotes(
  { bf16_engine: engine }: ModelFigures,
  compared: readonly Compared[],
  world: readonly CustomerVote[],
): string[] {
  if (engine === 'mixed')
    return [`bf16_tflops: not compared: measured with ${engineNames.mixed}; run all with --engine own to compare`];
  const basis = compared.find(({ metric }) => metric === 'bf16_tflops')?.basis;
  const others = world.reduce((sum, vote) => sum + vote.bf16_by_other_engine, 0);
  if (engine === null || basis === undefined || basis === 'peers' || others === 0) return [];
  const machines = `${others} other ${others === 1 ? 'machine' : 'machines'} of this model`;
  return [`bf16_tflops: ${notCompared(machines, engine, engine === 'own' ? 'vendor' : 'own')}`];
}

/** A bf16 without a load class is compared with no machine; one with a class not with those of another. */
function loadNotes(
  { bf16_load: load }: ModelFigures,
  compared: readonly Compared[],
  world: readonly CustomerVote[],
): string[] {
  const bf16 = compared.find(({ metric }) => metric === 'bf16_tflops');
  if (bf16 === undefined) return [];
  if (!isClass(load)) return [`bf16_tflops: not compared with other machines: measured ${loadName(load)}; ${WHY}`];
  const others = world.reduce((sum, vote) => sum + vote.bf16_under_other_load, 0);
  if (bf16.basis === 'peers' || others === 0) return [];
  const machines = `${others} other ${others === 1 ? 'machine' : 'machines'} of this model`;
  const there = 'there under another load or one that was not recorded';
  return [`bf16_tflops: not compared with ${machines}: measured ${loadName(load)}, ${there}; ${WHY}`];
}

const unrankedNotes = ({ unranked }: ModelFigures): string[] =>
  unranked === null ? [] : [`kept, but neither judged nor ranked: ${unranked}`];

function compareMetric(
  metric: KeyMetric,
  value: number,
  measured: ModelFigures,
  world: readonly CustomerVote[],
): Compared {
  const { votes, machines, customers, median: usual } = peersOf(metric, world);
  // The names of some processors look like those of cards.
  const model = measured.gpu_vendor === 'cpu' ? '' : measured.gpu_model;
  const how = howOf(metric, measured);
  const given = usual === null ? null : { median: withinPublished(metric, usual, measured), customers, machines };
  const reference = referenceOf(model, metric, how, given);
  const peak = sheetPeak(model, metric, how);
  const common = {
    metric,
    value,
    sample_size: machines,
    customers,
    ...(peak === null ? {} : { peak }),
    ...(reference === null ? {} : { reference }),
  };
  if (reference !== null && isYardstick(reference)) {
    const { value: expected, low } = reference;
    const percentile = rounded((100 * votes.filter((other) => other <= value).length) / customers, 1);
    return {
      ...common,
      ...besideExpected(value, expected, low),
      percentile: usual === null ? null : percentile,
      basis: usual === null ? 'reference' : 'peers',
    };
  }
  const not_judged = whyGrey(model, metric, how) ?? '';
  if (reference === null || peak === null)
    return { ...common, expected: null, ratio: null, percentile: null, basis: 'none', not_judged };
  return { ...common, ...besideExpected(value, peak, reference.low), percentile: null, basis: 'spec', not_judged };
}

const besideExpected = (value: number, expected: number, low: number) => ({
  expected,
  ratio: rounded(value / expected, 4),
  floor: rounded(low / expected, 2),
});

const howOf = (metric: KeyMetric, { bf16_engine, bf16_load }: ModelFigures): CameAbout =>
  metric === 'bf16_tflops'
    ? { engine: bf16_engine, arithmetic: null, load: bf16_load }
    : { engine: null, arithmetic: null, load: null };

/** The customers' votes in ascending order, and their median if there are enough to show what is usual. */
interface Usual {
  votes: number[];
  customers: number;
  machines: number;
  median: number | null;
}

export function peersOf(metric: KeyMetric, world: readonly CustomerVote[]): Usual {
  return usualOf(
    world.flatMap((vote) => vote.figures[metric] ?? []),
    world.reduce((sum, vote) => sum + vote.machines[metric], 0),
  );
}

/** From one vote per customer, where `machines` is the number of machines behind all of them. */
export function usualOf(medians: readonly number[], machines: number): Usual {
  const votes = medians.toSorted((a, b) => a - b);
  const isEnough = votes.length >= FEWEST_CUSTOMERS && machines >= FEWEST_MACHINES;
  return { votes, customers: votes.length, machines, median: isEnough ? median(votes) : null };
}

/** Kept apart from other customers, since a fleet that is slow as a whole would look fine compared with itself. */
function ownFleet(measured: ModelFigures, own: CustomerVote | undefined): Performance['own_fleet'] {
  return keyMetrics.flatMap((metric) => {
    const [value, middle] = [measured.figures[metric], own?.figures[metric] ?? null];
    if (value === null || middle === null || !own) return [];
    return [{ metric, machines: own.machines[metric], median: middle, ratio: rounded(value / middle, 4) }];
  });
}

function statusOf(compared: readonly Compared[]): Performance['status'] {
  if (compared.some(isBelowFloor)) return 'underperforming';
  const judged = compared.filter(isJudged);
  if (judged.length === 0) return 'unknown';
  return judged.every(({ ratio }) => (ratio ?? 0) > OUTPERFORMING_ABOVE) ? 'outperforming' : 'nominal';
}

/** Whether a metric has been compared with what cards reach, and not with a peak alone. */
const isJudged = ({ ratio, basis }: Compared): boolean =>
  ratio !== null && (basis === 'peers' || basis === 'reference');

/** Whether a metric makes its job underperform. Jobs of earlier releases have no floor: theirs is that of peers. */
export const isBelowFloor = ({ ratio, floor = UNDERPERFORMING_BELOW }: Compared): boolean =>
  ratio !== null && ratio < floor;

/** 100 times the worst ratio: a mean would hide one bad figure behind three good ones. */
function scoreOf(compared: readonly Compared[]): Pick<Performance, 'score' | 'score_by'> {
  const worst = worstOf(compared);
  return worst === null
    ? { score: null, score_by: null }
    : { score: rounded(100 * worst.ratio, 1), score_by: worst.metric };
}

/**
 * A stored comparison as it is understood today. Earlier releases scored by a mean that had shares of a peak in it, and called a
 * job nominal from these alone: what is left of that has no score, and no status unless it is low.
 */
export function asJudgedNow<T extends Performance>(stored: T): T {
  if (stored.score_by !== undefined) return stored;
  const isKnown = stored.status === 'underperforming' || stored.metrics.some(isJudged);
  return { ...stored, status: isKnown ? stored.status : 'unknown', score: null, score_by: null };
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
