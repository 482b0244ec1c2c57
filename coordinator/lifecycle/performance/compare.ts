import { geometricMean, median } from '../../figures/statistics.ts';
import type { Performance } from '../../contract/performance.ts';
import { engineNames } from '../../contract/matrix-engine.ts';
import { isClass, loadName, type LoadMark } from '../../contract/load-class.ts';
import { WHY } from '../../figures/compare-loads.ts';
import { limitsOf } from '../../figures/comparison-limits.ts';
import { notCompared } from '../../figures/compare-engines.ts';
import { keyMetrics, type CustomerVote, type KeyMetric, type ModelFigures } from './node-figures.ts';
import { publishedFigure, withinPublished } from './published.ts';

/** Fewest others that make an expectation: neither a few customers nor a few machines show what is usual. */
export const FEWEST_CUSTOMERS = 5;
const FEWEST_MACHINES = 8;
/** Share of what others reach, unless healthy machines are further apart in the figure. */
export const UNDERPERFORMING_BELOW = 0.95;
const OUTPERFORMING_ABOVE = 1.05;

type Compared = Performance['metrics'][number];

/**
 * Measured against expected: the median of the votes of at least `FEWEST_CUSTOMERS` other customers with at least
 * `FEWEST_MACHINES` machines of the model, limited to the published range; else the published peak, else nothing. The
 * customer's own machines do not count and are shown separately. The worst metric decides; a metric that was not measured is
 * absent. Figures of different engines or load classes are not compared, and `notes` says so. Implausible figures have the status unknown.
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
    score: measured.unranked === null ? scoreOf(compared) : null,
    metrics: compared,
    ...(own === undefined || own.length === 0 ? {} : { own_fleet: own }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

export const unknownPerformance: Performance = { status: 'unknown', score: null, metrics: [] };

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
  const common = { metric, value, sample_size: machines, customers };
  if (usual !== null) {
    const expected = withinPublished(metric, usual, measured);
    const percentile = rounded((100 * votes.filter((other) => other <= value).length) / customers, 1);
    return {
      ...common,
      expected,
      ratio: rounded(value / expected, 4),
      percentile,
      basis: 'peers',
      floor: floorOfPeers(metric, measured.bf16_load),
    };
  }
  const published = publishedFigure(metric, measured);
  if (published) {
    const { expected, floor } = published;
    return { ...common, expected, ratio: rounded(value / expected, 4), percentile: null, basis: 'spec', floor };
  }
  return { ...common, expected: null, ratio: null, percentile: null, basis: 'none' };
}

/** 0.95, or what a healthy machine with one card may be below others: see `limitsOf`. */
const floorOfPeers = (metric: KeyMetric, load: LoadMark | null): number =>
  rounded(Math.min(UNDERPERFORMING_BELOW, 1 - limitsOf(metric, load, 'votes').warn), 2);

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
  const ratios = compared.flatMap(({ ratio }) => ratio ?? []);
  if (ratios.length === 0) return 'unknown';
  if (compared.some(isBelowFloor)) return 'underperforming';
  return ratios.every((ratio) => ratio > OUTPERFORMING_ABOVE) ? 'outperforming' : 'nominal';
}

/** Whether a metric makes its job underperform. Jobs of earlier releases have no floor: theirs is that of peers. */
export const isBelowFloor = ({ ratio, floor = UNDERPERFORMING_BELOW }: Compared): boolean =>
  ratio !== null && ratio < floor;

/** 100 times the geometric mean of the ratios: 100 is as expected. */
function scoreOf(compared: readonly Compared[]): number | null {
  const ratios = compared.flatMap(({ ratio }) => ratio ?? []);
  if (ratios.length === 0) return null;
  return rounded(100 * geometricMean(ratios), 1);
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
