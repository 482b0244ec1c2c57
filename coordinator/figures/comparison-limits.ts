import { isClass, type LoadMark } from '../contract/load-class.ts';
import { isGemmMetric } from '../contract/matrix-engine.ts';

/** How far healthy cards of one model are apart in one kind of figure. */
export interface Spread {
  /** standard deviation as a share of the figure: between cards, and between two runs of one card */
  between_cards: number;
  of_one_card: number;
  /** largest difference of two healthy runs of one card that no normal distribution has; 0 if there is none */
  jump: number;
  source: string;
}

const FILES = 'native/results: one H100 SXM and one H200, three rounds each (2026-11-27)';
/**
 * - `clock`: multiply-adds, bandwidths and latencies on the card follow clocks that are the same for all cards. The largest standard
 *   deviation of three rounds is 0.44 %, one step of the clock. How far two cards are apart is not known beyond that.
 * - `power`: products and issue peaks run at the power cap, where each chip has the clock that its leakage leaves it. Between cards
 *   1.5 %: 8 % from whisker to whisker of a box plot, which are 5.4 standard deviations, on 18,800 hours of five clusters (Sinha et
 *   al., "Not All GPUs Are Created Equal", SC22, arXiv 2208.11035; V100, MI60 and RTX 5000, none newer). Rounds of one card: 0.60 %
 *   over the library's products.
 * - `brief`: the same over less than a second, or over a time that was not recorded. The first round of a healthy H100 was 5.0 %
 *   faster than its others (own fp16, 687.8, 655.6, 654.8 TFLOP/s).
 * - `host`: copies with the host share its memory and switches; the maker of the server decides, so the limits are those of paths
 *   through the host (`judge-pairs.ts`).
 */
export const spreads = {
  clock: { between_cards: 0.005, of_one_card: 0.005, jump: 0, source: FILES },
  power: { between_cards: 0.0155, of_one_card: 0.006, jump: 0, source: `${FILES}; arXiv 2208.11035` },
  brief: { between_cards: 0.0155, of_one_card: 0.006, jump: 0.0504, source: `${FILES}; arXiv 2208.11035` },
  host: { between_cards: 0.02, of_one_card: 0.005, jump: 0, source: FILES },
} as const satisfies Record<string, Spread>;
export type SpreadKind = keyof typeof spreads;

const HOST = new Set(['host_to_device_bandwidth_gbs', 'device_to_host_bandwidth_gbs']);

/** Which spread a figure of this load has. A load that is not known counts as brief. */
export function spreadKind(metric: string, load: LoadMark | null): SpreadKind {
  if (HOST.has(metric)) return 'host';
  if (!isGemmMetric(metric) && !metric.startsWith('matrix_issue_')) return 'clock';
  return isClass(load) ? 'power' : 'brief';
}

/**
 * `peers`: a card against the median of at least three of its node. `two`: of two cards, or a card against an earlier run of others.
 * `itself`: a card against its own earlier run. `votes`: a machine against the median of five customers' machines or more.
 */
export type Comparison = 'peers' | 'two' | 'itself' | 'votes';

/** Shares behind which a figure is a warning and a failure. */
export interface Limits {
  warn: number;
  bad: number;
}

/** Differences of this size matter to a user whatever the spread; below them nothing is said. */
const LEAST: Limits = { warn: 0.03, bad: 0.05 };
const LEAST_OF_HOST: Limits = { warn: 0.1, bad: 0.25 };
/** In standard deviations, so that at most 1 in 10,000 healthy nodes gets a warning by any comparison. */
const SIGMAS: Readonly<Record<Comparison, Limits>> = {
  peers: { warn: 5.5, bad: 6.5 },
  two: { warn: 7, bad: 8 },
  itself: { warn: 7.5, bad: 8.5 },
  votes: { warn: 4.6, bad: 5.6 },
};

/**
 * The limits of a comparison. With L the limit in standard deviations of one healthy card, a card x of n is more than L behind
 * their median only if at least half of the n are above x + L: with probability p = integral of phi(x) P(Bin(n - 1, Q(x + L)) >=
 * n / 2) dx; two are more than L apart with p = 2 Q(L / sqrt 2), and a card is worse than another by more than L with Q(L / sqrt 2); than the
 * median of five, which varies by 0.287 of one (order statistics of a normal sample), with Q(L / sqrt 1.287).
 * A node has n cards and M figures of a kind (17 `power`, 8 `clock`, 2 `host`), so at most n M p of all healthy nodes get a
 * warning, though what two chips differ by at the power cap is the same in all their products. Summed over the kinds this is at
 * most 5e-5 (of three cards; 1.3e-5 of eight and sixteen): test/coordinator/figures/comparison-limits.test.ts computes it, and draws healthy nodes.
 */
export function limitsOf(metric: string, load: LoadMark | null, comparison: Comparison): Limits {
  const kind = spreadKind(metric, load);
  const { between_cards, of_one_card, jump } = spreads[kind];
  const sigma = comparison === 'itself' ? of_one_card : between_cards;
  const least = kind === 'host' ? LEAST_OF_HOST : LEAST;
  const limit = (severity: keyof Limits): number =>
    Math.max(least[severity], jump + SIGMAS[comparison][severity] * sigma);
  return { warn: limit('warn'), bad: limit('bad') };
}
