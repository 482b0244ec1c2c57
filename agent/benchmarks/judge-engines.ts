import { ENGINES_GAP_MAX, engineNames, isGemmMetric } from '../../coordinator/contract/matrix-engine.ts';
import { tflopsBy } from '../kernels/gemm-facts.ts';
import type { ResultEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { Finding } from './judge-figures.ts';

/**
 * The figures of which the vendor's library and our kernels lie further apart than they should: a doubt about one of the
 * two programs, never a failure of the card. No finding where only one of them measured.
 */
export function engineFindings(events: readonly RunnerEvent[]): Finding[] {
  const last = new Map(
    events.filter((event) => event.event === 'result').map((event) => [event.metric, event] as const),
  );
  return [...last.values()].flatMap((result) => (isGemmMetric(result.metric) ? (gapFinding(result) ?? []) : []));
}

function gapFinding(result: ResultEvent): Finding | null {
  const [vendor, own] = [tflopsBy('vendor', result), tflopsBy('own', result)];
  if (vendor === null || own === null) return null;
  const gap = Math.abs(vendor - own) / Math.max(vendor, own);
  if (gap <= ENGINES_GAP_MAX) return null;
  const figures = `${engineNames.vendor} ${printed(vendor)}, ${engineNames.own} ${printed(own)} ${result.unit}`;
  const share = `${(gap * 100).toFixed(1)} % apart, limit ${ENGINES_GAP_MAX * 100} %`;
  const cause = vendor < own ? 'the library may be too old for this card' : 'a kernel of ours may not suit this card';
  return { metric: result.metric, verdict: 'warn', rule: 'engines', reason: `${figures}: ${share}; ${cause}` };
}

/** Four significant digits, without an exponent. */
const printed = (value: number): string => String(Number(value.toPrecision(4)));
