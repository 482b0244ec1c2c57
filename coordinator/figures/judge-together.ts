import type { TogetherFigure } from '../contract/figure-verdict.ts';
import type { Finding } from './judge-figure.ts';

/** A figure while all devices of the node worked, and alone; the gap is computed here. */
export type GapOfFigure = Pick<TogetherFigure, 'value' | 'alone'>;

/**
 * How much lower a figure may be while all devices work, as a share. On the card nothing is shared but power and cooling, which
 * a server for that many cards has for all of them. The copies with the host share its memory and its PCIe switches, and how
 * many lanes a server has for each card is its maker's choice: never `bad`.
 */
const LIMITS = {
  card: { warn: 0.05, bad: 0.1 },
  host: { warn: 0.1, bad: Number.POSITIVE_INFINITY },
} as const;
const HOST_FIGURES = new Set(['host_to_device_bandwidth_gbs', 'device_to_host_bandwidth_gbs']);

/** A finding with the limit in words: "above 10 %". */
type GapFinding = Finding & { verdict: 'ok' | 'warn' | 'bad'; limit: string };

/** What a device loses while the others work as well; a figure that is as good as alone has no remark. */
export function togetherFindings(together: Readonly<Record<string, GapOfFigure>>): GapFinding[] {
  return Object.entries(together).flatMap(([metric, { value, alone }]): GapFinding[] => {
    if (value === null || alone === null || !(alone > 0)) return [];
    const limits = LIMITS[HOST_FIGURES.has(metric) ? 'host' : 'card'];
    const gap = 1 - value / alone;
    const verdict = gap > limits.bad ? 'bad' : gap > limits.warn ? 'warn' : 'ok';
    const tripped = percent(verdict === 'bad' ? limits.bad : limits.warn);
    const reason = verdict === 'ok' ? null : `${percent(gap, 1)} below the same alone, limit ${tripped}`;
    const limit = `${verdict === 'ok' ? 'within' : 'above'} ${tripped}`;
    return [{ metric, verdict, rule: 'all at once', reason, limit }];
  });
}

const percent = (share: number, digits = 0): string => `${(share * 100).toFixed(digits)} %`;
