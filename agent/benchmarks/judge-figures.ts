import { CORE_SHARE_MIN } from '../../coordinator/contract/quick-mark.ts';
import type { GemmFacts } from '../kernels/gemm-facts.ts';
import type { DeviceSummary, MetricSummary, Verdict } from '../ui/run-summary.ts';

/** One result of the runner. */
export interface Figure extends GemmFacts {
  metric: string;
  value: number | null;
  unit: string;
  reason: string | null;
  n: number | null;
  cv: number | null;
  verified: boolean | null;
  /** Share of the measured time in which the threads had their cores; null where the device has none of the host's. */
  core_share: number | null;
  /** Why there is no value: the hardware has no such thing, or measuring it failed. Null where the runner does not say. */
  absence: 'hardware' | 'failed' | null;
}

/** What a rule says of one figure of one device. `ok` without a reason: it passed; with one: a remark. */
export interface Finding {
  metric: string;
  verdict: Verdict;
  /** The rule's name, such as `peers`. */
  rule: string;
  reason: string | null;
  /** The rule was not applied, and the reason says why. */
  refused?: true;
}

/** Largest believable spread. A processor shares its cores and memory with everything else, a card does not. */
const SPREAD_MAX = { cpu: 0.1, card: 0.05 } as const;

/** A card's figure that its host takes as much part in as the card. */
const HOST_FIGURE = 'kernel_launch_overhead_us';

/** The worse verdict counts; of two equal ones the earlier rule's. A figure that is absent and throttled is doubtful. */
const SEVERITY: Record<Verdict, number> = { ok: 0, absent: 1, warn: 2, bad: 3 };

/**
 * Verdict per figure with the rule that tripped; the device is as bad as its worst figure.
 * @param findings of the rules that look beyond the single figure, in their order
 */
export function judgeDevice(
  device: { device_id: string; name: string; vendor: string; simulated: boolean },
  figures: Figure[],
  findings: readonly Finding[] = [],
): DeviceSummary {
  const metrics = figures.map((figure) => judgeFigure(figure, device.vendor, findings));
  // A card that fell off has figures that are fine, and others that should have been there.
  const worst = (['bad', 'warn', 'ok'] as const).find((verdict) =>
    metrics.some((metric) => metric.verdict === verdict || (verdict === 'warn' && metric.absence === 'failed')),
  );
  const { device_id, name, vendor, simulated } = device;
  return { device_id, name, vendor, simulated, verdict: worst ?? 'absent', metrics, together: [] };
}

/** As in the upload: a figure that failed its check is no figure. One that only looks wrong is shown, and marked. */
export const valueOf = (figure: Pick<Figure, 'value' | 'verified'>): number | null =>
  figure.verified === false ? null : figure.value;

function judgeFigure(figure: Figure, vendor: string, findings: readonly Finding[]): MetricSummary {
  const { metric, unit, n, cv, absence } = figure;
  const all: Finding[] = [ownFinding(figure, vendor), ...findings.filter((finding) => finding.metric === metric)];
  const worst = all.reduce((held, finding) => (SEVERITY[finding.verdict] > SEVERITY[held.verdict] ? finding : held));
  const { verdict } = worst;
  const remarks = all.flatMap((finding) => finding.reason ?? []);
  return {
    metric,
    value: valueOf(figure),
    unit,
    n,
    cv,
    verdict,
    rule: verdict === 'ok' ? null : worst.rule,
    reason: verdict === 'ok' ? remarks.join('; ') || null : worst.reason,
    absence,
    judged_by: [...new Set(all.filter((finding) => finding.refused !== true).map((finding) => finding.rule))],
    engine: figure.engine,
    fraction_of_spec_peak: figure.fraction_of_spec_peak,
    spec_peak_tflops: figure.spec_peak_tflops,
    other_engine_tflops: figure.other_engine_tflops,
  };
}

function ownFinding(figure: Figure, vendor: string): Finding {
  const says = (verdict: Verdict, rule: string, reason: string | null): Finding => ({
    metric: figure.metric,
    verdict,
    rule,
    reason,
  });
  if (figure.verified === false)
    return says('bad', 'verification', figure.reason ?? 'the result differs from its reference');
  if (figure.value === null) return says('absent', 'absence', figure.reason ?? 'the runner gave no reason');
  const limit = vendor === 'cpu' || figure.metric === HOST_FIGURE ? SPREAD_MAX.cpu : SPREAD_MAX.card;
  if (figure.cv !== null && figure.cv > limit)
    return says('warn', 'spread', `spread above ${limit * 100} %: other work on it or unsteady clocks`);
  if (figure.core_share !== null && figure.core_share < CORE_SHARE_MIN)
    return says(
      'warn',
      'core share',
      `the threads had their cores only ${Math.floor(figure.core_share * 100)} % of the time`,
    );
  return says('ok', figure.cv === null ? 'verification' : 'spread', null);
}
