import type { FigureVerdict } from '../contract/figure-verdict.ts';
import { type Arithmetic, engineNames, isGemmMetric, type MatrixEngine } from '../contract/matrix-engine.ts';
import type { LoadClass } from '../contract/load-class.ts';
import { ENGINES_GAP_MAX } from './compare-engines.ts';
import { CORE_SHARE_MIN } from '../contract/quick-mark.ts';

/** What the rules read of one figure, on the machine that measured it and again on the coordinator. */
export interface JudgedFigure {
  metric: string;
  value: number | null;
  unit: string;
  reason: string | null;
  cv: number | null;
  verified: boolean | null;
  /** Share of the measured time in which the threads had their cores; null if the device uses none of the host's cores. */
  core_share: number | null;
  /** Of a processor whose cgroup leaves its threads less than their cores; null or absent otherwise. */
  cpu_quota?: CpuQuota | null;
  /** Set for matrix products only: every other figure has one source. */
  engine: MatrixEngine | null;
  /** Set for `fp32_tflops` only, whose arithmetic depends on the device; null or absent for others. */
  arithmetic?: Arithmetic | null;
  /** Of matrix products, multiply-add and issue peaks; null or absent if unknown. */
  load?: LoadClass | null;
}

/** How many cores' time a cgroup leaves, and how many threads share it. */
interface CpuQuota {
  cores: number;
  threads: number;
}

/** The quota of a processor by its attributes, if it is below what its threads would use. */
export function cpuQuota({ cpu_quota_cores: cores, threads }: Record<string, unknown>): CpuQuota | null {
  const isBelow = typeof cores === 'number' && typeof threads === 'number' && cores > 0 && cores < threads;
  return isBelow ? { cores, threads } : null;
}

/** What a rule says about one figure of one device. `ok` without a reason: it passed; with one: a remark. */
export interface Finding {
  metric: string;
  verdict: FigureVerdict;
  /** The rule's name, such as `peers`. */
  rule: string;
  reason: string | null;
  /** The rule was not applied, and the reason says why. */
  refused?: true;
  /** Above what has been published for the model: no other machine is compared with it. */
  beyond?: true;
}

/**
 * Largest plausible spread. A processor shares its cores and memory with everything else, a card does not. Under a matrix
 * product the clock follows the power and fluctuates: by 1 to 6 % on healthy H100 and H200, in torch's series too.
 */
const SPREAD_MAX = { cpu: 0.1, product: 0.08, card: 0.05 } as const;

/** A figure of a card that depends on its host as much as on the card. */
const HOST_FIGURE = 'kernel_launch_overhead_us';

/** The worse verdict counts. A figure that is both absent and throttled is `warn`. */
const SEVERITY: Record<FigureVerdict, number> = { ok: 0, absent: 1, warn: 2, bad: 3 };

export const isWorse = (one: FigureVerdict, other: FigureVerdict): boolean => SEVERITY[one] > SEVERITY[other];

/** The worst finding; of equally bad ones that of the earlier rule. */
export const worstFinding = ([first, ...others]: readonly [Finding, ...Finding[]]): Finding =>
  others.reduce((held, finding) => (isWorse(finding.verdict, held.verdict) ? finding : held), first);

/** A figure that failed its check is dropped. One that only looks wrong is kept and marked. */
export const valueOf = (figure: Pick<JudgedFigure, 'value' | 'verified'>): number | null =>
  figure.verified === false ? null : figure.value;

/** The finding from the figure's own data: verification, absence, spread, core share. */
export function ownFinding(figure: JudgedFigure, vendor: string): Finding {
  const says = (verdict: FigureVerdict, rule: string, reason: string | null): Finding => ({
    metric: figure.metric,
    verdict,
    rule,
    reason,
  });
  if (figure.verified === false)
    return says('bad', 'verification', figure.reason ?? 'the result differs from its reference');
  if (figure.value === null) return says('absent', 'absence', figure.reason ?? 'the runner gave no reason');
  if (figure.value === 0 && /_(tflops|gbs)$/.test(figure.metric))
    return says('bad', 'physical limit', `reads 0 ${figure.unit}, which nothing that was measured does`);
  const limit = spreadMax(figure.metric, vendor);
  const quota = quotaWords(figure.cpu_quota ?? null);
  if (figure.cv !== null && figure.cv > limit)
    return says('warn', 'spread', `spread above ${limit * 100} %: other work on it or unsteady clocks`);
  if (figure.core_share !== null && figure.core_share < CORE_SHARE_MIN)
    return says(
      'warn',
      'core share',
      `the threads had their cores only ${Math.floor(figure.core_share * 100)} % of the time${quota === null ? '' : `: ${quota}`}`,
    );
  return says('ok', figure.cv === null ? 'verification' : 'spread', quota);
}

const quotaWords = (quota: CpuQuota | null): string | null =>
  quota === null
    ? null
    : `the cgroup of this process has the time of ${Number(quota.cores.toFixed(2))} cores for ${quota.threads} threads`;

function spreadMax(metric: string, vendor: string): number {
  if (vendor === 'cpu' || metric === HOST_FIGURE) return SPREAD_MAX.cpu;
  return isGemmMetric(metric) ? SPREAD_MAX.product : SPREAD_MAX.card;
}

/**
 * A remark on the figures on which the vendor's library and our kernels differ by more than they should: a doubt about one of
 * the two programs, never about the card, whose figure still counts and votes. Nothing if only one of them measured.
 */
export function engineFindings(
  figures: readonly JudgedFigure[],
  details: (metric: string) => Record<string, unknown>,
): Finding[] {
  return figures.flatMap((figure) =>
    isGemmMetric(figure.metric) ? (gapFinding(figure, details(figure.metric)) ?? []) : [],
  );
}

/** What an engine reached according to these details, TFLOP/s; null if it was unavailable, not requested or wrong. */
export function tflopsBy(engine: MatrixEngine, details: Record<string, unknown>): number | null {
  const tflops = memberOf(memberOf(details['engines'], engine), 'tflops');
  return typeof tflops === 'number' && Number.isFinite(tflops) && tflops > 0 ? tflops : null;
}

function gapFinding({ metric, unit }: JudgedFigure, details: Record<string, unknown>): Finding | null {
  const [vendor, own] = [tflopsBy('vendor', details), tflopsBy('own', details)];
  if (vendor === null || own === null) return null;
  const gap = Math.abs(vendor - own) / Math.max(vendor, own);
  if (gap <= ENGINES_GAP_MAX) return null;
  const figures = `${engineNames.vendor} ${printed(vendor)}, ${engineNames.own} ${printed(own)} ${unit}`;
  const share = `${(gap * 100).toFixed(1)} % apart, limit ${ENGINES_GAP_MAX * 100} %`;
  const cause = vendor < own ? 'the library may be too old for this card' : 'a kernel of ours may not suit this card';
  return { metric, verdict: 'ok', rule: 'engines', reason: `${figures}: ${share}; ${cause}` };
}

const memberOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

/** Four significant digits, without an exponent. */
const printed = (value: number): string => String(Number(value.toPrecision(4)));
