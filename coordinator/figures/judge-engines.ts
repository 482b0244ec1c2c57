import type { Finding, JudgedFigure } from './judge-figure.ts';
import { ENGINES_GAP_MAX, engineNames, isGemmMetric, type MatrixEngine } from '../contract/matrix-engine.ts';

/**
 * The figures of which the vendor's library and our kernels lie further apart than they should: a doubt about one of the
 * two programs, never a failure of the card. No finding where only one of them measured.
 */
export function engineFindings(
  figures: readonly JudgedFigure[],
  details: (metric: string) => Record<string, unknown>,
): Finding[] {
  return figures.flatMap((figure) =>
    isGemmMetric(figure.metric) ? (gapFinding(figure, details(figure.metric)) ?? []) : [],
  );
}

/** What an engine reached in the result of these details, TFLOP/s; null where it was not there, not asked for or wrong. */
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
  return { metric, verdict: 'warn', rule: 'engines', reason: `${figures}: ${share}; ${cause}` };
}

const memberOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

/** Four significant digits, without an exponent. */
const printed = (value: number): string => String(Number(value.toPrecision(4)));
