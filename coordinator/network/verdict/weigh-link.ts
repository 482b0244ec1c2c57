import { linearMedian, orNull } from '../../figures/statistics.ts';
import type { BadLink } from '../../contract/cluster-network.ts';
import type { NetworkTransport } from '../../contract/network-config.ts';
import type { ExpectedRates } from './expected-rates.ts';
import type { LossOf } from './find-loss.ts';
import type { ExpectedRate } from './node-rates.ts';
import { directions, type Direction, type JudgedAttempt, type JudgedLink } from './run-verdict.ts';

/** Share of the expected rate below which a link is suspected. RDMA bandwidths vary less than those of TCP. */
const SUSPECT_BELOW: Record<NetworkTransport, number> = { tcp: 0.7, rdma_host: 0.85, rdma_gpu: 0.85 };

type Expected = Record<Direction, ExpectedRate | null>;

export interface WeighedAttempt {
  attempt: JudgedAttempt;
  /** measured over expected; null if either is unknown */
  ratios: Record<Direction, number | null>;
  /** loss over the allowed loss */
  loss: number;
}

/** A link with each attempt compared with its ends' rates on other links. */
export interface WeighedLink {
  link: number;
  source: number;
  target: number;
  threshold: number;
  /** from the other links of both ends */
  expected: Expected;
  /** the reference of the attempts, and its source: with two nodes only the other direction is available */
  held: Expected;
  comparedWith: BadLink['compared_with'];
  /** null: never measured */
  first: WeighedAttempt | null;
  /** conclusive attempts alone on the network: without those ended by the loss of a node */
  lone: WeighedAttempt[];
}

/** The references for all links of a run. */
export interface Measure {
  expected: ExpectedRates;
  loss: LossOf;
  transport: NetworkTransport;
}

/**
 * Compares a link's attempts with the expected rates; without other links (two nodes), each direction with the other.
 */
export function weighLink({ link, source, target, attempts }: JudgedLink, measure: Measure): WeighedLink {
  const first = attempts.find(({ attempt }) => attempt === 1) ?? null;
  const forward = measure.expected({ link, from: source, to: target, gbps: first?.forward_gbps ?? Number.NaN });
  const reverse = measure.expected({ link, from: target, to: source, gbps: first?.reverse_gbps ?? Number.NaN });
  const isAlone = forward === null && reverse === null;
  const held = isAlone
    ? { forward: onlyRate(first?.reverse_gbps), reverse: onlyRate(first?.forward_gbps) }
    : { forward, reverse };
  const weigh = (attempt: JudgedAttempt): WeighedAttempt => ({
    attempt,
    ratios: { forward: ratioOf(attempt, 'forward', held), reverse: ratioOf(attempt, 'reverse', held) },
    loss: measure.loss(link, attempt),
  });
  return {
    link,
    source,
    target,
    threshold: SUSPECT_BELOW[measure.transport],
    expected: { forward, reverse },
    held,
    comparedWith: isAlone ? 'other_direction' : 'other_links',
    first: first === null ? null : weigh(first),
    lone: attempts.filter(({ attempt, status }) => attempt > 1 && status !== 'node_lost').map(weigh),
  };
}

const onlyRate = (gbps: number | null | undefined): ExpectedRate | null => (gbps == null ? null : { gbps, rates: 1 });

function ratioOf(attempt: JudgedAttempt, direction: Direction, expected: Expected): number | null {
  if (attempt.status !== 'ok') return null;
  const rate = rateOf(attempt, direction);
  const against = expected[direction]?.gbps ?? 0;
  return rate === null || against <= 0 ? null : rate / against;
}

export const rateOf = (attempt: JudgedAttempt, direction: Direction): number | null =>
  direction === 'forward' ? attempt.forward_gbps : attempt.reverse_gbps;

export const isOk = ({ attempt }: WeighedAttempt): boolean => attempt.status === 'ok';
export const isLossy = ({ loss }: WeighedAttempt): boolean => loss > 1;

/** The directions of an attempt below the given share. */
export const slowDirections = ({ ratios }: WeighedAttempt, below: number): Direction[] =>
  directions.filter((direction) => (ratios[direction] ?? Infinity) < below);

/**
 * Severity of an attempt, lower is worse: the worse direction's ratio, or the threshold over the loss if that is lower;
 * 0: it failed.
 */
export function severity(weighed: WeighedAttempt, threshold: number): number {
  if (!isOk(weighed)) return 0;
  const { forward, reverse } = weighed.ratios;
  const loss = isLossy(weighed) ? threshold / weighed.loss : Infinity;
  return Math.min(forward ?? Infinity, reverse ?? Infinity, loss);
}

/** The attempts with figures, in their order. */
export const okAttempts = ({ first, lone }: WeighedLink): WeighedAttempt[] =>
  [...(first === null ? [] : [first]), ...lone].filter(isOk);

/**
 * The worse direction over all attempts: factor, rate and expectation are medians; `direction` is both if both are
 * slow. If the direction is `known` from the loss, the figures are that direction's: rates alone would blame the one that
 * lost time.
 */
export function worseDirection(link: WeighedLink, known: Direction | null) {
  const { held, threshold } = link;
  const attempts = okAttempts(link);
  const figures = directions.map((direction) => ({
    direction,
    factor: orNull(linearMedian(attempts.flatMap(({ ratios }) => ratios[direction] ?? []))),
    measured: orNull(linearMedian(attempts.flatMap(({ attempt }) => rateOf(attempt, direction) ?? []))),
    expected: held[direction],
  }));
  const [forward, reverse] = figures as [(typeof figures)[number], (typeof figures)[number]];
  const slower = (reverse.factor ?? Infinity) < (forward.factor ?? Infinity) ? reverse : forward;
  const worse = figures.find((one) => one.direction === known) ?? slower;
  const slow = figures.filter(({ factor }) => factor !== null && factor < threshold);
  return {
    direction: known ?? (slow.length === 2 ? ('both' as const) : (slow[0]?.direction ?? null)),
    factor: worse.factor,
    measured_gbps: worse.measured,
    expected_gbps: worse.expected?.gbps ?? null,
    ...(worse.expected && { expected_rates: worse.expected.rates }),
  };
}
