import { ownFinding, valueOf, worstFinding } from '../../coordinator/figures/judge-figure.ts';
import type { Finding, JudgedFigure } from '../../coordinator/figures/judge-figure.ts';
import type { GemmFacts } from '../kernels/gemm-facts.ts';
import type { DeviceSummary, MetricSummary } from '../run/run-summary.ts';

/** One result of the runner. */
export interface Figure extends JudgedFigure, GemmFacts {
  n: number | null;
  /** Why there is no value: the hardware lacks the feature, or the measurement failed. Null if unknown. */
  absence: 'hardware' | 'failed' | null;
}

/**
 * Verdict per figure, with the rule that tripped; the device's verdict is that of its worst figure.
 * @param findings results of the rules that compare figures, in order
 */
export function judgeDevice(
  device: { device_id: string; name: string; vendor: string; simulated: boolean },
  figures: Figure[],
  findings: readonly Finding[] = [],
): DeviceSummary {
  const metrics = figures.map((figure) => judgeFigure(figure, device.vendor, findings));
  // A card that was lost during the run has some good figures and lacks others.
  const worst = (['bad', 'warn', 'ok'] as const).find((verdict) =>
    metrics.some((metric) => metric.verdict === verdict || (verdict === 'warn' && metric.absence === 'failed')),
  );
  const { device_id, name, vendor, simulated } = device;
  return {
    device_id,
    name,
    vendor,
    simulated,
    verdict: worst ?? 'absent',
    metrics,
    together: [],
    health: [],
    health_not_read: [],
  };
}

function judgeFigure(figure: Figure, vendor: string, findings: readonly Finding[]): MetricSummary {
  const { metric, unit, n, cv, absence } = figure;
  const all: [Finding, ...Finding[]] = [
    ownFinding(figure, vendor),
    ...findings.filter((finding) => finding.metric === metric),
  ];
  const worst = worstFinding(all);
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
    arithmetic: figure.arithmetic ?? null,
    heuristic_first_tflops: figure.heuristic_first_tflops ?? null,
    load: figure.load ?? null,
    burst: figure.burst ?? null,
  };
}
