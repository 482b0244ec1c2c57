import { CORE_SHARE_MIN } from '../../coordinator/contract/quick-mark.ts';
import type { DeviceSummary, MetricSummary, Verdict } from '../ui/run-summary.ts';

/** One result of the runner. */
export interface Figure {
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

/** Largest believable spread. A processor shares its cores and memory with everything else, a card does not. */
const SPREAD_MAX = { cpu: 0.1, card: 0.05 } as const;

/** Verdict per figure, and the rule that tripped; the device is as bad as its worst figure. */
export function judgeDevice(
  device: { device_id: string; name: string; vendor: string; simulated: boolean },
  figures: Figure[],
): DeviceSummary {
  const metrics = figures.map((figure) => judgeFigure(figure, device.vendor));
  const worst = (['bad', 'warn', 'ok'] as const).find((verdict) =>
    metrics.some((metric) => metric.verdict === verdict),
  );
  const { device_id, name, vendor, simulated } = device;
  return { device_id, name, vendor, simulated, verdict: worst ?? 'absent', metrics };
}

function judgeFigure(figure: Figure, vendor: string): MetricSummary {
  const { metric, unit, n, cv, absence } = figure;
  const [verdict, reason] = verdictOf(figure, vendor);
  // As in the upload: a figure that failed its check is no figure.
  return { metric, value: verdict === 'bad' ? null : figure.value, unit, n, cv, verdict, reason, absence };
}

function verdictOf(figure: Figure, vendor: string): [Verdict, string | null] {
  if (figure.verified === false) return ['bad', figure.reason ?? 'the result differs from its reference'];
  if (figure.value === null) return ['absent', figure.reason ?? 'the runner gave no reason'];
  const limit = vendor === 'cpu' ? SPREAD_MAX.cpu : SPREAD_MAX.card;
  if (figure.cv !== null && figure.cv > limit)
    return ['warn', `spread above ${limit * 100} %: something else used the device`];
  if (figure.core_share !== null && figure.core_share < CORE_SHARE_MIN)
    return ['warn', `the threads had their cores only ${Math.floor(figure.core_share * 100)} % of the time`];
  return ['ok', null];
}

/**
 * What makes the run one "with warnings": a figure that failed its check, one that could not be measured although the
 * hardware has it, a doubtful one of a card, a device without a single figure. Noise on a processor is shown at the
 * figure but is no warning: other programs are its normal company.
 */
export function deviceWarnings(device: DeviceSummary): string[] {
  const counts = (metric: MetricSummary): boolean =>
    metric.verdict === 'bad' || metric.absence === 'failed' || (metric.verdict === 'warn' && device.vendor !== 'cpu');
  const named = device.metrics
    .filter(counts)
    .map((metric) => `${device.device_id}: ${metric.metric}: ${metric.reason ?? 'doubtful'}`);
  const isEmpty = device.metrics.every((metric) => metric.value === null);
  return isEmpty ? [`${device.device_id}: nothing could be measured`, ...named] : named;
}
