import { slowedBy } from './health/clocks.ts';
import { type FactReader, factsOf, numberOf, type Signal, type SignalledCard } from './signal-facts.ts';

/** What slows a card down by half or more, as NVIDIA describes them; the driver's own slowdown is gentler. */
const BY_HARDWARE: ReadonlySet<string> = new Set(['hw_thermal', 'power_brake', 'hw_slowdown']);

/**
 * For how much of the run, 0 to 1, the card was held back by each reason that is not normal and that its maker tells. Reaching the
 * power cap or the limit of electric current is normal. What was seen, without a time of it, may have been the whole run.
 */
export function throttleSignals(facts: FactReader, { vendor, details }: SignalledCard): Signal[] {
  const bits = facts.run('throttle');
  const total = numberOf(factsOf(details('run'))['seconds']);
  const read = readShares(details('readings'));
  const shares = REASONS[vendor === 'amd' ? 'amd' : 'nvidia'].map((reason) => {
    const seconds = numberOf(facts.run(`throttle_seconds.${reason}`));
    const counted = seconds === null || total === null || total <= 0 ? null : Math.min(1, seconds / total);
    const known = counted ?? (read === null ? null : (read.get(reason) ?? 0));
    // Seen by a reading, and too short for the counter.
    const share = known === 0 && Array.isArray(bits) && bits.includes(reason) ? A_MOMENT : known;
    return { reason, share };
  });
  const [worst] = shares
    .flatMap(({ reason, share }) => (share !== null && BY_HARDWARE.has(reason) ? [{ reason, share }] : []))
    .toSorted((a, b) => b.share - a.share);
  return [
    ...shares.map(({ reason, share }): Signal => {
      const signal = `throttle_${reason}`;
      if (share !== null) return { signal, value: null, during_run: share, told: `${shareWords(share)} of the run` };
      if (!Array.isArray(bits)) return { signal, value: null, not_read: facts.why('throttle') };
      return { signal, value: null, during_run: bits.includes(reason) ? 1 : 0, told: 'for how long is not known' };
    }),
    worst === undefined
      ? { signal: 'throttle_hardware', value: null, not_read: 'for how long the card was held back was not read' }
      : {
          signal: 'throttle_hardware',
          value: null,
          during_run: worst.share,
          told: `${slowedBy[worst.reason] ?? worst.reason}, ${shareWords(worst.share)} of the run`,
        },
  ];
}

const A_MOMENT = 0.0005;

/** As each maker's runner tells them. */
const REASONS = {
  nvidia: ['hw_thermal', 'sw_thermal', 'power_brake', 'hw_slowdown'],
  amd: ['hw_thermal', 'sw_thermal'],
} as const;

/**
 * The share of the readings that have the reason; null without any. In runs of more readings than are kept, neighbours are one with
 * the reasons of all, so that a share is never too small.
 */
function readShares(readings: Record<string, unknown>): Map<string, number> | null {
  const { seconds, throttled } = readings;
  if (!Array.isArray(seconds) || seconds.length === 0 || !Array.isArray(throttled)) return null;
  const shares = new Map<string, number>();
  for (const { first, last, reasons } of throttled.map(factsOf)) {
    const [from, to] = [numberOf(first), numberOf(last)];
    if (from === null || to === null || to < from || !Array.isArray(reasons)) continue;
    for (const reason of new Set<unknown>(reasons))
      shares.set(String(reason), Math.min(1, (shares.get(String(reason)) ?? 0) + (to - from + 1) / seconds.length));
  }
  return shares;
}

const shareWords = (share: number): string =>
  share > 0 && share < 0.001 ? 'under 0.1 %' : `${Number((100 * share).toPrecision(share < 0.01 ? 2 : 3))} %`;
